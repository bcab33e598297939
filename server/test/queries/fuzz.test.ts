import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { FuzzNote, FuzzTask } from './fuzz-worker.ts'

const seed = Number(process.env['QUIVER_SEED'] ?? 20_261)
/** The slow suite takes 100,000: three to four minutes. */
const count = Number(process.env['QUIVER_FUZZ_TEXTS'] ?? 3_000)
/** For one text, on a machine that has much else to do; each is a matter of milliseconds. */
const PATIENCE_MS = 120_000

type Done = Extract<FuzzNote, { kind: 'done' }>

/** What the worker made of the texts; rejects with the text at which it failed or stood still. */
function fuzzed(worker: Worker): Promise<Done> {
  return new Promise((resolve, reject) => {
    let last = 'none'
    const fail = (what: string) => reject(new Error(`${what}, at the text of ${last}`))
    let timer = setTimeout(fail, PATIENCE_MS, 'no text begun')
    worker.on('error', (error) => fail(String(error)))
    worker.on('message', (note: FuzzNote) => {
      clearTimeout(timer)
      if (note.kind === 'done') return resolve(note)
      if (note.kind === 'fault') return fail(note.message)
      last = `QUIVER_SEED=${note.seed} QUIVER_FUZZ_TEXTS=1:\n${note.text}`
      timer = setTimeout(fail, PATIENCE_MS, 'stands still')
    })
  })
}

it(`meets any query with an answer or a diagnostic: ${count} texts of seed ${seed}`, {
  timeout: PATIENCE_MS + count * 1_000,
}, async () => {
  const workerData: FuzzTask = { seed, count }
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), { workerData })
  try {
    const { compiled, finished } = await fuzzed(worker)
    // A text alone is looked at again: it may be one that does not compile.
    if (count === 1) return
    // Few texts stay whole; were it none, nothing would have been tried.
    expect(compiled).toBeGreaterThan(count / 50)
    expect(finished).toBeGreaterThan(count / 100)
  } finally {
    await worker.terminate()
  }
})

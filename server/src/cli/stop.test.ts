import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STOP_MS_MAX, STOP_WATCH_MS } from '#kernel/limits.ts'
import { type StopParts, stop } from './stop.ts'

interface Observed {
  readonly lines: string[]
  readonly ends: (number | 'abandoned')[]
  deadline: (() => void) | null
}

function observed(steps: StopParts['steps']): Observed & { readonly parts: StopParts } {
  const seen: Observed = { lines: [], ends: [], deadline: null }
  const parts: StopParts = {
    steps,
    deadlineMs: STOP_MS_MAX,
    after: (_ms, call) => {
      seen.deadline = call
      return () => {
        seen.deadline = null
      }
    },
    report: (line) => seen.lines.push(line),
    exit: (code) => seen.ends.push(code),
    abandon: () => seen.ends.push('abandoned'),
  }
  return Object.assign(seen, { parts })
}

describe('a stop', () => {
  it('runs the steps in order, then exits', async () => {
    const order: string[] = []
    const step = (name: string) => ({ name, run: async () => void order.push(name) })
    const seen = observed([step('the server'), step('the store')])
    await stop(seen.parts)
    expect(order).toEqual(['the server', 'the store'])
    expect([seen.ends, seen.lines, seen.deadline]).toEqual([[0], [], null])
  })

  it('goes on behind a step that fails, and exits with an error', async () => {
    let isClosed = false
    const seen = observed([
      { name: 'the engine', run: () => Promise.reject(new Error('broken')) },
      {
        name: 'the store',
        run: async () => {
          isClosed = true
        },
      },
    ])
    await stop(seen.parts)
    expect([isClosed, seen.ends]).toEqual([true, [1]])
    expect(seen.lines).toEqual(['quiver: the engine could not be stopped: Error: broken'])
  })

  it('abandons at the deadline what hangs, and names it', async () => {
    const seen = observed([
      { name: 'the server', run: async () => {} },
      { name: 'the engine', run: () => new Promise(() => {}) },
    ])
    void stop(seen.parts)
    await Promise.resolve()
    await Promise.resolve()
    seen.deadline!()
    expect(seen.ends).toEqual(['abandoned'])
    expect(seen.lines[0]).toBe(
      `quiver: the engine did not stop within ${STOP_MS_MAX / 1_000} s and was abandoned;`,
    )
  })

  it('leaves the operator ten seconds at most', () => {
    expect(STOP_MS_MAX + STOP_WATCH_MS).toBeLessThan(10_000)
  })

  it('ends a process with a thread that hangs inside the system', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-stop-'))
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    const child = spawn(process.execPath, ['--input-type=module', '--eval', hangingProgram, pipe], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += String(data)
    })
    // Opens when the thread has opened the other end, from which it then reads.
    const writer = await open(pipe, 'w')
    // Between the two the thread runs JavaScript, where a termination does reach it.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(errors).toContain('the hanging thread did not stop within')
    await writer.close()
    rmSync(directory, { recursive: true })
  })
})

/** Its thread reads from a pipe that nobody writes to: no termination reaches it there. */
const hangingProgram = `
import { Worker } from 'node:worker_threads'
import { stopOnSignal } from './stop.ts'
let worker
stopOnSignal([{ name: 'the hanging thread', run: () => worker.terminate() }], 200)
worker = new Worker(
  'import { readFileSync } from "node:fs"; import { workerData } from "node:worker_threads";' +
  'readFileSync(workerData)',
  { eval: true, workerData: process.argv[1] })
`

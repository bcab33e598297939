import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { GraphProcess } from './graph-process.ts'

const run = promisify(execFile)

/** A program with nothing else under way, so that only the process of the graphs can keep it. */
const program = `
  import { GraphProcess } from ${JSON.stringify(new URL('./graph-process.ts', import.meta.url).href)}
  const graphs = new GraphProcess({ after: () => () => undefined, onLost: console.log })
  graphs.open(1, { dimension: 2, metric: 'L2' })
  const keep = setInterval(() => undefined, 1000)
  const none = new Float64Array(0)
  await graphs.apply(1, { removed: none, added: Float64Array.of(7), vectors: Float32Array.of(1, 2) })
  console.log(...(await graphs.search(1, Float32Array.of(1, 1), 5)))
  clearInterval(keep)
`

const output = async (end: string) => {
  const script = ['--input-type=module', '-e', program + end]
  return (await run(process.execPath, script)).stdout
}

describe('the process of the graphs', () => {
  it('is waited for when it is closed, with nothing else to wait for', async () => {
    expect(await output('await graphs.close(); console.log("closed")')).toBe('7\nclosed\n')
  })

  it('is ended when it gives no answer in time, and whoever waits goes on without', async () => {
    const lost: string[] = []
    let isLate: (() => void) | null = null
    const after = (_ms: number, call: () => void) => {
      isLate = call
      return () => undefined
    }
    const graphs = new GraphProcess({ after, onLost: (cause) => lost.push(cause) })
    const { processId } = graphs
    const answer = graphs.search(1, Float32Array.of(1), 1)
    isLate!()
    expect(await answer).toBeNull()
    expect(lost).toEqual(['it gave no answer'])
    expect(await graphs.search(1, Float32Array.of(1), 1)).toBeNull()
    await expect.poll(() => isAlive(processId!), { timeout: 20_000 }).toBe(false)
    // It was told of once, though the process has ended since.
    expect(lost).toHaveLength(1)
    await graphs.close()
  })

  it('keeps no program from ending, and ends with it', async () => {
    const [found, id] = (await output('console.log(graphs.processId)')).trim().split('\n')
    expect(found).toBe('7')
    await expect.poll(() => isAlive(Number(id)), { timeout: 20_000 }).toBe(false)
  })
})

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

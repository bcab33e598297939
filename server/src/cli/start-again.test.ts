import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { REPLACED, START_AGAIN, startAgain } from './start-again.ts'

function partsOf(environment: Record<string, string>, done: unknown[]) {
  return {
    environment,
    uptimeSeconds: 1,
    report: (line: string) => void done.push(line),
    pause: (ms: number) => void done.push(ms),
    replace: (next: Record<string, string | undefined>) => void done.push(next),
    exit: (status: number) => void done.push(status),
  }
}

describe('a server that starts again', () => {
  it('ends with status 75 for its supervisor', () => {
    const done: unknown[] = []
    startAgain('the log goes on elsewhere', false, partsOf({ QUIVER_LAUNCHER: '17' }, done))
    expect(done).toEqual(['quiver: starting again: the log goes on elsewhere', START_AGAIN])
  })

  it('takes its own place where nobody supervises it, after a pause if it ran shortly', () => {
    const done: unknown[] = []
    startAgain('why', false, partsOf({ QUIVER_LAUNCHER: REPLACED, A: '1' }, done))
    expect(done.slice(1)).toEqual([
      1_000,
      { QUIVER_LAUNCHER: REPLACED, A: '1', QUIVER_STARTED_AGAIN: 'log' },
    ])
  })

  it('starts again once because of a difference, and then ends with an error', () => {
    const done: unknown[] = []
    startAgain('differs', true, partsOf({}, done))
    expect(done.at(-1)).toBe(START_AGAIN)
    const again: unknown[] = []
    startAgain('differs', true, partsOf({ QUIVER_STARTED_AGAIN: 'difference' }, again))
    expect(again).toHaveLength(3)
    expect(again.at(-1)).toBe(1)
    const other: unknown[] = []
    startAgain('the log', false, partsOf({ QUIVER_STARTED_AGAIN: 'difference' }, other))
    expect(other.at(-1)).toBe(START_AGAIN)
  })

  it.skipIf(process.execve === undefined)('is the same process with the same arguments', () => {
    const module = fileURLToPath(new URL('./start-again.ts', import.meta.url))
    const text = `
      import { startAgain } from ${JSON.stringify(module)}
      console.log(process.pid, process.argv.slice(1).join())
      if (process.env.QUIVER_STARTED_AGAIN === undefined) startAgain('for a test', false)
    `
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', text, 'one', 'two'],
      { env: { ...process.env, QUIVER_LAUNCHER: REPLACED }, encoding: 'utf8' },
    )
    const [first, second] = stdout.trim().split('\n')
    expect([status, second]).toEqual([0, first])
    expect(first).toContain('one,two')
  })
})

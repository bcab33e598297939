import { describe, expect, it } from 'vitest'
import type { RunResult } from '#query/workers/runs.ts'
import { realClock } from '../../../test/fixtures/engine.ts'
import { ATTEMPTS_MAX, type RepeatableRun, WriteConflicts } from './write-conflicts.ts'

function result(changes: Uint8Array<ArrayBuffer> | null = new Uint8Array(1)) {
  const released: number[] = []
  const run = { changes, release: () => released.push(1) } as unknown as RunResult
  return { run, released }
}

function given(parts: Partial<RepeatableRun> = {}): RepeatableRun {
  const start = async () => result().run
  return { requestId: 'r', name: 'q', graph: 'g', url: '/q', timeoutMs: 10_000, start, ...parts }
}

/** Commits that answer by a list; the last answer stays. */
function conflictsThat(...answers: readonly boolean[]) {
  let index = 0
  const commit = async () => ({ isInConflict: answers[Math.min(index++, answers.length - 1)]! })
  return { conflicts: new WriteConflicts({ clock: realClock, commit }), count: () => index }
}

describe('a run that changes the graph', () => {
  it('is committed once when nothing came between', async () => {
    const { conflicts, count } = conflictsThat(false)
    await conflicts.run(given())
    expect(count()).toBe(1)
  })

  it('is not committed when it changes nothing', async () => {
    const { conflicts, count } = conflictsThat(true)
    await conflicts.run(given({ start: async () => result(null).run }))
    expect(count()).toBe(0)
  })

  it('is repeated after a conflict, and lets go of the answer before', async () => {
    const { conflicts, count } = conflictsThat(true, true, false)
    const answers = [result(), result(), result()]
    let attempt = 0
    const done = await conflicts.run(given({ start: async () => answers[attempt++]!.run }))
    expect(done).toBe(answers[2]!.run)
    expect(count()).toBe(3)
    expect(answers.map(({ released }) => released.length)).toEqual([1, 1, 0])
  })

  it('is refused after so many attempts', async () => {
    const { conflicts, count } = conflictsThat(true)
    await expect(conflicts.run(given())).rejects.toMatchObject({ code: 'WRITE_CONFLICT' })
    expect(count()).toBe(ATTEMPTS_MAX)
    expect(conflicts.waiting()).toEqual([])
  })

  it('has one time limit for all attempts', async () => {
    const { conflicts } = conflictsThat(true)
    const limits: number[] = []
    const start = async (timeoutMs: number) => {
      limits.push(timeoutMs)
      await new Promise((resolve) => setTimeout(resolve, 30))
      return result().run
    }
    const run = conflicts.run(given({ timeoutMs: 100, start }))
    await expect(run).rejects.toMatchObject({ code: 'WRITE_CONFLICT' })
    expect(limits[0]).toBe(100)
    expect(limits.length).toBeLessThan(5)
    expect(limits.every((limit, at) => at === 0 || limit < limits[at - 1]!)).toBe(true)
  })

  it('lets go of its answer and turn when the commit fails', async () => {
    const commit = async () => {
      throw new Error('no store')
    }
    const conflicts = new WriteConflicts({ clock: realClock, commit })
    const { run, released } = result()
    await expect(conflicts.run(given({ start: async () => run }))).rejects.toThrow('no store')
    expect(released).toEqual([1])
  })
})

describe('runs that met a conflict', () => {
  /** Two runs: the first repeats until `finish`, the second waits for its turn. */
  async function twoRuns(timeoutMs = 10_000) {
    const commits: string[] = []
    let isFinished = false
    const commit = async (frame: Uint8Array) => {
      const name = frame[0] === 1 ? 'first' : 'second'
      // Of the second run, its first commit; told before the other run commits meanwhile.
      const isRefused = !commits.includes(name)
      commits.push(name)
      await new Promise((resolve) => setImmediate(resolve))
      return { isInConflict: name === 'first' ? !isFinished : isRefused }
    }
    const conflicts = new WriteConflicts({ clock: realClock, commit })
    const attempts = { first: 0, second: 0 }
    const start = (name: 'first' | 'second') => async () => {
      attempts[name]++
      await new Promise((resolve) => setTimeout(resolve, 5))
      return result(Uint8Array.of(name === 'first' ? 1 : 2)).run
    }
    const first = conflicts.run(given({ requestId: 'first', start: start('first') }))
    while (attempts.first < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    const second = conflicts.run(given({ requestId: 'second', start: start('second'), timeoutMs }))
    second.catch(() => undefined)
    while (conflicts.waiting().length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const finish = () => {
      isFinished = true
    }
    return { conflicts, first, second, finish, attempts }
  }

  it('take turns, and are listed while they wait', async () => {
    const { conflicts, first, second, finish, attempts } = await twoRuns()
    expect(conflicts.waiting()).toMatchObject([{ requestId: 'second', waiting: true, graph: 'g' }])
    expect(attempts.second).toBe(1)
    finish()
    await first
    await second
    expect(attempts.second).toBe(2)
    expect(conflicts.waiting()).toEqual([])
  })

  it('can be aborted while they wait', async () => {
    const { conflicts, first, second, finish } = await twoRuns()
    expect(conflicts.abort('nobody')).toBe(false)
    expect(conflicts.abort('second')).toBe(true)
    await expect(second).rejects.toMatchObject({ code: 'QUERY_ABORTED' })
    finish()
    await first
  })

  it('wait no longer than their time limit', async () => {
    const { first, second, finish } = await twoRuns(60)
    await expect(second).rejects.toMatchObject({ code: 'WRITE_CONFLICT' })
    finish()
    await first
  })
})

import { describe, expect, it } from 'vitest'
import { DbError } from '#kernel/errors.ts'
import { DETACHED_RESULT_AGE_MS_MAX, DETACHED_RUNS_KEPT_PER_USER_MAX } from '#kernel/limits.ts'
import { DetachedRuns } from './detached-runs.ts'
import type { RunAnswer, RunCall } from './run-call.ts'
import { COPIED_ANSWER_SIZE_BYTES_MAX, StoredAnswer } from './stored-answer.ts'

/** Answers of 100 KB and more are not copied: they are released when they are forgotten. */
const KB = 1_000
const SIZE_MAX = 1_000 * KB

function world() {
  const time = { nowMs: 0 }
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs }
  const runs = new DetachedRuns(clock, SIZE_MAX)
  const released: string[] = []
  let count = 0
  /** An answer of so many bytes, or an error, that the run has come to already. */
  const add = async (user: string, outcome: number | DbError): Promise<string> => {
    const requestId = `${user}${++count}`
    const call = { requestId, user, url: '/query/g/q', timeoutMs: 1 } as RunCall & {
      timeoutMs: number
    }
    const answer =
      typeof outcome === 'number'
        ? Promise.resolve({
            json: new Uint8Array(new SharedArrayBuffer(outcome)),
            release: () => void released.push(requestId),
          } as unknown as RunAnswer)
        : Promise.reject(outcome)
    runs.start('g', call, answer)
    await answer.catch(() => undefined)
    return requestId
  }
  const known = () => runs.list(null, []).known.map(({ requestId }) => requestId)
  return { runs, time, add, known, released }
}

describe('answers of detached runs', () => {
  it('are kept for an hour after their end', async () => {
    const { runs, time, add, known, released } = world()
    const id = await add('a', 100 * KB)
    time.nowMs = DETACHED_RESULT_AGE_MS_MAX - 1
    expect(runs.resultOf(id).json.byteLength).toBe(100 * KB)
    time.nowMs += 1
    expect(() => runs.resultOf(id)).toThrow(`Unable to retrieve result for query ${id}`)
    expect([known(), released]).toEqual([[], [id]])
  })

  it('of a user share half of the room: the oldest of the same user go', async () => {
    const { add, known, released } = world()
    for (const size of [200, 200, 100]) await add('a', size * KB)
    await add('b', 500 * KB)
    expect(known()).toEqual(['a1', 'a2', 'a3', 'b4'])
    await add('a', 66 * KB)
    expect(known()).toEqual(['a2', 'a3', 'b4', 'a5'])
    expect(released).toEqual(['a1'])
  })

  it('of all users share the room: the oldest of all go', async () => {
    const { add, known } = world()
    for (const user of ['a', 'b', 'c']) await add(user, 400 * KB)
    expect(known()).toEqual(['b2', 'c3'])
  })

  it('that no room is for are an error, and push nobody out', async () => {
    const { runs, add, known, released } = world()
    await add('a', 500 * KB)
    const id = await add('a', 500 * KB + 1)
    expect(known()).toEqual(['a1', 'a2'])
    expect(() => runs.resultOf(id)).toThrow('keeps no answer of this size')
    expect(released).toEqual([id])
  })

  it('that are small are copied byte for byte, and do not count as memory of queries', () => {
    const json = new Uint8Array(new SharedArrayBuffer(COPIED_ANSWER_SIZE_BYTES_MAX + 1))
    for (let i = 0; i < json.length; i++) json[i] = i % 256
    let released = 0
    const storedOf = (size: number) =>
      new StoredAnswer({
        json: json.subarray(0, size),
        release: () => void released++,
      } as RunAnswer)
    const small = storedOf(COPIED_ANSWER_SIZE_BYTES_MAX)
    expect([...small.json]).toEqual([...json.subarray(0, -1)])
    expect(small.json.buffer).not.toBe(json.buffer)
    small.release()
    expect(released).toBe(1)
    const large = storedOf(COPIED_ANSWER_SIZE_BYTES_MAX + 1)
    expect(large.json.buffer).toBe(json.buffer)
    expect(released).toBe(1)
    large.release()
    expect(released).toBe(2)
  })

  it('are counted, errors as well', async () => {
    const { add, known } = world()
    const error = new DbError('QUERY_TIMEOUT', 'over')
    for (let i = 0; i < DETACHED_RUNS_KEPT_PER_USER_MAX; i++) await add('a', error)
    await add('b', 1)
    expect(known()).toHaveLength(DETACHED_RUNS_KEPT_PER_USER_MAX + 1)
    await add('a', 1)
    expect(known()).toHaveLength(DETACHED_RUNS_KEPT_PER_USER_MAX + 1)
    expect(known()).not.toContain('a1')
    expect(known()).toContain('a2')
  })
})

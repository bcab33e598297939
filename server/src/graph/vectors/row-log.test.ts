import { describe, expect, it } from 'vitest'
import { ROW_LOG_COUNT_MAX, RowLog } from './row-log.ts'

function logAt(): { log: RowLog; at(sequence: number): void } {
  let now = 0
  const log = new RowLog(
    () => now,
    () => undefined,
  )
  return {
    log,
    at: (sequence) => {
      now = sequence
    },
  }
}

describe('the log of changed rows', () => {
  it('tells what an index has not taken in and what a version does not show', () => {
    const { log, at } = logAt()
    log.note(7)
    log.note(8)
    at(1)
    log.note(7)
    at(2)
    // All is taken in: the present version is sure of everything, the one before of all but 7.
    expect(log.unsureFrom(log.end, 2)).toBe(log.end)
    expect([...log.ordinalsFrom(log.unsureFrom(log.end, 1)!)]).toEqual([7])
    expect([...log.ordinalsFrom(log.unsureFrom(log.end, 0)!)]).toEqual([7, 8])
    // One change is taken in.
    expect([...log.ordinalsFrom(log.unsureFrom(1, 2)!)]).toEqual([8, 7])
  })

  it('does not know what is older than itself', () => {
    const { log, at } = logAt()
    at(5)
    const later = new RowLog(
      () => 5,
      () => undefined,
    )
    expect(later.unsureFrom(later.end, 4)).toBeNull()
    expect(later.unsureFrom(later.end, 5)).toBe(0)
    expect(log.unsureFrom(0, 0)).toBe(0)
  })

  it('keeps a million changes, not one more', () => {
    const { log, at } = logAt()
    for (let i = 0; i < ROW_LOG_COUNT_MAX; i++) log.note(i)
    expect(log.start).toBe(0)
    at(1)
    log.note(3)
    expect(log.start).toBeGreaterThan(0)
    expect(log.unsureFrom(0, 1)).toBeNull()
    expect(log.unsureFrom(log.end, 0)).toBeNull()
    expect([...log.ordinalsFrom(log.unsureFrom(log.end - 1, 1)!)]).toEqual([3])
  })

  it('is trimmed behind the slowest index, but for what older versions may ask', () => {
    const { log, at } = logAt()
    for (let sequence = 0; sequence < 100; sequence++) {
      at(sequence)
      for (let i = 0; i < 1_000; i++) log.note(i)
    }
    at(100)
    log.trim(log.end)
    expect(log.start).toBeGreaterThan(50_000)
    expect(log.unsureFrom(log.end, 99)).toBe(99_000)
    expect(log.unsureFrom(log.end, 10)).toBeNull()
  })
})

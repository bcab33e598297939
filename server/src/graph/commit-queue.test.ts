/** What a turn of the event loop applies of the entries that the store has answered for. */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { CommitQueue } from './commit-queue.ts'
import { OutcomeBuilder } from './mutate/outcome.ts'

/** An entry takes 3 ms, a slice 5. @returns how many entries each turn has applied */
async function perTurn(sizeBytes: number, count: number): Promise<number[]> {
  const turns = [0]
  let nowMs = 0
  const yieldToOthers = () =>
    new Promise<void>((resolve) =>
      setImmediate(() => {
        turns.push(0)
        resolve()
      }),
    )
  const queue = new CommitQueue({
    store: new MemoryStore(),
    apply: (ticket) => {
      nowMs += 3
      turns.push(turns.pop()! + 1)
      ticket.resolve(new OutcomeBuilder().finish(ticket.sequence))
      return null
    },
    yieldToOthers,
    deadline: () => {
      const endMs = nowMs + 5
      return () => nowMs > endMs
    },
    onApplied: () => {},
    onFailure: (failure) => {
      throw failure
    },
    reload: async () => new Map(),
  })
  const entries = Array.from({ length: count }, () => queue.order(new Uint8Array(sizeBytes), {}))
  const outcomes = await Promise.all(entries)
  expect(outcomes.map(({ sequence }) => sequence)).toEqual(entries.map((_one, at) => at + 1))
  expect(queue.length).toBe(0)
  return turns
}

describe('the queue of commits', () => {
  it('applies no more than a slice in one turn, though the store answers one by one', async () => {
    const turns = await perTurn(20_000, 24)
    expect(turns.reduce((sum, count) => sum + count)).toBe(24)
    // Two entries are 6 ms: the slice is over behind them.
    expect(Math.max(...turns)).toBeLessThanOrEqual(2)
  })

  it('does not watch the turn of a small commit', async () => {
    expect(await perTurn(200, 1)).toEqual([1])
  })
})

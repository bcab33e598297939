import { beforeEach, describe, expect, it } from 'vitest'
import { APPLY_SLICE_MS_MAX, LARGE_READS_MAX, LARGE_READS_WAITING_MAX } from '#kernel/limits.ts'
import { ReadTurns } from './read-turns.ts'

const answers = { isFull: false }
let turns: ReadTurns
/** Names of reads in the order in which they went on, `|` between turns of the event loop. */
let order: string
beforeEach(() => {
  answers.isFull = false
  turns = new ReadTurns(answers)
  order = ''
})

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function watch(turnCount: number): Promise<string> {
  for (let count = 0; count < turnCount; count++) {
    await nextTurn()
    order += '|'
  }
  return order.replace(/^\|+|\|+$/g, '')
}

/** A read of so many slices, each of which takes its whole share of a turn. */
async function read(name: string, sliceCount: number, owner = '') {
  const taker = { owner, isOver: false }
  while (!turns.mayBegin(owner)) await turns.nextTurn(owner)
  for (let slice = 0; slice < sliceCount; slice++) {
    if (slice > 0) await turns.next(taker)
    order += turns.isSpent ? '!' : name
    turns.spend(APPLY_SLICE_MS_MAX)
  }
  turns.end(taker)
}

describe('long reads', () => {
  it('share each turn of the event loop, whether they begin or go on', async () => {
    void read('a', 3)
    void read('b', 3)
    void read('c', 1)
    const slices = (await watch(12)).replaceAll('|', '')
    // None in a turn whose share was used up.
    expect([...slices].sort().join('')).toBe('aaabbbc')
    expect(slices.indexOf('c')).toBeLessThan(slices.lastIndexOf('a'))
  })

  it('leave room for many short ones in a turn', async () => {
    void read('L', 2)
    for (const name of ['a', 'b', 'c']) {
      void (async () => {
        while (!turns.mayBegin('')) await turns.nextTurn('')
        order += name
        turns.spend(0)
      })()
    }
    expect(await watch(6)).toContain('abc')
  })

  it('hold what they have written of a few only', async () => {
    const takers = Array.from({ length: LARGE_READS_MAX + 1 }, () => ({ owner: '', isOver: false }))
    for (const taker of takers) void turns.next(taker).then(() => (order += 'r'))
    await watch(30)
    expect(order.replaceAll('|', '')).toHaveLength(LARGE_READS_MAX)
    turns.end(takers[0]!)
    await expect.poll(() => order.replaceAll('|', '').length).toBe(LARGE_READS_MAX + 1)
  })

  it('wait while clients take their answers, and end when nobody waits for them', async () => {
    answers.isFull = true
    const [patient, gone] = [
      { owner: '', isOver: false },
      { owner: '', isOver: false },
    ]
    void turns.next(patient).then(() => (order += 'p'))
    void turns.next(gone).then(() => (order += 'g'))
    await watch(5)
    expect(order).not.toMatch(/[pg]/)
    gone.isOver = true
    await expect.poll(() => order).toContain('g')
    expect(order).not.toContain('p')
    answers.isFull = false
    await expect.poll(() => order).toContain('p')
  })

  it('of one user begin up to a number, and leave others room', async () => {
    answers.isFull = true
    for (let count = 0; count < LARGE_READS_WAITING_MAX + 5; count++) void read('a', 2, 'ada')
    await expect.poll(() => order.replaceAll('|', '')).toHaveLength(LARGE_READS_WAITING_MAX)
    void read('b', 1, 'bo')
    await expect.poll(() => order).toContain('b')
    await watch(10)
    expect(order.match(/a/g)).toHaveLength(LARGE_READS_WAITING_MAX)
    answers.isFull = false
    const all = 2 * (LARGE_READS_WAITING_MAX + 5)
    await expect.poll(() => order.match(/a/g)?.length).toBe(all)
  })
})

import { describe, expect, it } from 'vitest'
import { check } from './checker.ts'
import { type Final, History, type Outcome, type Read } from './history.ts'

/** Two writes of `w`, acknowledged at 10 and 20, at positions 5 and 8. */
function acknowledgedTwice(): History {
  const history = new History()
  write(history, 1, 10, 5)
  write(history, 2, 20, 8)
  return history
}

describe('the checker of histories', () => {
  it('finds nothing in a history that keeps all promises', () => {
    const history = acknowledgedTwice()
    read(history, { sentAt: 12, position: 5, stalenessMs: 2 }, [1])
    read(history, { sentAt: 22, after: 8, position: 8, stalenessMs: 2 }, [1, 2])
    read(history, { sentAt: 23, after: null, position: 3, stalenessMs: 20 }, [])
    read(history, { sentAt: 24, after: 'latest', position: 9, stalenessMs: 0 }, [1, 2])
    expect(check(history, [final([1, 2]), final([1, 2])])).toEqual([])
  })

  it('finds writes that are lost, twice there, refused, never sent, out of order', () => {
    const broken = (list: readonly number[], value = list.length) =>
      check(acknowledgedTwice(), [final(list, value)])
    expect(broken([1])).toEqual(['lost: w 2'])
    expect(broken([1, 2, 2])).toEqual(['once: w 2 is there 2 times'])
    expect(broken([1, 2], 3)).toEqual(['once: w counts 3 of 2'])
    expect(broken([1, 2, 7])).toEqual(['sent: w 7 was never sent'])
    expect(broken([2, 1])).toEqual(['order: w 1 after 2'])
    const refused = new History()
    write(refused, 1, 10, null, 'refused')
    expect(check(refused, [final([1])])).toEqual(['refused: w 1 is there'])
    expect(check(refused, [final([])])).toEqual([])
  })

  it('lets an unknown write be there, or not, anywhere, but only once', () => {
    const history = acknowledgedTwice()
    write(history, 3, 30, null, 'unknown')
    for (const list of [
      [1, 2],
      [1, 2, 3],
      [1, 3, 2],
      [3, 1, 2],
    ]) {
      expect(check(history, [final(list)])).toEqual([])
    }
    expect(check(history, [final([1, 3, 2, 3])])).toEqual(['once: w 3 is there 2 times'])
  })

  it('finds servers that differ', () => {
    const other = { ...final([1, 2]), server: 'b', dump: 'line\nother' }
    const here = { ...final([1, 2]), dump: 'line\none' }
    const lines = check(acknowledgedTwice(), [here, other])
    expect(lines).toEqual(['equal: a and b differ: one and other'])
  })

  it('finds a read at a position that lacks what was acknowledged there', () => {
    const history = acknowledgedTwice()
    read(history, { sentAt: 15, position: 8, stalenessMs: 100 }, [1])
    expect(check(history, [final([1, 2])])).toEqual([
      'position: r on a at 8 saw 1 of 2 writes of w',
    ])
  })

  it('finds a read that did not wait for its position', () => {
    const history = acknowledgedTwice()
    read(history, { sentAt: 15, after: 6, position: 5, stalenessMs: 100 }, [1])
    expect(check(history, [final([1, 2])])).toEqual(['position: r on a waited for 6 and read at 5'])
  })

  it('finds a read that is older than it tells', () => {
    const history = acknowledgedTwice()
    read(history, { sentAt: 30, after: null, position: 5, stalenessMs: 11 }, [1])
    expect(check(history, [final([1, 2])])).toEqual([])
    read(history, { sentAt: 30, after: null, position: 5, stalenessMs: 10 }, [1])
    expect(check(history, [final([1, 2])])).toEqual([
      'bound: r on a, 10 ms old, saw 1 of 2 writes of w',
    ])
  })

  it('finds a read of the latest state that lacks something', () => {
    const history = acknowledgedTwice()
    read(history, { sentAt: 21, after: 'latest', position: 7, stalenessMs: 50 }, [1])
    expect(check(history, [final([1, 2])])).toEqual(['latest: r on a saw 1 of 2 writes of w'])
  })

  it('finds a reader who goes back, unless he names no position', () => {
    const history = acknowledgedTwice()
    const old = { sentAt: 15, position: 4, stalenessMs: 100 }
    read(history, { ...old, after: 1, position: 5 }, [1])
    read(history, { ...old, after: null }, [])
    expect(check(history, [final([1, 2])])).toEqual([])
    read(history, { ...old, after: 1 }, [])
    expect(check(history, [final([1, 2])])).toEqual(['back: r on a saw 0 of w after 1'])
  })

  it('finds a read of what is gone, or was another, at the end', () => {
    const history = acknowledgedTwice()
    write(history, 3, 30, null, 'unknown')
    write(history, 4, 40, null, 'unknown')
    const early = { sentAt: 15, after: null, position: 5, stalenessMs: 100 }
    read(history, early, [1, 2, 3])
    read(history, early, [1, 3])
    const lines = check(history, [final([1, 2])])
    expect(lines).toEqual([
      'vanished: r on a saw 3 of w up to 3, the list has nothing there',
      'vanished: r on a saw 2 of w up to 3, the list has 2 there',
    ])
  })

  it('tells what clients found odd, and no more than a few lines of a kind', () => {
    const history = new History()
    for (let number = 1; number <= 30; number++) write(history, number, number, null)
    history.oddities.push('answer: 418')
    const lines = check(history, [final([])])
    expect(lines.slice(0, 2)).toEqual(['answer: 418', 'lost: w 1'])
    expect(lines).toHaveLength(6)
  })

  it('does not pass what nobody read', () => {
    expect(check(new History(), [])).toEqual(['no server was read at the end'])
  })
})

function write(
  history: History,
  number: number,
  endedAt: number,
  position: number | null,
  outcome: Outcome = 'acknowledged',
): void {
  history.writes.push({ writer: 'w', number, sentAt: endedAt - 1, endedAt, outcome, position })
}

function read(
  history: History,
  part: Pick<Read, 'sentAt' | 'position' | 'stalenessMs'> & Partial<Read>,
  list: readonly number[],
): void {
  const seen = new Map([['w', { value: list.length, last: list.at(-1) ?? null }]])
  history.reads.push({ reader: 'r', server: 'a', after: 1, seen, ...part })
}

function final(list: readonly number[], value = list.length): Final {
  const dump = JSON.stringify([list, value])
  return { server: 'a', lists: new Map([['w', list]]), values: new Map([['w', value]]), dump }
}

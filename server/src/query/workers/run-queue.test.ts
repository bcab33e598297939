import { describe, expect, it } from 'vitest'
import { type QueuedRun, RunQueue } from './run-queue.ts'

let number = 0
const run = (user: string, wasMoved = false): QueuedRun => ({ user, number: number++, wasMoved })

function takeAll(queue: RunQueue<QueuedRun>, takesMoved = true): string[] {
  const users: string[] = []
  for (;;) {
    const taken = queue.take(takesMoved)
    if (taken === undefined) return users
    users.push(taken.user)
  }
}

describe('the queue of runs', () => {
  it('lets users take turns, whoever has how many', () => {
    const queue = new RunQueue<QueuedRun>()
    for (const user of ['a', 'a', 'a', 'a', 'b', 'c', 'c']) queue.add(run(user))
    expect(queue.size).toBe(7)
    expect(takeAll(queue)).toEqual(['a', 'b', 'c', 'a', 'c', 'a', 'a'])
    expect(queue.size).toBe(0)
  })

  it('keeps the turn of a user who comes and goes', () => {
    const queue = new RunQueue<QueuedRun>()
    for (const user of ['a', 'a', 'b', 'b']) queue.add(run(user))
    expect(queue.take(true)!.user).toBe('a')
    queue.add(run('c'))
    expect(takeAll(queue)).toEqual(['b', 'a', 'c', 'b'])
  })

  it('keeps the order of one user, and gives a moved run its old place', () => {
    const queue = new RunQueue<QueuedRun>()
    const [first, second, third] = [run('a', true), run('a'), run('a')]
    for (const one of [third, first]) queue.add(one)
    queue.add(second)
    expect(queue.take(false)).toBe(third)
    expect([queue.take(true), queue.take(true)]).toEqual([first, second])
  })

  it('passes moved runs where none of them may begin', () => {
    const queue = new RunQueue<QueuedRun>()
    queue.add(run('a', true))
    expect(queue.hasFresh).toBe(false)
    queue.add(run('b'))
    expect(queue.hasFresh).toBe(true)
    expect(takeAll(queue, false)).toEqual(['b'])
    expect(queue.hasFresh).toBe(false)
    expect(queue.size).toBe(1)
    expect(takeAll(queue)).toEqual(['a'])
  })

  it('drops a run that is ended there, once', () => {
    const queue = new RunQueue<QueuedRun>()
    const gone = run('a')
    queue.add(gone)
    queue.add(run('a'))
    expect(queue.countOf('a')).toBe(2)
    queue.remove(gone)
    queue.remove(gone)
    expect([queue.size, queue.countOf('a'), queue.countOf('b')]).toEqual([1, 1, 0])
  })
})

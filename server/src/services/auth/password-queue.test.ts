import { describe, expect, it } from 'vitest'
import {
  HASH_QUEUE_LENGTH_MAX,
  KNOWN_HASH_QUEUE_LENGTH_MAX,
  PASSWORD_CHANGES_PER_USER_MAX,
} from '#kernel/limits.ts'
import { PasswordQueue } from './password-queue.ts'

/** Hashes that end when the test says so. */
function openQueue(runningMax: number) {
  const queue = new PasswordQueue(runningMax)
  const started: string[] = []
  const endings: (() => void)[] = []
  const run = (name: string, isKnown = false) =>
    queue.run(isKnown, () => {
      started.push(name)
      return new Promise<void>((resolve) => endings.push(resolve))
    })
  const endOne = async () => {
    endings.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { run, started, endOne }
}

describe('a queue of password hashes', () => {
  it('runs so many at once, and those who are known first', async () => {
    const { run, started, endOne } = openQueue(2)
    for (const name of ['a', 'b', 'c', 'd']) void run(name)
    void run('known', true)
    expect(started).toEqual(['a', 'b'])
    await endOne()
    expect(started).toEqual(['a', 'b', 'known'])
    await endOne()
    await endOne()
    expect(started).toEqual(['a', 'b', 'known', 'c', 'd'])
  })

  it.each([
    [false, HASH_QUEUE_LENGTH_MAX],
    [true, KNOWN_HASH_QUEUE_LENGTH_MAX],
  ])('refuses what is too much (known: %s)', (isKnown, lengthMax) => {
    const { run } = openQueue(1)
    void run('running', isKnown)
    for (let count = 0; count < lengthMax; count++) void run('waiting', isKnown)
    expect(() => run('one more', isKnown)).toThrow('Too many logins at once')
    void run('of the other queue', !isKnown)
  })

  it('leaves room for others beside the changes of one password', async () => {
    const queue = new PasswordQueue(1)
    let end = () => {}
    const first = queue.runChange('ada', () => new Promise<void>((resolve) => (end = resolve)))
    const others = Array.from({ length: PASSWORD_CHANGES_PER_USER_MAX - 1 }, () =>
      queue.runChange('ada', () => Promise.resolve()),
    )
    const refused = queue.runChange('ada', () => Promise.resolve())
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    const bob = queue.runChange('bob', () => Promise.resolve('done'))
    end()
    await Promise.all([first, ...others])
    expect(await bob).toBe('done')
    await queue.runChange('ada', () => Promise.resolve())
  })

  it('goes on after one that failed', async () => {
    const queue = new PasswordQueue(1)
    const failed = queue.run(false, () => Promise.reject(new Error('no memory')))
    const next = queue.run(false, () => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('no memory')
    expect(await next).toBe('done')
  })
})

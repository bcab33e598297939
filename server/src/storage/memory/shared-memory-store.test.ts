import { afterEach, describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import type { FollowedEntry, LogFollower, Role } from '../shared-store.ts'
import { SharedImage } from './shared-image.ts'
import { SharedMemoryStore } from './shared-memory-store.ts'

const WAIT_MS = 60_000

/** What a follower was told, in order. */
class Notes implements LogFollower {
  readonly entries: FollowedEntry[] = []
  readonly roles: Role[] = []
  endedBy: string | null = null

  get lines(): string[] {
    return this.entries.flatMap((entry) => {
      if (entry.kind === 'commit') return [new TextDecoder().decode(entry.payload)]
      if (entry.kind !== 'document') return []
      const { collection, key, bytes } = entry.change
      return [`${collection}/${key}=${bytes === null ? 'gone' : new TextDecoder().decode(bytes)}`]
    })
  }

  async apply(entries: readonly FollowedEntry[]): Promise<void> {
    this.entries.push(...entries)
  }

  async roleChanged(role: Role): Promise<void> {
    this.roles.push(role)
  }

  mustStartAgain(reason: string): void {
    this.endedBy = reason
  }

  digest() {
    return { sequence: 0, checksum: 0 }
  }

  compare(): void {}
}

describe('stores in memory over one image', () => {
  let image = new SharedImage()
  const opened: SharedMemoryStore[] = []

  afterEach(() => {
    for (const store of opened.splice(0)) store.kill()
    image = new SharedImage()
  })

  async function open(name: string, takesOver = true) {
    const store = new SharedMemoryStore(image, { name, takesOver })
    opened.push(store)
    const notes = new Notes()
    for await (const { payload } of store.readLog(0)) {
      notes.entries.push({ kind: 'commit', sequence: 0, payload })
    }
    await store.follow(notes)
    return { store, notes }
  }

  it('the first one writes, and the others are given its entries in order', async () => {
    const a = await open('a')
    const b = await open('b')
    expect([a.store.role, b.store.role]).toEqual(['writer', 'follower'])
    await a.store.append(bytes('one'))
    await a.store.putDocument('users', 'eva', bytes('1'))
    await a.store.putDocument('markers@a', 'x', bytes('own'))
    await a.store.deleteDocument('users', 'eva')
    const last = await a.store.append(bytes('two'))
    await b.store.reached(last, WAIT_MS)
    expect(b.notes.lines).toEqual(['one', 'users/eva=1', 'users/eva=gone', 'two'])
    expect(b.store.writer?.name).toBe('a')
    expect(a.notes.lines).toEqual([])
  })

  it('writes of a follower are refused, but those of documents of its own', async () => {
    await open('a')
    const b = await open('b')
    const { end } = image
    await expect(b.store.append(bytes('x'))).rejects.toMatchObject({ code: 'NOT_WRITER' })
    await expect(b.store.putDocument('users', 'x', bytes('x'))).rejects.toMatchObject({
      code: 'NOT_WRITER',
    })
    await b.store.putDocument('markers@b', 'x', bytes('own'))
    expect(image.end).toBe(end)
    expect(await b.store.getDocument('markers@b', 'x')).toEqual(bytes('own'))
  })

  it('a writer that was paused is refused, and follows', async () => {
    const a = await open('a')
    const b = await open('b')
    a.store.pause()
    const held = a.store.append(bytes('held')).catch((error: unknown) => error)
    await b.store.takeOver()
    await b.store.append(bytes('of b'))
    a.store.goOn()
    expect(isDbError(await held, 'NOT_WRITER')).toBe(true)
    await a.store.reached(b.store.end, WAIT_MS)
    expect(a.notes.lines).toEqual(['of b'])
    expect(a.notes.roles).toEqual(['writer', 'follower'])
    expect(a.store.writer?.name).toBe('b')
  })

  it('an append whose answer was lost counts, and is answered when the connection is back', async () => {
    const a = await open('a')
    const b = await open('b')
    a.store.loseAnswers()
    const held = a.store.append(bytes('carried out'))
    await b.store.takeOver()
    expect(b.notes.lines).toEqual(['carried out'])
    a.store.goOn()
    expect(await held).toBeLessThan(b.store.end)
  })

  it('who resigns is followed by another one, and so is who is killed', async () => {
    const a = await open('a')
    const b = await open('b')
    await a.store.resign()
    expect([a.store.role, (await b.store.writerKnown(WAIT_MS)).name]).toEqual(['follower', 'b'])
    b.store.kill()
    expect((await a.store.writerKnown(WAIT_MS)).name).toBe('a')
    await expect.poll(() => a.store.role).toBe('writer')
  })

  it('a position that does not come is BEHIND, and no writer is NO_WRITER', async () => {
    const a = await open('a')
    await expect(a.store.reached(a.store.end + 1, 1)).rejects.toMatchObject({ code: 'BEHIND' })
    const b = await open('b', false)
    a.store.kill()
    await expect(b.store.writerKnown(1)).rejects.toMatchObject({ code: 'NO_WRITER' })
    b.store.pause()
    await expect(b.store.latest(1)).rejects.toMatchObject({ code: 'BEHIND' })
    expect(b.store.stalenessMs()).toBeGreaterThanOrEqual(0)
  })

  it('as the writer a commit is behind its position until it is applied', async () => {
    const { store } = await open('a')
    const sequence = await store.append(bytes('one'))
    expect([store.position, store.end]).toEqual([sequence - 1, sequence])
    store.applied(sequence)
    expect(store.position).toBe(sequence)
  })

  it('who finds its place in the log gone has to start again', async () => {
    const a = await open('a')
    const b = await open('b')
    b.store.pause()
    const sequence = await a.store.append(bytes('one'))
    await a.store.beginSegments().publish('', sequence)
    b.store.goOn()
    await expect.poll(() => b.notes.endedBy).toContain('the log begins behind')
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What instances over one PostgreSQL promise each other: one log, one writer, the same entries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import type { FollowedEntry, LogFollower, Role } from '#storage/shared-store.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { newSchema, postgresOptions } from './postgres-harness.ts'

const MS_MAX = 300_000

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())

describe('instances over one PostgreSQL', { timeout: MS_MAX }, () => {
  it('follow what the first one writes, and refuse to write themselves', async () => {
    await using group = new Group()
    const [one, two] = [await group.open('one'), await group.open('two')]
    expect([one.role, two.role]).toEqual(['writer', 'follower'])
    const sequence = await one.append('a')
    await one.store.putDocument('users', 'ada', bytesOf('1'))
    await two.store.shared.reached(sequence + 1, MS_MAX)
    expect(two.seen).toEqual([`${sequence} a`, `${sequence + 1} users/ada 1`])
    await expect(two.append('b')).rejects.toMatchObject({ code: 'NOT_WRITER' })
    await expect(two.store.deleteDocument('users', 'ada')).rejects.toMatchObject({
      code: 'NOT_WRITER',
    })
    // Its own documents are no entries.
    await two.store.putDocument('statistics@two', 'x', bytesOf('2'))
    expect(await one.store.shared.latest(MS_MAX)).toBe(sequence + 1)
  })

  it('see what comes after a while without anything, although they look seldom then', async () => {
    await using group = new Group()
    const [one, two] = [await group.open('one'), await group.open('two')]
    two.looksAfterMsMax = 100
    await group.until(() => two.missedLooks > 0)
    const sequence = await one.append('a')
    await group.until(() => two.seen.length > 0)
    expect(two.seen).toEqual([`${sequence} a`])
  })

  it('have a new writer when the first one resigns, and its entries are theirs', async () => {
    await using group = new Group()
    const [one, two] = [await group.open('one'), await group.open('two')]
    const sequence = await one.append('a')
    await group.knows(one, 'two')
    await one.store.shared.resign()
    await group.until(() => two.role === 'writer')
    expect(one.role).toBe('follower')
    await expect(one.append('b')).rejects.toMatchObject({ code: 'NOT_WRITER' })
    const next = await two.append('c')
    await one.store.shared.reached(next, MS_MAX)
    expect(one.seen).toEqual([`${next} c`])
    expect(two.seen).toEqual([`${sequence} a`])
    expect((await one.store.shared.writerKnown(MS_MAX)).name).toBe('two')
  })

  it('have a new writer when the first one falls silent, and it cannot write any more', async () => {
    await using group = new Group({ takeoverAfterMs: 1_500 })
    const [one, two] = [await group.open('one'), await group.open('two')]
    await one.append('a')
    // As a process that is held: nothing of it runs, and then goes on where it was.
    one.isHeld = true
    await group.until(() => two.role === 'writer')
    const next = await two.append('b')
    await expect(one.append('lost')).rejects.toMatchObject({ code: 'NOT_WRITER' })
    one.isHeld = false
    await one.store.shared.reached(next, MS_MAX)
    expect(one.seen).toEqual([`${next} b`])
    expect(one.roles).toEqual(['writer', 'follower'])
  })

  it('start from a checkpoint, and the log behind it is enough', async () => {
    await using group = new Group()
    const one = await group.open('one')
    const last: number[] = []
    for (const text of ['a', 'b', 'c', 'd']) {
      last.push(await one.append(text))
      const writer = one.store.beginSegments()
      await writer.writeBlob('blob', bytesOf(`up to ${text}`))
      await writer.publish(text, last.at(-1)!)
    }
    await one.store.settled()
    const { rows } = await group.count()
    expect(rows, 'older groups and blobs are deleted').toEqual({ manifests: 2, blobs: 2 })
    const sequence = await one.append('e')
    const two = await group.open('two')
    expect(two.read).toEqual([`${sequence} e`])
    expect(textOf(await two.store.readBlob('blob'))).toBe('up to d')
    await group.knows(one, 'two')
    await one.store.shared.resign()
    await group.until(() => two.role === 'writer')
    const writer = two.store.beginSegments()
    await writer.keepBlob('blob')
    await writer.publish('kept', sequence)
    expect(textOf(await one.store.readBlob('blob'))).toBe('up to d')
  })

  it('start again when the log is not that which they have applied', async () => {
    await using group = new Group()
    const [one, two] = [await group.open('one'), await group.open('two')]
    const sequence = await one.append('a')
    await two.store.shared.reached(sequence, MS_MAX)
    await node.query(
      `UPDATE ${group.schema}.log SET last_crc = 1 WHERE first_sequence = ${sequence}`,
    )
    await group.until(() => two.mustStart !== null)
    expect(two.mustStart).toContain(`does not hold entry ${sequence}`)
  })
})

class Instance implements LogFollower {
  readonly seen: string[] = []
  /** What was in the log when it started. */
  readonly read: string[] = []
  readonly roles: Role[] = []
  mustStart: string | null = null
  isHeld = false
  /** It does not come to a look that is so far away. */
  looksAfterMsMax = Number.POSITIVE_INFINITY
  missedLooks = 0
  store!: PostgresStore

  get role(): Role {
    return this.store.shared.role
  }

  append(text: string): Promise<number> {
    const appended = this.store.append(bytesOf(text))
    void appended.then((sequence) => this.store.shared.applied(sequence)).catch(() => undefined)
    return appended
  }

  async apply(entries: readonly FollowedEntry[]): Promise<void> {
    for (const entry of entries) {
      const { sequence } = entry
      if (entry.kind === 'commit') this.seen.push(`${sequence} ${textOf(entry.payload)}`)
      if (entry.kind !== 'document') continue
      const { collection, key, bytes } = entry.change
      this.seen.push(`${sequence} ${collection}/${key} ${bytes === null ? '-' : textOf(bytes)}`)
    }
  }

  async roleChanged(role: Role): Promise<void> {
    this.roles.push(role)
  }

  mustStartAgain(reason: string): void {
    this.mustStart = reason
  }

  digest() {
    return { sequence: 0, checksum: 0 }
  }

  compare(): void {}
}

class Group {
  readonly schema = newSchema()
  readonly #takeoverAfterMs: number
  readonly #instances: Instance[] = []

  constructor({ takeoverAfterMs = 60_000 } = {}) {
    this.#takeoverAfterMs = takeoverAfterMs
  }

  async open(name: string): Promise<Instance> {
    const instance = new Instance()
    const options = postgresOptions(node, this.schema, name)
    const { timers } = options
    instance.store = await openPostgresStore({
      ...options,
      takeoverAfterMs: this.#takeoverAfterMs,
      // While it is held its timers are late.
      timers: {
        after: (ms, call) => {
          if (ms <= instance.looksAfterMsMax) return timers.after(ms, call)
          instance.missedLooks++
          return () => undefined
        },
        every: (ms, call) => timers.every(ms, () => instance.isHeld || call()),
      },
    })
    this.#instances.push(instance)
    const folded = (await instance.store.readManifest())?.foldedSequence ?? 0
    for await (const { sequence, payload } of instance.store.readLog(folded)) {
      instance.read.push(`${sequence} ${textOf(payload)}`)
    }
    await instance.store.shared.follow(instance)
    return instance
  }

  /** Else it may take over again itself: it has not seen that the other one lives. */
  knows({ store }: Instance, name: string): Promise<void> {
    const { shared } = store
    return this.until(() =>
      shared.instances.some((one) => one.name === name && one.silentMs !== null),
    )
  }

  async until(isSo: () => boolean): Promise<void> {
    const end = performance.now() + MS_MAX
    while (!isSo()) {
      if (performance.now() > end) throw new Error('it does not happen')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async count() {
    const [row] = await node.query<{ manifests: string; blobs: string }>(
      `SELECT (SELECT count(*) FROM ${this.schema}.manifest) AS manifests,
         (SELECT count(DISTINCT blob) FROM ${this.schema}.parts) AS blobs`,
    )
    return { rows: { manifests: Number(row?.manifests), blobs: Number(row?.blobs) } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#instances.map(({ store }) => store.close()))
    await node.query(`DROP SCHEMA ${this.schema} CASCADE`)
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice())
}

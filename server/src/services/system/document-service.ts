/**
 * Small documents per user: each user sees only his own.
 *
 * Stored as `{"version":…,"updatedAt":…}` and a line feed, then the JSON as it was written. Sizes and
 * versions of a user's documents are kept in memory from their first use on, so that lists, limits
 * and conflicts read nothing; what changes them stands in one line per user.
 */
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_BYTES_PER_USER_MAX,
  DOCUMENTS_PER_KIND_MAX,
  documentKind,
} from '#contract/documents.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { Collection, DocumentChange, Documents } from '#storage/documents.ts'

export interface DocumentPlace {
  readonly user: string
  readonly kind: string
  readonly key: string
}

export interface DocumentStamp {
  readonly version: number
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

interface Entry extends DocumentStamp {
  readonly sizeBytes: number
}

/** By kind, then by key. */
type Shelf = ReadonlyMap<string, Map<string, Entry>>

const LINE_FEED = 0x0a
/** Of collections: user and kind follow. User names hold no slash, so that no user reaches another's. */
const PREFIX = 'user/'

export class DocumentService {
  /** By name. */
  readonly #collection: (name: string) => Collection
  readonly #clock: Clock
  readonly #shelves = new Map<string, Promise<Shelf>>()
  /** Ends of the lines of changes, by user. */
  readonly #lines = new Map<string, Promise<unknown>>()

  constructor(documents: Documents, clock: Clock) {
    this.#collection = documents.openAll(PREFIX, (change) => this.#take(change))
    this.#clock = clock
  }

  /** Of users who have asked for their documents: the others' are read when they ask. */
  #take({ collection, key, bytes }: DocumentChange): void {
    const [, user = '', kind = ''] = collection.split('/')
    const entry = bytes === null ? null : entryOf(bytes)
    const change = (shelf: Shelf) => {
      if (entry === null) shelf.get(kind)?.delete(key)
      else shelf.get(kind)?.set(key, entry)
    }
    // A shelf that cannot be read is read again by the next who asks.
    this.#shelves.get(user)?.then(change, () => undefined)
  }

  #of(user: string, kind: string): Collection {
    return this.#collection(`${PREFIX}${user}/${kind}`)
  }

  /** Ordered by key. */
  async list(user: string, kind: string): Promise<readonly (Entry & { readonly key: string })[]> {
    const entries = (await this.#shelfOf(user)).get(kind) ?? []
    return [...entries]
      .map(([key, entry]) => ({ key, ...entry }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
  }

  /** @returns JSON text (long integers as they were written), `null` when there is none */
  async read({ user, kind, key }: DocumentPlace): Promise<string> {
    const bytes = await this.#of(user, kind).get(key)
    if (bytes === null) return 'null'
    const { stamp, value } = decode(bytes)
    const head = JSON.stringify({ key, ...stamp, sizeBytes: value.length })
    return `${head.slice(0, -1)},"value":${Buffer.from(value).toString()}}`
  }

  /**
   * @param body valid JSON, stored as it is: long integers stay as they were written
   * @throws DbError DOCUMENT_CONFLICT, INVALID_PARAMETER over the limits
   */
  write(
    place: DocumentPlace,
    body: Uint8Array,
    expectedVersion: number | undefined,
  ): Promise<DocumentStamp> {
    return this.#inLine(place.user, async () => {
      const shelf = await this.#shelfOf(place.user)
      const now = shelf.get(place.kind)?.get(place.key)
      checkVersion(place, now, expectedVersion)
      checkLimits(shelf, place, body.length)
      const updatedAt = this.#clock.nowMs()
      // Also after a delete no version comes a second time.
      const stamp = { version: Math.max((now?.version ?? 0) + 1, updatedAt), updatedAt }
      await this.#of(place.user, place.kind).put(place.key, encode(stamp, body))
      shelf.get(place.kind)?.set(place.key, { ...stamp, sizeBytes: body.length })
      return stamp
    })
  }

  /** @throws DbError DOCUMENT_CONFLICT */
  delete(place: DocumentPlace, expectedVersion: number | undefined): Promise<void> {
    return this.#inLine(place.user, async () => {
      const shelf = await this.#shelfOf(place.user)
      const now = shelf.get(place.kind)?.get(place.key)
      checkVersion(place, now, expectedVersion)
      if (now === undefined) return
      await this.#of(place.user, place.kind).delete(place.key)
      shelf.get(place.kind)?.delete(place.key)
    })
  }

  /** A later user of the same name must not find them. */
  forgetUser(user: string): Promise<void> {
    return this.#inLine(user, async () => {
      for (const [kind, entries] of await this.#shelfOf(user)) {
        for (const key of entries.keys()) await this.#of(user, kind).delete(key)
      }
      this.#shelves.delete(user)
    })
  }

  #shelfOf(user: string): Promise<Shelf> {
    const known = this.#shelves.get(user)
    if (known !== undefined) return known
    const shelf = this.#readShelf(user)
    this.#shelves.set(user, shelf)
    // A store that failed once may answer the next time.
    shelf.catch(() => this.#shelves.delete(user))
    return shelf
  }

  async #readShelf(user: string): Promise<Shelf> {
    const shelf = new Map<string, Map<string, Entry>>()
    for (const kind of documentKind.options) {
      const stored = await this.#of(user, kind).list()
      const entries = stored.map(({ key, bytes }): [string, Entry] => [key, entryOf(bytes)])
      shelf.set(kind, new Map(entries))
    }
    return shelf
  }

  #inLine<T>(user: string, change: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(user) ?? Promise.resolve()
    const result = before.then(change, change)
    const end = result
      .catch(() => undefined)
      .then(() => {
        if (this.#lines.get(user) === end) this.#lines.delete(user)
      })
    this.#lines.set(user, end)
    return result
  }
}

function checkVersion(
  { kind, key }: DocumentPlace,
  now: Entry | undefined,
  expected: number | undefined,
): void {
  const version = now?.version ?? 0
  if (expected === undefined || expected === version) return
  const text = `The ${kind} '${key}' has version ${version} by now, not ${expected}.`
  const results = { version, updatedAt: now?.updatedAt ?? null }
  throw new DbError('DOCUMENT_CONFLICT', text, { details: { results } })
}

function checkLimits(shelf: Shelf, { kind, key }: DocumentPlace, sizeBytes: number): void {
  if (sizeBytes > DOCUMENT_BYTES_MAX) {
    throw new DbError('INVALID_PARAMETER', `A document has at most ${DOCUMENT_BYTES_MAX} bytes.`)
  }
  const entries = shelf.get(kind)
  const isNew = entries?.has(key) !== true
  if (isNew && (entries?.size ?? 0) >= DOCUMENTS_PER_KIND_MAX) {
    const text = `A user has at most ${DOCUMENTS_PER_KIND_MAX} documents of the kind ${kind}.`
    throw new DbError('INVALID_PARAMETER', text)
  }
  const before = entries?.get(key)?.sizeBytes ?? 0
  if (totalBytes(shelf) - before + sizeBytes > DOCUMENT_BYTES_PER_USER_MAX) {
    const text = `The documents of a user have at most ${DOCUMENT_BYTES_PER_USER_MAX} bytes together.`
    throw new DbError('INVALID_PARAMETER', text)
  }
}

function totalBytes(shelf: Shelf): number {
  let total = 0
  for (const entries of shelf.values()) {
    for (const { sizeBytes } of entries.values()) total += sizeBytes
  }
  return total
}

function entryOf(bytes: Uint8Array): Entry {
  const { stamp, value } = decode(bytes)
  return { ...stamp, sizeBytes: value.length }
}

function encode(stamp: DocumentStamp, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(stamp)}\n`), value])
}

function decode(bytes: Uint8Array): { stamp: DocumentStamp; value: Uint8Array } {
  const end = bytes.indexOf(LINE_FEED)
  const stamp = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as DocumentStamp
  return { stamp, value: bytes.subarray(end + 1) }
}

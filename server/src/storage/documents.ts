/**
 * Small durable documents, by collection: users, queries, jobs. Where several servers share a store,
 * documents change under those who hold them in memory, so whoever opens a collection takes its
 * changes; one that belongs to this instance alone is opened as such and has none.
 */
import type { Store } from './store.ts'

export interface StoredDocument {
  readonly key: string
  readonly bytes: Uint8Array
}

export interface DocumentChange {
  readonly collection: string
  readonly key: string
  /** Null: deleted. */
  readonly bytes: Uint8Array | null
}

export interface Collection {
  list(): Promise<readonly StoredDocument[]>
  get(key: string): Promise<Uint8Array | null>
  put(key: string, bytes: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
}

/**
 * Takes a change that another instance made. It must not throw, and not write. A change may come
 * that is older than what was read from the store; the newer one follows.
 */
export type TakeChange = (key: string, bytes: Uint8Array | null) => void

export interface Documents {
  /** A collection that all instances share. */
  open(collection: string, take: TakeChange): Collection
  /**
   * All collections whose names begin with `prefix`, and that are not known beforehand: one for each
   * user and kind. @returns the collection of a name
   */
  openAll(prefix: string, take: (change: DocumentChange) => void): (name: string) => Collection
  /** A collection of this instance: statistics, markers, maintenance. Nobody else writes it. */
  openOwn(collection: string): Collection
  /**
   * A step of the start that writes what all instances share: at once, where one server has the
   * store; else whenever this instance has become the writer. Steps run in the order of the calls.
   * @returns when it is done, or when it waits for this instance to become the writer
   */
  asWriter(step: () => Promise<void>): Promise<void>
}

/** What of a store documents need. */
export type DocumentStore = Pick<
  Store,
  'putDocument' | 'getDocument' | 'listDocuments' | 'deleteDocument'
>

/** Of a store that one server has to itself: nobody else changes a document. */
export class LocalDocuments implements Documents {
  readonly #store: DocumentStore

  constructor(store: DocumentStore) {
    this.#store = store
  }

  open(collection: string, _take: TakeChange): Collection {
    return collectionOf(this.#store, collection)
  }

  openAll(): (name: string) => Collection {
    return (name) => collectionOf(this.#store, name)
  }

  openOwn(collection: string): Collection {
    return collectionOf(this.#store, collection)
  }

  asWriter(step: () => Promise<void>): Promise<void> {
    return step()
  }
}

/** Where an instance of a shared store keeps what is its own. */
export function ownCollection(collection: string, instance: string): string {
  return `${collection}@${encodeURIComponent(instance)}`
}

/**
 * Whether a shared store writes a collection without the log. Names of users may hold `@`, too: of
 * their collections a kind follows.
 */
export function isOwnCollection(collection: string): boolean {
  return /@[^/]*$/.test(collection)
}

export function collectionOf(store: DocumentStore, collection: string): Collection {
  return {
    list: () => store.listDocuments(collection),
    get: (key) => store.getDocument(collection, key),
    put: (key, bytes) => store.putDocument(collection, key, bytes),
    delete: (key) => store.deleteDocument(collection, key),
  }
}

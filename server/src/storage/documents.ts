/**
 * Small durable documents, by collection: users, queries, jobs. Where several servers share a store,
 * documents change under those who hold them in memory, so whoever opens a collection takes its
 * changes; one that belongs to this instance alone is opened as such and has none.
 */

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

/** Takes a change that another instance made. It must not throw, and not write. */
export type TakeChange = (key: string, bytes: Uint8Array | null) => void

export interface Documents {
  /** A collection that all instances share. */
  open(collection: string, take: TakeChange): Collection
  /** A collection of this instance: statistics, markers, maintenance. Nobody else writes it. */
  openOwn(collection: string): Collection
}

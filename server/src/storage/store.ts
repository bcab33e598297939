/**
 * The one door to durable bytes. The store knows no vertex: payloads are opaque, `graph` owns
 * their meaning. Every implementation passes `server/test/conformance/store.ts`.
 *
 * The commit log is the truth. A segment set is a checkpoint of everything up to
 * `foldedSequence`; replay starts after it, so that each entry counts exactly once.
 */

export interface LogEntry {
  /** Ascending by 1 from 1 over the life of the store. */
  readonly sequence: number
  readonly payload: Uint8Array
}

/** Names the blobs of a segment set: opaque keys to sizes and checksums, plus a small description. */
export interface SegmentManifest {
  /** Log entries up to and including this one are contained in the segments. */
  readonly foldedSequence: number
  /** JSON text that only `graph` reads: which blob is what. */
  readonly description: string
  readonly blobs: readonly SegmentBlob[]
}

export interface SegmentBlob {
  readonly key: string
  readonly sizeBytes: number
  readonly crc32: number
}

/** One checkpoint being written: nothing is current until `publish` returned. */
export interface SegmentWriter {
  /**
   * Any size; the store cuts it into parts of at most SEGMENT_BLOB_SIZE_BYTES_MAX. Shared memory is
   * read while it is written: it must not change until the promise settles.
   */
  writeBlob(key: string, bytes: Uint8Array): Promise<void>
  /**
   * As `writeBlob`, of pieces of at most SEGMENT_BLOB_SIZE_BYTES_MAX that are generated as they are written.
   * The buffer of a piece is reused for the second piece after it.
   */
  writePieces(key: string, pieces: Iterable<Uint8Array>): Promise<void>
  /** Keeps a blob of the current manifest in the new one without rewriting it. */
  keepBlob(key: string): Promise<void>
  publish(description: string, foldedSequence: number): Promise<SegmentManifest>
  abandon(): Promise<void>
}

export type StoreState =
  | { readonly kind: 'ready' }
  /** After a failed write or sync, or a full disk: reads go on, writes are refused with `reason`. */
  | { readonly kind: 'read-only'; readonly reason: string }

export interface StoreStatistics {
  readonly logSizeBytes: number
  readonly logEntryCount: number
  readonly segmentSizeBytes: number
  readonly lastSequence: number
  readonly foldedSequence: number
  readonly commitCount: number
  readonly commitGroupCount: number
  readonly syncMsTotal: number
}

export interface Store {
  readonly state: StoreState
  /**
   * Appends one entry and resolves with its sequence once it is durable. Entries are numbered in
   * the order of the calls and promises settle in that order; concurrent calls share one sync.
   * `payload` must not change until then.
   * @throws DbError STORE_READ_ONLY, DISK_FULL: the entry is not in the log. STORE_FAILED: a failed
   *   sync may have left it there; the next start tells.
   */
  append(payload: Uint8Array): Promise<number>
  /**
   * Replays entries after `afterSequence` in order, each checked against its checksum and chain.
   * @throws DbError CORRUPT_LOG naming the sequence and what failed; never skips.
   */
  readLog(afterSequence: number): AsyncIterable<LogEntry>
  readManifest(): Promise<SegmentManifest | null>
  /**
   * Reads a blob of the current manifest into shared memory, checked.
   * @throws DbError CORRUPT_SEGMENT
   */
  readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>>
  beginSegments(): SegmentWriter
  /** Small durable documents: users, queries, statistics history, drafts. Not part of the log. */
  putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void>
  getDocument(collection: string, key: string): Promise<Uint8Array | null>
  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]>
  deleteDocument(collection: string, key: string): Promise<void>
  statistics(): StoreStatistics
  close(): Promise<void>
}

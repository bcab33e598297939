/**
 * The embedded store: a commit log and a segment file, each a SQLite database with a thread of its
 * own, in a locked directory.
 *
 * Any failed write ends writing until the store is opened again: after a failed sync nobody knows
 * what the disk holds, so nothing is retried and called durable. Reads go on.
 */
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'
import {
  STORE_CLOSE_MS_MAX,
  STORE_SHRINK_COMMIT_SIZE_BYTES_MAX,
  STORE_TERMINATE_MS_MAX,
} from '#kernel/limits.ts'
import { CommitQueue } from '../commit-queue.ts'
import type { LogPosition } from '../frame/frame.ts'
import { checkDocument, checkPayload, foldBounds } from '../rules.ts'
import type {
  LogEntry,
  SegmentManifest,
  SegmentWriter,
  Store,
  StoreState,
  StoreStatistics,
} from '../store.ts'
import { StorageThread } from '../thread/thread.ts'
import { workerEntry } from '../thread/worker-entry.ts'
import { checkAccess, createDirectory, dataFiles } from './directory.ts'
import { type DirectoryLock, lockDirectory } from './lock.ts'
import type { LogState } from './log-file.ts'
import { type LogBlock, LogReader } from './log-reader.ts'
import type { LogProtocol, SegmentProtocol } from './protocol.ts'
import { SqliteSegmentWriter } from './segment-writer.ts'
import { checkReach } from './verify.ts'

export interface SqliteStoreOptions {
  readonly directory: string
  readonly clock: Clock
  /** Largest size of each file in its own pages: tests fill the disk with it. */
  readonly logPagesMax?: number
  readonly segmentPagesMax?: number
}

interface StoreParts {
  readonly clock: Clock
  readonly lock: DirectoryLock
  readonly log: StorageThread<LogProtocol>
  readonly segments: StorageThread<SegmentProtocol>
  readonly logState: LogState
  readonly manifest: SegmentManifest | null
  /** How long a close waits for the threads to end their work. */
  readonly closeMsMax?: number
}

/**
 * @throws DbError STORE_LOCKED, UNSUPPORTED_FORMAT, CORRUPT_LOG, CORRUPT_SEGMENT, STORE_FAILED,
 *   DISK_FULL: nothing was changed but the format version of files from an older program
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { directory, clock } = options
  createDirectory(directory)
  checkAccess(directory)
  const lock = lockDirectory(directory, clock)
  const files = dataFiles(directory)
  let store: SqliteStore | null = null
  const onFailure = (error: Error): void => store?.failed(error)
  const log = new StorageThread<LogProtocol>(
    { role: 'log', path: files.log, endPath: files.end, pagesMax: options.logPagesMax },
    { entry: storageWorker(), onFailure },
  )
  const segments = new StorageThread<SegmentProtocol>(
    { role: 'segments', path: files.segments, pagesMax: options.segmentPagesMax },
    { entry: storageWorker(), onFailure },
  )
  try {
    const [logState, manifest] = await Promise.all([
      log.request('state', null),
      segments.request('manifest', null),
    ])
    checkReach(logState, manifest?.foldedSequence ?? 0)
    store = new SqliteStore({ clock, lock, log, segments, logState, manifest })
    return store
  } catch (error) {
    await Promise.all([log.terminate(), segments.terminate()])
    lock.release()
    throw error
  }
}

function storageWorker(): URL {
  return workerEntry(import.meta.url, 'storage-worker')
}

/** After one of these nobody knows what a further write would meet. */
const WRITE_FAILURES: readonly ErrorCode[] = [
  'STORE_FAILED',
  'DISK_FULL',
  'CORRUPT_LOG',
  'CORRUPT_SEGMENT',
]

export class SqliteStore implements Store {
  readonly #parts: StoreParts
  readonly #queue: CommitQueue
  #state: StoreState = { kind: 'ready' }
  #manifest: SegmentManifest | null
  #anchor: LogPosition
  #logSizeBytes: number
  #nextWriter = 1
  #closing: Promise<void> | null = null
  /** Deletes what is folded or superseded, behind the work of others. */
  #housekeeping: Promise<void>

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#manifest = parts.manifest
    this.#anchor = parts.logState.anchor
    this.#logSizeBytes = parts.logState.sizeBytes
    this.#queue = new CommitQueue({
      lastSequence: parts.logState.last.sequence,
      clock: parts.clock,
      write: (bytes) => this.#parts.log.request('append', { bytes }),
      onFailure: (error) => {
        this.failed(error)
        return new DbError('STORE_READ_ONLY', error.message, { cause: error })
      },
    })
    this.#housekeeping = this.#cleanUp()
  }

  get state(): StoreState {
    return this.#state
  }

  append(payload: Uint8Array): Promise<number> {
    try {
      this.#checkWritable()
      checkPayload(payload)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.#queue.append(payload)
  }

  async *readLog(afterSequence: number): AsyncIterable<LogEntry> {
    const { log } = this.#parts
    const end = this.#queue.lastSequence
    const reader = new LogReader(afterSequence)
    const read = (sequence: number) => log.request('read', { sequence })
    let block: LogBlock | null = await read(afterSequence + 1)
    while (block !== null) {
      // The thread reads the next block while this one is being replayed.
      const next: Promise<LogBlock> | null =
        block.nextSequence === null ? null : read(block.nextSequence)
      next?.catch(() => undefined)
      for (const frame of reader.frames(block)) {
        if (frame.kind === 'commit' && frame.sequence > afterSequence) yield frame
      }
      block = await next
    }
    const last = reader.position?.sequence ?? 0
    if (last < end) {
      const message = `commit log: it ends at frame ${last} instead of ${end}`
      throw new DbError('CORRUPT_LOG', message, { details: { sequence: last + 1 } })
    }
  }

  async readManifest(): Promise<SegmentManifest | null> {
    return this.#manifest
  }

  readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>> {
    return this.#parts.segments.request('readBlob', { key })
  }

  beginSegments(): SegmentWriter {
    this.#checkWritable()
    return new SqliteSegmentWriter({
      id: this.#nextWriter++,
      thread: this.#parts.segments,
      guard: (work) => this.#writing(work),
      checkFold: (folded) =>
        foldBounds(folded, this.#manifest?.foldedSequence ?? 0, this.#queue.lastSequence),
      onPublished: (manifest) => this.#published(manifest),
    })
  }

  async putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    checkDocument(bytes)
    // Not `slice`: that of a Buffer is a view, and the copy is handed over to the thread.
    const copy = new Uint8Array(bytes)
    await this.#writing(() =>
      this.#parts.log.request('putDocument', { collection, key, bytes: copy }),
    )
  }

  async getDocument(collection: string, key: string): Promise<Uint8Array | null> {
    return (await this.#parts.log.request('getDocument', { collection, key })).bytes
  }

  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]> {
    return this.#parts.log.request('listDocuments', { collection })
  }

  async deleteDocument(collection: string, key: string): Promise<void> {
    await this.#writing(() => this.#parts.log.request('deleteDocument', { collection, key }))
  }

  statistics(): StoreStatistics {
    const { counts, lastSequence } = this.#queue
    const blobs = this.#manifest?.blobs ?? []
    return {
      logSizeBytes: this.#logSizeBytes + counts.sizeBytes,
      logEntryCount: lastSequence - this.#anchor.sequence,
      segmentSizeBytes: blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0),
      lastSequence,
      foldedSequence: this.#manifest?.foldedSequence ?? 0,
      commitCount: counts.commitCount,
      commitGroupCount: counts.groupCount,
      syncMsTotal: counts.syncMsTotal,
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Resolves once nothing is left to delete behind the last checkpoint. */
  settled(): Promise<void> {
    return this.#housekeeping
  }

  /** Ends writing for good; the first reason stays. */
  failed(error: Error): void {
    if (this.#state.kind === 'ready') this.#state = { kind: 'read-only', reason: error.message }
  }

  /** In order if the threads answer; else within STORE_CLOSE_MS_MAX, whatever hangs. */
  async #close(): Promise<void> {
    const { log, segments, lock, closeMsMax = STORE_CLOSE_MS_MAX } = this.#parts
    await within(closeMsMax, this.#finish())
    const terminated = Promise.all([log.terminate(), segments.terminate()])
    // A thread that hangs in the system may still write: then nobody else may have the directory.
    if (await within(STORE_TERMINATE_MS_MAX, terminated)) lock.release()
  }

  async #finish(): Promise<void> {
    const { log, segments } = this.#parts
    await this.#queue.drained()
    await this.#housekeeping
    await Promise.allSettled([log.request('close', null), segments.request('close', null)])
  }

  #checkWritable(): void {
    if (this.#closing !== null) throw new DbError('UNAVAILABLE', 'the store is closed')
    if (this.#state.kind === 'ready') return
    throw new DbError('STORE_READ_ONLY', `writes are refused: ${this.#state.reason}`)
  }

  /** Runs one write; if the disk fails it, the store is read-only from then on. */
  async #writing<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#checkWritable()
    try {
      return await work()
    } catch (error) {
      if (isDbError(error) && WRITE_FAILURES.includes(error.code)) this.failed(error)
      throw error
    }
  }

  #published(manifest: SegmentManifest): void {
    this.#manifest = manifest
    this.#housekeeping = this.#housekeeping
      .then(() => this.#cleanUp())
      .then(() => this.#guarded(() => this.#shrink()))
  }

  /** One slice per message, so that commits and reads go in between. */
  #cleanUp(): Promise<void> {
    return this.#guarded(async () => {
      await this.#trimLog()
      while (this.#mayCleanUp()) {
        if (!(await this.#parts.segments.request('deleteGarbage', null))) break
      }
    })
  }

  /**
   * Gives free pages back, in slices, unless commits keep coming: the next checkpoint would need
   * the space again.
   */
  async #shrink(): Promise<void> {
    const { segments, log } = this.#parts
    let isMore = true
    while (isMore && this.#mayCleanUp()) {
      const before = this.#queue.counts.sizeBytes
      isMore = await segments.request('shrink', null)
      if (this.#queue.counts.sizeBytes - before > STORE_SHRINK_COMMIT_SIZE_BYTES_MAX) return
    }
    if (this.#mayCleanUp()) await log.request('shrink', null)
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.failed(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #trimLog(): Promise<void> {
    const foldedSequence = this.#manifest?.foldedSequence ?? 0
    while (this.#mayCleanUp() && this.#anchor.sequence < foldedSequence) {
      const result = await this.#parts.log.request('trim', { foldedSequence })
      assert(result.anchor.sequence <= foldedSequence, 'only folded frames are deleted')
      this.#anchor = result.anchor
      this.#logSizeBytes -= result.deletedSizeBytes
      if (result.isDone) break
    }
  }

  #mayCleanUp(): boolean {
    return this.#closing === null && this.#state.kind === 'ready'
  }
}

/** @returns whether the work ended within the time; it goes on otherwise */
async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  )
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), limitMs)
  const isInTime = await Promise.race([ended, promise])
  clearTimeout(timer)
  return isInTime
}

/**
 * A store in PostgreSQL that several servers share: the commit log, documents and segments as tables.
 * One instance writes; the log itself decides which.
 *
 * @see docs/formats/shared-store.md
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { STORE_CLOSE_MS_MAX } from '#kernel/limits.ts'
import { type FirstWriter, firstWriter } from '#kernel/shared-memory.ts'
import { type DocumentChange, isOwnCollection } from '../documents.ts'
import { notWriter } from '../not-writer.ts'
import { checkDocument, checkPayload, foldBounds } from '../rules.ts'
import { publicManifest, type StoredManifest } from '../segment/blob.ts'
import type { SharedStore } from '../shared-store.ts'
import type {
  LogEntry,
  SegmentManifest,
  SegmentWriter,
  StoreState,
  StoreStatistics,
} from '../store.ts'
import type { StoreAddress } from './address.ts'
import { BlobReaders, type SegmentThread, startSegmentThread } from './blob-readers.ts'
import {
  blobOf,
  type Cleaning,
  type CurrentManifest,
  cleanUp,
  NUMBERS_PER_EPOCH,
  readManifest,
  tiedManifest,
} from './checkpoints.ts'
import { changeOwn, listDocuments, readDocument, tiedChange } from './document-table.ts'
import { type InstanceOptions, Instances, readableFormatOf } from './instances.ts'
import { Link, Nodes, type StoreTimers } from './link.ts'
import { register } from './registration.ts'
import { prepareSchema } from './schema.ts'
import type { SegmentRole } from './segment-protocol.ts'
import { PostgresSegmentWriter } from './segment-writer.ts'
import { sessionName } from './session.ts'
import { PostgresLog } from './shared-log.ts'
import { encodeDocument, encodeNote } from './store-frames.ts'

export interface PostgresStoreOptions extends InstanceOptions {
  readonly address: StoreAddress
  readonly clock: Clock
  readonly timers: StoreTimers
  /** How long the writer's row may stand still before another instance takes over. */
  readonly takeoverAfterMs: number
  /** How fast checkpoints are written; absent: 32 MB a second. */
  readonly checkpointBytesPerSecond?: number
  /** Takes part for a moment only: its row goes with it. */
  readonly isGuest?: boolean
  /** How long the first connection may take; absent: 30 seconds. */
  readonly connectMsMax?: number
}

const CHECKPOINT_BYTES_PER_SECOND = 32 * 1024 * 1024

interface StoreParts {
  readonly nodes: Nodes
  readonly control: Link
  readonly appends: Link
  readonly thread: SegmentThread
  readonly readers: BlobReaders
  readonly instances: Instances
  readonly options: PostgresStoreOptions
  readonly openEnd: number
}

/**
 * Opens the store; `shared.follow` begins what makes this instance a follower or the writer.
 * @throws DbError STORE_FAILED, UNSUPPORTED_FORMAT, INVALID_PARAMETER; STORE_LOCKED while another
 *   process runs under the name
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { address, clock, timers } = options
  const run = randomUUID()
  const nodes = new Nodes({ address, clock, timers, sessionName: sessionName(run) })
  const control = new Link(nodes)
  const role: SegmentRole = {
    role: 'segments',
    address,
    bytesPerSecondMax: options.checkpointBytesPerSecond ?? CHECKPOINT_BYTES_PER_SECOND,
  }
  // It begins while this thread waits for the server.
  const thread = startSegmentThread(role)
  try {
    await control.first(options.connectMsMax)
    await control.repeat((session) => prepareSchema(session, address.schema))
    const ordinal = await register({
      ...{ link: control, instance: options, run, clock },
      format: readableFormatOf(options),
      silentMsMax: options.takeoverAfterMs,
    })
    const instances = new Instances(options, { run, ordinal }, clock)
    const { rows } = await control.repeat((session) =>
      session.query({
        text: 'SELECT last_sequence FROM log ORDER BY first_sequence DESC LIMIT 1',
      }),
    )
    const readers = new BlobReaders(thread, () => startSegmentThread(role), timers)
    const openEnd = Number(rows[0]?.['last_sequence'] ?? 0)
    const appends = new Link(nodes)
    const store = new PostgresStore({
      ...{ nodes, control, appends, thread, readers, instances, options, openEnd },
    })
    store.shared.beginBeats()
    return store
  } catch (error) {
    await Promise.all([control.close(), thread.terminate()])
    nodes.close()
    throw error
  }
}

export class PostgresStore implements SharedStore {
  readonly shared: PostgresLog
  readonly #parts: StoreParts
  readonly #writers = new Set<PostgresSegmentWriter>()
  #current: CurrentManifest | null = null
  #nextNumber = 1
  #closing: Promise<void> | null = null
  #ending: Promise<void> | null = null
  #housekeeping: Promise<void> = Promise.resolve()
  /** Its segment thread has time for it. */
  readonly #firstWriter: FirstWriter = (buffer, start, end) => {
    // A thread that has ended does not: then it is done by whoever fills the memory.
    this.#parts.thread.request('writeFirst', { buffer, start, end }).catch(() => undefined)
  }

  constructor(parts: StoreParts) {
    this.#parts = parts
    firstWriter.current = this.#firstWriter
    const { control, appends, instances, options, openEnd } = parts
    this.shared = new PostgresLog({
      control,
      appends,
      instances,
      openEnd,
      clock: options.clock,
      timers: options.timers,
      takeoverAfterMs: options.takeoverAfterMs,
      folded: async () => (await this.readManifest())?.foldedSequence ?? 0,
      watch: (first) => parts.thread.request('watch', { first }),
      onTakeover: async () => {
        // On the connection of the epoch: another one may still lead to an older primary.
        this.#current = await appends.repeat(readManifest)
        this.#nextNumber = 1
      },
    })
  }

  get state(): StoreState {
    return { kind: 'ready' }
  }

  append(payload: Uint8Array): Promise<number> {
    try {
      this.#checkOpen()
      checkPayload(payload)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.shared.append(payload)
  }

  readLog(afterSequence: number): AsyncIterable<LogEntry> {
    return this.shared.readLog(afterSequence)
  }

  async readManifest(): Promise<SegmentManifest | null> {
    this.#current = await this.#parts.control.repeat(readManifest)
    return this.#current === null ? null : publicManifest(this.#current.manifest)
  }

  async readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>> {
    const current = this.#current
    const blob = blobOf(current, key)
    try {
      return await this.#parts.readers.read(blob)
    } catch (error) {
      if (!isDbError(error, 'CORRUPT_SEGMENT')) throw error
      const found = await this.#parts.control.repeat(readManifest)
      if (found?.generation === current?.generation) throw error
      throw new DbError('BEHIND', 'Another server has written checkpoints meanwhile.', {
        details: { retryAfterSeconds: 1 },
      })
    }
  }

  beginSegments(): SegmentWriter {
    this.#checkOpen()
    const { epoch } = this.shared
    const check = () => {
      if (this.shared.role !== 'writer' || this.shared.epoch !== epoch) throw notWriter()
    }
    check()
    const writer = new PostgresSegmentWriter({
      thread: this.#parts.thread,
      check,
      nextNumber: () => epoch * NUMBERS_PER_EPOCH + this.#nextNumber++,
      currentBlob: (key) => blobOf(this.#current, key),
      publish: (manifest) => this.#publish(manifest),
      onEnd: (ended) => this.#writers.delete(ended),
    })
    this.#writers.add(writer)
    return writer
  }

  async putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    checkDocument(bytes)
    await this.#change({ collection, key, bytes: new Uint8Array(bytes) })
  }

  getDocument(collection: string, key: string): Promise<Uint8Array | null> {
    return this.#parts.control.repeat((session) => readDocument(session, collection, key))
  }

  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]> {
    return this.#parts.control.repeat((session) => listDocuments(session, collection))
  }

  deleteDocument(collection: string, key: string): Promise<void> {
    return this.#change({ collection, key, bytes: null })
  }

  statistics(): StoreStatistics {
    const { counts } = this.shared.queue
    // Before the log is read nothing of it is known.
    const chain = this.shared.knownChain
    const blobs = this.#current?.manifest.blobs ?? []
    return {
      logSizeBytes: chain?.sizeBytes ?? 0,
      logEntryCount: chain?.commitCount ?? 0,
      segmentSizeBytes: blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0),
      lastSequence: chain?.end.sequence ?? 0,
      foldedSequence: chain?.folded ?? 0,
      commitCount: this.shared.commitCount,
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

  async abandon(): Promise<void> {
    this.shared.stop()
    this.#closing ??= this.#end()
    await this.#end()
  }

  async #close(): Promise<void> {
    await this.shared.leave(STORE_CLOSE_MS_MAX)
    const { control, instances, options } = this.#parts
    if (options.isGuest) await control.use((session) => instances.remove(session))
    await this.#end()
  }

  #end(): Promise<void> {
    this.#ending ??= this.#endAll()
    return this.#ending
  }

  async #endAll(): Promise<void> {
    const { control, appends, nodes, thread, readers } = this.#parts
    if (firstWriter.current === this.#firstWriter) firstWriter.current = null
    await Promise.all([control.close(), appends.close(), readers.close(), thread.terminate()])
    nodes.close()
  }

  async #change(change: DocumentChange): Promise<void> {
    this.#checkOpen()
    if (isOwnCollection(change.collection)) {
      await this.#parts.control.repeat((session) => changeOwn(session, change))
      return
    }
    await this.shared.append(encodeDocument(change), 'document', tiedChange(change))
  }

  async #publish(manifest: StoredManifest): Promise<SegmentManifest> {
    const { shared } = this
    foldBounds(manifest.foldedSequence, shared.chain.folded, shared.end)
    const { writer, epoch } = shared.chain
    if (writer === null) throw notWriter()
    const next = { generation: (this.#current?.generation ?? 0) + 1, manifest }
    const { generation } = next
    const note = { generation, foldedSequence: manifest.foldedSequence, writer }
    await shared.append(encodeNote(note), 'checkpoint', tiedManifest(next))
    this.#current = next
    shared.chain.fold(manifest.foldedSequence)
    // What is written from now on belongs to checkpoints that this cleaning knows nothing of.
    const numbersBelow = epoch * NUMBERS_PER_EPOCH + this.#nextNumber
    const openNumbers = new Set([...this.#writers].flatMap(({ numbers }) => numbers))
    const cleaning = { current: next, numbersBelow, openNumbers }
    this.#housekeeping = this.#housekeeping.then(() => this.#cleanUp(cleaning))
    return publicManifest(manifest)
  }

  /** What fails here is done behind the next checkpoint. */
  async #cleanUp(cleaning: Omit<Cleaning, 'link' | 'mayGoOn'>): Promise<void> {
    const { control } = this.#parts
    const mayGoOn = () => this.#closing === null && this.shared.role === 'writer'
    try {
      await cleanUp({ ...cleaning, link: control, mayGoOn })
    } catch (error) {
      if (!isDbError(error, 'STORE_FAILED') && !isDbError(error, 'DISK_FULL')) throw error
    }
  }

  #checkOpen(): void {
    if (this.#closing !== null) throw new DbError('UNAVAILABLE', 'the store is closed')
  }
}

/**
 * The graph engine: the one writer of the graph in memory and the door to its durable log.
 *
 * A commit is appended to the log, applied in the order of the log, published, acknowledged. Live
 * application and replay are the same code. Readers get views: `view()` is the present state for
 * synchronous use on this thread, `pin()` a version that stays. While a large batch is applied in
 * slices both show the state before it, so nobody ever sees half a commit.
 */
import { type AttributeValue, type Catalog, emptyCatalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { APPLY_SLICE_MS_MAX } from '#kernel/limits.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import type { Store } from '#storage/store.ts'
import { decodeCatalog, encodeCatalog } from './catalog-entry.ts'
import { DeletedIds } from './gse/deleted-ids.ts'
import type { ValueRange } from './index/column-index.ts'
import { Versions } from './memory/versions.ts'
import { type MemoryReport, memoryReport } from './memory-report.ts'
import { FrameApplication } from './mutate/apply.ts'
import { checkFrame } from './mutate/check-frame.ts'
import { frameKind } from './mutate/frame-format.ts'
import { type MutationOutcome, OutcomeBuilder } from './mutate/outcome.ts'
import { plannedOutcome } from './mutate/planned.ts'
import type { ApplyTarget } from './mutate/target.ts'
import { Tables } from './tables/tables.ts'
import type { GraphView, PinnedView } from './view.ts'

export interface EngineOptions {
  readonly store: Store
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Bytes of graph memory from which on writes are refused; reads go on. */
  readonly memoryLimitBytes: number
  /** Bytes of pages kept for pinned versions; beyond it the oldest pin is asked to go. */
  readonly copiedPagesBytesMax?: number
}

export interface CommitOptions {
  /** `none`: resolve once ordered, before the disk has it; later reads wait with `settled`. */
  readonly ack?: 'all' | 'none'
}

/** A log entry on its way: ordered, not yet applied. */
interface Ticket {
  sequence: number
  error: unknown
  isSettled: boolean
  readonly payload: Uint8Array
  /** The catalogue that a schema change puts in place; null for mutations. */
  readonly catalog: Catalog | null
  readonly resolve: (outcome: MutationOutcome) => void
  readonly reject: (error: unknown) => void
}

/** The state before the batch that is being applied, shared by everyone who reads meanwhile. */
interface HeldVersion {
  readonly view: GraphView
  readonly epoch: number
  users: number
}

export class GraphEngine {
  readonly tables: Tables
  readonly versions: Versions
  readonly deletedIds = new DeletedIds()
  readonly #options: EngineOptions
  readonly #meter = { bytes: 0 }
  readonly #target: ApplyTarget
  readonly #queue: Ticket[] = []
  #catalog: Catalog = emptyCatalog
  #sequence = 0
  #view: GraphView | null = null
  #held: HeldVersion | null = null
  #isDraining = false
  #isClosed = false
  #failure: DbError | null = null
  /** Serialises schema changes. */
  #catalogChanges: Promise<unknown> = Promise.resolve()
  /** Resolves when the ordered schema change is applied; writes wait for it. */
  #catalogPending: Promise<unknown> | null = null
  #waiting: (() => void)[] = []

  private constructor(options: EngineOptions) {
    this.#options = options
    this.versions = new Versions(options.copiedPagesBytesMax)
    this.tables = new Tables({ meter: this.#meter, versions: this.versions })
    this.#target = { tables: this.tables, deletions: this.deletedIds }
  }

  /**
   * Loads the segments and replays the log after them.
   * @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT: the store is never opened past damage.
   */
  static async open(options: EngineOptions): Promise<GraphEngine> {
    const engine = new GraphEngine(options)
    await engine.#recover()
    return engine
  }

  get catalog(): Catalog {
    return this.#catalog
  }

  /** Sequence of the last applied log entry. */
  get sequence(): number {
    return this.#sequence
  }

  /**
   * Makes a mutation batch durable and applies it.
   * @returns with `ack: 'none'` the counts that a batch without flags and deletes always has
   * @throws DbError MEMORY_LIMIT, SCHEMA_RULE and what `Store.append` throws: nothing was written
   */
  async commit(frame: Uint8Array, options: CommitOptions = {}): Promise<MutationOutcome> {
    while (this.#catalogPending !== null) await this.#catalogPending
    this.#refuseIfUnable()
    checkFrame(frame, this.#catalog)
    const applied = this.#order(frame, null)
    const planned = options.ack === 'none' ? plannedOutcome(frame, this.#orderedSequence()) : null
    if (planned === null) return applied
    applied.catch(() => {})
    return planned
  }

  /** Resolves when everything ordered so far is applied or has failed. */
  settled(): Promise<void> {
    if (this.#queue.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /**
   * Changes the catalogue, one change after the other, and brings the tables in line with it by
   * the stable ids of types and attributes. `change` sees the catalogue of the change before.
   */
  changeCatalog(change: (catalog: Catalog) => Catalog): Promise<Catalog> {
    const done = this.#catalogChanges.then(() => this.#changeCatalogNow(change))
    this.#catalogChanges = done.catch(() => {})
    return done
  }

  /** The present state for synchronous reads on this thread; do not keep it over an await. */
  view(): GraphView {
    if (this.#held !== null) return this.#held.view
    this.#view ??= this.tables.view(this.#sequence)
    return this.#view
  }

  /**
   * A version that the writer leaves alone until it is released.
   * @param onRevoke called when copied pages exceed their limit and this is the oldest pin: the
   *   reader should stop and release
   */
  pin(onRevoke: (() => void) | null = null): PinnedView {
    const held = this.#held
    if (held !== null) {
      held.users += 1
      return { view: held.view, release: once(() => this.#releaseHeld(held)) }
    }
    const view = this.view()
    const epoch = this.versions.pin(onRevoke)
    return { view, release: once(() => this.#release(epoch)) }
  }

  /**
   * Rows of the present view whose attribute equals a value, through a secondary index.
   * @returns null when no index covers the attribute, or while a large batch is being applied:
   *   the caller then scans
   */
  lookupEqual(typeId: number, attributeId: number, value: AttributeValue): Uint32Array | null {
    if (this.#held !== null) return null
    return this.tables.vertexTable(typeId)?.indexOn(attributeId)?.equal(value) ?? null
  }

  /** As `lookupEqual`, for a range of numbers or DATETIME with inclusive bounds. */
  lookupRange(typeId: number, attributeId: number, range: ValueRange): Uint32Array | null {
    if (this.#held !== null) return null
    return this.tables.vertexTable(typeId)?.indexOn(attributeId)?.range(range) ?? null
  }

  memory(): MemoryReport {
    return memoryReport(this.tables, this.#meter.bytes, this.#options.memoryLimitBytes)
  }

  /** Waits for what is ordered, then refuses everything. The store is its opener's to close. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  #refuseIfUnable(): void {
    if (this.#failure !== null) throw this.#failure
    if (this.#isClosed) throw new DbError('UNAVAILABLE', 'The server is shutting down.')
    const limit = this.#options.memoryLimitBytes
    if (this.#meter.bytes > limit) {
      throw new DbError('MEMORY_LIMIT', 'The graph has reached its memory limit; writes are off.', {
        details: { usedBytes: this.#meter.bytes, limitBytes: limit },
      })
    }
  }

  async #changeCatalogNow(change: (catalog: Catalog) => Catalog): Promise<Catalog> {
    this.#refuseIfUnable()
    const next = change(this.#catalog)
    if (next === this.#catalog) return next
    const applied = this.#order(encodeCatalog(next), next)
    this.#catalogPending = applied.catch(() => {})
    try {
      await applied
    } finally {
      this.#catalogPending = null
    }
    return next
  }

  #order(payload: Uint8Array, catalog: Catalog | null): Promise<MutationOutcome> {
    return new Promise((resolve, reject) => {
      const ticket: Ticket = {
        sequence: 0,
        error: undefined,
        isSettled: false,
        payload,
        catalog,
        resolve,
        reject,
      }
      this.#queue.push(ticket)
      this.#options.store.append(payload).then(
        (sequence) => this.#settle(ticket, sequence, undefined),
        (error: unknown) => this.#settle(ticket, 0, error),
      )
    })
  }

  /** The sequence that the entry ordered last will have. */
  #orderedSequence(): number {
    return this.#sequence + this.#queue.length
  }

  #settle(ticket: Ticket, sequence: number, error: unknown): void {
    ticket.sequence = sequence
    ticket.error = error
    ticket.isSettled = true
    if (this.#isDraining) return
    this.#isDraining = true
    this.#drain().catch((cause: unknown) => this.#fail(cause))
  }

  /** Applies settled tickets in order, with a pause for others every few milliseconds. */
  async #drain(): Promise<void> {
    let isLate = this.#deadline()
    while (this.#queue[0]?.isSettled) {
      const ticket = this.#queue[0]
      if (ticket.error !== undefined) ticket.reject(ticket.error)
      else if (ticket.catalog !== null) this.#applyCatalog(ticket, ticket.catalog)
      else if (ticket.payload.length <= SINGLE_SLICE_BYTES) this.#applyWhole(ticket)
      else await this.#applyInSlices(ticket)
      this.#queue.shift()
      if (isLate()) {
        await this.#options.scheduler.yieldToOthers()
        isLate = this.#deadline()
      }
    }
    this.#isDraining = false
    if (this.#queue.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #applyWhole(ticket: Ticket): void {
    const application = new FrameApplication(ticket.payload, this.#target)
    application.step(never)
    this.#published(ticket.sequence)
    ticket.resolve(application.outcome(ticket.sequence))
  }

  /** Readers see the version before the batch until its last slice is done. */
  async #applyInSlices(ticket: Ticket): Promise<void> {
    const held: HeldVersion = { view: this.view(), epoch: this.versions.pin(null), users: 1 }
    this.#held = held
    const application = new FrameApplication(ticket.payload, this.#target)
    while (!application.step(this.#deadline())) await this.#options.scheduler.yieldToOthers()
    this.#held = null
    this.#published(ticket.sequence)
    this.#releaseHeld(held)
    ticket.resolve(application.outcome(ticket.sequence))
  }

  #applyCatalog(ticket: Ticket, catalog: Catalog): void {
    this.#install(catalog)
    this.#published(ticket.sequence)
    ticket.resolve(new OutcomeBuilder().finish(ticket.sequence))
  }

  #install(catalog: Catalog): void {
    this.tables.reconcile(catalog)
    const kept = new Set(catalog.vertexTypes.map((type) => type.id))
    for (const id of this.deletedIds.typeIds()) if (!kept.has(id)) this.deletedIds.drop(id)
    this.#catalog = catalog
  }

  #published(sequence: number): void {
    this.#sequence = sequence
    this.#view = null
  }

  #deadline(): () => boolean {
    const end = this.#options.clock.monotonicMs() + APPLY_SLICE_MS_MAX
    return () => this.#options.clock.monotonicMs() > end
  }

  #releaseHeld(held: HeldVersion): void {
    held.users -= 1
    if (held.users === 0) this.#release(held.epoch)
  }

  /** Pages may go home with the last version that saw them: cached views are stale then. */
  #release(epoch: number): void {
    this.versions.release(epoch)
    this.tables.changed()
    this.#view = null
  }

  /** An entry in the log could not be applied: memory and disk differ, so nothing goes on. */
  #fail(cause: unknown): void {
    this.#failure = new DbError('UNAVAILABLE', 'A log entry could not be applied; restart.', {
      cause,
    })
    for (const ticket of this.#queue.splice(0)) ticket.reject(this.#failure)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async #recover(): Promise<void> {
    for await (const entry of this.#options.store.readLog(this.#sequence)) {
      const kind = entry.payload[0]
      if (kind === frameKind.catalog) this.#install(decodeCatalog(entry.payload))
      else new FrameApplication(entry.payload, this.#target).step(never)
      this.#published(entry.sequence)
    }
  }
}

/** Frames up to this size are applied at once: some milliseconds at most, and no version is held. */
const SINGLE_SLICE_BYTES = 128 * 1024

function never(): boolean {
  return false
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}

/**
 * The graph engine: the one writer of the graph in memory and the door to its durable log.
 *
 * A commit is appended to the log, applied in the order of the log, published, acknowledged. Live
 * application and replay are the same code. Readers get views: `view()` is the present state for
 * synchronous use on this thread, `pin()` a version that stays. While a large batch is applied in
 * slices both show the state before it, so nobody ever sees half a commit.
 */
import { type AttributeValue, type Catalog, emptyCatalog } from '#catalog/types.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { APPLY_SLICE_MS_MAX, REBUILD_INLINE_SIZE_MAX, VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { notWriter } from '#storage/not-writer.ts'
import { BatchGate } from './batch-gate.ts'
import { CatalogChanges, type CatalogHost } from './catalog-changes.ts'
import { CommitQueue, type Ticket } from './commit-queue.ts'
import { Digests } from './digests.ts'
import { EarlyAnswers } from './early-answers.ts'
import type { CommitOptions, EngineOptions } from './engine-options.ts'
import { type BesideGraph, Follow, type FollowHost } from './follow.ts'
import {
  checkDeletedVertices,
  type DeletedVertexOptions,
  type DeletedVertexReport,
} from './gse/deleted-check.ts'
import { DeletedIds } from './gse/deleted-ids.ts'
import { type HeldVersion, holdVersion, letRevoke } from './held-version.ts'
import { buildIndex } from './index/build.ts'
import type { ColumnIndex, ValueRange } from './index/column-index.ts'
import { LoadPositions } from './load-positions.ts'
import { Versions } from './memory/versions.ts'
import { MemoryGuard } from './memory-guard.ts'
import { type MemoryReport, memoryReport } from './memory-report.ts'
import { FrameApplication } from './mutate/apply.ts'
import { checkFrame } from './mutate/check-frame.ts'
import { withKey, withKeyInPieces } from './mutate/keyed-frame.ts'
import { type MutationOutcome, OutcomeBuilder } from './mutate/outcome.ts'
import { plannedOutcome } from './mutate/planned.ts'
import { needsSlices, never } from './mutate/slices.ts'
import type { ApplyTarget } from './mutate/target.ts'
import { notAppliedShared } from './not-applied.ts'
import { once } from './once.ts'
import { PageCollector } from './page-collector.ts'
import type { RebuildProgress } from './rebuild/progress.ts'
import type { RebuildHost } from './rebuild/rebuild.ts'
import { Rebuilds } from './rebuild/rebuilds.ts'
import type { RebuildOptions, RebuildReport } from './rebuild/report.ts'
import { decodeDescription } from './rebuild/segment-format.ts'
import { KeyedCommits, RecentKeys } from './recent-keys.ts'
import { installCatalog, type RecoveryTarget, recoverGraph } from './recovery.ts'
import { Tables } from './tables/tables.ts'
import type { GraphView, PinnedView } from './view.ts'

/** How long the second reading of a graph waits for those who still read the old tables. */
const READERS_LEAVE_MS_MAX = 1_000
/** How often a start reads all again because another server folded the log meanwhile. */
const READ_ATTEMPTS_MAX = 5

type OnOrdered = (applied: Promise<MutationOutcome>) => void

export class GraphEngine {
  readonly tables: Tables
  readonly versions: Versions
  readonly deletedIds = new DeletedIds()
  /** How far loading jobs are that have not ended. */
  readonly loadPositions = new LoadPositions()
  /** Outcomes of the last commits with a key. */
  readonly keys = new RecentKeys()
  readonly #options: EngineOptions
  /** It has the store to itself, or is the writer and knows which segments there are. */
  #writesSegments: boolean
  readonly #digests: Digests
  readonly #keyed = new KeyedCommits(this.keys)
  readonly #meter = { bytes: 0 }
  readonly #guard: MemoryGuard
  readonly #target: ApplyTarget
  readonly #queue: CommitQueue
  #catalog: Catalog = emptyCatalog
  #sequence = 0
  #view: GraphView | null = null
  #held: HeldVersion | null = null
  #isClosed = false
  /** The server stops: rebuilds end, and so does reading the graph again. */
  #isStopping = false
  readonly #catalogChanges: CatalogChanges
  #rebuilds: Rebuilds
  readonly #gate = new BatchGate()
  readonly #early = new EarlyAnswers()
  readonly #pages: PageCollector

  private constructor(options: EngineOptions) {
    this.#options = options
    this.#writesSegments = options.shared == null
    this.versions = new Versions(options.copiedPagesBytesMax ?? options.memoryLimitBytes / 4)
    this.#pages = new PageCollector({
      versions: this.versions,
      scheduler: options.scheduler,
      deadline: () => this.#deadline(),
      moved: () => this.#pagesMoved(),
    })
    this.tables = new Tables({ meter: this.#meter, versions: this.versions })
    this.#guard = new MemoryGuard(options, this.tables, () => this.#rebuilds.makeRoom())
    this.#target = {
      tables: this.tables,
      deletions: this.deletedIds,
      positions: this.loadPositions,
      keys: this.keys,
    }
    this.#digests = new Digests(this)
    this.#catalogChanges = new CatalogChanges(this.#catalogHost())
    this.#rebuilds = new Rebuilds(this.#rebuildHost(), null, 0)
    this.#queue = new CommitQueue({
      store: options.store,
      apply: (ticket) => this.#apply(ticket),
      yieldToOthers: () => options.scheduler.yieldToOthers(),
      deadline: () => this.#deadline(),
      onApplied: (ticket) => this.#rebuilds.logGrew(ticket.payload.length),
      onFailure: (failure) => this.#gate.fail(failure),
      reload: (fromSequence) => this.#reload(fromSequence),
    })
  }

  /**
   * Loads the segments and replays the log after them.
   * @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT: the store is never opened past damage.
   */
  static async open(options: EngineOptions): Promise<GraphEngine> {
    const engine = new GraphEngine(options)
    for (let attempt = 1; ; attempt++) {
      try {
        await engine.#recover()
        return engine
      } catch (error) {
        if (!isDbError(error, 'BEHIND') || attempt === READ_ATTEMPTS_MAX) throw error
        engine.#clear()
      }
    }
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
  commit(frame: Uint8Array, options: CommitOptions = {}): Promise<MutationOutcome> {
    const { key } = options
    if (key === undefined) return this.#order(frame, options)
    return this.#keyed.once(key, (applied) => {
      if (frame.length <= VALUE_PIECE_BYTES) {
        return this.#order(withKey(frame, key), options, applied)
      }
      return this.#orderLong(frame, key, { options, applied })
    })
  }

  async #orderLong(
    frame: Uint8Array,
    key: string,
    { options, applied }: { readonly options: CommitOptions; readonly applied: OnOrdered },
  ): Promise<MutationOutcome> {
    const { scheduler } = this.#options
    const keyed = await withKeyInPieces(frame, key, () => scheduler.yieldToOthers())
    return this.#order(keyed, options, applied)
  }

  /** @param onOrdered told of the promise of a batch that is on its way */
  async #order(
    frame: Uint8Array,
    options: CommitOptions,
    onOrdered?: OnOrdered,
  ): Promise<MutationOutcome> {
    const changes = this.#catalogChanges
    while (changes.pending !== null) await changes.pending
    this.#refuseIfUnable()
    const { hasUpserts, ...character } = checkFrame(frame, this.#catalog)
    if (hasUpserts) {
      const incomingBytes = this.#queue.sizeBytes + frame.length
      this.#guard.admit(frame, incomingBytes)
    }
    const mayMeetRetired = this.tables.hasRetiredIds || this.#queue.retiresIds
    const applied = this.#queue.order(frame, character)
    onOrdered?.(applied)
    const isPlain = options.ack === 'none' && !mayMeetRetired
    const planned = isPlain ? plannedOutcome(frame, this.#sequence + this.#queue.length) : null
    if (planned === null) return applied
    this.#early.note(applied)
    return planned
  }

  /**
   * What a read waits for before it begins: a commit that was answered before it was applied
   * (`ack: 'none'`). Null when there is none, the usual case.
   */
  get earlyAnswered(): Promise<void> | null {
    return this.#early.pending
  }

  /** Resolves when everything ordered so far is applied or has failed. */
  settled(): Promise<void> {
    return this.#queue.settled()
  }

  /** Changes the catalogue and the tables; `change` sees the catalogue of the change before. */
  changeCatalog(change: (catalog: Catalog) => Catalog): Promise<Catalog> {
    return this.#catalogChanges.run(change)
  }

  /** A large batch is half applied: readers see the state before it. Or the graph is reloaded. */
  get isApplying(): boolean {
    return this.#held !== null || this.#queue.failure !== null
  }

  /**
   * The present state for synchronous reads on this thread; do not keep it over an await.
   * @throws DbError UNAVAILABLE after an entry has failed, until the graph is reloaded: the tables
   *   may hold a part of the entry
   */
  view(): GraphView {
    if (this.#held !== null) return this.#held.view
    this.#gate.check()
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
      if (onRevoke !== null) letRevoke(held, this.versions, onRevoke)
      return { view: held.view, release: once(() => this.#releaseHeld(held)) }
    }
    const view = this.view()
    const epoch = this.versions.pin(onRevoke)
    return { view, release: once(() => this.#pages.release(epoch)) }
  }

  /**
   * Rows of the present view whose attribute equals one of the values, through a secondary index.
   * @returns null: the caller scans. No index covers the attribute, or that of a large table is
   *   being built, or a large batch applied, or there are more rows than wanted
   */
  lookupEqual(
    typeId: number,
    attributeId: number,
    values: readonly AttributeValue[],
    countMax?: number,
  ): Uint32Array | null {
    return this.#index(typeId, attributeId)?.equal(values, countMax) ?? null
  }

  /** As `lookupEqual`, for a range of numbers or DATETIME with inclusive bounds. */
  lookupRange(
    typeId: number,
    attributeId: number,
    range: ValueRange,
    countMax?: number,
  ): Uint32Array | null {
    return this.#index(typeId, attributeId)?.range(range, countMax) ?? null
  }

  #index(typeId: number, attributeId: number): ColumnIndex | null {
    const index = this.tables.vertexTable(typeId)?.indexOn(attributeId)
    if (this.isApplying || index === undefined) return null
    const { isReady } = index
    if (index.needsWork) buildIndex(index, this.#options.scheduler, () => this.#deadline())
    return isReady ? index : null
  }

  memory(): MemoryReport {
    return memoryReport(this.tables, this.#meter.bytes, this.#options.memoryLimitBytes)
  }

  /**
   * Folds deltas into bases and, unless types or segments are selected, the log into segments.
   * One at a time: a second call waits for the first.
   */
  async rebuild(options: RebuildOptions = {}): Promise<RebuildReport> {
    if (this.#queue.failure !== null) throw this.#queue.failure
    return await this.#rebuilds.run(options)
  }

  /** Of the rebuild that runs, asked for or not; null: none does. */
  get rebuildProgress(): RebuildProgress | null {
    return this.#rebuilds.progress
  }

  /** Rebuilds when the deltas have grown to their share; for a timer. Null: nothing was due. */
  async rebuildIfDue(): Promise<RebuildReport | null> {
    // While the graph is read again its tables are not whole.
    return this.#queue.failure === null ? await this.#rebuilds.runIfDue() : null
  }

  /** Compares tombstones with the storage engine's own record. */
  deletedVertexCheck(options: DeletedVertexOptions = {}): DeletedVertexReport {
    this.#gate.check()
    return checkDeletedVertices(this.tables.view(this.#sequence), this.deletedIds, options)
  }

  /**
   * The rebuild that runs fails soon, and none begins any more: requests wait for rebuilds. They wait
   * for a graph that is read again, too: that ends as well.
   */
  endRebuilds(): Promise<void> {
    this.#isStopping = true
    return this.#rebuilds.end()
  }

  /** Waits for what is ordered, then refuses everything. The store is its opener's to close. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.endRebuilds()
    await this.settled()
    await this.#rebuilds.settled()
  }

  #rebuildHost(): RebuildHost {
    const engine = this
    const { store, clock, scheduler, inlineMergeSizeMax = REBUILD_INLINE_SIZE_MAX } = this.#options
    return {
      store,
      clock,
      scheduler,
      inlineMergeSizeMax,
      memoryLimitBytes: this.#options.memoryLimitBytes,
      roomBytes: () => this.#guard.roomBytes(),
      superseded: (sizeBytes) => this.#guard.superseded(sizeBytes),
      tables: this.tables,
      deletedIds: this.deletedIds,
      loads: () => this.loadPositions.stored(),
      keys: this.keys,
      isShared: this.#options.shared != null,
      get writesSegments() {
        return engine.#writesSegments
      },
      failed: (error) => this.#options.onRebuildFailure?.(error),
      get sequence() {
        return engine.sequence
      },
      get catalog() {
        return engine.catalog
      },
      get isClosing() {
        return engine.#rebuilds.isEnded
      },
      pin: () => this.pin(),
      between: (task) => this.#gate.pass(this.#isSettledState, task),
      changed: () => {
        this.#view = null
      },
    }
  }

  /** Neither is a batch half applied, nor are columns made from those that there are. */
  get #isSettledState(): boolean {
    return this.#held === null && !this.#catalogChanges.isConverting
  }

  #catalogHost(): CatalogHost {
    const engine = this
    const { clock, scheduler } = this.#options
    return {
      clock,
      roomBytes: () => this.#guard.roomBytes(),
      tables: this.tables,
      get catalog() {
        return engine.catalog
      },
      checkAble: () => this.#refuseIfUnable(),
      settled: () => this.settled(),
      order: (entry, parts) => this.#queue.order(entry, parts),
      deadline: () => this.#deadline(),
      yieldToOthers: () => scheduler.yieldToOthers(),
      pin: () => this.pin(),
      converted: () => {
        this.#pagesMoved()
        this.#gate.opened()
      },
    }
  }

  #refuseIfUnable(): void {
    if (this.#queue.failure !== null) throw this.#queue.failure
    if (this.#isClosed) throw shuttingDown()
    const { shared } = this.#options
    if (shared != null && shared.role !== 'writer') throw notWriter()
  }

  /** Who applies what other servers over the store write; for `SharedLog.follow`. */
  follower(beside: BesideGraph): Follow {
    return new Follow(this.#followHost(), beside)
  }

  #followHost(): FollowHost {
    const engine = this
    const { scheduler, onStartAgain } = this.#options
    return {
      get catalog() {
        return engine.catalog
      },
      get sequence() {
        return engine.sequence
      },
      apply: (ticket) => this.#applyFollowed(ticket),
      convert: (next) => this.#catalogChanges.convertFollowed(next),
      fail: (cause) => this.#failFollowing(cause),
      becomeWriter: () => this.#becomeWriter(),
      becomeFollower: () => this.#becomeFollower(),
      folded: (foldedSequence) => this.#rebuilds.folded(foldedSequence),
      deadline: () => this.#deadline(),
      yieldToOthers: () => scheduler.yieldToOthers(),
      digest: () => this.#digests.forBeat(!this.isApplying),
      checksumAt: (sequence) => this.#digests.at(sequence, !this.isApplying),
      mustStartAgain: (reason, isDifference) => onStartAgain?.(reason, isDifference),
    }
  }

  async #applyFollowed(ticket: Ticket): Promise<void> {
    const slices = this.#apply(ticket)
    if (slices !== null) await slices
    this.#catalogChanges.followed()
  }

  #failFollowing(cause: unknown): DbError {
    const failure = notAppliedShared(cause)
    this.#gate.fail(failure)
    return failure
  }

  /** Everything in the log is applied here. What the segments of the one before hold may be kept. */
  async #becomeWriter(): Promise<void> {
    const manifest = await this.#options.store.readManifest()
    const segments = manifest === null ? null : decodeDescription(manifest.description)
    this.#rebuilds.becomeWriter(segments, manifest?.foldedSequence ?? 0)
    this.#writesSegments = true
  }

  async #becomeFollower(): Promise<void> {
    this.#writesSegments = false
    await this.settled()
    await this.#catalogChanges.settled()
  }

  /** @throws what ends it half way: the queue then reloads the graph */
  #apply(ticket: Ticket): Promise<void> | null {
    if (ticket.catalog !== null) this.#applyCatalog(ticket, ticket.catalog)
    else if (needsSlices(ticket, this.tables)) return this.#applyInSlices(ticket)
    else this.#applyWhole(ticket)
    return null
  }

  #applyWhole(ticket: Ticket): void {
    const application = new FrameApplication(ticket.payload, this.#target)
    application.step(never)
    this.#published(ticket.sequence)
    ticket.resolve(application.outcome(ticket.sequence))
  }

  /** Readers see the version before the batch until its last slice is done. */
  async #applyInSlices(ticket: Ticket): Promise<void> {
    // Its copies come on top of those that are there.
    if (this.#pages.ended !== null) await this.#pages.ended
    const held = holdVersion(this.view(), this.versions)
    this.#held = held
    const application = new FrameApplication(ticket.payload, this.#target)
    while (!application.step(this.#deadline())) await this.#options.scheduler.yieldToOthers()
    this.#held = null
    this.tables.changed()
    this.#published(ticket.sequence)
    this.#releaseHeld(held)
    this.#gate.opened()
    ticket.resolve(application.outcome(ticket.sequence))
    if (this.#pages.ended !== null) await this.#pages.ended
  }

  #applyCatalog(ticket: Ticket, catalog: Catalog): void {
    installCatalog(this.tables, this.deletedIds, catalog, ticket.made)
    this.#catalog = catalog
    this.#published(ticket.sequence)
    ticket.resolve(new OutcomeBuilder().finish(ticket.sequence))
  }

  /** Before the commit is answered. */
  #published(sequence: number): void {
    this.#sequence = sequence
    this.#view = null
    const { shared } = this.#options
    if (shared == null) return
    shared.applied(sequence)
    this.#digests.applied()
  }

  #deadline(): () => boolean {
    const end = this.#options.clock.monotonicMs() + APPLY_SLICE_MS_MAX
    return () => this.#options.clock.monotonicMs() > end
  }

  #releaseHeld(held: HeldVersion): void {
    held.users -= 1
    if (held.users === 0) this.#pages.release(held.epoch)
  }

  /** Pages go home with the last version that saw them: cached views are stale then. */
  #pagesMoved(): void {
    this.tables.changed()
    this.#view = null
  }

  /**
   * Reads the graph from the store in place of what is in memory. It is tried twice: memory that was
   * lacking may be there once the tables are gone. Those who read them are asked to go before the
   * second time.
   */
  async #reload(fromSequence: number): Promise<ReadonlyMap<number, MutationOutcome>> {
    const { onReload, onStartAgain, collectGarbage, shared } = this.#options
    if (shared != null) {
      const failure = notAppliedShared(this.#queue.failure?.cause)
      onStartAgain?.(failure.message, false)
      throw failure
    }
    const held = this.#held
    this.#held = null
    if (held !== null) this.#releaseHeld(held)
    onReload?.({ kind: 'begun', cause: this.#queue.failure?.cause })
    await this.#rebuilds.end()
    await this.#rebuilds.settled()
    const recover = async () => {
      this.#clear()
      collectGarbage?.()
      return await this.#recover(fromSequence)
    }
    const outcomes = await recover().catch(async (cause: unknown) => {
      if (this.#isStopping) throw cause
      onReload?.({ kind: 'attempt-failed', cause })
      await this.#revokeReaders()
      return recover()
    })
    this.#gate.repaired()
    onReload?.({ kind: 'ended', sequence: this.#sequence })
    return outcomes
  }

  /** Resolves when nobody reads the tables of before, or after READERS_LEAVE_MS_MAX. */
  async #revokeReaders(): Promise<void> {
    const { clock, scheduler } = this.#options
    const endMs = clock.monotonicMs() + READERS_LEAVE_MS_MAX
    this.versions.revokeAll()
    while (this.versions.pinCount > 0 && !this.#isStopping && clock.monotonicMs() < endMs) {
      await scheduler.yieldToOthers()
    }
  }

  #clear(): void {
    this.tables.clear()
    this.deletedIds.clear()
    this.loadPositions.clear()
    this.keys.clear()
  }

  async #recover(outcomesFrom?: number): Promise<ReadonlyMap<number, MutationOutcome>> {
    const { store, scheduler } = this.#options
    const target: RecoveryTarget = {
      store,
      tables: this.tables,
      deletedIds: this.deletedIds,
      positions: this.loadPositions,
      keys: this.keys,
      deadline: () => this.#deadline(),
      yieldToOthers: async () => {
        await scheduler.yieldToOthers()
        if (this.#isStopping) throw shuttingDown()
      },
    }
    const recovered = await recoverGraph(target, outcomesFrom)
    const { catalog, sequence, segments, foldedSequence, outcomes } = recovered
    this.#rebuilds = new Rebuilds(this.#rebuildHost(), segments, foldedSequence)
    if (this.#isStopping) await this.#rebuilds.end()
    this.#catalog = catalog
    this.#sequence = sequence
    this.#view = null
    if (this.#options.shared != null) this.#digests.begin()
    return outcomes
  }
}

function shuttingDown(): DbError {
  return new DbError('UNAVAILABLE', 'The server is shutting down.')
}

/**
 * One run of a loading job: how far it is, and the handles that pause, resume and end it. It goes on in
 * stretches, each on a thread of its own: a run that is paused has none, and holds no place.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { LOAD_ERRORS_KEPT_MAX } from '#kernel/limits.ts'
import type { RequestKey } from '../instances/request-key.ts'
import { LineSpeed } from './line-speed.ts'
import { type LoadError, LoadErrors } from './load-errors.ts'
import type { AppliedPosition } from './load-protocol.ts'
import { joinReports, type SourceReport } from './load-report.ts'
import type { LoadPlace, StoredLoadRun, StoredRequest } from './load-run-store.ts'
import type { Stretch } from './load-threads.ts'

/** `INTERRUPTED`: the server ended first, or another instance writes; what was committed is in the graph. */
export type LoadState = 'WAITING' | 'RUNNING' | 'PAUSED' | 'FINISHED' | 'FAILED' | 'INTERRUPTED'

/** What a runner tells while it is at work. */
export interface LoadProgress {
  reports(): readonly SourceReport[]
  /** Of lines that did not fit. */
  readonly errors: { readonly count: number; readonly kept: readonly LoadError[] }
  /** Of the sources, up to now. */
  readBytes(): number
  /** How long it took to come to where it goes on, in milliseconds. */
  skipMs(): number
}

interface NewLoadRun {
  readonly id: string
  readonly graph: string
  readonly job: string
  readonly request: StoredRequest | null
  /** Null: the server itself. */
  readonly user: string | null
  readonly startMs?: number
}

interface Earlier {
  readonly reports: readonly SourceReport[]
  readonly errors: LoadProgress['errors']
}

interface Committed extends Pick<StoredLoadRun, 'reports' | 'errors' | 'place' | 'savedMs'> {
  readonly readBytes: number
}

const noErrors = { count: 0, kept: [] }
const nothingEarlier: Earlier = { reports: [], errors: noErrors }
const nothingCommitted: Committed = {
  reports: [],
  errors: noErrors,
  place: null,
  savedMs: 0,
  readBytes: 0,
}

const interruptedText =
  'The server ended during the run. What was committed by then is in the graph; RESUME LOADING JOB goes on from there.'

/** A run that has not ended is not done, however little is left. */
const PROGRESS_MAX = 0.99

const nothingYet: LoadProgress = {
  reports: () => [],
  errors: new LoadErrors(),
  readBytes: () => 0,
  skipMs: () => 0,
}

export function abortedError(): DbError {
  return new DbError('QUERY_ABORTED', 'The loading job was aborted.')
}

export class LoadRun {
  readonly id: string
  readonly graph: string
  readonly job: string
  readonly startMs: number
  endMs: number | null = null
  state: LoadState = 'WAITING'
  /** Why it failed. */
  error: unknown = null
  /** Settles when the run has ended; rejects with why it failed. */
  done: Promise<void> = Promise.resolve()
  /** Null: the run is not stored. */
  readonly request: StoredRequest | null
  readonly user: string | null
  /** Of a run whose data came with its request: under it each batch is made once. */
  key: RequestKey | undefined
  /** By statement: up to where everything is in the graph. */
  applied = new Map<number, AppliedPosition>()
  /** What an earlier start of the server has counted of a run that had ended. */
  #createdBefore = 0
  readonly #clock: Clock
  #stretch: Stretch | null = null
  #stretchMs = 0
  #abort = new AbortController()
  #progress: LoadProgress = nothingYet
  /** What an earlier part of the run has done, before it was interrupted. */
  #earlier: Earlier = nothingEarlier
  /** What is in the graph, when it was looked at last. */
  #committed: Committed = nothingCommitted
  #sizeBytes = 0
  #gate: PromiseWithResolvers<void> | null = null
  #isInterrupted = false
  /** The next stretch counts all lines once more. */
  #startsAnew = false
  #onPause: (() => void) | null = null
  readonly #speed: LineSpeed

  constructor(given: NewLoadRun, clock: Clock) {
    this.id = given.id
    this.graph = given.graph
    this.job = given.job
    this.request = given.request
    this.user = given.user
    this.#clock = clock
    this.startMs = given.startMs ?? clock.nowMs()
    this.#speed = new LineSpeed(this.startMs)
  }

  /**
   * A run that an earlier start of the server knew; one that had not ended was interrupted.
   * @param applied by statement, up to where its lines are in the graph
   */
  static restored(
    stored: StoredLoadRun,
    clock: Clock,
    applied: ReadonlyMap<number, AppliedPosition>,
  ): LoadRun {
    const run = new LoadRun({ user: null, ...stored }, clock)
    if (stored.endMs === null) run.applied = new Map(applied)
    if (run.applied.size === 0) run.#createdBefore = stored.createdEnds ?? 0
    const { reports, errors, place, savedMs, sizeBytes, readBytes } = stored
    run.#earlier = { reports, errors }
    run.#committed = { reports, errors, place, savedMs, readBytes }
    run.#sizeBytes = sizeBytes
    run.#progress = { ...nothingYet, readBytes: () => readBytes }
    run.endMs = stored.endMs ?? savedMs
    run.state = stored.endMs === null ? 'INTERRUPTED' : stored.state
    const message = stored.endMs === null ? interruptedText : stored.failure
    run.error = message === null ? null : new DbError('QUERY_ABORTED', message)
    return run
  }

  get isStored(): boolean {
    return this.request !== null
  }

  get savedMs(): number {
    return this.#committed.savedMs
  }

  /** Where the run goes on after an interruption; null: at the beginning. */
  get place(): LoadPlace | null {
    return this.#committed.place
  }

  /** All that was read up to `place` is in the graph now. */
  commit(place: LoadPlace | null): void {
    this.#committed = {
      reports: [...this.reports],
      errors: { count: this.errors.count, kept: [...this.errors.kept] },
      place,
      savedMs: this.#clock.nowMs(),
      readBytes: this.#progress.readBytes(),
    }
  }

  /** As it is stored; null: it is not. */
  record(): StoredLoadRun | null {
    if (this.request === null) return null
    const { id, graph, job, user, startMs, endMs, state, request, failure } = this
    const isOver = this.hasEnded && state !== 'INTERRUPTED'
    if (isOver) this.commit(this.place)
    return {
      ...{ id, graph, job, user, startMs, state, request },
      ...this.#committed,
      endMs: isOver ? endMs : null,
      failure: isOver ? failure : null,
      createdEnds: this.createdEnds,
      sizeBytes: this.#sizeBytes,
    }
  }

  /**
   * An interrupted run goes on.
   * @param fromPlace behind what is in the graph; else from the beginning
   * @throws DbError INVALID_PARAMETER for any other
   */
  reopen(fromPlace: boolean): void {
    if (this.state !== 'INTERRUPTED' || !this.isStored) throw this.#unfit('is not interrupted')
    const { reports, errors } = this.#committed
    this.#earlier = fromPlace ? { reports, errors } : nothingEarlier
    if (!fromPlace) this.#committed = { ...nothingCommitted }
    this.#progress = nothingYet
    this.#abort = new AbortController()
    this.#isInterrupted = false
    this.endMs = null
    this.error = null
    this.state = 'WAITING'
  }

  /** A stretch that was stopped goes on later. @param fromPlace as in `reopen` */
  suspend(fromPlace: boolean): void {
    const { reports, errors } = this
    this.#earlier = { reports, errors }
    this.#startsAnew = !fromPlace
    const readBytes = this.#progress.readBytes()
    this.#progress = { ...nothingYet, readBytes: () => readBytes }
    if (this.state === 'RUNNING') this.state = 'WAITING'
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** What the runner waits for before it goes on; null: nothing. */
  get paused(): Promise<void> | null {
    return this.#gate?.promise ?? null
  }

  /** Of all its files; 0 while that is not known. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  get hasEnded(): boolean {
    return this.endMs !== null
  }

  /** A stretch begins. */
  begin(progress: LoadProgress, sizeBytes: number, stretch: Stretch): void {
    if (this.#startsAnew) {
      this.#earlier = nothingEarlier
      this.#committed = { ...nothingCommitted, savedMs: this.savedMs }
      this.#startsAnew = false
    }
    this.#progress = progress
    this.#sizeBytes = sizeBytes
    this.#stretch = stretch
    this.#stretchMs = this.#clock.monotonicMs()
    this.state = 'RUNNING'
  }

  /** Whether its stretch may be stopped without doing much anew later. */
  get isDivisible(): boolean {
    return this.#stretch?.isDivisible ?? false
  }

  /** How long its stretch took to come to where it goes on. */
  get skipMs(): number {
    return this.#progress.skipMs()
  }

  /** The stretch has ended. */
  left(): void {
    this.#stretch = null
  }

  /** How long the stretch under way has gone on; null: there is none. */
  get stretchMs(): number | null {
    return this.#stretch === null ? null : this.#clock.monotonicMs() - this.#stretchMs
  }

  /** Its stretch ends in time, and another one goes on later. */
  yieldPlace(): void {
    this.#stretch?.stop()
  }

  /** @param error null: it has done what it should */
  end(error: unknown): void {
    const reports = this.#progress.reports()
    const { errors } = this.#progress
    // The plan and its sources are let go.
    this.#progress = {
      ...nothingYet,
      reports: () => reports,
      errors,
      readBytes: () => this.#sizeBytes,
    }
    this.endMs = this.#clock.nowMs()
    const isOthers = isDbError(error, 'NOT_WRITER')
    const isCut = error !== null && (this.#isInterrupted || isOthers) && this.isStored
    this.error = isCut ? new DbError('QUERY_ABORTED', interruptedText) : error
    if (isCut) this.state = 'INTERRUPTED'
    else this.state = error === null ? 'FINISHED' : 'FAILED'
  }

  /** @throws DbError INVALID_PARAMETER when it has ended */
  pause(): void {
    this.#requireGoing()
    this.#gate ??= Promise.withResolvers()
    this.state = 'PAUSED'
    this.#stretch?.stop()
    this.#onPause?.()
  }

  /** @throws DbError INVALID_PARAMETER when it is not paused */
  resume(): void {
    if (this.#gate === null || this.hasEnded) throw this.#unfit('is not paused')
    this.#gate.resolve()
    this.#gate = null
    this.state = this.#stretch === null ? 'WAITING' : 'RUNNING'
  }

  /** Called when a run that waits for its turn is paused; null: it does not wait. */
  set onPause(call: (() => void) | null) {
    this.#onPause = call
  }

  /** @throws DbError INVALID_PARAMETER when it has ended */
  abort(): void {
    if (this.state === 'INTERRUPTED' && this.isStored) {
      this.state = 'FAILED'
      this.error = new DbError('QUERY_ABORTED', 'The loading job was aborted.')
      return
    }
    this.#requireGoing()
    this.#endWaits()
    this.#stretch?.abandon(abortedError())
  }

  #endWaits(): void {
    this.#abort.abort()
    this.#gate?.resolve()
    this.#gate = null
  }

  /** The server ends: as `abort`, but the run may go on after the next start. */
  interrupt(): void {
    if (this.hasEnded) return
    this.#isInterrupted = true
    this.#endWaits()
    // What it has made by now is written.
    this.#stretch?.stop()
  }

  /** As `interrupt`, whatever its line takes. */
  cut(): void {
    this.#stretch?.abandon(abortedError())
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted
  }

  #requireGoing(): void {
    if (this.hasEnded) throw this.#unfit('has ended')
  }

  #unfit(what: string): DbError {
    return new DbError('INVALID_PARAMETER', `The loading job ${this.id} ${what}.`)
  }

  get reports(): readonly SourceReport[] {
    return joinReports(this.#earlier.reports, this.#progress.reports())
  }

  get errors(): LoadProgress['errors'] {
    const { errors: earlier } = this.#earlier
    const { errors } = this.#progress
    if (earlier.count === 0) return errors
    const kept = [...earlier.kept, ...errors.kept].slice(0, LOAD_ERRORS_KEPT_MAX)
    return { count: earlier.count + errors.count, kept }
  }

  /** From 0 to 1, by the bytes of the sources that were read. */
  get progress(): number {
    if (this.state === 'FINISHED') return 1
    if (this.#sizeBytes === 0) return 0
    return Math.min(PROGRESS_MAX, this.#progress.readBytes() / this.#sizeBytes)
  }

  get durationMs(): number {
    return (this.endMs ?? this.#clock.nowMs()) - this.startMs
  }

  /** Vertices that edges have made as their ends. */
  get createdEnds(): number {
    let sum = this.#createdBefore
    for (const { createdEnds } of this.applied.values()) sum += createdEnds
    return sum
  }

  get lineCount(): number {
    return this.reports.reduce((sum, { validLine }) => sum + validLine, 0)
  }

  /** Lines a second since this was asked for before, a second or longer ago. */
  get currentSpeed(): number {
    if (this.hasEnded || this.state === 'PAUSED') return 0
    return this.#speed.at(this.#clock.nowMs(), this.lineCount)
  }

  /** Why it failed, for whoever asks; null: it has not. */
  get failure(): string | null {
    if (this.error === null) return null
    return isDbError(this.error)
      ? this.error.message
      : 'Internal error; the log of the server has it.'
  }
}

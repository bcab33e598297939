/**
 * One run of a loading job: how far it is, and the handles that pause, resume and end it. The
 * runner looks at them between its slices; what it has sent by then stays.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { type LoadError, LoadErrors } from './load-errors.ts'
import type { SourceReport } from './load-report.ts'

export type LoadState = 'WAITING' | 'RUNNING' | 'PAUSED' | 'FINISHED' | 'FAILED'

/** What a runner tells while it is at work. */
export interface LoadProgress {
  reports(): readonly SourceReport[]
  /** Of lines that did not fit. */
  readonly errors: { readonly count: number; readonly kept: readonly LoadError[] }
  /** Of the sources, up to now. */
  readBytes(): number
}

/** Speeds are told over at least this long. */
const SPEED_WINDOW_MS = 1_000
/** A run that has not ended is not done, however little is left. */
const PROGRESS_MAX = 0.99

const nothingYet: LoadProgress = {
  reports: () => [],
  errors: new LoadErrors(),
  readBytes: () => 0,
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
  readonly #clock: Clock
  readonly #abort = new AbortController()
  #progress: LoadProgress = nothingYet
  #sizeBytes = 0
  #gate: PromiseWithResolvers<void> | null = null
  #speed = { atMs: 0, lines: 0, perSecond: 0 }

  constructor(place: { id: string; graph: string; job: string }, clock: Clock) {
    this.id = place.id
    this.graph = place.graph
    this.job = place.job
    this.#clock = clock
    this.startMs = clock.nowMs()
    this.#speed.atMs = this.startMs
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** What the runner waits for before it goes on; null: nothing. */
  get paused(): Promise<void> | null {
    return this.#gate?.promise ?? null
  }

  get hasEnded(): boolean {
    return this.endMs !== null
  }

  begin(progress: LoadProgress, sizeBytes: number): void {
    this.#progress = progress
    this.#sizeBytes = sizeBytes
    if (this.state === 'WAITING') this.state = 'RUNNING'
  }

  /** @param error null: it has done what it should */
  end(error: unknown): void {
    const reports = structuredClone(this.#progress.reports())
    const { errors } = this.#progress
    // The plan and its sources are let go.
    this.#progress = { reports: () => reports, errors, readBytes: () => this.#sizeBytes }
    this.error = error
    this.endMs = this.#clock.nowMs()
    this.state = error === null ? 'FINISHED' : 'FAILED'
  }

  /** @throws DbError INVALID_PARAMETER when it has ended */
  pause(): void {
    this.#requireGoing()
    this.#gate ??= Promise.withResolvers()
    this.state = 'PAUSED'
  }

  /** @throws DbError INVALID_PARAMETER when it is not paused */
  resume(): void {
    if (this.#gate === null || this.hasEnded) throw this.#unfit('is not paused')
    this.#gate.resolve()
    this.#gate = null
    this.state = this.#progress === nothingYet ? 'WAITING' : 'RUNNING'
  }

  /** @throws DbError INVALID_PARAMETER when it has ended */
  abort(): void {
    this.#requireGoing()
    this.#abort.abort()
    this.#gate?.resolve()
    this.#gate = null
  }

  #requireGoing(): void {
    if (this.hasEnded) throw this.#unfit('has ended')
  }

  #unfit(what: string): DbError {
    return new DbError('INVALID_PARAMETER', `The loading job ${this.id} ${what}.`)
  }

  get reports(): readonly SourceReport[] {
    return this.#progress.reports()
  }

  get errors(): LoadProgress['errors'] {
    return this.#progress.errors
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

  get lineCount(): number {
    return this.reports.reduce((sum, { validLine }) => sum + validLine, 0)
  }

  /** Lines a second since this was asked for before, a second or longer ago. */
  get currentSpeed(): number {
    if (this.hasEnded || this.state === 'PAUSED') return 0
    const { atMs, lines } = this.#speed
    const nowMs = this.#clock.nowMs()
    if (nowMs - atMs < SPEED_WINDOW_MS) return this.#speed.perSecond
    const perSecond = Math.round(((this.lineCount - lines) * 1000) / (nowMs - atMs))
    this.#speed = { atMs: nowMs, lines: this.lineCount, perSecond }
    return perSecond
  }

  /** Why it failed, for whoever asks; null: it has not. */
  get failure(): string | null {
    if (this.error === null) return null
    return isDbError(this.error)
      ? this.error.message
      : 'Internal error; the log of the server has it.'
  }
}

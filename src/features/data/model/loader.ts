/**
 * Sends a file in batches, a few at a time, and keeps the account: what was accepted, skipped,
 * rejected and why. Knows neither files nor HTTP: items come from an async iterable, and `send` is
 * given. A batch the server refuses is halved until the rows at fault are found.
 */

import { csvText } from '#lib/csv/csv-text.ts'

export interface LoadItem {
  /** Number of the record or line in the file, from 1. */
  readonly row: number
  readonly fragment: string
  readonly source: ItemSource
  /** Attributes for which it has no value; absent: not looked at. */
  readonly defaulted?: readonly string[]
}

/** A record as the file has it: the cells of a CSV row, or the text of a JSON line. */
export type ItemSource = string | readonly string[]

export interface RejectedItem {
  readonly row: number
  readonly reason: string
  readonly source: ItemSource
  /** The source is a guess of what the file holds: it is not loaded before somebody has mended it. */
  readonly isGuess?: boolean
}

/** Records read together, and how far into the file they reach. */
export interface LoadChunk {
  readonly items: readonly LoadItem[]
  readonly rejected: readonly RejectedItem[]
  readonly bytesRead: number
}

export interface SendResult {
  readonly acceptedVertices: number
  readonly acceptedEdges: number
  /** Vertices that edges brought along. */
  readonly createdEndpoints: number
  readonly skipped: number
}

/** What `send` throws for a request that the server understood and refused. */
export class RefusedError extends Error {}

/** How many values are missing, by attribute. */
export type DefaultedValues = ReadonlyMap<string, number>

export interface LoadProgress {
  readonly state: 'running' | 'paused' | 'done' | 'stopped' | 'failed'
  readonly bytesRead: number
  readonly rowsRead: number
  readonly rowsSent: number
  readonly acceptedVertices: number
  readonly acceptedEdges: number
  readonly createdEndpoints: number
  readonly skipped: number
  /** Of the rows that were sent, by attribute: values that left it at its default, or as it was. */
  readonly defaulted: DefaultedValues
  /** All of them; `rejected` holds the first REJECTED_KEPT_MAX. */
  readonly rejectedCount: number
  readonly rejected: readonly RejectedItem[]
  readonly failure: unknown
}

export const BATCH_ROWS = 2_000
export const BATCH_CHARS = 1_000_000
export const IN_FLIGHT_MAX = 4
export const REJECTED_KEPT_MAX = 10_000

/** So many rows refused one after the other, and it is not the rows that are at fault. */
export const REFUSALS_IN_A_ROW_MAX = 200

const start: LoadProgress = {
  state: 'running',
  bytesRead: 0,
  rowsRead: 0,
  rowsSent: 0,
  acceptedVertices: 0,
  acceptedEdges: 0,
  createdEndpoints: 0,
  skipped: 0,
  defaulted: new Map(),
  rejectedCount: 0,
  rejected: [],
  failure: null,
}

export interface LoaderOptions {
  readonly chunks: AsyncIterable<LoadChunk>
  readonly payloadOf: (fragments: readonly string[]) => string
  /** Throws RefusedError when the payload is at fault, anything else when the way there is. */
  readonly send: (payload: string, signal: AbortSignal) => Promise<SendResult>
  readonly onProgress: (progress: LoadProgress) => void
  /** The account of an earlier run, whose rejected rows are tried again: counts go on from there. */
  readonly continues?: LoadProgress
  /** Rows per request; 1 keeps payload lines apart. */
  readonly batchRows?: number
}

export class Loader {
  readonly #options: LoaderOptions
  readonly #abort = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #progress: LoadProgress
  #refusalsInARow = 0
  #waiting: LoadItem[] = []
  #waitingChars = 0
  #resume: (() => void) | null = null
  #gate: Promise<void> = Promise.resolve()

  constructor(options: LoaderOptions) {
    this.#options = options
    const { continues } = options
    this.#progress = continues === undefined ? start : retried(continues)
  }

  get progress(): LoadProgress {
    return this.#progress
  }

  /** Resolves when everything is sent, stopped or failed; the account tells which. */
  async run(): Promise<LoadProgress> {
    try {
      for await (const chunk of this.#options.chunks) {
        await this.#gate
        if (this.#abort.signal.aborted) break
        await this.#take(chunk)
      }
      if (!this.#abort.signal.aborted) await this.#flush()
      await Promise.all(this.#running)
      if (this.#progress.state !== 'failed') {
        this.#update({ state: this.#abort.signal.aborted ? 'stopped' : 'done' })
      }
    } catch (error) {
      this.#fail(error)
    }
    return this.#progress
  }

  /** Batches on their way arrive; no new ones leave. */
  pause(): void {
    if (this.#progress.state !== 'running') return
    this.#gate = new Promise((resolve) => {
      this.#resume = resolve
    })
    this.#update({ state: 'paused' })
  }

  resume(): void {
    if (this.#progress.state !== 'paused') return
    this.#update({ state: 'running' })
    this.#resume?.()
    this.#resume = null
  }

  stop(): void {
    this.#abort.abort()
    this.#resume?.()
  }

  async #take(chunk: LoadChunk): Promise<void> {
    this.#update({
      bytesRead: chunk.bytesRead,
      rowsRead: this.#progress.rowsRead + chunk.items.length + chunk.rejected.length,
    })
    this.#reject(chunk.rejected)
    const rowsMax = this.#options.batchRows ?? BATCH_ROWS
    for (const item of chunk.items) {
      this.#waiting.push(item)
      this.#waitingChars += item.fragment.length
      if (this.#waiting.length >= rowsMax || this.#waitingChars >= BATCH_CHARS) {
        await this.#flush()
        if (this.#abort.signal.aborted) return
      }
    }
  }

  /** Starts one batch as soon as fewer than the limit are on their way. */
  async #flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    this.#waitingChars = 0
    if (batch.length === 0) return
    await this.#gate
    while (this.#running.size >= IN_FLIGHT_MAX) await Promise.race(this.#running)
    if (this.#abort.signal.aborted) return
    const sending: Promise<void> = this.#send(batch)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#running.delete(sending))
    this.#running.add(sending)
  }

  async #send(batch: readonly LoadItem[]): Promise<void> {
    const payload = this.#options.payloadOf(batch.map(({ fragment }) => fragment))
    try {
      const result = await this.#options.send(payload, this.#abort.signal)
      this.#refusalsInARow = 0
      const { rowsSent, acceptedVertices, acceptedEdges, createdEndpoints, skipped, defaulted } =
        this.#progress
      this.#update({
        rowsSent: rowsSent + batch.length,
        acceptedVertices: acceptedVertices + result.acceptedVertices,
        acceptedEdges: acceptedEdges + result.acceptedEdges,
        createdEndpoints: createdEndpoints + result.createdEndpoints,
        skipped: skipped + result.skipped,
        defaulted: withDefaulted(defaulted, batch),
      })
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      await this.#sendHalves(batch, error.message)
    }
  }

  async #sendHalves(batch: readonly LoadItem[], reason: string): Promise<void> {
    const [only] = batch
    if (batch.length === 1 && only !== undefined) {
      this.#reject([{ row: only.row, reason, source: only.source }])
      if (++this.#refusalsInARow < REFUSALS_IN_A_ROW_MAX) return
      throw new Error(`The server refuses row after row. The last one: ${reason}`)
    }
    const middle = batch.length >> 1
    await this.#send(batch.slice(0, middle))
    await this.#send(batch.slice(middle))
  }

  #reject(items: readonly RejectedItem[]): void {
    if (items.length === 0) return
    const { rejected, rejectedCount } = this.#progress
    const room = REJECTED_KEPT_MAX - rejected.length
    this.#update({
      rejected: [...rejected, ...items.slice(0, Math.max(0, room))],
      rejectedCount: rejectedCount + items.length,
    })
  }

  #fail(error: unknown): void {
    if (this.#progress.state === 'failed' || this.#abort.signal.aborted) return
    this.#update({ state: 'failed', failure: error })
    this.#abort.abort()
    this.#resume?.()
  }

  #update(part: Partial<LoadProgress>): void {
    this.#progress = { ...this.#progress, ...part }
    this.#options.onProgress(this.#progress)
  }
}

/** Counts with those of some items; the same where nothing is missing. */
export function withDefaulted(
  counts: DefaultedValues,
  items: readonly LoadItem[],
): DefaultedValues {
  if (items.every(({ defaulted = [] }) => defaulted.length === 0)) return counts
  const sums = new Map(counts)
  for (const { defaulted = [] } of items) {
    for (const attribute of defaulted) sums.set(attribute, (sums.get(attribute) ?? 0) + 1)
  }
  return sums
}

/** How much of a file is done with, from 0 to 1: what was read ahead of the server is not. */
export function sentShare(progress: LoadProgress, totalBytes: number): number {
  const { bytesRead, rowsRead, rowsSent, rejectedCount } = progress
  const read = totalBytes === 0 ? 1 : Math.min(1, bytesRead / totalBytes)
  return rowsRead === 0 ? 0 : read * Math.min(1, (rowsSent + rejectedCount) / rowsRead)
}

/** Rows per second and what is left, from the bytes read: files do not know their row count. */
export function speedOf(
  progress: LoadProgress,
  totalBytes: number,
  elapsedMs: number,
): { readonly rowsPerSecond: number; readonly remainingMs: number | null } {
  const rowsPerSecond = elapsedMs > 0 ? (progress.rowsSent / elapsedMs) * 1_000 : 0
  const share = sentShare(progress, totalBytes)
  const remainingMs = share > 0.01 && share < 1 ? (elapsedMs / share) * (1 - share) : null
  return { rowsPerSecond, remainingMs }
}

/** The account without the rejected rows at hand, which are about to be read again. */
function retried(before: LoadProgress): LoadProgress {
  const again = before.rejected.length
  return {
    ...before,
    state: 'running',
    failure: null,
    rejected: [],
    rejectedCount: before.rejectedCount - again,
    rowsRead: before.rowsRead - again,
  }
}

/**
 * Rejected rows as a file of the kind they came from: CSV with the reason as its last column, or
 * the lines as they were.
 */
export function rejectedText(
  rejected: readonly RejectedItem[],
  columns: readonly string[],
): string {
  if (columns.length === 0) return rejected.map(({ source }) => `${String(source)}\n`).join('')
  const lines = rejected.map(({ source, reason, row }) => {
    const cells = typeof source === 'string' ? [source] : source
    return [...columns.map((_, place) => cells[place] ?? ''), String(row), reason]
  })
  return csvText([[...columns, 'row', 'reason'], ...lines])
}

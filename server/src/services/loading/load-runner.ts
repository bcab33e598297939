/**
 * Runs the LOAD statements of a job: each source once, then the temporary tables they filled. Rows
 * become upserts of some thousand objects; the event loop is let go every few milliseconds.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import { type DelimitedRow, rowsOf } from '#kernel/delimited/scanner.ts'
import { DbError } from '#kernel/errors.ts'
import { LOAD_TABLES_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import type { Deleter } from './delete-targets.ts'
import type { Evaluator } from './evaluate.ts'
import { tableRows } from './flatten.ts'
import { LineLimit } from './line-limits.ts'
import { LoadErrors } from './load-errors.ts'
import type { PlannedLoad, PlannedTarget, TableTarget } from './load-plan.ts'
import {
  errorsOf,
  type LineCounts,
  newLineCounts,
  reportOf,
  type SourceProgress,
  type SourceReport,
} from './load-report.ts'
import type { LoadPlace } from './load-run-store.ts'
import { Batch } from './payload.ts'
import { type Row, TokenRow } from './row.ts'
import { RowReader, type UnreadRow } from './row-reader.ts'
import { TableRows } from './table-rows.ts'
import type { ObjectCounts } from './targets.ts'

export interface LoadInput {
  readonly fileName: string
  readonly chunks: AsyncIterable<string> | Iterable<string>
  readonly sizeBytes: number
  /** Of those, how many were read by now. */
  readBytes(): number
}

/** How a run is told to wait or to end; looked at between slices. */
export interface LoadControl {
  readonly signal: AbortSignal
  /** What to wait for before going on; null: nothing. */
  readonly paused: Promise<void> | null
  /** With the signal: the run may go on later from its last checkpoint. */
  readonly isInterrupted?: boolean
}

/** From how many bad lines and objects on a run fails; null: however many there are. */
export interface ErrorLimits {
  readonly countMax: number | null
  /** Of the lines of a source, judged at its end. */
  readonly percentMax: number | null
}

export const noErrorLimits: ErrorLimits = { countMax: null, percentMax: null }

export interface LoadRunOptions {
  readonly graph: string
  readonly upserts: UpsertService
  readonly deleter: Deleter
  readonly evaluator: Evaluator
  readonly clock: Clock
  /** Data lines, counted from 1 and inclusive; null: all. */
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  readonly control: LoadControl
  readonly errorLimits: ErrorLimits
  /** Where the run notes what is in the graph; absent: nowhere. */
  readonly checkpoints?: Checkpoints
}

export interface Checkpoints {
  isDue(): boolean
  /** Everything up to this place is in the graph. */
  reached(place: LoadPlace): Promise<void>
}

/** What the lines of a source are read with. */
interface Reading {
  readonly reader: RowReader
  readonly batches: readonly LoadBatch[]
  readonly counts: LineCounts
  /** Of the source. */
  readonly name: string
  /** Lines at the beginning that are not loaded again. */
  readonly skippedLines: number
  /** Data lines up to now. */
  lineCount: number
}

const BATCH_OBJECTS_MAX = 5_000
const DELETIONS_AT_ONCE_MAX = 500
const SLICE_MS_MAX = 8

export class LoadRunner {
  readonly #options: LoadRunOptions
  readonly #tables = new Map<string, TableRows>()
  readonly #sources: SourceProgress[] = []
  /** The lines that did not fit, up to now. */
  readonly errors = new LoadErrors()
  /** What is being read. */
  #place: { fileName: string; line: number; text: string | null } = { ...nowhere }
  #tableBytes = 0
  #sliceStart = 0
  /** The upsert under way: the next lines are read while the store writes it. */
  #sent: Promise<unknown> = Promise.resolve()

  constructor(options: LoadRunOptions) {
    this.#options = options
  }

  /** What was done up to now, source by source. */
  get reports(): readonly SourceReport[] {
    return this.#sources.map(reportOf)
  }

  /**
   * @param loads the statements that read this source; they share its format
   * @param skippedLines lines at its beginning that are in the graph already
   */
  async source(
    name: string,
    loads: readonly PlannedLoad[],
    input: LoadInput,
    skippedLines = 0,
  ): Promise<void> {
    const [first, ...others] = loads
    if (first === undefined) throw new Error('assertion failed: a source without a statement')
    const counts = newLineCounts()
    const source = { name, fileName: input.fileName, loads, counts }
    this.#sources.push(source)
    const batches = loads.map((load) => newBatch(load))
    const reader = new RowReader([first, ...others], input.fileName)
    const reading = { reader, batches, counts, lineCount: 0, name, skippedLines }
    this.#sliceStart = this.#options.clock.monotonicMs()
    this.#place = { ...nowhere, fileName: input.fileName }
    for await (const rows of rowsOf(input.chunks, first.format)) {
      if (!(await this.#readRows(rows, reading))) break
    }
    await this.#finish(source, batches)
    if (this.#options.checkpoints?.isDue()) await this.#checkpoint(name, batches)
  }

  /** @returns whether there may be more to read */
  async #readRows(rows: readonly DelimitedRow[], reading: Reading): Promise<boolean> {
    const { reader, batches, skippedLines, name } = reading
    const wanted = this.#options.lines
    for (const row of rows) {
      this.#place.line = row.line
      this.#place.text = row.text
      if (reader.takesHeader(row)) continue
      reading.lineCount++
      if (wanted !== null && reading.lineCount > wanted.to) return false
      const isNew = this.#place.line > skippedLines
      if (isNew && reading.lineCount >= (wanted?.from ?? 1)) this.#load(row, reading)
      if (this.#isPauseDue(batches)) await this.#pause(batches, isNew ? name : null)
    }
    return true
  }

  #load(read: DelimitedRow, { reader, batches, counts }: Reading): void {
    try {
      const row = reader.read(read)
      if ('fault' in row) this.#countLine(row, counts)
      else this.#addRow(row, batches, counts)
    } catch (error) {
      this.#rejectLine(error, counts)
    }
  }

  /** Resolves when nothing is under way: what failed was told by `source` or `table`. */
  async settled(): Promise<void> {
    await this.#sent.catch(() => undefined)
  }

  /** Loads from a table that earlier statements filled. */
  async table(name: string, load: PlannedLoad): Promise<void> {
    const counts = newLineCounts()
    const source = { name, fileName: name, loads: [load], counts }
    this.#sources.push(source)
    const batches = [newBatch(load)]
    const table = this.#tables.get(name)
    this.#sliceStart = this.#options.clock.monotonicMs()
    this.#place = { ...nowhere, fileName: name }
    for (const cells of table?.rows() ?? []) {
      this.#place.line++
      this.#place.text = cells.join(',')
      this.#addRow(new TokenRow(cells, table?.positions ?? new Map(), name), batches, counts)
      if (this.#isPauseDue(batches)) await this.#pause(batches)
    }
    await this.#finish(source, batches)
  }

  async #finish(source: SourceProgress, batches: readonly LoadBatch[]): Promise<void> {
    for (const one of batches) await this.#flush(one)
    await this.#sent
    this.#checkErrorCount()
    const { percentMax } = this.#options.errorLimits
    const { errors, lines } = errorsOf(reportOf(source))
    if (percentMax === null || errors * 100 <= percentMax * lines) return
    const text = `${errors} errors in ${lines} lines of ${source.fileName} are more than ${percentMax} per cent.`
    throw new DbError('INVALID_PAYLOAD', text)
  }

  #checkErrorCount(): void {
    const { countMax } = this.#options.errorLimits
    if (countMax === null) return
    const count = this.reports.reduce((sum, report) => sum + errorsOf(report).errors, 0)
    if (count <= countMax) return
    throw new DbError('INVALID_PAYLOAD', `${count} errors are more than the ${countMax} allowed.`)
  }

  #countLine({ fault, reason }: UnreadRow, counts: LineCounts): void {
    counts[fault]++
    this.errors.add(this.#place, reason)
  }

  #addRow(row: Row, batches: readonly LoadBatch[], counts: LineCounts): void {
    const { evaluator } = this.#options
    const [first] = batches
    evaluator.budget.reset()
    try {
      if (first?.load.rejectRule && evaluator.condition(first.load.rejectRule, row)) {
        counts.rejectLine++
        return
      }
      for (const batch of batches) {
        for (const planned of batch.load.targets) this.#addTo(planned, { row, batch, counts })
      }
      counts.validLine++
    } catch (error) {
      this.#rejectLine(error, counts)
    }
  }

  /** Of a line that asks for too much; what its destinations took before that stays. */
  #rejectLine(error: unknown, counts: LineCounts): void {
    const isLimit = error instanceof LineLimit || error instanceof RangeError
    if (!isLimit) throw error
    counts.oversizeToken++
    this.errors.add(this.#place, error.message)
  }

  #addTo(
    { target, condition }: PlannedTarget,
    { row, batch, counts }: { row: Row; batch: LoadBatch; counts: LineCounts },
  ): void {
    if (condition !== null && !this.#options.evaluator.condition(condition, row)) {
      counts.failedConditionLine++
    } else if (target.kind === 'table') this.#fill(target, row)
    else if ('add' in target) this.#note(target, target.add(row, batch.batch))
    else {
      const deletion = target.find(row)
      if (typeof deletion === 'string') this.#note(target, deletion)
      else batch.deletions.push(deletion)
    }
  }

  #note({ counts }: { readonly counts: ObjectCounts }, fault: string | null): void {
    if (fault !== null) this.errors.add(this.#place, `${counts.typeName}: ${fault}`)
  }

  #fill(target: TableTarget, row: Row): void {
    let table = this.#tables.get(target.name)
    if (table === undefined) {
      table = new TableRows(target.columns, (sizeBytes) => this.#claim(sizeBytes))
      this.#tables.set(target.name, table)
    }
    for (const cells of tableRows(target, row, this.#options.evaluator)) table.add(cells)
  }

  #claim(sizeBytes: number): void {
    this.#tableBytes += sizeBytes
    if (this.#tableBytes <= LOAD_TABLES_SIZE_BYTES_MAX) return
    const megabytes = LOAD_TABLES_SIZE_BYTES_MAX / 2 ** 20
    throw new DbError('MEMORY_LIMIT', `Temporary tables hold at most ${megabytes} MB.`)
  }

  #isPauseDue(batches: readonly LoadBatch[]): boolean {
    const { clock } = this.#options
    return batches.some(isFull) || clock.monotonicMs() - this.#sliceStart >= SLICE_MS_MAX
  }

  /** Sends what is full, lets others have their turn, and waits while the run is paused. */
  async #pause(batches: readonly LoadBatch[], source: string | null = null): Promise<void> {
    for (const one of batches) if (isFull(one)) await this.#flush(one)
    await nextTurn()
    const { clock, control, checkpoints } = this.#options
    if (source !== null && checkpoints?.isDue()) await this.#checkpoint(source, batches)
    if (control.paused !== null) {
      // What was read before the pause can be seen during it.
      for (const one of batches) await this.#flush(one)
      await this.#sent
      await control.paused
    }
    if (control.isInterrupted === true && source !== null) await this.#checkpoint(source, batches)
    if (control.signal.aborted) throw new DbError('QUERY_ABORTED', 'The loading job was aborted.')
    this.#checkErrorCount()
    this.#sliceStart = clock.monotonicMs()
  }

  /** Commits all that was read, and says how far that is. */
  async #checkpoint(source: string, batches: readonly LoadBatch[]): Promise<void> {
    for (const one of batches) await this.#flush(one)
    await this.#sent
    const { fileName, line } = this.#place
    await this.#options.checkpoints?.reached({ source, fileName, line })
  }

  async #flush({ load, batch, deletions }: LoadBatch): Promise<void> {
    const pending = deletions.splice(0)
    if (!this.#options.isDryRun) {
      // They share their syncs; what one deletes is no matter of another.
      await Promise.all(pending.map((deletion) => deletion(this.#options.deleter)))
    }
    if (batch.count === 0) return
    const body = batch.take()
    if (this.#options.isDryRun) return
    await this.#sent
    this.#sent = this.#options.upserts.upsert(this.#options.graph, body, {
      newVertexOnly: load.newVertexOnly,
      updateVertexOnly: false,
      vertexMustExist: load.vertexMustExist,
      sourceVertexMustExist: false,
      targetVertexMustExist: false,
      atomic: false,
      ack: 'all',
    })
    // Whoever waits for it is told; the run may fail of something else before.
    this.#sent.catch(() => undefined)
  }
}

interface LoadBatch {
  readonly load: PlannedLoad
  readonly batch: Batch
  readonly deletions: ((deleter: Deleter) => Promise<void>)[]
}

function isFull({ batch, deletions }: LoadBatch): boolean {
  return batch.count >= BATCH_OBJECTS_MAX || deletions.length >= DELETIONS_AT_ONCE_MAX
}

function newBatch(load: PlannedLoad): LoadBatch {
  return { load, batch: new Batch(), deletions: [] }
}

const nowhere = { fileName: '', line: 0, text: null }

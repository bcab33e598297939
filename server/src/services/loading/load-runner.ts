/**
 * Runs the LOAD statements of a job over its files, on a thread of its own: each source once, then the
 * temporary tables that they filled. Rows become payloads of some thousand objects, which the main thread
 * writes; this one knows no graph.
 */
import type { Clock } from '#kernel/clock.ts'
import { type DelimitedRow, rowsOf } from '#kernel/delimited/scanner.ts'
import { DbError } from '#kernel/errors.ts'
import { UPSERT_OBJECT_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { MadePayload } from '../upsert/upsert-flags.ts'
import type { Evaluator } from './evaluate.ts'
import { tableRows } from './flatten.ts'
import { LineLimit } from './line-limits.ts'
import { LoadErrors } from './load-errors.ts'
import type { ErrorLimits } from './load-limits.ts'
import type { PlannedLoad, PlannedTarget, TableTarget } from './load-plan.ts'
import type { Deletion, LinePosition, LoadBatch } from './load-protocol.ts'
import {
  errorsOf,
  isSameSource,
  joinReports,
  type LineCounts,
  newLineCounts,
  reportOf,
  type SourceProgress,
  type SourceReport,
} from './load-report.ts'
import { Batch } from './payload.ts'
import { type Row, TokenRow } from './row.ts'
import { RowReader, type UnreadRow } from './row-reader.ts'
import { TableRows } from './table-rows.ts'
import type { ObjectCounts } from './targets.ts'

export interface LoadInput {
  /** In the order in which they are read. */
  readonly number: number
  readonly source: string
  readonly fileName: string
  readonly chunks: AsyncIterable<string> | Iterable<string>
  /** How many were read by now. */
  readBytes(): number
}

/** Where a run leaves what it makes, and learns whether to go on. */
export interface LoadSink {
  /** Waits while others are on their way. */
  send(batch: LoadBatch): Promise<void>
  /** A line begins. @throws DbError when the run takes more memory than it may */
  beginLine(place: LinePosition, sizeChars: number): void
  /** No line is at work: the run waits, or is at its end. */
  endLine(): void
  /** Rows of a table were made. */
  beat(): void
  /** Called now and then, so that progress can be reported. */
  tell(): void
  readonly isMarkDue: boolean
  mark(place: LinePosition): void
  readonly isStopped: boolean
  /** @throws DbError MEMORY_LIMIT */
  claim(sizeBytes: number): void
}

export interface LoadRunnerOptions {
  readonly evaluator: Evaluator
  readonly clock: Clock
  /** Data lines, counted from 1 and inclusive; null: all. */
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  readonly errorLimits: ErrorLimits
  /** Of earlier stretches of the run. */
  readonly earlier: readonly SourceReport[]
  /** By statement: what is in the graph already. */
  readonly applied: ReadonlyMap<number, LinePosition>
  /** Reads a payload for the engine. */
  readonly make: (payload: Uint8Array, load: PlannedLoad) => MadePayload
  readonly sink: LoadSink
}

/** The run was asked to stop; everything up to the place was sent. */
export class LoadStopped extends Error {
  readonly place: LinePosition

  constructor(place: LinePosition) {
    super('stopped')
    this.place = place
  }
}

/** A statement, and what its lines have made that is not sent yet. */
interface Collector {
  readonly load: PlannedLoad
  readonly batch: Batch
  readonly deletions: Deletion[]
  /** Up to here its lines are counted only. */
  readonly applied: LinePosition | null
}

/** What the lines of a source are read with. */
interface Reading {
  readonly reader: RowReader
  readonly collectors: readonly Collector[]
  readonly counts: LineCounts
  /** Lines at the beginning that are not looked at. */
  readonly skippedLines: number
  /** Data lines up to now. */
  lineCount: number
}

const BATCH_OBJECTS_MAX = 5_000
const BATCH_SIZE_BYTES_MAX = 512 * 1024
const DELETIONS_AT_ONCE_MAX = 500
/** Between two looks at the clock. */
const TELL_EVERY_LINES = 64
const ROWS_PER_BEAT = 1_000

export class LoadRunner {
  readonly #options: LoadRunnerOptions
  readonly #tables = new Map<string, TableRows>()
  readonly #sources: SourceProgress[] = []
  /** The lines that did not fit, up to now. */
  readonly errors = new LoadErrors()
  /** What is being read. */
  #place = { input: 0, fileName: '', line: 0, text: null as string | null }

  constructor(options: LoadRunnerOptions) {
    this.#options = options
  }

  /** What was done up to now, source by source. */
  get reports(): readonly SourceReport[] {
    return this.#sources.map(reportOf)
  }

  /**
   * @param loads the statements that read this source; they share its format
   * @param skippedLines lines at its beginning that are in the graph, and counted, already
   */
  async source(input: LoadInput, loads: readonly PlannedLoad[], skippedLines = 0): Promise<void> {
    const [first, ...rest] = loads
    if (first === undefined) throw new Error('assertion failed: a source without a statement')
    const { fileName } = input
    const counts = newLineCounts()
    const source = { name: input.source, fileName, loads, counts }
    this.#sources.push(source)
    const collectors = loads.map((load) => this.#collector(load))
    const reader = new RowReader([first, ...rest], fileName)
    const reading = { reader, collectors, counts, lineCount: 0, skippedLines }
    this.#place = { input: input.number, fileName, line: 0, text: null }
    for await (const rows of rowsOf(input.chunks, first.format)) {
      if (!(await this.#readRows(rows, reading))) break
    }
    await this.#finish(source, collectors)
  }

  /** @returns whether there may be more to read */
  async #readRows(rows: readonly DelimitedRow[], reading: Reading): Promise<boolean> {
    const { reader, collectors, skippedLines } = reading
    const { lines: wanted, sink } = this.#options
    for (const row of rows) {
      this.#place.line = row.line
      this.#place.text = row.text
      if (row.line === 1) checkEncoding(row.text, this.#place.fileName)
      if (reader.takesHeader(row)) continue
      reading.lineCount++
      if (wanted !== null && reading.lineCount > wanted.to) return false
      if (this.#place.line <= skippedLines) continue
      sink.beginLine(this.#place, row.text.length)
      if (reading.lineCount >= (wanted?.from ?? 1)) this.#load(row, reading)
      if (this.#isPauseDue(collectors)) await this.#pause(collectors)
    }
    sink.endLine()
    return true
  }

  #load(read: DelimitedRow, { reader, collectors, counts }: Reading): void {
    try {
      const row = reader.read(read)
      if ('fault' in row) this.#countLine(row, counts)
      else this.#addRow(row, collectors, counts)
    } catch (error) {
      this.#rejectLine(error, counts)
    }
  }

  /** Loads from a table that earlier statements filled. @param input its number, behind the files */
  async table(name: string, load: PlannedLoad, input: number): Promise<void> {
    const counts = newLineCounts()
    const source = { name, fileName: name, loads: [load], counts }
    this.#sources.push(source)
    const collectors = [this.#collector(load)]
    const table = this.#tables.get(name)
    this.#place = { input, fileName: name, line: 0, text: null }
    for (const cells of table?.rows() ?? []) {
      this.#place.line++
      this.#place.text = cells.join(',')
      this.#options.sink.beginLine(this.#place, this.#place.text.length)
      this.#addRow(new TokenRow(cells, table?.positions ?? new Map(), name), collectors, counts)
      if (this.#isPauseDue(collectors)) await this.#pause(collectors)
    }
    await this.#finish(source, collectors)
  }

  async #finish(source: SourceProgress, collectors: readonly Collector[]): Promise<void> {
    for (const one of collectors) await this.#flush(one)
    this.#options.sink.endLine()
    this.#checkErrorCount()
    const { percentMax } = this.#options.errorLimits
    const { errors, lines } = errorsOf(this.#wholeReport(source))
    if (percentMax === null || errors * 100 <= percentMax * lines) return
    const text = `${errors} errors in ${lines} lines of ${source.fileName} are more than ${percentMax} per cent.`
    throw new DbError('INVALID_PAYLOAD', text)
  }

  /** With what earlier stretches have read of it. */
  #wholeReport(source: SourceProgress): SourceReport {
    const report = reportOf(source)
    const earlier = this.#options.earlier.filter((one) => isSameSource(one, report))
    return joinReports(earlier, [report])[0]!
  }

  #checkErrorCount(): void {
    const { countMax } = this.#options.errorLimits
    if (countMax === null) return
    const reports = [...this.#options.earlier, ...this.reports]
    const count = reports.reduce((sum, report) => sum + errorsOf(report).errors, 0)
    if (count <= countMax) return
    throw new DbError('INVALID_PAYLOAD', `${count} errors are more than the ${countMax} allowed.`)
  }

  #countLine({ fault, reason }: UnreadRow, counts: LineCounts): void {
    counts[fault]++
    this.errors.add(this.#place, reason)
  }

  #addRow(row: Row, collectors: readonly Collector[], counts: LineCounts): void {
    const { evaluator } = this.#options
    const [first] = collectors
    evaluator.budget.reset()
    try {
      if (first?.load.rejectRule && evaluator.condition(first.load.rejectRule, row)) {
        counts.rejectLine++
        return
      }
      for (const collector of collectors) {
        for (const planned of collector.load.targets) {
          this.#addTo(planned, { row, collector, counts })
        }
      }
      counts.validLine++
    } catch (error) {
      this.#rejectLine(error, counts)
    } finally {
      for (const one of collectors) if (this.#isApplied(one)) discard(one)
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
    { row, collector, counts }: { row: Row; collector: Collector; counts: LineCounts },
  ): void {
    if (condition !== null && !this.#options.evaluator.condition(condition, row)) {
      counts.failedConditionLine++
    } else if (target.kind === 'table') this.#fill(target, row)
    else if ('add' in target) this.#note(target, target.add(row, collector.batch))
    else {
      const deletion = target.find(row)
      if (typeof deletion === 'string') this.#note(target, deletion)
      else collector.deletions.push(deletion)
    }
  }

  #note({ counts }: { readonly counts: ObjectCounts }, fault: string | null): void {
    if (fault !== null) this.errors.add(this.#place, `${counts.typeName}: ${fault}`)
  }

  #fill(target: TableTarget, row: Row): void {
    const { evaluator, sink } = this.#options
    let table = this.#tables.get(target.name)
    if (table === undefined) {
      table = new TableRows(target.columns, (sizeBytes) => sink.claim(sizeBytes))
      this.#tables.set(target.name, table)
    }
    let rowCount = 0
    for (const cells of tableRows(target, row, evaluator)) {
      table.add(cells)
      if (++rowCount % ROWS_PER_BEAT === 0) sink.beat()
    }
  }

  #collector(load: PlannedLoad): Collector {
    const applied = this.#options.applied.get(load.statement) ?? null
    return { load, batch: new Batch(), deletions: [], applied }
  }

  /** Whether what the line at hand adds is in the graph already. */
  #isApplied({ applied }: Collector): boolean {
    if (applied === null) return false
    const { input, line } = this.#place
    return input < applied.input || (input === applied.input && line <= applied.line)
  }

  #isPauseDue(collectors: readonly Collector[]): boolean {
    const { sink } = this.#options
    if (sink.isStopped || collectors.some(isFull)) return true
    if (this.#place.line % TELL_EVERY_LINES !== 0) return false
    sink.tell()
    return sink.isMarkDue
  }

  /** Sends what is full; all of it when a mark is due or the run is to stop. */
  async #pause(collectors: readonly Collector[]): Promise<void> {
    const { sink } = this.#options
    const isWhole = sink.isStopped || sink.isMarkDue
    for (const one of collectors) if (isWhole || isFull(one)) await this.#flush(one)
    const { input, line } = this.#place
    if (sink.isStopped) throw new LoadStopped({ input, line })
    if (isWhole) sink.mark({ input, line })
    this.#checkErrorCount()
  }

  async #flush({ load, batch, deletions }: Collector): Promise<void> {
    if (batch.count === 0 && deletions.length === 0) return
    const { input, line } = this.#place
    const { statement, newVertexOnly, vertexMustExist } = load
    const isLong = batch.longestBytes > UPSERT_OBJECT_SIZE_BYTES_MAX
    const payload = batch.count === 0 ? null : batch.take()
    const parts = { payload, deletions: deletions.splice(0), newVertexOnly, vertexMustExist }
    const { isDryRun, make, sink } = this.#options
    if (isDryRun) return
    const made = payload !== null && isLong ? make(payload, load) : null
    await sink.send({ kind: 'batch', statement, position: { input, line }, ...parts, made })
  }
}

/** The mark at the beginning of UTF-16, as it is read, and a character whose other byte is 0. */
const UTF_16 = /^\ufffd\ufffd(?:[^\0]\0|\0[^\0])/

/** @throws DbError INVALID_PAYLOAD for a file whose ids and texts would all be wrong */
function checkEncoding(line: string, fileName: string): void {
  if (!UTF_16.test(line)) return
  const text = `${fileName} is UTF-16; convert it to UTF-8 before it is loaded.`
  throw new DbError('INVALID_PAYLOAD', text)
}

function isFull({ batch, deletions }: Collector): boolean {
  if (batch.count >= BATCH_OBJECTS_MAX || batch.sizeBytes >= BATCH_SIZE_BYTES_MAX) return true
  return deletions.length >= DELETIONS_AT_ONCE_MAX
}

function discard({ batch, deletions }: Collector): void {
  if (batch.count > 0) batch.clear()
  deletions.length = 0
}

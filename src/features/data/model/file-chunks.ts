/** Files as chunks of items, read piece by piece so that size does not matter. */

import { CsvReader, type CsvRecord } from '#lib/csv/csv-records.ts'
import { type Encoding, textPieces } from '#lib/csv/text-decoding.ts'
import { parseLossless, stringifyLossless } from '#lib/json/lossless-json.ts'
import {
  type DefaultedValues,
  type LoadChunk,
  type LoadItem,
  type RejectedItem,
  withDefaulted,
} from './loader.ts'
import { columnsOf, type Mapping } from './mapping.ts'
import { rowFragment } from './row-payload.ts'

export interface CsvReading {
  readonly delimiter: string
  readonly encoding: Encoding
  readonly hasHeader: boolean
  /** Names of the columns; a record with more cells than these is out of step. */
  readonly columns: readonly string[]
  readonly nullText: string
  readonly mapping: Mapping
}

/** CSV records as fragments of the mapping's payload. */
export async function* csvChunks(file: File, reading: CsvReading): AsyncGenerator<LoadChunk> {
  const reader = new CsvReader(reading.delimiter)
  let isFirst = true
  for await (const { text, bytesRead, isLast } of textPieces(file, reading.encoding)) {
    const records = reader.read(text, isLast)
    const skipped = isFirst && reading.hasHeader && records.length > 0 ? 1 : 0
    if (records.length > 0) isFirst = false
    yield { ...csvItems(records.slice(skipped), reading), bytesRead }
  }
}

export interface DryRunResult {
  readonly rows: number
  readonly rejectedCount: number
  /** The first of them. */
  readonly rejected: readonly RejectedItem[]
  /** Of rows that can be loaded: values that leave an attribute at its default, or as it is. */
  readonly defaulted: DefaultedValues
  /** The fragment of the first row that can be loaded. */
  readonly first: string | null
}

const REJECTED_SHOWN = 10

/** Reads all of the file and sends nothing. @param onShare how much is read, from 0 to 1 */
export async function dryRun(
  file: File,
  reading: CsvReading,
  onShare: (share: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<DryRunResult> {
  let first: string | null = null
  let rows = 0
  let rejectedCount = 0
  let defaulted: DefaultedValues = new Map()
  const kept: RejectedItem[] = []
  for await (const { items, rejected, bytesRead } of csvChunks(file, reading)) {
    signal?.throwIfAborted()
    first ??= items[0]?.fragment ?? null
    rows += items.length + rejected.length
    rejectedCount += rejected.length
    defaulted = withDefaulted(defaulted, items)
    kept.push(...rejected.slice(0, REJECTED_SHOWN - kept.length))
    onShare(file.size === 0 ? 1 : bytesRead / file.size)
  }
  return { rows, rejectedCount, rejected: kept, defaulted, first }
}

/** Records as items, or rejected with the reason; `cells` of both stay as the file has them. */
export function csvItems(
  records: readonly CsvRecord[],
  reading: Pick<CsvReading, 'columns' | 'mapping' | 'nullText'>,
): Omit<LoadChunk, 'bytesRead'> {
  const items: LoadItem[] = []
  const rejected: RejectedItem[] = []
  for (const { row, cells, problem } of records) {
    const result = problem === null ? recordFragment(cells, reading) : { ok: false, problem }
    if ('fragment' in result) {
      const { fragment, defaulted } = result
      items.push({ row, fragment, source: cells, ...(defaulted.length > 0 && { defaulted }) })
    } else {
      const isGuess = problem !== null
      rejected.push({ row, reason: result.problem, source: cells, ...(isGuess && { isGuess }) })
    }
  }
  return { items, rejected }
}

type Fragment =
  | { readonly fragment: string; readonly defaulted: readonly string[] }
  | { readonly problem: string }

/** One record under the mapping, or why it cannot be loaded. */
export function recordFragment(
  cells: readonly string[],
  { columns, mapping, nullText }: Pick<CsvReading, 'columns' | 'mapping' | 'nullText'>,
): Fragment {
  const surplus = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  const missing = columnsOf(mapping).find((place) => place >= cells.length)
  if (surplus || missing !== undefined) {
    return { problem: `has ${cells.length} cells instead of ${columns.length}` }
  }
  const isNull = (cell: string) => nullText !== '' && cell === nullText
  return rowFragment(
    mapping,
    cells.map((cell) => (isNull(cell) ? null : cell)),
  )
}

/** Lines of NDJSON, each a whole upsert payload; lines that are no JSON object are rejected. */
export async function* ndjsonChunks(file: File): AsyncGenerator<LoadChunk> {
  let row = 0
  let rest = ''
  for await (const { text, bytesRead, isLast } of textPieces(file, 'utf-8')) {
    const lines = (rest + text).split('\n')
    rest = isLast ? '' : (lines.pop() ?? '')
    yield { ...payloadItems(numbered(lines, row)), bytesRead }
    row += lines.length
  }
}

function numbered(lines: readonly string[], before = 0): readonly NumberedLine[] {
  return lines.map((text, place) => ({ row: before + place + 1, text }))
}

export interface NumberedLine {
  readonly row: number
  readonly text: string
}

/** Lines as items, or rejected with the reason; blank ones are left out. */
export function payloadItems(lines: readonly NumberedLine[]): Omit<LoadChunk, 'bytesRead'> {
  const items: LoadItem[] = []
  const rejected: RejectedItem[] = []
  for (const { row, text: line } of lines) {
    const text = line.trim()
    if (text === '') continue
    const problem = payloadProblem(text)
    if (problem === null) items.push({ row, fragment: text, source: text })
    else rejected.push({ row, reason: problem, source: text })
  }
  return { items, rejected }
}

/** A JSON file: one payload, or an array of payloads. Integers of 64 bits stay exact. */
export async function* jsonChunks(file: File): AsyncGenerator<LoadChunk> {
  const text = (await file.text()).trim()
  const bytesRead = file.size
  if (!text.startsWith('[')) {
    yield { ...payloadItems([{ row: 1, text: text.replaceAll('\n', ' ') }]), bytesRead }
    return
  }
  const lines = (parseLossless(text) as unknown[]).map((payload) => stringifyLossless(payload))
  yield { ...payloadItems(numbered(lines)), bytesRead }
}

/** Why a text is no upsert payload, or null. */
export function payloadProblem(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const isPayload = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isPayload ? null : 'not an upsert payload: an object with vertices and edges'
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON'
  }
}

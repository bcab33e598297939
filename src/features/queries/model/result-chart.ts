/** What a table of a result looks like as bars: its rows one by one, or how a column is spread. */
import { cellText, type TablePart } from './result.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Exact, also beyond 2^53. */
  readonly text: string
}

/** More would be a carpet; how the column is spread tells more then. */
export const BARS_MAX = 50
const BINS = 20

const isNumeric = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))

/** Columns that hold numbers alone, where they hold anything. */
export function numericColumns({ columns, rows }: TablePart): readonly string[] {
  return columns.filter((column) => {
    let isKnown = false
    for (const row of rows) {
      const value = row[column]
      if (value == null) continue
      if (!isNumeric(value)) return false
      isKnown = true
    }
    return isKnown
  })
}

/** The column whose values name the rows: the first that holds no numbers, else the first. */
export function labelColumn(part: TablePart): string {
  const numeric = new Set(numericColumns(part))
  return part.columns.find((column) => !numeric.has(column)) ?? part.columns[0] ?? ''
}

/** The first rows that have the value, in their order. */
export function barsOf({ rows }: TablePart, label: string, column: string): readonly Bar[] {
  return rows
    .filter((row) => isNumeric(row[column]))
    .slice(0, BARS_MAX)
    .map((row) => ({
      label: cellText(row[label]),
      value: Number(row[column]),
      text: cellText(row[column]),
    }))
}

/** How many rows have a value in each of twenty equal parts of the column's range; whole parts for integers. */
export function spreadOf({ rows }: TablePart, column: string): readonly Bar[] {
  const values = rows.map((row) => row[column]).filter(isNumeric)
  if (values.length === 0) return []
  const numbers = values.map(Number)
  const [low, high] = numbers.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const isWhole = numbers.every(Number.isInteger)
  const even = (high - low + (isWhole ? 1 : 0)) / BINS
  const step = isWhole ? Math.max(1, Math.ceil(even)) : even || 1
  const count = Math.min(BINS, Math.floor((high - low) / step) + 1)
  const counts = new Array<number>(count).fill(0)
  for (const value of numbers) {
    const bin = Math.min(count - 1, Math.floor((value - low) / step))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts.map((inBin, bin) => ({
    label: binLabel(low + bin * step, step, isWhole),
    value: inBin,
    text: String(inBin),
  }))
}

function binLabel(from: number, step: number, isWhole: boolean): string {
  if (isWhole) return step === 1 ? String(from) : `${from} to ${from + step - 1}`
  const short = (value: number) => String(Number(value.toPrecision(4)))
  return `${short(from)} to ${short(from + step)}`
}

interface PlacedBar extends Bar {
  /** Shares of the width, from the left. */
  readonly from: number
  readonly to: number
}

/** On one axis that has zero on it. */
export function placed(bars: readonly Bar[]): readonly PlacedBar[] {
  const low = bars.reduce((least, { value }) => Math.min(least, value), 0)
  const high = bars.reduce((most, { value }) => Math.max(most, value), 0)
  const share = (value: number) => (high === low ? 0 : (value - low) / (high - low))
  return bars.map((bar) => ({
    ...bar,
    from: share(Math.min(0, bar.value)),
    to: share(Math.max(0, bar.value)),
  }))
}

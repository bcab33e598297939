/**
 * The cells of an interval that is over, as bytes: an hour of seconds and a week of minutes are in
 * memory, and a Map of latencies per cell took some twenty times as much.
 */
import type { Cell, CellFigures, SeriesCell, SeriesKey } from './cell.ts'

/**
 * Per cell, as variable-length integers of seven bits a byte, lowest first: completed, errors,
 * timeouts; sum, minimum plus one (0: nothing completed) and maximum in microseconds; number of
 * latency buckets, and each as its distance from the one before and its count.
 */
export class PackedInterval {
  readonly #series: readonly SeriesKey[]
  readonly #bytes: Uint8Array

  private constructor(series: readonly SeriesKey[], bytes: Uint8Array) {
    this.#series = series
    this.#bytes = bytes
  }

  static of(cells: Iterable<SeriesCell<Cell>>): PackedInterval {
    const series: SeriesKey[] = []
    const bytes: number[] = []
    for (const { series: key, cell } of cells) {
      series.push(key)
      writeCell(bytes, cell)
    }
    return new PackedInterval(series, Uint8Array.from(bytes))
  }

  get byteLength(): number {
    return this.#bytes.length
  }

  *cells(): Iterable<SeriesCell> {
    const reader = new Reader(this.#bytes)
    for (const series of this.#series) yield { series, cell: readCell(reader) }
  }
}

function writeCell(bytes: number[], cell: Cell): void {
  const { completed, errors, timeouts, sumMs, minMs, maxMs, latencies } = cell
  const minimum = Number.isFinite(minMs) ? microseconds(minMs) + 1 : 0
  const figures = [completed, errors, timeouts, microseconds(sumMs), minimum, microseconds(maxMs)]
  for (const figure of figures) write(bytes, figure)
  write(bytes, latencies.size)
  let before = 0
  for (const [bucket, count] of [...latencies].sort(([one], [other]) => one - other)) {
    write(bytes, bucket - before)
    write(bytes, count)
    before = bucket
  }
}

function readCell(reader: Reader): CellFigures {
  const completed = reader.next()
  const errors = reader.next()
  const timeouts = reader.next()
  const sumMs = reader.next() / 1_000
  const minimum = reader.next()
  const maxMs = reader.next() / 1_000
  const latencies: [bucket: number, count: number][] = []
  let bucket = 0
  for (let left = reader.next(); left > 0; left--) {
    bucket += reader.next()
    latencies.push([bucket, reader.next()])
  }
  const minMs = minimum === 0 ? Number.POSITIVE_INFINITY : (minimum - 1) / 1_000
  return { completed, errors, timeouts, sumMs, minMs, maxMs, latencies }
}

function microseconds(ms: number): number {
  return Math.round(ms * 1_000)
}

/** @param value a whole number from 0 to 2^53 - 1 */
function write(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  next(): number {
    let value = 0
    let weight = 1
    for (;;) {
      const byte = this.#bytes[this.#at++]!
      if (byte < 128) return value + byte * weight
      value += (byte - 128) * weight
      weight *= 128
    }
  }
}

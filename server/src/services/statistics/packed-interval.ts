/**
 * The cells of an interval that is over, as bytes: an hour of seconds and a week of minutes are in
 * memory, and a Map of latencies per cell took some twenty times as much.
 *
 * Intervals that follow each other share blocks of bytes and a list of series. An array of its own
 * for each one took half of its memory, most of it outside of the heap, between blocks that live
 * for a moment. Intervals are forgotten in their order, and with the last one its block goes.
 */
import { Numbering } from '#kernel/numbering.ts'
import type { Cell, CellFigures, SeriesCell, SeriesKey } from './cell.ts'

/** From 128 KiB on the allocator maps a block by itself: pages that nobody wrote take no memory. */
const BLOCK_SIZE_BYTES = 256 * 1024
/** Series of the intervals that share a list. */
export const LISTED_SERIES_MAX = 2_000

/** Where intervals of one timeline are written. */
export class PackedIntervals {
  #block = new Uint8Array(0)
  #used = 0
  #series = new Numbering<SeriesKey>()

  pack(cells: Iterable<SeriesCell<Cell>>): PackedInterval {
    if (this.#series.values.length >= LISTED_SERIES_MAX) this.#series = new Numbering()
    const bytes: number[] = []
    let count = 0
    for (const { series, cell } of cells) {
      write(bytes, this.#series.numberOf(series))
      writeCell(bytes, cell)
      count++
    }
    if (this.#used + bytes.length > this.#block.length) {
      this.#block = new Uint8Array(Math.max(BLOCK_SIZE_BYTES, bytes.length))
      this.#used = 0
    }
    const interval = new PackedInterval(this.#series.values, this.#block, { at: this.#used, count })
    this.#block.set(bytes, this.#used)
    this.#used += bytes.length
    return interval
  }

  /** Of the running block. */
  get usedBytes(): number {
    return this.#used
  }
}

/**
 * Per cell, as variable-length integers of seven bits a byte, lowest first:
 *
 * - the number of its series;
 * - completed times 4, plus 2 where there were errors or timeouts, plus 1 where one latency is all;
 * - errors and timeouts, where there were any;
 * - one latency: its time in microseconds and its bucket;
 * - otherwise: sum, minimum plus one (0: nothing completed) and maximum in microseconds; number of
 *   latency buckets, and each as its distance from the one before and its count.
 */
export class PackedInterval {
  readonly #series: readonly SeriesKey[]
  readonly #block: Uint8Array
  readonly #at: number
  readonly #count: number

  constructor(
    series: readonly SeriesKey[],
    block: Uint8Array,
    place: { readonly at: number; readonly count: number },
  ) {
    this.#series = series
    this.#block = block
    this.#at = place.at
    this.#count = place.count
  }

  *cells(): Iterable<SeriesCell> {
    const reader = new Reader(this.#block, this.#at)
    for (let left = this.#count; left > 0; left--) {
      const series = this.#series[reader.next()]!
      yield { series, cell: readCell(reader) }
    }
  }
}

function writeCell(bytes: number[], cell: Cell): void {
  const { completed, errors, timeouts, sumMs, minMs, maxMs, latencies } = cell
  const hasFailures = errors > 0 || timeouts > 0
  const sum = microseconds(sumMs)
  const maximum = microseconds(maxMs)
  const minimum = Number.isFinite(minMs) ? microseconds(minMs) : -1
  const isOne = completed === 1 && latencies.size === 1 && sum === minimum && sum === maximum
  write(bytes, completed * 4 + (hasFailures ? 2 : 0) + (isOne ? 1 : 0))
  if (hasFailures) for (const figure of [errors, timeouts]) write(bytes, figure)
  if (isOne) {
    for (const [bucket] of latencies) for (const figure of [sum, bucket]) write(bytes, figure)
    return
  }
  for (const figure of [sum, minimum + 1, maximum]) write(bytes, figure)
  writeLatencies(bytes, latencies)
}

function writeLatencies(bytes: number[], latencies: Cell['latencies']): void {
  write(bytes, latencies.size)
  let before = 0
  for (const [bucket, count] of [...latencies].sort(([one], [other]) => one - other)) {
    write(bytes, bucket - before)
    write(bytes, count)
    before = bucket
  }
}

function readCell(reader: Reader): CellFigures {
  const head = reader.next()
  const completed = Math.floor(head / 4)
  const hasFailures = head % 4 >= 2
  const errors = hasFailures ? reader.next() : 0
  const timeouts = hasFailures ? reader.next() : 0
  const sumMs = reader.next() / 1_000
  if (head % 2 === 1) {
    const latencies = [[reader.next(), 1]] as const
    return { completed, errors, timeouts, sumMs, minMs: sumMs, maxMs: sumMs, latencies }
  }
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
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
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

/**
 * The statistics of this instance on disk, as documents: what a killed server forgets is the last few seconds.
 *
 * | collection | key | holds |
 * |---|---|---|
 * | `statistics-seconds` | start of a minute | its seconds |
 * | `statistics-minutes` | start of an hour | its minutes |
 * | `statistics-recent` | slot of a ring | the seconds since the slice before, and a number that rises |
 *
 * Each save writes one slice, a few seconds in size. Once a minute is over its seconds and its sum
 * move to the first two collections: whole, and never changed again by time that goes forward. So
 * nothing counts twice, wherever a crash comes: of the slices only those seconds are taken that no
 * minute's document holds, and a minute that no hour's document holds is added up from its seconds.
 */
import type { Collection, Documents } from '#storage/documents.ts'
import type { StoredInterval, Timeline } from './timeline.ts'

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 3_600
export const WEEK_SECONDS = 7 * 86_400

const SECONDS_COLLECTION = 'statistics-seconds'
const MINUTES_COLLECTION = 'statistics-minutes'
const RECENT_COLLECTION = 'statistics-recent'
/** More slices than two minutes make: none is overwritten before its minute was folded. */
export const RECENT_SLOTS = 128

/** Of two slices with the same second the one with the higher number knows more of it. */
interface Slice {
  readonly number: number
  readonly intervals: readonly StoredInterval[]
}

export interface Timelines {
  readonly seconds: Timeline
  readonly minutes: Timeline
}

export class StatisticsArchive {
  readonly #minuteDocuments: Collection
  readonly #hourDocuments: Collection
  readonly #slices: Collection
  readonly #timelines: Timelines
  /** Starts of the minutes and hours that have a document. */
  readonly #minuteKeys = new Set<number>()
  readonly #hourKeys = new Set<number>()
  /** Starts of minutes of which slices exist, but no documents of whole minutes. */
  readonly #unfolded = new Set<number>()
  #nextSlice = 0
  /** Every second before this one is on disk. */
  #savedBefore: number

  private constructor(documents: Documents, timelines: Timelines, now: number) {
    this.#minuteDocuments = documents.openOwn(SECONDS_COLLECTION)
    this.#hourDocuments = documents.openOwn(MINUTES_COLLECTION)
    this.#slices = documents.openOwn(RECENT_COLLECTION)
    this.#timelines = timelines
    this.#savedBefore = now
  }

  /** Fills the timelines with what is kept. @param now epoch seconds, as everywhere here */
  static async open(
    documents: Documents,
    timelines: Timelines,
    now: number,
  ): Promise<StatisticsArchive> {
    const archive = new StatisticsArchive(documents, timelines, now)
    await archive.#restore(now)
    return archive
  }

  /**
   * Writes what was counted since the last call; calls must not overlap.
   * @param isLast whether the running second goes along, because nothing will be counted any more
   */
  async save(now: number, isLast: boolean): Promise<void> {
    const { seconds, minutes } = this.#timelines
    const from = Math.min(this.#savedBefore, now)
    const intervals = seconds.export(from, isLast ? now + 1 : now)
    for (const { start } of intervals) this.#unfolded.add(minutes.startOf(start))
    await this.#fold(minutes.startOf(now))
    if (intervals.length > 0) await this.#putSlice(intervals)
    this.#savedBefore = now
    await this.#forget(this.#minuteDocuments, this.#minuteKeys, now - HOUR_SECONDS - MINUTE_SECONDS)
    await this.#forget(this.#hourDocuments, this.#hourKeys, now - WEEK_SECONDS - HOUR_SECONDS)
  }

  async #putSlice(intervals: readonly StoredInterval[]): Promise<void> {
    const slice: Slice = { number: this.#nextSlice, intervals }
    await put(this.#slices, slice.number % RECENT_SLOTS, slice)
    this.#nextSlice++
  }

  /** Moves what slices hold of the minutes before `current` to documents of whole minutes. */
  async #fold(current: number): Promise<void> {
    const { seconds, minutes } = this.#timelines
    const over = [...this.#unfolded].filter((minute) => minute < current)
    for (const minute of over) {
      const intervals = seconds.export(minute, minute + MINUTE_SECONDS)
      if (intervals.length === 0) continue
      await put(this.#minuteDocuments, minute, intervals)
      this.#minuteKeys.add(minute)
    }
    for (const hour of new Set(over.map(hourOf))) {
      const end = Math.min(hour + HOUR_SECONDS, current)
      await put(this.#hourDocuments, hour, minutes.export(hour, end))
      this.#hourKeys.add(hour)
    }
    for (const minute of over) this.#unfolded.delete(minute)
  }

  async #forget(collection: Collection, keys: Set<number>, before: number): Promise<void> {
    for (const key of keys) {
      if (key >= before) continue
      await collection.delete(String(key))
      keys.delete(key)
    }
  }

  async #restore(now: number): Promise<void> {
    const seconds = await this.#loadIntervals(this.#minuteDocuments, this.#minuteKeys)
    const minutes = await this.#loadIntervals(this.#hourDocuments, this.#hourKeys)
    for (const [start, interval] of await this.#loadSlices()) {
      if (!seconds.has(start)) seconds.set(start, interval)
    }
    importFrom(this.#timelines.seconds, [...seconds.values()], now - HOUR_SECONDS)
    const sums = [...seconds.values()]
      .map((interval) => ({ ...interval, start: this.#timelines.minutes.startOf(interval.start) }))
      .filter(({ start }) => !minutes.has(start) && start >= now - WEEK_SECONDS)
    for (const { start } of sums) this.#unfolded.add(start)
    importFrom(this.#timelines.minutes, [...minutes.values(), ...sums], now - WEEK_SECONDS)
  }

  async #loadIntervals(
    collection: Collection,
    keys: Set<number>,
  ): Promise<Map<number, StoredInterval>> {
    const intervals = new Map<number, StoredInterval>()
    for (const { key, bytes } of await collection.list()) {
      keys.add(Number(key))
      for (const interval of decode<StoredInterval[]>(bytes))
        intervals.set(interval.start, interval)
    }
    return intervals
  }

  /** By second, as the slice with the highest number has it. */
  async #loadSlices(): Promise<Map<number, StoredInterval>> {
    const documents = await this.#slices.list()
    const slices = documents
      .map(({ bytes }) => decode<Slice>(bytes))
      .sort((one, other) => one.number - other.number)
    this.#nextSlice = (slices.at(-1)?.number ?? -1) + 1
    const intervals = slices.flatMap((slice) => slice.intervals)
    return new Map(intervals.map((interval) => [interval.start, interval]))
  }
}

/** A timeline forgets by its newest interval, so it is filled in order of time. */
function importFrom(timeline: Timeline, intervals: StoredInterval[], from: number): void {
  const kept = intervals.filter(({ start }) => start >= from)
  timeline.import(kept.sort((one, other) => one.start - other.start))
}

function put(collection: Collection, key: number, value: unknown): Promise<void> {
  return collection.put(String(key), Buffer.from(JSON.stringify(value)))
}

function hourOf(second: number): number {
  return second - (second % HOUR_SECONDS)
}

function decode<Value>(bytes: Uint8Array): Value {
  return JSON.parse(Buffer.from(bytes).toString()) as Value
}

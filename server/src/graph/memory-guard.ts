/**
 * Holds the process to its memory limit.
 *
 * What counts is the larger of what the process holds of the machine's memory and of what the
 * graph's arrays may fill without asking again. On top of it come the commits that are ordered, the
 * next doubling of an index of ids, and what the next rebuild needs besides: without that reserve
 * a full server could never be made smaller. Writes are refused in time; reads, deletes and schema
 * changes go on.
 *
 * The platform does not count shared memory when it decides to collect garbage, so superseded arrays
 * would stay for minutes: they are collected when they are many, and before a write is refused.
 */
import { DbError } from '#kernel/errors.ts'
import type { EngineOptions } from './engine-options.ts'
import { refuseFull } from './full-tables.ts'
import { obtained } from './memory/allocate.ts'
import { mergeNeed, rebuildRoom } from './rebuild/memory-need.ts'
import type { Tables } from './tables/tables.ts'

type MemoryOptions = Pick<
  EngineOptions,
  'memoryLimitBytes' | 'clock' | 'residentBytes' | 'collectGarbage' | 'fullLimits' | 'shared'
>

/** A measurement is used for so long, or until commits of so many bytes were admitted. */
const SAMPLE_MS = 100
const SAMPLE_SIZE_BYTES_MAX = 8 * 2 ** 20
const SAMPLE_SHARE = 1 / 256
/** What a commit takes in memory, of its size in the log. */
const COMMIT_FACTOR = 4
/** Collecting holds up the main thread for some 50 ms. */
const COLLECT_INTERVAL_MS = 5_000
/** A rebuild's superseded arrays of so many bytes are collected. */
const COLLECT_SIZE_BYTES = 256 * 2 ** 20
/**
 * Arrays that grow and pages that are copied supersede others, too. All that was obtained since the
 * last collection may be garbage: it is collected when it is half as much as the graph, and no less
 * than this.
 */
const OBTAINED_SHARE = 1 / 2
const OBTAINED_SIZE_BYTES_MIN = 24 * 2 ** 20
/** A rebuild that makes less room than this share of the limit is not worth its work. */
const ROOM_SHARE_MIN = 1 / 64

interface Sample {
  readonly takenMs: number
  readonly residentBytes: number
  /** Of the next rebuild and of the next doublings. */
  readonly reserveBytes: number
  /** Of this server, or the smallest of those that hold the same graph. */
  readonly limitBytes: number
}

export class MemoryGuard {
  readonly #options: MemoryOptions
  readonly #tables: Tables
  readonly #makeRoom: () => void
  readonly #sampleSizeBytes: number
  #sample: Sample | null = null
  #admittedBytes = 0
  #supersededBytes = 0
  /** Of `obtained` at the last collection. */
  #obtainedBytes = obtained.bytes
  #collectedMs = Number.NEGATIVE_INFINITY

  /** @param makeRoom called when a write is refused that a rebuild would make room for */
  constructor(options: MemoryOptions, tables: Tables, makeRoom: () => void) {
    this.#options = options
    this.#tables = tables
    this.#makeRoom = makeRoom
    const share = options.memoryLimitBytes * SAMPLE_SHARE
    this.#sampleSizeBytes = Math.min(SAMPLE_SIZE_BYTES_MAX, share)
  }

  /** What counts against the limit, measured now. */
  usedBytes(): number {
    return Math.max(this.#graphBytes, this.#options.residentBytes?.() ?? 0)
  }

  /** What a rebuild or a conversion may still take. */
  roomBytes(): number {
    const { memoryLimitBytes } = this.#options
    const roomBytes = memoryLimitBytes - this.usedBytes()
    return roomBytes > 0 || !this.#collect() ? roomBytes : memoryLimitBytes - this.usedBytes()
  }

  /**
   * @param incomingBytes of the commit at hand and of those that are ordered
   * @throws DbError MEMORY_LIMIT
   */
  admit(frame: Uint8Array, incomingBytes: number): void {
    let neededBytes = this.#neededBytes(incomingBytes)
    if (neededBytes > this.#writeLimitBytes && this.#collect()) {
      neededBytes = this.#neededBytes(incomingBytes)
    }
    if (neededBytes > this.#writeLimitBytes) throw this.#refusal(neededBytes)
    refuseFull(this.#tables, frame, incomingBytes, this.#options.fullLimits)
    this.#admittedBytes += incomingBytes
  }

  /** Arrays of so many bytes were superseded by others. */
  superseded(sizeBytes: number): void {
    this.#supersededBytes += sizeBytes
    this.#collectIfMuch()
  }

  #refusal(neededBytes: number): DbError {
    const limitBytes = this.#writeLimitBytes
    const isPossible = mergeNeed(this.#tables) <= rebuildRoom(this.roomBytes(), limitBytes)
    const isHelped = isPossible && roomOfRebuild(this.#tables) > limitBytes * ROOM_SHARE_MIN
    if (isHelped) this.#makeRoom()
    const advice = isHelped
      ? 'A rebuild makes room.'
      : 'Delete data, or start the server with a larger --memory.'
    const message = `The server has reached its memory limit; writes are off. ${advice}`
    return new DbError('MEMORY_LIMIT', message, {
      details: { usedBytes: this.usedBytes(), neededBytes, limitBytes },
    })
  }

  /** As of the last measurement. */
  get #writeLimitBytes(): number {
    return this.#sample?.limitBytes ?? this.#options.memoryLimitBytes
  }

  get #graphBytes(): number {
    return this.#tables.memory.meter.bytes
  }

  #neededBytes(incomingBytes: number): number {
    const { residentBytes, reserveBytes } = this.#current(incomingBytes)
    const pendingBytes = COMMIT_FACTOR * (incomingBytes + this.#admittedBytes)
    const held = Math.max(this.#graphBytes, residentBytes + COMMIT_FACTOR * this.#admittedBytes)
    return Math.max(held, this.#graphBytes + pendingBytes) + reserveBytes
  }

  #current(incomingBytes: number): Sample {
    const tables = this.#tables
    const { clock, residentBytes } = this.#options
    const nowMs = clock.monotonicMs()
    const known = this.#sample
    const isFresh = known !== null && nowMs - known.takenMs < SAMPLE_MS
    if (isFresh && this.#admittedBytes < this.#sampleSizeBytes) return known
    this.#admittedBytes = 0
    this.#collectIfMuch()
    this.#sample = {
      takenMs: nowMs,
      residentBytes: residentBytes?.() ?? 0,
      reserveBytes:
        mergeNeed(tables) + doublingBytes(tables, incomingBytes + this.#sampleSizeBytes),
      limitBytes: this.#smallestLimitBytes(),
    }
    return this.#sample
  }

  /** What is written here has to fit into every server that follows. */
  #smallestLimitBytes(): number {
    const { memoryLimitBytes, shared } = this.#options
    if (shared == null) return memoryLimitBytes
    const living = shared.instances.filter(({ silentMs }) => silentMs !== null)
    return Math.min(memoryLimitBytes, ...living.map((one) => one.memoryLimitBytes))
  }

  #collectIfMuch(): void {
    const obtainedBytes = obtained.bytes - this.#obtainedBytes
    const obtainedMax = Math.max(OBTAINED_SIZE_BYTES_MIN, this.#graphBytes * OBTAINED_SHARE)
    const isMuch = this.#supersededBytes >= COLLECT_SIZE_BYTES || obtainedBytes >= obtainedMax
    if (isMuch) this.#collect()
  }

  /** @returns whether anything may have changed by it */
  #collect(): boolean {
    const { collectGarbage, clock } = this.#options
    const nowMs = clock.monotonicMs()
    if (collectGarbage === undefined || nowMs - this.#collectedMs < COLLECT_INTERVAL_MS)
      return false
    this.#collectedMs = nowMs
    this.#supersededBytes = 0
    this.#obtainedBytes = obtained.bytes
    this.#sample = null
    collectGarbage()
    return true
  }
}

/** Bytes of a commit that make one new vertex, at least. */
const VERTEX_SIZE_BYTES_MIN = 4

/** Tables of ids that commits of so many bytes may double: the old and the new are there together. */
function doublingBytes(tables: Tables, incomingBytes: number): number {
  const rowCount = incomingBytes / VERTEX_SIZE_BYTES_MIN
  let sizeBytes = 0
  for (const { ids } of tables.vertices) sizeBytes += ids.slots.neededBytes(ids.count + rowCount)
  return sizeBytes
}

/** What a rebuild would give back: deltas, and the rows of what is deleted. */
function roomOfRebuild(tables: Tables): number {
  let sizeBytes = 0
  for (const { adjacencies } of tables.edges) {
    for (const adjacency of adjacencies) {
      const { delta, deleted, rowCount } = adjacency
      if (delta.count > 0) sizeBytes += delta.sizeBytes
      if (rowCount > 0) sizeBytes += (adjacency.sizeBytes * deleted.count) / rowCount
    }
  }
  for (const table of tables.mostlyDead()) {
    sizeBytes += (table.sizeBytes * table.deleted.count) / table.rowCount
  }
  return sizeBytes
}

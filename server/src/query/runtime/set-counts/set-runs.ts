/**
 * The sets of a column of vertex sets one behind the other, in the order of the vertices: what reads
 * many of them meets few pages of memory, as the adjacency of a graph does. Made when a SELECT with
 * many sources counts in them, and kept until a set changes; `run-counter.ts` counts in them.
 *
 * Members stand there as *places*: numbers that are given out anew, the smallest to the vertices that
 * are in most sets. Those below `CORE_PLACES`, the *core*, come first: a set that has several of them
 * has also a *row* of bits, one for each place of the core. Then come the other places below 2^16,
 * one word of 16 bits each, and the *far* ones, two words each.
 *
 *     directory  per vertex: where its members begin, where its core ends, where its far ones begin,
 *                where its row begins (0: it has none); and one more, for the end
 *     members    words of 16 bits
 *     rows       words of 32 bits; the first row is nobody's
 */
import type { Arena } from '../cells/arena.ts'
import { COUNT, DATA } from '../cells/block.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import { WORDS_PER_CELL } from '../cells/vertex-collection.ts'

/** Fewer sources than one of so many vertices do not pay for a copy. */
const VERTICES_PER_SOURCE_MAX = 8
/** Of frequencies by their binary logarithm. */
const CLASSES = 32

/** At scale 18 three quarters of all that is looked for lies below. */
const CORE_PLACES = 1024
export const ROW_WORDS = CORE_PLACES / 32
/** Fewer members of the core are looked for one by one. */
export const ROW_MEMBERS_MIN = 24
export const FAR_PLACES_FROM = 2 ** 16
const FAR_WORDS = 2

/** Words of the directory. */
export const DIRECTORY_WORDS = 4
export const CORE_END = 1
export const FAR_FIRST = 2
export const ROW_FIRST = 3

export interface SetRunParts {
  readonly arena: Arena
  readonly memory: MemoryBudget
  /** Greater than every number in a set. */
  readonly vertexCount: number
}

interface Runs {
  readonly changes: number
  readonly initial: number
  /** Empty: the sets were not copied. */
  readonly directory: Uint32Array
  readonly members: Uint16Array
  readonly rows: Uint32Array
}

interface Column {
  readonly column: Uint32Array
  /** The set of vertices without one of their own. */
  readonly initial: number
}

export function setRunFunctions(parts: SetRunParts) {
  const { arena, memory } = parts
  const known = new Map<Uint32Array, Runs>()
  const none: Runs = {
    changes: -1,
    initial: 0,
    directory: words32(memory, 0),
    members: words16(memory, 0),
    rows: words32(memory, 0),
  }
  /** Of all columns, since the sets of one are compared with those of another. */
  let places = words32(memory, 0)
  const copied = (column: Column): Runs => {
    if (!memory.hasRoom(bytesOfCopyMax(parts, column, places.length === 0))) return none
    if (places.length === 0) places = givePlaces(parts, column)
    return copyRuns(parts, column, places)
  }
  const runsOf = (column: Uint32Array, initial: number, sources: number): Runs => {
    const last = known.get(column)
    if (last?.changes === arena.setChanges && last.initial === initial) return last
    if (last !== undefined) {
      for (const { byteLength } of [last.directory, last.members, last.rows]) {
        memory.give(byteLength)
      }
      known.delete(column)
    }
    if (sources * VERTICES_PER_SOURCE_MAX < column.length) return none
    const runs = copied({ column, initial })
    if (runs !== none) known.set(column, runs)
    return runs
  }
  return {
    /** `initial`: the set of vertices without one of their own. */
    runDirectory: (column: Uint32Array, initial: number, sources: number): Uint32Array =>
      runsOf(column, initial, sources).directory,
    runMembers: (column: Uint32Array): Uint16Array => (known.get(column) ?? none).members,
    runRows: (column: Uint32Array): Uint32Array => (known.get(column) ?? none).rows,
  }
}

function words32(memory: MemoryBudget, count: number): Uint32Array {
  return new Uint32Array(memory.buffer(count * Uint32Array.BYTES_PER_ELEMENT))
}

function words16(memory: MemoryBudget, count: number): Uint16Array {
  return new Uint16Array(memory.buffer(count * Uint16Array.BYTES_PER_ELEMENT))
}

function bytesOfCopyMax(parts: SetRunParts, column: Column, withPlaces: boolean): number {
  const { cells } = parts.arena
  const vertices = column.column.length
  let count = 0
  for (let vertex = 0; vertex < vertices; vertex++) {
    count += cells[blockOf(column, vertex) + COUNT]!
  }
  const perMember = parts.vertexCount < FAR_PLACES_FROM ? 1 : FAR_WORDS
  const rows = 1 + Math.min(vertices, Math.floor(count / ROW_MEMBERS_MIN))
  const words = (vertices + 1) * DIRECTORY_WORDS + rows * ROW_WORDS
  const placeWords = withPlaces ? (parts.vertexCount + 1) * 2 : 0
  return (
    (words + placeWords) * Uint32Array.BYTES_PER_ELEMENT +
    count * perMember * Uint16Array.BYTES_PER_ELEMENT
  )
}

/**
 * A counting sort of the vertices by classes of how many sets they are in, the most first. By vertex
 * plus one (-1 is the unknown vertex), from 1; 0 for the unknown one.
 */
function givePlaces({ arena, memory, vertexCount }: SetRunParts, column: Column): Uint32Array {
  const { cells, words } = arena
  const frequencies = words32(memory, vertexCount + 1)
  for (let vertex = 0; vertex < column.column.length; vertex++) {
    const block = blockOf(column, vertex)
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const end = start + cells[block + COUNT]!
    for (let at = start; at < end; at++) frequencies[words[at]! + 1]!++
  }
  /** By the leading zeros of a frequency, 32 of them for none: what comes before, then what is next. */
  const next = new Uint32Array(CLASSES + 2)
  next[0] = 1
  for (let at = 1; at <= vertexCount; at++) next[Math.clz32(frequencies[at]!) + 1]!++
  for (let zeros = 1; zeros <= CLASSES; zeros++) next[zeros]! += next[zeros - 1]!
  const places = words32(memory, vertexCount + 1)
  for (let at = 1; at <= vertexCount; at++) places[at] = next[Math.clz32(frequencies[at]!)]!++
  memory.give(frequencies.byteLength)
  return places
}

function copyRuns({ arena, memory }: SetRunParts, column: Column, places: Uint32Array): Runs {
  const vertices = column.column.length
  const directory = words32(memory, (vertices + 1) * DIRECTORY_WORDS)
  const { memberWords, rowWords } = layOut(arena, { column, places, directory })
  const members = words16(memory, memberWords)
  const rows = words32(memory, rowWords)
  const { cells, words } = arena
  for (let vertex = 0; vertex < vertices; vertex++) {
    const block = blockOf(column, vertex)
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const end = start + cells[block + COUNT]!
    const entry = vertex * DIRECTORY_WORDS
    const row = directory[entry + ROW_FIRST]!
    let nextCore = directory[entry]!
    let nextNear = directory[entry + CORE_END]!
    let nextFar = directory[entry + FAR_FIRST]!
    for (let at = start; at < end; at++) {
      const place = places[words[at]! + 1]!
      if (place < CORE_PLACES) {
        members[nextCore++] = place
        if (row > 0) rows[row + (place >>> 5)]! |= 1 << (place & 31)
      } else if (place < FAR_PLACES_FROM) members[nextNear++] = place
      else {
        members[nextFar++] = place >>> 16
        members[nextFar++] = place & 0xffff
      }
    }
  }
  return { changes: arena.setChanges, initial: column.initial, directory, members, rows }
}

interface Laying {
  readonly column: Column
  readonly places: Uint32Array
  readonly directory: Uint32Array
}

/** Writes the directory. @returns how many words there will be */
function layOut({ cells, words }: Arena, { column, places, directory }: Laying) {
  const vertices = column.column.length
  let next = 0
  let nextRow = ROW_WORDS
  for (let vertex = 0; vertex < vertices; vertex++) {
    const block = blockOf(column, vertex)
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const count = cells[block + COUNT]!
    let core = 0
    let far = 0
    for (let at = start; at < start + count; at++) {
      const place = places[words[at]! + 1]!
      if (place < CORE_PLACES) core++
      else if (place >= FAR_PLACES_FROM) far++
    }
    const entry = vertex * DIRECTORY_WORDS
    directory[entry] = next
    directory[entry + CORE_END] = next + core
    directory[entry + FAR_FIRST] = next + count - far
    next += count - far + far * FAR_WORDS
    if (core >= ROW_MEMBERS_MIN) {
      directory[entry + ROW_FIRST] = nextRow
      nextRow += ROW_WORDS
    }
  }
  directory[vertices * DIRECTORY_WORDS] = next
  return { memberWords: next, rowWords: nextRow }
}

function blockOf({ column, initial }: Column, vertex: number): number {
  return column[vertex]! || initial
}

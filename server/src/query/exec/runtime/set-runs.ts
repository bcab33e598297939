/**
 * The sets of a column of vertex sets one behind the other, in the order of the vertices: what reads
 * many of them meets few pages of memory, as the adjacency of a graph does. Made when a SELECT with
 * many sources counts in them, and kept until a set changes.
 *
 * Members stand there as *places*: numbers that are given out anew, the smallest to the vertices that
 * are in most sets. Marks by place are read again and again in few lines of the cache (measured at 4M
 * edges: two thirds of the time of marks by vertex).
 */
import type { Arena } from './arena.ts'
import { COUNT, DATA } from './block.ts'
import type { MemoryBudget } from './memory.ts'
import { WORDS_PER_CELL } from './vertex-collection.ts'

/** Fewer sources than one of so many vertices do not pay for a copy. */
const VERTICES_PER_SOURCE_MAX = 8
/** Of frequencies by their binary logarithm. */
const CLASSES = 32

interface Runs {
  readonly changes: number
  readonly initial: number
  /** By vertex, and one more: where its members begin. Empty: the sets were not copied. */
  readonly starts: Uint32Array
  readonly members: Int32Array
}

export interface SetRunParts {
  readonly arena: Arena
  readonly memory: MemoryBudget
  /** Greater than every number in a set. */
  readonly vertexCount: number
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
    starts: new Uint32Array(memory.buffer(0)),
    members: new Int32Array(memory.buffer(0)),
  }
  /** Of all columns, since the sets of one are compared with those of another. */
  let places = new Int32Array(memory.buffer(0))
  const copied = (column: Column): Runs => {
    const bytes = bytesOfCopy(parts, column, places.length === 0)
    if (!memory.hasRoom(bytes)) return none
    if (places.length === 0) places = givePlaces(parts, column)
    return copyRuns(parts, column, places)
  }
  const runsOf = (column: Uint32Array, initial: number, sources: number): Runs => {
    const last = known.get(column)
    if (last?.changes === arena.setChanges && last.initial === initial) return last
    if (last !== undefined) {
      memory.give(last.starts.byteLength + last.members.byteLength)
      known.delete(column)
    }
    if (sources * VERTICES_PER_SOURCE_MAX < column.length) return none
    const runs = copied({ column, initial })
    if (runs !== none) known.set(column, runs)
    return runs
  }
  return {
    /** `initial`: the set of vertices without one of their own. */
    runStarts: (column: Uint32Array, initial: number, sources: number): Uint32Array =>
      runsOf(column, initial, sources).starts,
    runMembers: (column: Uint32Array): Int32Array => (known.get(column) ?? none).members,
    /** By vertex plus one (-1 is the unknown vertex), from 1; 0 for the unknown one. */
    runPlaces: (): Int32Array => places,
  }
}

function bytesOfCopy({ arena, vertexCount }: SetRunParts, column: Column, withPlaces: boolean) {
  let count = column.column.length + 1
  eachSet(column, (block) => {
    count += arena.cells[block + COUNT]!
  })
  return (withPlaces ? count + (vertexCount + 1) * 2 : count) * Int32Array.BYTES_PER_ELEMENT
}

/** A counting sort of the vertices by classes of how many sets they are in, the most first. */
function givePlaces({ arena, memory, vertexCount }: SetRunParts, column: Column) {
  const { cells, words } = arena
  const bytes = (vertexCount + 1) * Int32Array.BYTES_PER_ELEMENT
  const frequencies = new Int32Array(memory.buffer(bytes))
  eachSet(column, (block) => {
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const end = start + cells[block + COUNT]!
    for (let at = start; at < end; at++) frequencies[words[at]! + 1]!++
  })
  /** By the leading zeros of a frequency, 32 of them for none: what comes before, then what is next. */
  const next = new Uint32Array(CLASSES + 2)
  next[0] = 1
  for (let at = 1; at <= vertexCount; at++) next[Math.clz32(frequencies[at]!) + 1]!++
  for (let zeros = 1; zeros <= CLASSES; zeros++) next[zeros]! += next[zeros - 1]!
  const places = new Int32Array(memory.buffer(bytes))
  for (let at = 1; at <= vertexCount; at++) places[at] = next[Math.clz32(frequencies[at]!)]!++
  memory.give(bytes)
  return places
}

function copyRuns({ arena, memory }: SetRunParts, column: Column, places: Int32Array): Runs {
  const { cells, words, setChanges } = arena
  const startsBytes = (column.column.length + 1) * Uint32Array.BYTES_PER_ELEMENT
  let count = 0
  eachSet(column, (block) => {
    count += cells[block + COUNT]!
  })
  const starts = new Uint32Array(memory.buffer(startsBytes))
  const members = new Int32Array(memory.buffer(count * Int32Array.BYTES_PER_ELEMENT))
  let next = 0
  eachSet(column, (block, vertex) => {
    starts[vertex] = next
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const end = start + cells[block + COUNT]!
    for (let at = start; at < end; at++) members[next++] = places[words[at]! + 1]!
  })
  starts[column.column.length] = next
  return { changes: setChanges, initial: column.initial, starts, members }
}

function eachSet({ column, initial }: Column, visit: (block: number, vertex: number) => void) {
  for (let vertex = 0; vertex < column.length; vertex++) visit(column[vertex]! || initial, vertex)
}

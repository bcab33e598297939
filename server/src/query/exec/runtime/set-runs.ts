/**
 * The sets of a column of vertex sets one behind the other, in the order of the vertices: what reads
 * many of them meets few pages of memory, as the adjacency of a graph does. Made when a SELECT with
 * many sources counts in them, and kept until a set changes.
 */
import type { Arena } from './arena.ts'
import { COUNT, DATA } from './block.ts'
import type { MemoryBudget } from './memory.ts'
import { WORDS_PER_CELL } from './vertex-collection.ts'

/** Fewer sources than one of so many vertices do not pay for a copy. */
const VERTICES_PER_SOURCE_MAX = 8

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
}

export function setRunFunctions({ arena, memory }: SetRunParts) {
  const known = new Map<Uint32Array, Runs>()
  const none: Runs = {
    changes: -1,
    initial: 0,
    starts: new Uint32Array(memory.buffer(0)),
    members: new Int32Array(memory.buffer(0)),
  }
  const runsOf = (column: Uint32Array, initial: number, sources: number): Runs => {
    const last = known.get(column)
    if (last?.changes === arena.setChanges && last.initial === initial) return last
    if (last !== undefined) {
      memory.give(last.starts.byteLength + last.members.byteLength)
      known.delete(column)
    }
    if (sources * VERTICES_PER_SOURCE_MAX < column.length) return none
    const runs = copyRuns(arena, memory, { column, initial })
    if (runs === null) return none
    known.set(column, runs)
    return runs
  }
  return {
    /** `initial`: the set of vertices without one of their own. */
    runStarts: (column: Uint32Array, initial: number, sources: number): Uint32Array =>
      runsOf(column, initial, sources).starts,
    runMembers: (column: Uint32Array): Int32Array => (known.get(column) ?? none).members,
  }
}

/** Null: there is no memory for a copy. */
function copyRuns(
  arena: Arena,
  memory: MemoryBudget,
  { column, initial }: { readonly column: Uint32Array; readonly initial: number },
): Runs | null {
  const { cells, words, setChanges } = arena
  const startsBytes = (column.length + 1) * Uint32Array.BYTES_PER_ELEMENT
  let count = 0
  for (let v = 0; v < column.length; v++) count += cells[(column[v]! || initial) + COUNT]!
  if (!memory.hasRoom(startsBytes + count * Int32Array.BYTES_PER_ELEMENT)) return null
  const starts = new Uint32Array(memory.buffer(startsBytes))
  const members = new Int32Array(memory.buffer(count * Int32Array.BYTES_PER_ELEMENT))
  let next = 0
  for (let v = 0; v < column.length; v++) {
    starts[v] = next
    const block = column[v]! || initial
    const start = cells[block + DATA]! * WORDS_PER_CELL
    const end = start + cells[block + COUNT]!
    for (let at = start; at < end; at++) members[next++] = words[at]!
  }
  starts[column.length] = next
  return { changes: setChanges, initial, starts, members }
}

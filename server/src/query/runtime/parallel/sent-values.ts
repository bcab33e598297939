/** Arrays that sources write what they send into; kept for the run, for fresh pages cost more than the values. */
import { lowerBound } from '#graph/adjacency/read.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { VertexLayout } from '../graph/layout.ts'

/** Fewer sources than one of so many vertices fold one by one. */
const VERTICES_PER_SOURCE_MAX = 64
const BYTES_PER_VALUE = 12
const BYTES_PER_SOURCE = 8

/** By place of an edge: vertices and values; by source: where its own begin, and how many they are. */
type Sent = readonly [
  vertices: Int32Array,
  values: Float64Array,
  starts: Int32Array,
  counts: Int32Array,
]

/** The ends of the edges as the targets have them, and how many of both there are. */
type Targets = readonly [offsets: Uint32Array, rowCount: number, edgeCount: number, typeId: number]

export function sentFunctions(layout: VertexLayout, memory: MemoryBudget) {
  const spare: Sent[] = []
  const rowsOf = (typeId: number) => layout.tableOfType(typeId).rowCount
  const fits = (sent: Sent, typeId: number, room: number) =>
    sent[0].length === room && sent[2].length === rowsOf(typeId)
  const hasRoom = (typeId: number, room: number, folds: number): boolean => {
    const known = spare.filter((sent) => fits(sent, typeId, room)).length
    const bytes = room * BYTES_PER_VALUE + rowsOf(typeId) * BYTES_PER_SOURCE
    return memory.hasRoom(Math.max(0, folds - known) * bytes)
  }
  const dropOthers = (typeId: number, room: number): void => {
    for (const sent of spare.splice(0)) {
      if (fits(sent, typeId, room)) spare.push(sent)
      else for (const array of sent) memory.give(array.byteLength)
    }
  }
  return {
    /** Whether there are sources (null: all) enough, and memory for so many values of each fold. */
    sends: (
      rows: Uint32Array | null,
      ...[typeId, room, folds]: readonly [number, number, number]
    ): boolean => {
      const areMany = rows === null || rows.length * VERTICES_PER_SOURCE_MAX >= rowsOf(typeId)
      if (!areMany || room >= 2 ** 31) return false
      if (!hasRoom(typeId, room, folds)) dropOthers(typeId, room)
      return hasRoom(typeId, room, folds)
    },
    takeSent: (typeId: number, room: number): Sent => {
      const at = spare.findIndex((sent) => fits(sent, typeId, room))
      if (at >= 0) return spare.splice(at, 1)[0]!
      const words = (length: number) => new Int32Array(memory.buffer(length * 4))
      const values = new Float64Array(memory.buffer(room * 8))
      return [words(room), values, words(rowsOf(typeId)), words(rowsOf(typeId))]
    },
    giveSent: (sent: Sent): void => {
      spare.push(sent)
    },
    /**
     * The vertices of a type in so many ranges that about as many edges lead to each as to any
     * other: the first vertex of each, and in the end what is above all.
     */
    /** As `rangesOf`, by row: the last bound is how many there are. */
    rowRangesOf: ([offsets, rowCount, edgeCount, typeId]: Targets, ranges: number): number[] => [
      ...Array.from({ length: ranges }, (_, i) =>
        lowerBound(offsets, 0, rowCount, Math.ceil((edgeCount * i) / ranges)),
      ),
      rowsOf(typeId),
    ],
    rangesOf: ([offsets, rowCount, edgeCount, typeId]: Targets, ranges: number): number[] => {
      const base = layout.baseOfType(typeId)
      const bounds = Array.from(
        { length: ranges },
        (_, i) => base + lowerBound(offsets, 0, rowCount, Math.ceil((edgeCount * i) / ranges)),
      )
      return [...bounds, layout.total]
    },
  }
}

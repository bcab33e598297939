/** The adjacency that takes the place of a merged one: its rows, the old one's strings, no delta. */
import { Adjacency } from '../adjacency/adjacency.ts'
import { Column, type Memory } from '../columns/column.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import type { CapturedEdges } from './capture.ts'

export function makeNextAdjacency(edges: CapturedEdges, memory: Memory): Adjacency {
  const { adjacency, table, view } = edges
  const merged = edges.merged!
  const columns = adjacency.columns.map((column, index) => {
    const next = new Column(column.attribute, column.tuples, memory, {
      storage: view.columns[index]!.storage,
      data: merged.columns[index] as ArrayOfKind[keyof ArrayOfKind],
      heap: null,
      successorOf: column,
    })
    next.sharesStrings = true
    return next
  })
  return new Adjacency(table.type, adjacency, memory, { base: merged.base, columns })
}

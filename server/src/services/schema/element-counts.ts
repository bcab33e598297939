/** Live elements per type, from the engine's own counters. */
import type { GraphView } from '#graph/view.ts'
import type { ElementCounts } from './impact-parts.ts'

export function elementCounts(view: GraphView): ElementCounts {
  return {
    vertices: (typeId) =>
      view.vertexTables.find((table) => table.typeId === typeId)?.liveCount ?? 0,
    edges: (typeId) =>
      (view.edgeTables.find((table) => table.typeId === typeId)?.adjacencies ?? []).reduce(
        (sum, adjacency) => sum + adjacency.liveCount,
        0,
      ),
  }
}

export function elementTotals(view: GraphView): { vertices: number; edges: number } {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    vertices: sum(view.vertexTables.map((table) => table.liveCount)),
    edges: sum(view.edgeTables.flatMap((table) => table.adjacencies.map((one) => one.liveCount))),
  }
}

/** Live elements per type, from the engine's own counters. */
import type { GraphView } from '#graph/view.ts'
import type { ElementCounts } from './impact.ts'

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

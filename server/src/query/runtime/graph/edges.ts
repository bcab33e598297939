/**
 * EDGE values. A handle is `adjacency × 2^34 + row × 4 + flags`, below 2^53: flag 1, an undirected
 * edge met from its stored target; flag 2, walked under the reverse type's name.
 */

import { incidentDegree, inDegree, outDegree, sourceOf, targetOf } from '#graph/adjacency/read.ts'
import type { AdjacencyView, EdgeTableView, GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import type { VertexLayout } from './layout.ts'
import type { PairIds } from './physical.ts'

const HANDLES_PER_ADJACENCY = 2 ** 34

export interface ResolvedEdge {
  readonly table: EdgeTableView
  readonly adjacency: AdjacencyView
  readonly row: number
  readonly against: boolean
  readonly reversed: boolean
}

export type DegreeReader = (vertex: number) => number

export class EdgeHandles {
  /** Whether a virtual edge has been deleted since; null: the view has none. */
  isGone: ((adjacency: AdjacencyView, row: number) => boolean) | null = null
  private readonly places: { table: EdgeTableView; adjacency: AdjacencyView }[] = []
  private readonly layout: VertexLayout

  constructor(view: GraphView, layout: VertexLayout) {
    this.layout = layout
    for (const table of view.edgeTables) {
      for (const adjacency of table.adjacencies) this.places.push({ table, adjacency })
    }
  }

  /** The handle of row 0 without flags. */
  firstHandle(edgeTypeId: number, pair: PairIds): number {
    const index = this.places.findIndex(
      ({ table, adjacency }) =>
        table.typeId === edgeTypeId &&
        adjacency.fromTypeId === pair.fromTypeId &&
        adjacency.toTypeId === pair.toTypeId,
    )
    return index * HANDLES_PER_ADJACENCY
  }

  /** Null: no edge, or one that is gone, which is the same. */
  resolve(handle: number): ResolvedEdge | null {
    if (handle < 0) return null
    const place = this.places[Math.floor(handle / HANDLES_PER_ADJACENCY)]
    assert(place !== undefined, 'an edge handle without an adjacency')
    const rest = handle % HANDLES_PER_ADJACENCY
    const flags = rest % 4
    const row = Math.floor(rest / 4)
    if (this.isGone?.(place.adjacency, row)) return null
    return {
      ...place,
      row,
      against: (flags & 1) === 1,
      reversed: (flags & 2) === 2,
    }
  }

  /** Ends as the value shows them: turned for flags that say so. */
  ends(edge: ResolvedEdge): { readonly from: number; readonly to: number } {
    const { from, to } = this.storedEnds(edge)
    return edge.against !== edge.reversed ? { from: to, to: from } : { from, to }
  }

  /** Ends as the edge is stored. */
  storedEnds({ adjacency, row }: ResolvedEdge): { readonly from: number; readonly to: number } {
    return {
      from: this.layout.baseOfType(adjacency.fromTypeId) + sourceOf(adjacency, row),
      to: this.layout.baseOfType(adjacency.toTypeId) + targetOf(adjacency, row),
    }
  }

  typeName(edge: ResolvedEdge): string {
    return edge.reversed ? (edge.table.reverseName ?? edge.table.typeName) : edge.table.typeName
  }

  /** Degrees of vertices whose type is only known when it runs. */
  degreeReader(steps: readonly BoundStep[]): DegreeReader {
    const readers = steps.map((step) => this.stepReader(step))
    return (vertex) => {
      if (vertex < 0) return 0
      const typeId = this.layout.tableOf(vertex).typeId
      const row = this.layout.rowOf(vertex)
      return readers.reduce((sum, read) => sum + read(typeId, row), 0)
    }
  }

  private stepReader(step: BoundStep): (typeId: number, row: number) => number {
    const place = this.places.find(
      ({ table, adjacency }) =>
        table.typeId === step.edgeTypeId &&
        adjacency.fromTypeId === step.pair.fromTypeId &&
        adjacency.toTypeId === step.pair.toTypeId,
    )
    if (place === undefined) return () => 0
    const { table, adjacency } = place
    return (typeId, row) => {
      if (typeId !== step.fromTypeId) return 0
      if (step.direction === 'out') return outDegree(adjacency, row)
      if (step.direction === 'in') return inDegree(adjacency, row)
      return incidentDegree({ ...table, adjacencies: [adjacency] }, { typeId, row })
    }
  }
}

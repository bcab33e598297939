/** `neighbors()` and its kin: a walk over the edges of one vertex into a bag. */
import { forEachIn, forEachOut } from '#graph/adjacency/read.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { Value } from '../cells/value.ts'
import type { QueryEnv } from '../env.ts'

export interface NeighborSpec {
  readonly steps: readonly BoundStep[]
  readonly value: 'vertex' | 'vertexAttribute' | 'edgeAttribute'
  readonly byType: readonly { readonly typeId: number; readonly attributeId: number }[]
  /** BAG of what is collected. */
  readonly type: ValueType
}

/** What a filter lets through. */
type NeighborTest = (vertex: number, handle: number) => boolean

export type NeighborReader = (vertex: number, test?: NeighborTest) => Value

type See = (vertex: number, handle: number) => void
type Walk = (row: number, see: See) => void

export function neighborReader(env: QueryEnv, spec: NeighborSpec, wide: boolean): NeighborReader {
  const walks = spec.steps.map((step) => ({ step, walk: walkOf(env, step) }))
  const codec = env.shapes.value(spec.type)
  const readValue = valueReader(env, spec, wide)
  return (vertex, test) => {
    const bag = codec.fresh() as number
    if (vertex < 0) return bag
    const shape = env.shapes.of(bag)
    const { typeId } = env.layout.tableOf(vertex)
    for (const { step, walk } of walks) {
      if (step.fromTypeId !== typeId) continue
      walk(env.layout.rowOf(vertex), (other, handle) => {
        if (test?.(other, handle) !== false) shape.add(bag, readValue(other, handle))
      })
    }
    return bag
  }
}

function valueReader(
  env: QueryEnv,
  { value, byType, type }: NeighborSpec,
  wide: boolean,
): (vertex: number, handle: number) => Value {
  if (value === 'vertex') return (vertex) => vertex
  const element = 'element' in type ? type.element : type
  if (value === 'vertexAttribute') {
    const read = env.attributes.vertexReader(byType, { type: element, wide })
    return (vertex) => read(vertex)
  }
  const read = env.attributes.edgeReader(byType, { type: element, wide })
  return (_vertex, handle) => read(handle)
}

function walkOf({ view, edges, layout }: QueryEnv, step: BoundStep): Walk {
  const { edgeTypeId, pair, direction, toTypeId } = step
  const table = view.edgeTables.find(({ typeId }) => typeId === edgeTypeId)
  const adjacency = table?.adjacencies.find(
    ({ fromTypeId, toTypeId: to }) => fromTypeId === pair.fromTypeId && to === pair.toTypeId,
  )
  if (adjacency === undefined) return () => undefined
  const base = layout.baseOfType(toTypeId)
  const first = edges.firstHandle(edgeTypeId, pair)
  return (row, see) => {
    const meet = (other: number, edge: number): void => see(base + other, first + edge * 4)
    if (direction !== 'in') forEachOut(adjacency, row, meet)
    if (direction === 'out') return
    forEachIn(adjacency, row, (other, edge) => {
      if (direction === 'in' || other !== row) meet(other, edge)
    })
  }
}

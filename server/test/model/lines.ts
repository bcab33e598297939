/**
 * The content of a model as text, in the order in which the engine must show it: vertices of a type
 * as they were made, edges by source, then target, then discriminators.
 */
import type { EdgeType } from '#catalog/types.ts'
import type { Model, ModelEdge } from './model.ts'
import { edgeText, type ModelValue, valuesText } from './values.ts'

export function linesOf(model: Model): string[] {
  const keys = [...model.vertices.keys()]
  const vertices = model.catalog.vertexTypes.flatMap((type) =>
    keys
      .filter((key) => key.startsWith(`${type.name}|`))
      .map((key) => `${key}|${valuesText(type, model.vertices.get(key)!)}`),
  )
  const places = new Map(keys.map((key, place) => [key, place]))
  const edges = [...model.edges.values()]
    .map((edge) => placed(model, edge, places))
    .sort((left, right) => compare(left.order, right.order))
  return [...vertices, ...edges.map(({ edge }) => edgeLine(edge))]
}

function edgeLine({ type, fromType, from, toType, to, row }: ModelEdge): string {
  return edgeText(type, [`${fromType}|${from}`, `${toType}|${to}`], valuesText(type, row))
}

function placed(model: Model, edge: ModelEdge, places: ReadonlyMap<string, number>) {
  const { type, row } = edge
  const ends = [`${edge.fromType}|${edge.from}`, `${edge.toType}|${edge.to}`]
  const [from, to] = ends.map((key) => places.get(key)!) as [number, number]
  const isTurned = !type.directed && edge.fromType === edge.toType && from > to
  const keys = type.attributes
    .slice(0, type.discriminatorCount)
    .map(({ name }) => row.get(name) as ModelValue)
  const order = [
    model.catalog.edgeTypes.indexOf(type),
    pairOf(model, type, edge),
    ...(isTurned ? [to, from] : [from, to]),
    ...keys,
  ]
  return { edge, order }
}

function pairOf({ catalog }: Model, type: EdgeType, edge: ModelEdge): number {
  const idOf = (name: string) => catalog.vertexTypes.find((one) => one.name === name)!.id
  const [from, to] = [idOf(edge.fromType), idOf(edge.toType)]
  return type.pairs.findIndex((pair) => pair.fromTypeId === from && pair.toTypeId === to)
}

function compare(left: readonly ModelValue[], right: readonly ModelValue[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index]!
    if (value !== other) return (value as number) < (other as number) ? -1 : 1
  }
  return 0
}

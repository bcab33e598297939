/** The whole content of a view as the model's lines, read in every way there is to read it, in its order. */
import type { AttributeValue, Catalog, EdgeType } from '#catalog/types.ts'
import {
  forEachIn,
  forEachOut,
  inDegree,
  outDegree,
  sourceOf,
  targetOf,
} from '#graph/adjacency/read.ts'
import { valueAt } from '#graph/columns/read.ts'
import { findRow, idText } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { AdjacencyView, ColumnView, GraphView, VertexTableView } from '#graph/view.ts'
import { edgeText, valuesText } from './values.ts'

/** @throws Error where two ways to read the view do not agree */
export function dump(view: GraphView, catalog: Catalog): string[] {
  const vertices = view.vertexTables.flatMap((table) => vertexLines(table, catalog))
  const edges = view.edgeTables.flatMap((table) => {
    const type = catalog.edgeTypes.find(({ id }) => id === table.typeId)!
    return table.adjacencies.flatMap((adjacency) => edgeLines(view, type, adjacency))
  })
  return [...vertices, ...edges]
}

function vertexLines(table: VertexTableView, catalog: Catalog): string[] {
  const type = catalog.vertexTypes.find(({ id }) => id === table.typeId)!
  const lines: string[] = []
  for (let row = 0; row < table.rowCount; row++) {
    const id = idText(table.ids, row)
    const isDeleted = isSet(table.deleted, row)
    const found = findRow(table, id)
    if (isDeleted ? found === row : found !== row) throw new Error(`row of ${type.name} ${id}`)
    if (!isDeleted) lines.push(`${type.name}|${id}|${valuesText(type, rowOf(table.columns, row))}`)
  }
  same(lines.length, table.liveCount, `live count of ${type.name}`)
  return lines
}

function edgeLines(view: GraphView, type: EdgeType, adjacency: AdjacencyView): string[] {
  const from = view.vertexTables.find(({ typeId }) => typeId === adjacency.fromTypeId)!
  const to = view.vertexTables.find(({ typeId }) => typeId === adjacency.toTypeId)!
  const line = (source: number, target: number, edge: number): string => {
    same(sourceOf(adjacency, edge), source, `source of ${type.name} ${edge}`)
    same(targetOf(adjacency, edge), target, `target of ${type.name} ${edge}`)
    same(isSet(from.deleted, source) || isSet(to.deleted, target), false, `ends of ${type.name}`)
    const ends = [nameOf(from, source), nameOf(to, target)] as const
    return edgeText(type, ends, valuesText(type, rowOf(adjacency.columns, edge)))
  }
  const forward: string[] = []
  for (let row = 0; row < from.rowCount; row++) {
    const before = forward.length
    forEachOut(adjacency, row, (other, edge) => forward.push(line(row, other, edge)))
    same(outDegree(adjacency, row), forward.length - before, `out-degree in ${type.name}`)
  }
  const backward: string[] = []
  for (let row = 0; row < to.rowCount; row++) {
    const before = backward.length
    forEachIn(adjacency, row, (other, edge) => backward.push(line(other, row, edge)))
    same(inDegree(adjacency, row), backward.length - before, `in-degree in ${type.name}`)
  }
  same(forward.length, adjacency.liveCount, `live count of ${type.name}`)
  same(forward.toSorted().join('\n'), backward.toSorted().join('\n'), `directions of ${type.name}`)
  return forward
}

function nameOf(table: VertexTableView, row: number): string {
  return `${table.typeName}|${idText(table.ids, row)}`
}

function rowOf(columns: readonly ColumnView[], row: number): Map<string, AttributeValue> {
  return new Map(columns.map((column) => [column.name, valueAt(column, row)]))
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} is not ${String(expected)}`)
}

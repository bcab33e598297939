/**
 * What a run read of the elements that it changes: values of attributes, or that there was no such
 * element. They go in front of the changes in the mutation frame, whose commit is refused when they
 * no longer hold (docs/decisions/0122-writes-of-queries.md).
 */
import { forEachBetween } from '#graph/adjacency/read.ts'
import { valueAt } from '#graph/columns/read.ts'
import { writeValue } from '#graph/mutate/frame-values.ts'
import { type EdgeRunType, FrameWriter } from '#graph/mutate/frame-writer.ts'
import { writeRowKey } from '#graph/mutate/row-key.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { AdjacencyView, ColumnView, EdgeTableView, VertexTableView } from '#graph/view.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { EdgeHandles, ResolvedEdge } from '../graph/edges.ts'
import type { VertexLayout } from '../graph/layout.ts'
import type { QueryTypes } from '../graph/query-types.ts'
import { tuplesOf } from './exporter.ts'
import { FrameRuns } from './frame-runs.ts'

export interface ExpectationParts {
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly memory: MemoryBudget
  readonly types: QueryTypes
}

/** An end of an edge by its table and external id. */
export interface EdgeEnd {
  readonly table: VertexTableView
  readonly id: string
}

/** An edge that is to be inserted. */
export interface NewEdge {
  readonly table: EdgeTableView
  readonly adjacency: AdjacencyView
  /** As the adjacency stores them. */
  readonly ends: readonly [EdgeEnd, EdgeEnd]
  /** Writes the keys of both ends. */
  writeEnds(writer: FrameWriter): void
  /** Writes the discriminator's values as a frame has them. */
  writeDiscriminator(writer: FrameWriter): void
}

export class Expectations {
  readonly #parts: ExpectationParts
  readonly #runs: FrameRuns
  /** One bit for each vertex of the layout: its values are written. */
  #writtenVertices: Uint32Array | null = null
  /** The edge written last: several statements of one row change the same one. */
  #lastEdge: { readonly adjacency: AdjacencyView; readonly row: number } | null = null

  constructor(parts: ExpectationParts) {
    this.#parts = parts
    this.#runs = new FrameRuns(parts.memory)
  }

  /** Null: there are none. */
  get writer(): FrameWriter | null {
    return this.#runs.writer
  }

  vertex(table: VertexTableView, row: number): void {
    const columns = this.#columnsRead(table.typeId, table.columns)
    if (columns.length === 0) return
    if (!this.#marks(this.#parts.layout.baseOfType(table.typeId) + row)) return
    const ids = columns.map(({ attributeId }) => attributeId)
    const writer = this.#runs.open(`vertices ${table.typeId}`, (frame) =>
      frame.beginVertexExpectations(table.typeId, ids),
    )
    writeRowKey(writer, table.ids, row)
    for (const column of columns) writeColumn(writer, column, row)
    this.#runs.end(writer)
  }

  /** A vertex that is to be inserted. @param writeKey writes its key */
  insertedVertex(
    table: VertexTableView,
    id: string,
    writeKey: (writer: FrameWriter) => void,
  ): void {
    if (!this.#parts.types.reads.typeIds.has(table.typeId)) return
    const row = findVertex(table, id)
    if (row >= 0) {
      this.vertex(table, row)
      return
    }
    const writer = this.#runs.open(`no vertices ${table.typeId}`, (frame) =>
      frame.beginAbsentVertices(table.typeId),
    )
    writeKey(writer)
    this.#runs.end(writer)
  }

  edge(edge: ResolvedEdge): void {
    const { table, adjacency, row } = edge
    const { layout, edges } = this.#parts
    const own = this.#discriminators(table, adjacency)
    const read = this.#columnsRead(table.typeId, adjacency.columns).filter(
      (column) => !own.includes(column),
    )
    const last = this.#lastEdge
    if (read.length === 0 || (last?.adjacency === adjacency && last.row === row)) return
    this.#lastEdge = { adjacency, row }
    const type = runTypeOf(table, adjacency)
    const columns = [...own, ...read]
    const ids = columns.map(({ attributeId }) => attributeId)
    const writer = this.#runs.open(`edges ${JSON.stringify(type)}`, (frame) =>
      frame.beginEdgeExpectations(type, ids),
    )
    const { from, to } = edges.storedEnds(edge)
    writeRowKey(writer, layout.tableOf(from).ids, layout.rowOf(from))
    writeRowKey(writer, layout.tableOf(to).ids, layout.rowOf(to))
    for (const column of columns) writeColumn(writer, column, row)
    this.#runs.end(writer)
  }

  insertedEdge(given: NewEdge): void {
    const { table, adjacency } = given
    if (!this.#parts.types.reads.typeIds.has(table.typeId)) return
    const row = this.#rowOf(given)
    if (row >= 0) {
      this.edge({ table, adjacency, row, against: false, reversed: false })
      return
    }
    const type = runTypeOf(table, adjacency)
    const ids = this.#discriminators(table, adjacency).map(({ attributeId }) => attributeId)
    const writer = this.#runs.open(`no edges ${JSON.stringify(type)}`, (frame) =>
      frame.beginAbsentEdges(type, ids),
    )
    given.writeEnds(writer)
    given.writeDiscriminator(writer)
    this.#runs.end(writer)
  }

  /** The row of the edge that there is already, or -1. */
  #rowOf({ table, adjacency, ends, writeDiscriminator }: NewEdge): number {
    const rows = ends.map((end) => findVertex(end.table, end.id))
    const [first, second] = [rows[0]!, rows[1]!]
    if (first < 0 || second < 0) return -1
    const isSymmetric = !table.directed && adjacency.fromTypeId === adjacency.toTypeId
    const isSwapped = isSymmetric && first > second
    const pair = { source: isSwapped ? second : first, target: isSwapped ? first : second }
    const own = this.#discriminators(table, adjacency)
    const wanted = written(writeDiscriminator)
    let found = -1
    forEachBetween(adjacency, pair, (row) => {
      const key = written((writer) => {
        for (const column of own) writeColumn(writer, column, row)
      })
      if (Buffer.compare(key, wanted) === 0) found = row
    })
    return found
  }

  #discriminators(table: EdgeTableView, adjacency: AdjacencyView): readonly ColumnView[] {
    const count = this.#parts.types.discriminators.get(table.typeId) ?? 0
    return adjacency.columns.slice(0, count)
  }

  /** Vectors are left out: a search reads them all, and none is computed from itself. */
  #columnsRead(typeId: number, columns: readonly ColumnView[]): readonly ColumnView[] {
    const ids = this.#parts.types.reads.attributes.get(typeId)
    if (ids === undefined) return []
    return columns.filter(
      ({ attributeId, type }) => ids.includes(attributeId) && type.kind !== 'VECTOR',
    )
  }

  /** @returns whether the vertex had no mark yet */
  #marks(vertex: number): boolean {
    const { layout, memory } = this.#parts
    this.#writtenVertices ??= new Uint32Array(memory.buffer(layout.total / 8))
    const words = this.#writtenVertices
    const bit = 1 << (vertex & 31)
    if ((words[vertex >>> 5]! & bit) !== 0) return false
    words[vertex >>> 5]! |= bit
    return true
  }
}

export function runTypeOf(
  { typeId }: EdgeTableView,
  { fromTypeId, toTypeId }: AdjacencyView,
): EdgeRunType {
  return { edgeTypeId: typeId, fromTypeId, toTypeId }
}

function writeColumn(writer: FrameWriter, column: ColumnView, row: number): void {
  writeValue(writer, column.type, valueAt(column, row), tuplesOf(column))
}

/** The bytes that a function writes. */
function written(write: (writer: FrameWriter) => void): Uint8Array {
  const writer = new FrameWriter(0, 256)
  const start = writer.used
  write(writer)
  return writer.bytes.slice(start, writer.used)
}

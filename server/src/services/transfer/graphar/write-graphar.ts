/**
 * A graph in the layout of Apache GraphAr (docs/formats/graphar.md), straight from the columns of a
 * pinned view, on the thread of exports. Data first, then the file that names it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { forEachOut } from '#graph/adjacency/read.ts'
import { columnOf } from '#graph/columns/read.ts'
import { isSet, noBits } from '#graph/memory/bits.ts'
import type { AdjacencyView, ColumnView, GraphView, VertexTableView } from '#graph/view.ts'
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '#storage/files/contained.ts'
import { ChunkedTable, type ChunkedTableOptions, type ChunkFile } from './chunked-table.ts'
import {
  ADJACENCY_PREFIX,
  edgeInformation,
  graphInformation,
  PROPERTIES_PREFIX,
  vertexInformation,
} from './information.ts'
import { LiveNumbers } from './live-numbers.ts'
import type {
  ChunkSizes,
  GraphArPlan,
  PlannedAttribute,
  PlannedEdges,
  PlannedVertices,
} from './plan.ts'
import {
  attributeProperty,
  idProperty,
  type LiveRows,
  type Property,
  smallIntegers,
} from './property.ts'

export type Part = 'properties' | 'adjacency' | 'offsets'

export interface WrittenChunk extends ChunkFile {
  readonly kind: 'vertices' | 'edges'
  readonly type: string
  readonly part: Part
}

export function writeGraphAr(
  view: GraphView,
  plan: GraphArPlan,
  directory: string,
): readonly WrittenChunk[] {
  const graph = new GraphArWriter(view, plan.chunks, directory)
  for (const vertices of plan.vertices) graph.writeVertices(vertices)
  for (const edges of plan.edges) graph.writeEdges(edges)
  graph.putText(`${plan.graph}.graph.yml`, graphInformation(plan))
  return graph.written
}

class GraphArWriter {
  readonly written: WrittenChunk[] = []
  readonly #view: GraphView
  readonly #chunks: ChunkSizes
  readonly #directory: string
  readonly #numbers = new Map<number, LiveNumbers>()

  constructor(view: GraphView, chunks: ChunkSizes, directory: string) {
    this.#view = view
    this.#chunks = chunks
    this.#directory = directory
  }

  writeVertices(vertices: PlannedVertices): void {
    const { prefix, typeId, informationFile } = vertices
    const table = this.#view.vertexTables.find((one) => one.typeId === typeId)
    const properties = vertexProperties(vertices, table)
    let number = 0
    const index = smallIntegers('_graphArVertexIndex', () => number)
    const chunks = this.#table(
      vertices,
      'properties',
      [index, ...properties],
      this.#chunks.vertexRows,
    )
    chunks.startPart(`${prefix}${PROPERTIES_PREFIX}`)
    forEachLive(table, (row) => {
      chunks.add(row)
      number++
    })
    chunks.finish()
    this.#putCount(`${prefix}vertex_count`, number)
    this.putText(informationFile, vertexInformation(vertices, properties, this.#chunks))
  }

  writeEdges(edges: PlannedEdges): void {
    const { fromTypeId, toTypeId, informationFile, prefix } = edges
    const tableOf = (typeId: number) => this.#view.vertexTables.find((one) => one.typeId === typeId)
    const [from, to] = [tableOf(fromTypeId), tableOf(toTypeId)]
    const adjacency = adjacencyOf(this.#view, edges)
    const properties = edgeProperties(edges, adjacency)
    const folder = `${prefix}${ADJACENCY_PREFIX}`
    this.#putCount(`${folder}vertex_count`, from?.liveCount ?? 0)
    if (from !== undefined && to !== undefined) {
      const [fromNumbers, toNumbers] = [this.#numbersOf(from), this.#numbersOf(to)]
      this.#writeAdjacency(edges, { folder, from, fromNumbers, toNumbers, adjacency, properties })
    }
    this.putText(informationFile, edgeInformation(edges, properties, this.#chunks))
  }

  #writeAdjacency(edges: PlannedEdges, source: AdjacencySource): void {
    const { folder, from, fromNumbers, toNumbers, adjacency, properties } = source
    const { vertexRows, edgeRows } = this.#chunks
    const place = { source: 0, target: 0 }
    const ends = this.#table(
      edges,
      'adjacency',
      [
        smallIntegers('_graphArSrcIndex', () => place.source),
        smallIntegers('_graphArDstIndex', () => place.target),
      ],
      edgeRows,
    )
    const values = this.#table(edges, 'properties', properties, edgeRows)
    const hasValues = properties.length > 0
    // One more than a chunk has vertices, also in the last: so the libraries of GraphAr write them.
    const offsets = new Int32Array(vertexRows + 1)
    const parts = Math.ceil(fromNumbers.count / vertexRows)
    let row = 0
    for (let part = 0; part < parts; part++) {
      ends.startPart(`${folder}adj_list/part${part}/`)
      values.startPart(`${folder}${PROPERTIES_PREFIX}part${part}/`)
      let [local, count] = [0, 0]
      for (; local < vertexRows && row < from.rowCount; row++) {
        if (isSet(from.deleted, row)) continue
        offsets[local] = count
        place.source = part * vertexRows + local
        if (adjacency !== undefined) {
          forEachOut(adjacency, row, (target, edge) => {
            place.target = toNumbers.of(target)
            ends.add(edge)
            if (hasValues) values.add(edge)
            count++
          })
        }
        local++
      }
      offsets.fill(count, local)
      ends.finish()
      values.finish()
      this.#putCount(`${folder}edge_count${part}`, count)
      this.#putOffsets(edges, `${folder}offset/`, part, offsets)
    }
  }

  #putOffsets(edges: PlannedEdges, folder: string, part: number, offsets: Int32Array): void {
    const column = smallIntegers('_graphArOffset', (index) => offsets[index]!)
    const table = this.#table(edges, 'offsets', [column], offsets.length)
    table.startPart(folder, part)
    for (let index = 0; index < offsets.length; index++) table.add(index)
    table.finish()
  }

  #table(
    { kind, type }: PlannedVertices | PlannedEdges,
    part: Part,
    columns: ChunkedTableOptions['columns'],
    chunkRows: number,
  ): ChunkedTable {
    const wrote = (file: ChunkFile) => void this.written.push({ ...file, kind, type, part })
    return new ChunkedTable({ directory: this.#directory, columns, chunkRows, wrote })
  }

  #numbersOf(table: VertexTableView): LiveNumbers {
    const known = this.#numbers.get(table.typeId)
    if (known !== undefined) return known
    const numbers = new LiveNumbers(table)
    this.#numbers.set(table.typeId, numbers)
    return numbers
  }

  /** A count is eight bytes, the lowest first. */
  #putCount(file: string, count: number): void {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(count), true)
    this.#put(file, bytes)
  }

  putText(file: string, text: string): void {
    this.#put(file, Buffer.from(text))
  }

  #put(file: string, bytes: Uint8Array): void {
    const path = join(this.#directory, file)
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE })
    writeFileSync(path, bytes, { mode: PRIVATE_FILE_MODE, flag: 'wx', flush: true })
  }
}

interface AdjacencySource {
  readonly folder: string
  readonly from: VertexTableView
  readonly fromNumbers: LiveNumbers
  readonly toNumbers: LiveNumbers
  /** Undefined for a pair younger than the view: it has no edges yet. */
  readonly adjacency: AdjacencyView | undefined
  readonly properties: readonly Property[]
}

function vertexProperties(
  { idColumn, attributes }: PlannedVertices,
  table: VertexTableView | undefined,
): readonly Property[] {
  const rows = { count: table?.rowCount ?? 0, deleted: table?.deleted ?? noBits }
  const own = propertiesOf(attributes, table?.columns, rows)
  return idColumn === null ? own : [idProperty(idColumn, table?.ids, rows), ...own]
}

function edgeProperties(
  { attributes }: PlannedEdges,
  adjacency: AdjacencyView | undefined,
): readonly Property[] {
  const count = adjacency === undefined ? 0 : adjacency.baseCount + adjacency.deltaCount
  const rows = { count, deleted: adjacency?.deleted ?? noBits }
  return propertiesOf(attributes, adjacency?.columns, rows)
}

/** What is younger than the view has no values yet. */
function propertiesOf(
  attributes: readonly PlannedAttribute[],
  columns: readonly ColumnView[] | undefined,
  rows: LiveRows,
): readonly Property[] {
  return attributes.flatMap((attribute) => {
    const column = columns === undefined ? null : columnOf(columns, attribute.id)
    return column === undefined ? [] : [attributeProperty(attribute, column, rows)]
  })
}

function forEachLive(table: VertexTableView | undefined, visit: (row: number) => void): void {
  if (table === undefined) return
  for (let row = 0; row < table.rowCount; row++) if (!isSet(table.deleted, row)) visit(row)
}

function adjacencyOf(
  view: GraphView,
  { typeId, fromTypeId, toTypeId }: PlannedEdges,
): AdjacencyView | undefined {
  return view.edgeTables
    .find((one) => one.typeId === typeId)
    ?.adjacencies.find((one) => one.fromTypeId === fromTypeId && one.toTypeId === toTypeId)
}

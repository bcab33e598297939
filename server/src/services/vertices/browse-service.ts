/** Our own reads of vertices: pages with stable cursors, many ids or edges at once, counts, degrees. */
import { edgeTypesOf, requireGraph, requireVertexType, vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog, EdgeType } from '#catalog/types.ts'
import { inDegree, outDegree } from '#graph/adjacency/read.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { Clock } from '#kernel/clock.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import { type EdgeStrip, stripsOf } from '../edges/edge-path.ts'
import { skipsLoops, walkBetween } from '../edges/edge-walk.ts'
import { type EdgeReference, edgesBetween } from '../edges/edges-between.ts'
import { readableVertexType } from '../read/attributes.ts'
import { JsonSink } from '../read/json-sink.ts'
import {
  type AtOnce,
  type ReadEngine,
  type ReadScope,
  type Sliced,
  withScope,
} from '../read/read-scope.ts'
import { type BrowseIndexes, type SearchPlan, searchPlan } from './search-plan.ts'
import { type SimilarRequest, similarVertices } from './similar-ids.ts'
import { vertexWriter } from './vertex-json.ts'
import { type VertexPageRequest, vertexPage } from './vertex-page.ts'
import { tableOf, vertexNotFound } from './vertex-service.ts'

export interface VertexReference {
  readonly type?: string | undefined
  readonly id: string
}

export type Direction = 'out' | 'in' | 'undirected'

export interface DegreeRow {
  readonly edge_type: string
  readonly direction: Direction
  readonly target_type: string
  readonly count: number
}

export interface GraphCounts {
  readonly vertices: readonly { readonly type: string; readonly count: number }[]
  readonly edges: readonly { readonly type: string; readonly count: number }[]
}

export class BrowseService {
  readonly #engine: ReadEngine
  readonly #clock: Clock
  readonly #indexes: BrowseIndexes | null

  /** @param indexes null: every listing looks at all rows */
  constructor(engine: ReadEngine, clock: Clock, indexes: BrowseIndexes | null = null) {
    this.#engine = engine
    this.#clock = clock
    this.#indexes = indexes
  }

  /** The JSON of `{vertices, cursor, index}`. */
  listVertices(graph: string, typeName: string, request: VertexPageRequest): Promise<Uint8Array> {
    return this.#read(graph, (scope, catalog) =>
      vertexPage(scope, requireVertexType(catalog, graph, typeName), {
        ...request,
        indexes: this.#indexes,
      }),
    )
  }

  /** What `listVertices` with that filter would look at. */
  plan(graph: string, typeName: string, filter: string): Promise<SearchPlan> {
    const { engine = null } = this.#indexes ?? {}
    return this.#read(graph, ({ view }, catalog) => {
      const type = requireVertexType(catalog, graph, typeName)
      return { answer: searchPlan(type, tableOf(view, type), { filter, engine }) }
    })
  }

  /** The JSON of `{vertices, complete}`. */
  similar(graph: string, request: SimilarRequest): Promise<Uint8Array> {
    return this.#read(graph, (scope, catalog) =>
      similarVertices(scope, { catalog, graph }, request),
    )
  }

  /** The JSON of `{vertices, missing}`; an id without a type is looked for in all types. */
  readVertices(graph: string, references: readonly VertexReference[]): Promise<Uint8Array> {
    return this.#read(graph, (scope, catalog) => ({
      answer: vertexList(scope, { catalog, graph }, references),
    }))
  }

  /** The JSON of `{edges}`. */
  readEdges(graph: string, references: readonly EdgeReference[]): Promise<Uint8Array> {
    return this.#read(graph, (scope, catalog) =>
      edgesBetween(scope, { catalog, graph }, references),
    )
  }

  counts(graph: string): Promise<GraphCounts> {
    return this.#read(graph, ({ view }, catalog) => {
      const vertices = vertexTypesOf(catalog, graph).map((type) => ({
        type: type.name,
        count: tableOf(view, type).liveCount,
      }))
      const edges = edgeTypesOf(catalog, graph).map(({ id, name }) => {
        const table = view.edgeTables.find(({ typeId }) => typeId === id)
        const pairs = table?.adjacencies ?? []
        return { type: name, count: pairs.reduce((sum, { liveCount }) => sum + liveCount, 0) }
      })
      return { answer: { vertices, edges } }
    })
  }

  /** Zeros are left out. */
  degrees(graph: string, typeName: string, id: string): Promise<readonly DegreeRow[]> {
    return this.#read(graph, (scope, catalog) => {
      const type = requireVertexType(catalog, graph, typeName)
      const row = findVertex(tableOf(scope.view, type), id)
      if (row < 0) throw vertexNotFound('vertex', id, typeName)
      return { answer: degreeRows(scope, { catalog, graph }, { typeId: type.id, row }) }
    })
  }

  #read<T>(
    graph: string,
    read: (scope: ReadScope, catalog: Catalog) => Sliced<T> | AtOnce<T>,
  ): Promise<T> {
    const engine = this.#engine
    return withScope({ engine, clock: this.#clock, limits: {} }, (scope) => {
      requireGraph(engine.catalog, graph)
      return read(scope, engine.catalog)
    })
  }
}

interface Place {
  readonly catalog: Catalog
  readonly graph: string
}

function vertexList(
  scope: ReadScope,
  { catalog, graph }: Place,
  references: readonly VertexReference[],
): Uint8Array {
  const sink = new JsonSink(RESPONSE_SIZE_BYTES_DEFAULT)
  const missing: VertexReference[] = []
  sink.text('{"vertices":[')
  let count = 0
  for (const reference of references) {
    const types =
      reference.type === undefined
        ? vertexTypesOf(catalog, graph)
        : [requireVertexType(catalog, graph, reference.type)]
    const before = count
    for (const type of types) {
      const table = tableOf(scope.view, type)
      const row = findVertex(table, reference.id)
      if (row < 0) continue
      if (count++ > 0) sink.byte(0x2c)
      vertexWriter(table, readableVertexType(type, table).attributes)(sink, row)
    }
    if (count === before) missing.push(reference)
  }
  sink.text(`],"missing":${JSON.stringify(missing)}}`)
  return sink.finish()
}

function degreeRows(
  { view }: ReadScope,
  { catalog, graph }: Place,
  vertex: { readonly typeId: number; readonly row: number },
): DegreeRow[] {
  return edgeTypesOf(catalog, graph).flatMap((type) =>
    directionsOf(type).flatMap((direction) => {
      const named = { name: type.name, type, reversed: direction === 'in' }
      const strips = stripsOf(view, named, 0, { fromTypeId: vertex.typeId, toTypeId: null })
      return [...countsByTarget(strips, vertex.row)]
        .filter(([, count]) => count > 0)
        .map(([target_type, count]) => ({ edge_type: type.name, direction, target_type, count }))
    }),
  )
}

function directionsOf({ directed }: EdgeType): readonly Direction[] {
  return directed ? ['out', 'in'] : ['undirected']
}

function countsByTarget(strips: readonly EdgeStrip[], row: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const strip of strips) {
    const target = strip.other.typeName
    counts.set(target, (counts.get(target) ?? 0) + degreeOf(strip, row))
  }
  return counts
}

/** Live edges of a row along a strip; a loop of an undirected type counts on one side only. */
function degreeOf(strip: EdgeStrip, row: number): number {
  const { adjacency, isBackward } = strip
  const degree = isBackward ? inDegree(adjacency, row) : outDegree(adjacency, row)
  if (!skipsLoops(strip)) return degree
  let loops = 0
  walkBetween({ ...strip, isBackward: false }, row, row, () => {
    loops++
    return true
  })
  return degree - loops
}

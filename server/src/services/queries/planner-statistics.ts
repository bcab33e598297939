/**
 * Statistics that estimates of plans go by (docs/decisions/0033): counts and
 * histograms, measured when somebody asks for it, or counts as given. Kept per graph as a document;
 * what is not kept is counted live. Types are kept by their numbers: one that is dropped and made
 * again under its name has none of the old one's.
 */
import { edgeTypesOf, requireGraph, requireVertexType, vertexTypesOf } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, EdgeType } from '#catalog/types.ts'
import { valueAt } from '#graph/columns/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { BitsView, ColumnView, GraphView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { HISTOGRAM_ROWS_READ_MAX, HISTOGRAM_VALUE_CHARS_MAX } from '#kernel/limits.ts'
import type { Pair, Statistics } from '#query/explain/estimates.ts'
import { type Histogram, type HistogramValue, histogramOf } from '#query/explain/histogram.ts'
import type { Documents } from '#storage/documents.ts'
import { type ReadEngine, type Sliced, withScope } from '../read/read-scope.ts'
import {
  type KeptStatistics,
  pairKey,
  StatisticsDocuments,
  statisticsOf,
} from './statistics-documents.ts'

export interface GivenCounts {
  readonly vertices: readonly { readonly type: string; readonly count: number }[]
  readonly edges: readonly EdgeCount[]
}

interface EdgeCount {
  readonly type: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly count: number
}

/** Of what: a vertex type, or an edge type with its ends; absent: of all. */
export interface ElementNames {
  readonly vertex?: string | undefined
  readonly edge?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AttributeNames extends ElementNames {
  readonly attribute: string
}

/** Absent: every attribute of what is named. */
export interface SomeAttributes extends ElementNames {
  readonly attribute?: string | undefined
}

export interface KeptHistogram {
  readonly element: 'vertex' | 'edge'
  readonly type: string
  readonly attribute: string
  readonly kind: AttributeType['kind']
  readonly histogram: Histogram
}

const measurable = new Set(['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'DATETIME', 'STRING'])

export interface PlannerStatisticsOptions {
  readonly documents: StatisticsDocuments
  readonly engine: ReadEngine
  readonly clock: Clock
}

export class PlannerStatistics {
  readonly #options: PlannerStatisticsOptions

  private constructor(options: PlannerStatisticsOptions) {
    this.#options = options
  }

  static async open(documents: Documents, engine: ReadEngine, clock: Clock) {
    const kept = await StatisticsDocuments.open(documents)
    return new PlannerStatistics({ documents: kept, engine, clock })
  }

  get #catalog(): Catalog {
    return this.#options.engine.catalog
  }

  /** For the estimates of plans. */
  of(graph: string): Statistics {
    return statisticsOf(this.plain(graph))
  }

  /** As data that can be sent to another thread. */
  plain(graph: string): KeptStatistics {
    return this.#options.documents.of(graph)
  }

  /** The counts that estimates go by: kept ones where there are any, live ones elsewhere. */
  counts(graph: string, names: ElementNames = {}): GivenCounts {
    requireGraph(this.#catalog, graph)
    const statistics = this.of(graph)
    return this.#countsOf(graph, names, {
      vertices: (typeId, live) => statistics.vertices(typeId) ?? live,
      edges: (typeId, pair, live) => statistics.edges(typeId, pair) ?? live,
    })
  }

  /** Keeps the present counts. @throws DbError GRAPH_NOT_FOUND, …_TYPE_NOT_FOUND */
  async measureCounts(graph: string, names: ElementNames): Promise<void> {
    const { documents, engine } = this.#options
    requireGraph(this.#catalog, graph)
    if (engine.earlyAnswered !== null) await engine.earlyAnswered
    const live = this.#countsOf(graph, names, {
      vertices: (_typeId, count) => count,
      edges: (_typeId, _pair, count) => count,
    })
    await documents.change(graph, (kept) => ({
      ...kept,
      counts: { ...kept.counts, ...this.#keysOf(graph, live) },
    }))
  }

  /** Keeps counts as given, of types that there are. @throws as `measureCounts` */
  async giveCounts(graph: string, given: GivenCounts): Promise<void> {
    requireGraph(this.#catalog, graph)
    const counts = this.#keysOf(graph, given)
    await this.#options.documents.change(graph, (kept) => ({
      ...kept,
      counts: { ...kept.counts, ...counts },
    }))
  }

  /** From now on live counts are gone by. */
  async dropCounts(graph: string, names: ElementNames): Promise<void> {
    const keys = Object.keys(this.#keysOf(graph, this.counts(graph, names)))
    await this.#options.documents.change(graph, (kept) => ({
      ...kept,
      counts: without(kept.counts, keys),
    }))
  }

  /** Those of the graph that fit the names. */
  histograms(graph: string, names: SomeAttributes): readonly KeptHistogram[] {
    requireGraph(this.#catalog, graph)
    const { histograms } = this.#options.documents.of(graph)
    return this.#attributesOf(graph, names).flatMap(({ key, ...about }): KeptHistogram[] => {
      const histogram = histograms[key]
      return histogram === undefined ? [] : [{ ...about, histogram }]
    })
  }

  /**
   * Reads the attribute's values, of very many rows a part, and keeps their histogram.
   * @throws DbError GRAPH_NOT_FOUND, ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER, QUERY_TIMEOUT, UNAVAILABLE
   */
  async measureHistogram(
    graph: string,
    names: AttributeNames,
    bucketCount: number,
  ): Promise<KeptHistogram> {
    requireGraph(this.#catalog, graph)
    const { documents, engine, clock } = this.#options
    const { key, ...about } = this.#attribute(graph, names)
    const [typeId, attributeId] = key.split('.').map(Number) as [number, number]
    const histogram = await withScope({ engine, clock, limits: {} }, (scope) =>
      measured(columnsOf(scope.view, typeId, attributeId), bucketCount, () => scope.isDue),
    )
    await documents.change(graph, (kept) => ({
      ...kept,
      histograms: { ...kept.histograms, [key]: histogram },
    }))
    return { ...about, histogram }
  }

  /** @returns how many there were */
  async dropHistograms(graph: string, names: SomeAttributes): Promise<number> {
    requireGraph(this.#catalog, graph)
    const keys = this.#attributesOf(graph, names).map(({ key }) => key)
    let count = 0
    await this.#options.documents.change(graph, (kept) => {
      count = keys.filter((key) => kept.histograms[key] !== undefined).length
      return { ...kept, histograms: without(kept.histograms, keys) }
    })
    return count
  }

  forgetGraph(graph: string): Promise<void> {
    return this.#options.documents.forget(graph)
  }

  #countsOf(
    graph: string,
    names: ElementNames,
    chosen: {
      vertices(typeId: number, live: number): number
      edges(typeId: number, pair: Pair, live: number): number
    },
  ): GivenCounts {
    const view = this.#options.engine.view()
    const vertices = this.#vertexTypes(graph, names).map(({ id, name }) => {
      const live = view.vertexTables.find(({ typeId }) => typeId === id)?.liveCount ?? 0
      return { type: name, count: chosen.vertices(id, live) }
    })
    const edges = this.#pairs(graph, names).map(({ type, pair, from, to }) => {
      const table = view.edgeTables.find(({ typeId }) => typeId === type.id)
      const live = table?.adjacencies.find((one) => isPair(one, pair))?.liveCount ?? 0
      return { type: type.name, from, to, count: chosen.edges(type.id, pair, live) }
    })
    return { vertices, edges }
  }

  /** By the keys under which they are kept. */
  #keysOf(graph: string, { vertices, edges }: GivenCounts): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { type, count } of vertices) {
      counts[String(requireVertexType(this.#catalog, graph, type).id)] = count
    }
    for (const { type: edge, from, to, count } of edges) {
      const pairs = this.#pairs(graph, { edge, from, to })
      const [first, ...others] = pairs
      if (first === undefined || others.length > 0) {
        const text = `The edge type ${edge} joins several pairs of types: from and to must name one.`
        throw new DbError('INVALID_PARAMETER', text)
      }
      counts[pairKey(first.type.id, first.pair)] = count
    }
    return counts
  }

  #vertexTypes(graph: string, { vertex, edge }: ElementNames) {
    if (vertex !== undefined) return [requireVertexType(this.#catalog, graph, vertex)]
    return edge === undefined ? vertexTypesOf(this.#catalog, graph) : []
  }

  #edgeTypes(graph: string, { vertex, edge }: ElementNames): readonly EdgeType[] {
    if (vertex !== undefined) return []
    const types = edgeTypesOf(this.#catalog, graph).filter(
      ({ name }) => edge === undefined || name === edge,
    )
    if (edge === undefined || types.length > 0) return types
    throw new DbError('EDGE_TYPE_NOT_FOUND', `The edge type ${edge} does not exist on ${graph}.`)
  }

  /** @throws DbError INVALID_PARAMETER for ends that an edge type does not join */
  #pairs(graph: string, names: ElementNames) {
    const vertices = vertexTypesOf(this.#catalog, graph)
    const nameOf = (typeId: number) => vertices.find(({ id }) => id === typeId)?.name ?? ''
    const pairs = this.#edgeTypes(graph, names).flatMap((type) =>
      type.pairs.map((pair) => ({
        ...{ type, pair, from: nameOf(pair.fromTypeId), to: nameOf(pair.toTypeId) },
      })),
    )
    const fits = (name: string, wanted: string | undefined) =>
      wanted === undefined || wanted === '' || wanted === '*' || wanted === name
    const found = pairs.filter(({ from, to }) => fits(from, names.from) && fits(to, names.to))
    if (pairs.length === 0 || found.length > 0) return found
    const ends = `from ${names.from ?? '*'} to ${names.to ?? '*'}`
    throw new DbError('INVALID_PARAMETER', `No edge type ${names.edge ?? '*'} goes ${ends}.`)
  }

  #attributesOf(graph: string, names: SomeAttributes) {
    const described = (element: 'vertex' | 'edge') => (type: AttributedType) =>
      type.attributes
        .filter(({ name }) => names.attribute === undefined || name === names.attribute)
        .map(({ id, name, type: of }) => ({
          ...{ element, type: type.name, attribute: name, kind: of.kind },
          key: `${type.id}.${id}`,
        }))
    return [
      ...this.#vertexTypes(graph, names).flatMap(described('vertex')),
      ...this.#edgeTypes(graph, names).flatMap(described('edge')),
    ]
  }

  #attribute(graph: string, names: AttributeNames) {
    const { vertex, edge, attribute } = names
    if ((vertex === undefined) === (edge === undefined)) {
      throw new DbError('INVALID_PARAMETER', 'A histogram is of one vertex, or of one edge.')
    }
    const [found] = this.#attributesOf(graph, names)
    if (found === undefined) {
      const text = `The type ${vertex ?? edge} has no attribute ${attribute}.`
      throw new DbError('ATTRIBUTE_NOT_FOUND', text)
    }
    if (measurable.has(found.kind)) return found
    const text = `The attribute ${attribute} is of type ${found.kind}, which has no order.`
    throw new DbError('INVALID_PARAMETER', text)
  }
}

interface AttributedType {
  readonly id: number
  readonly name: string
  readonly attributes: readonly {
    readonly id: number
    readonly name: string
    readonly type: AttributeType
  }[]
}

function isPair(one: Pair, { fromTypeId, toTypeId }: Pair): boolean {
  return one.fromTypeId === fromTypeId && one.toTypeId === toTypeId
}

function without<T>(record: Readonly<Record<string, T>>, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

interface ValueRows {
  readonly column: ColumnView
  readonly rowCount: number
  readonly liveCount: number
  readonly deleted: BitsView
}

/** Where the values of an attribute lie; of an edge type, all its pairs. */
function columnsOf(view: GraphView, typeId: number, attributeId: number): readonly ValueRows[] {
  const rowsOf = (
    columns: readonly ColumnView[],
    counts: { rowCount: number; liveCount: number; deleted: BitsView },
  ): ValueRows[] => {
    const column = columns.find((one) => one.attributeId === attributeId)
    return column === undefined ? [] : [{ ...counts, column }]
  }
  const vertices = view.vertexTables.filter((table) => table.typeId === typeId)
  const edges = view.edgeTables.filter((table) => table.typeId === typeId)
  return [
    ...vertices.flatMap(({ columns, rowCount, liveCount, deleted }) =>
      rowsOf(columns, { rowCount, liveCount, deleted }),
    ),
    ...edges
      .flatMap(({ adjacencies }) => adjacencies)
      .flatMap(({ columns, baseCount, deltaCount, liveCount, deleted }) =>
        rowsOf(columns, { rowCount: baseCount + deltaCount, liveCount, deleted }),
      ),
  ]
}

/** Rows between two looks at the clock. */
const LOOK_ROWS = 256

function* measured(
  parts: readonly ValueRows[],
  bucketCount: number,
  isDue: () => boolean,
): Sliced<Histogram> {
  const rows = parts.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const stride = Math.max(1, Math.ceil(rows / HISTOGRAM_ROWS_READ_MAX))
  const values: HistogramValue[] = []
  for (const { column, rowCount, deleted } of parts) {
    for (let row = 0, read = 0; row < rowCount; row += stride, read++) {
      if (read % LOOK_ROWS === 0 && isDue()) yield
      if (isSet(deleted, row)) continue
      const value = orderedValue(valueAt(column, row) as HistogramValue)
      if (value !== null) values.push(value)
    }
  }
  values.sort(ascending)
  const live = parts.reduce((sum, { liveCount }) => sum + liveCount, 0)
  return histogramOf(values, bucketCount, stride === 1 ? 1 : live / Math.max(1, values.length))
}

/** Of a long text its beginning; null for what is no number, or none that JSON has. */
function orderedValue(value: HistogramValue): HistogramValue | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' ? value.slice(0, HISTOGRAM_VALUE_CHARS_MAX) : value
}

function ascending(one: HistogramValue, other: HistogramValue): number {
  if (one < other) return -1
  return one > other ? 1 : 0
}

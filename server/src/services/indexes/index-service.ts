/** Secondary indexes as a resource of their own; each is part of its vertex type. */

import { withVersions } from '#catalog/graphs.ts'
import { findIndex, requireGraph, vertexTypesOf } from '#catalog/lookup.ts'
import { schemaError } from '#catalog/rule.ts'
import type { Catalog, IndexDefinition, VertexType } from '#catalog/types.ts'
import { alterVertexType, type IndexJson } from '#catalog/vertex-types.ts'
import type { IndexFacts } from '#graph/index/facts.ts'
import { DbError } from '#kernel/errors.ts'
import { checkReach, type MayWriteSchema } from '../schema/schema-reach.ts'
import type { CatalogStore } from '../schema/schema-service.ts'
import { scopeOfVertex } from '../schema/type-scope.ts'
import { type CompiledTexts, indexStarts } from './index-starts.ts'
import type { IndexPlace, IndexUsage } from './index-usage.ts'

export interface IndexView {
  readonly index: string
  readonly attribute: string
}

interface FactsView extends IndexView {
  readonly vertex: string
  readonly createdAt: number | null
  readonly distinctValues: number | null
}

export interface IndexServiceOptions {
  readonly store: CatalogStore
  readonly usage: IndexUsage
  readonly queries: CompiledTexts
  factsOf(place: IndexPlace): Promise<IndexFacts>
  onChange(graph: string | null, text: string): void
}

interface IndexedType {
  readonly graph: string | null
  readonly vertex: string
  readonly mayWrite: MayWriteSchema
}

export class IndexService {
  readonly #options: IndexServiceOptions

  constructor(options: IndexServiceOptions) {
    this.#options = options
  }

  /** One object per vertex type that has any. */
  list(graph: string | null): readonly Record<string, readonly IndexView[]>[] {
    const { catalog } = this.#options.store
    if (graph !== null) requireGraph(catalog, graph)
    return vertexTypesOf(catalog, graph)
      .filter((type) => type.indexes.length > 0)
      .map((type) => ({ [type.name]: type.indexes.map((index) => viewOf(type, index)) }))
  }

  /** @throws DbError GRAPH_NOT_FOUND */
  async usage(graph: string | null) {
    const { store, usage, queries } = this.#options
    if (graph !== null) requireGraph(store.catalog, graph)
    const starts = graph === null ? null : await indexStarts(store.catalog, queries, graph)
    const indexes = vertexTypesOf(store.catalog, graph).flatMap((type) =>
      type.indexes.map((index) => {
        const place = { typeId: type.id, attributeId: index.attributeId }
        const use = usage.of(place)
        const view = { vertex: type.name, ...viewOf(type, index) }
        const used = { uses: use?.count ?? 0, lastUsedAt: use?.lastMs ?? null }
        return { ...view, ...used, ...(starts === null ? {} : { queries: starts(place) }) }
      }),
    )
    return { since: usage.sinceMs, indexes, missed: this.#missed(graph) }
  }

  /** What reads looked for row by row and an index would have found, unless it has one by now. */
  #missed(graph: string | null) {
    const { store, usage } = this.#options
    const missed = vertexTypesOf(store.catalog, graph).flatMap((type) =>
      type.attributes.flatMap(({ id, name }) => {
        const scanned = usage.scansOf({ typeId: type.id, attributeId: id })
        if (scanned === null || type.indexes.some(({ attributeId }) => attributeId === id))
          return []
        const { count: scans, lastMs: lastScannedAt } = scanned
        return [{ vertex: type.name, attribute: name, scans, lastScannedAt }]
      }),
    )
    return missed.sort((a, b) => b.scans - a.scans)
  }

  /** One index after the other: each may be walked through. @throws DbError GRAPH_NOT_FOUND */
  async facts(graph: string | null) {
    const { store, factsOf } = this.#options
    if (graph !== null) requireGraph(store.catalog, graph)
    const indexes: (Omit<IndexFacts, 'distinctCount'> & FactsView)[] = []
    for (const type of vertexTypesOf(store.catalog, graph)) {
      for (const index of type.indexes) {
        const place = { typeId: type.id, attributeId: index.attributeId }
        const { distinctCount: distinctValues, ...facts } = await factsOf(place)
        const created = { createdAt: index.createdAtMs ?? null, distinctValues }
        indexes.push({ vertex: type.name, ...viewOf(type, index), ...created, ...facts })
      }
    }
    return { indexes }
  }

  /** @throws DbError INDEX_NOT_FOUND, GRAPH_NOT_FOUND */
  read(graph: string | null, name: string): IndexView {
    const { catalog } = this.#options.store
    for (const type of searchedTypes(catalog, graph)) {
      const index = findIndex(type, name)
      if (index) return viewOf(type, index)
    }
    throw schemaError(`The index ${name} does not exist.`, 'INDEX_NOT_FOUND')
  }

  /** @returns one line per index */
  async create(
    graph: string | null,
    vertex: string,
    addIndexAttributes: readonly IndexJson[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    await this.#alter({ graph, vertex, mayWrite }, { addIndexAttributes })
    const lines = addIndexAttributes.map(
      ({ indexName, attributeName }) =>
        `Successfully add index ${indexName} on attribute ${attributeName}\n`,
    )
    this.#options.onChange(graph, lines.join('').trim())
    return lines.join('')
  }

  async drop(
    graph: string | null,
    vertex: string | undefined,
    dropIndexAttributes: readonly string[],
    mayWrite: MayWriteSchema,
  ): Promise<string> {
    if (!vertex) {
      throw new DbError('INVALID_PARAMETER', 'The parameter vertex is required: it names the type.')
    }
    if (dropIndexAttributes.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The parameter index is required.')
    }
    await this.#alter({ graph, vertex, mayWrite }, { dropIndexAttributes })
    this.#options.onChange(graph, `Dropped index ${dropIndexAttributes.join(', ')} of ${vertex}`)
    return 'Successfully drop index'
  }

  async #alter(
    { graph, vertex, mayWrite }: IndexedType,
    change: Parameters<typeof alterVertexType>[3],
  ): Promise<void> {
    await this.#options.store.changeCatalog((catalog) => {
      const scope = scopeOfVertex(catalog, graph, vertex)
      const changed = alterVertexType(catalog, scope, vertex, change)
      checkReach(catalog, changed, { graph, mayWrite })
      return withVersions(catalog, changed)
    })
  }
}

/** Without a graph an index may be that of a local type, too. */
function searchedTypes(catalog: Catalog, graph: string | null): readonly VertexType[] {
  return graph === null
    ? catalog.vertexTypes
    : vertexTypesOf(catalog, requireGraph(catalog, graph).name)
}

function viewOf(type: VertexType, index: IndexDefinition): IndexView {
  const attribute = type.attributes.find((one) => one.id === index.attributeId)
  return { index: index.name, attribute: attribute?.name ?? '' }
}

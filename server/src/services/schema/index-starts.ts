/** Which stored queries of a graph begin with a secondary index: those that its drop makes scan. */
import { vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { BoundQuery } from '#query/bind/bound.ts'
import { indexedStartsOf } from '#query/optimize/index-start.ts'
import type { IndexPlace } from '../inspect/index-usage.ts'

export interface CompiledTexts {
  textsOf(graph: string): readonly { readonly name: string; readonly text: string }[]
  compile(source: { readonly graph: string; readonly text: string }): {
    readonly query: BoundQuery | null
  }
}

/** @returns the names of queries by the index, in the order of the queries */
export function indexStarts(catalog: Catalog, queries: CompiledTexts, graph: string) {
  const indexed = new Set(
    vertexTypesOf(catalog, graph).flatMap(({ attributes, indexes }) =>
      indexes.map(({ attributeId }) => attributes.find(({ id }) => id === attributeId)?.name),
    ),
  )
  const starts = queries.textsOf(graph).flatMap(({ name, text }) => {
    // Only what names an indexed attribute is worth compiling.
    if (![...text.matchAll(/\w+/g)].some(([word]) => indexed.has(word))) return []
    const { query } = queries.compile({ graph, text })
    return query === null ? [] : [{ name, keys: new Set(indexedStartsOf(query).map(keyOf)) }]
  })
  return (place: IndexPlace): readonly string[] =>
    starts.filter(({ keys }) => keys.has(keyOf(place))).map(({ name }) => name)
}

const keyOf = ({ typeId, attributeId }: IndexPlace): string => `${typeId} ${attributeId}`

/** Which stored queries of a graph begin with a secondary index: those that its drop makes scan. */
import { vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { IndexPlace } from './index-usage.ts'

export interface CompiledTexts {
  textsOf(graph: string): readonly { readonly name: string; readonly text: string }[]
  compile(source: { readonly graph: string; readonly text: string }): Promise<{
    readonly query: { readonly indexedStarts: readonly IndexPlace[] } | null
  }>
}

/** @returns the names of queries by the index, in the order of the queries */
export async function indexStarts(catalog: Catalog, queries: CompiledTexts, graph: string) {
  const indexed = new Set(
    vertexTypesOf(catalog, graph).flatMap(({ attributes, indexes }) =>
      indexes.map(({ attributeId }) => attributes.find(({ id }) => id === attributeId)?.name),
    ),
  )
  const starts: { readonly name: string; readonly keys: ReadonlySet<string> }[] = []
  for (const { name, text } of queries.textsOf(graph)) {
    // Only what contains the name of an indexed attribute is worth compiling.
    if (![...indexed].some((attribute) => attribute !== undefined && text.includes(attribute))) {
      continue
    }
    const { query } = await queries.compile({ graph, text })
    if (query !== null) starts.push({ name, keys: new Set(query.indexedStarts.map(keyOf)) })
  }
  return (place: IndexPlace): readonly string[] =>
    starts.filter(({ keys }) => keys.has(keyOf(place))).map(({ name }) => name)
}

const keyOf = ({ typeId, attributeId }: IndexPlace): string => `${typeId} ${attributeId}`

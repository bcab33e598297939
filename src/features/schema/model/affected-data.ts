/** The data that a draft would destroy, as an address from which it is saved before. */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { Change } from './schema-diff.ts'

export interface AffectedTypes {
  readonly vertexTypes: readonly string[]
  readonly edgeTypes: readonly string[]
}

/** A vertex type that goes takes the edges that hang on it along. */
export function affectedTypes(changes: readonly Change[], live: SchemaModel): AffectedTypes {
  const lost = changes.filter(({ changeClass }) => changeClass === 'destroys')
  const names = (owner: Change['owner']) =>
    new Set(lost.filter((change) => change.owner === owner).map((one) => one.publishedName))
  const isWhole = ({ kind }: Change) => kind === 'typeDropped' || kind === 'typeReplaced'
  const gone = new Set(
    lost.filter((one) => one.owner === 'vertex' && isWhole(one)).map((one) => one.publishedName),
  )
  const edges = names('edge')
  for (const { name, pairs } of live.edges) {
    if (pairs.some(({ from, to }) => gone.has(from) || gone.has(to))) edges.add(name)
  }
  const isLive = (types: readonly { readonly name: string }[]) => (name: string) =>
    types.some((type) => type.name === name)
  return {
    vertexTypes: [...names('vertex')].filter(isLive(live.vertices)),
    edgeTypes: [...edges].filter(isLive(live.edges)),
  }
}

/** Null: nothing of it has data. */
export function affectedDataUrl(graph: string, types: AffectedTypes): string | null {
  const { vertexTypes, edgeTypes } = types
  if (vertexTypes.length + edgeTypes.length === 0) return null
  const query = new URLSearchParams()
  for (const name of vertexTypes) query.append('vertex_types', name)
  for (const name of edgeTypes) query.append('edge_types', name)
  return `/quiver/v1/graphs/${encodeURIComponent(graph)}/elements?${query}`
}

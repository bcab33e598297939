/** Pairs of vertex types: an undirected edge joins A and B just as B and A. */
import type { EdgePairModel } from '#lib/graph-schema/schema-model.ts'

export function isSamePair(
  { directed }: { readonly directed: boolean },
  one: EdgePairModel,
  other: EdgePairModel,
): boolean {
  if (one.from === other.from && one.to === other.to) return true
  return !directed && one.from === other.to && one.to === other.from
}

export function withoutPair(
  edge: { readonly directed: boolean; readonly pairs: readonly EdgePairModel[] },
  pair: EdgePairModel,
): readonly EdgePairModel[] {
  return edge.pairs.filter((one) => !isSamePair(edge, one, pair))
}

/** Each pair once: what stays of directed pairs when the edge becomes undirected. */
export function distinctPairs(edge: {
  readonly directed: boolean
  readonly pairs: readonly EdgePairModel[]
}): readonly EdgePairModel[] {
  return edge.pairs.filter(
    (pair, place) => !edge.pairs.slice(0, place).some((before) => isSamePair(edge, before, pair)),
  )
}

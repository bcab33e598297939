/**
 * The concrete ways over a hop: edge type, pair and direction, for given ends.
 *
 * `none` is an unmarked type: undirected edges, and directed ones forwards (V1, and V2's one-hop
 * rule of docs/reference/gsql/queries.md). A reverse name walks its edges backwards, so `right` along it is `in`.
 */

import type { BoundStep } from '#query/ir/bound-select.ts'
import type { EdgeDirection } from '#query/syntax/ast-pattern.ts'
import type { EdgeName } from '../core/schema.ts'

export interface HopEnds {
  readonly from: readonly number[]
  readonly to: readonly number[]
}

export function edgeSteps(edge: EdgeName, direction: EdgeDirection, ends: HopEnds): BoundStep[] {
  const steps = edge.type.directed
    ? directedSteps(edge, direction)
    : undirectedSteps(edge, direction)
  return steps.filter(
    ({ fromTypeId, toTypeId }) => ends.from.includes(fromTypeId) && ends.to.includes(toTypeId),
  )
}

const RIGHTWARDS: readonly EdgeDirection[] = ['none', 'right', 'both', 'any', 'rightOrUndirected']
const LEFTWARDS: readonly EdgeDirection[] = ['left', 'both', 'any', 'leftOrUndirected']
const UNDIRECTED: readonly EdgeDirection[] = [
  'none',
  'undirected',
  'any',
  'leftOrUndirected',
  'rightOrUndirected',
]

function directedSteps({ type, reversed }: EdgeName, direction: EdgeDirection): BoundStep[] {
  const steps: BoundStep[] = []
  const typeName = reversed ? (type.reverseName ?? type.name) : type.name
  const common = { edgeTypeId: type.id, directed: true, typeName, reversed }
  for (const pair of type.pairs) {
    const forwards = {
      direction: 'out',
      fromTypeId: pair.fromTypeId,
      toTypeId: pair.toTypeId,
    } as const
    const backwards = {
      direction: 'in',
      fromTypeId: pair.toTypeId,
      toTypeId: pair.fromTypeId,
    } as const
    const [right, left] = reversed ? [backwards, forwards] : [forwards, backwards]
    if (RIGHTWARDS.includes(direction)) steps.push({ ...common, pair, ...right })
    if (LEFTWARDS.includes(direction)) steps.push({ ...common, pair, ...left })
  }
  return steps
}

function undirectedSteps({ type }: EdgeName, direction: EdgeDirection): BoundStep[] {
  if (!UNDIRECTED.includes(direction)) return []
  const common = { edgeTypeId: type.id, directed: false, typeName: type.name, reversed: false }
  return type.pairs.flatMap((pair): BoundStep[] => {
    const { fromTypeId, toTypeId } = pair
    if (fromTypeId === toTypeId) {
      return [{ ...common, pair, direction: 'both', fromTypeId, toTypeId }]
    }
    return [
      { ...common, pair, direction: 'out', fromTypeId, toTypeId },
      { ...common, pair, direction: 'in', fromTypeId: toTypeId, toTypeId: fromTypeId },
    ]
  })
}

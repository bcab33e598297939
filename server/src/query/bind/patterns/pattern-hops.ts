/** One written edge as hops: a concatenation is several, a repetition one with bounds. */

import type { BoundHop, BoundPosition, BoundStep } from '#query/ir/bound-select.ts'
import { BOOL } from '#query/ir/types.ts'
import type { EdgeSyntax, EdgeTypeSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { failureNode } from '../core/run-failures.ts'
import { chainSteps, hasChains } from './pattern-chains.ts'
import { edgeNamesOf, stepsOf } from './pattern-edges.ts'

/** A position while its types are being worked out. */
export interface DraftPosition {
  readonly alias: string
  typeIds: readonly number[]
  within: BoundPosition['within']
  /** It is limited to a set that cannot be made: a row that would come here ends the run. */
  failure: BoundHop['failure']
}

export interface DraftHop extends Omit<BoundHop, 'steps' | 'failure'> {
  steps: readonly BoundStep[]
  failure: BoundHop['failure']
  readonly range: SourceRange
  /** As it is written, for messages; null: any edge. */
  readonly part: EdgeTypeSyntax | null
  /** It is exactly one edge, which may have an alias and conditions. */
  readonly isSingle: boolean
}

export interface HopContext {
  readonly from: number
  readonly to: number
  /** Those between the parts of a concatenation are added here. */
  readonly positions: DraftPosition[]
  /** The FROM clause has no other edge. */
  readonly alone: boolean
}

export function draftHops(binder: Binder, edge: EdgeSyntax, context: HopContext): DraftHop[] {
  const parts = edge.type === null ? [null] : partsOf(edge.type)
  const { positions, to } = context
  const alone = context.alone && parts.length === 1
  let from = context.from
  return parts.map((part, index) => {
    const last = index === parts.length - 1
    const end = last ? to : addMiddle(binder, positions)
    const alias = parts.length === 1 ? (edge.alias?.name ?? null) : null
    const conditioned = edge.where !== null || edge.properties.length > 0
    const name = alias ?? (conditioned ? `#e` : null)
    const place = { from, to: end, alone, positions, range: edge.range }
    from = end
    return { ...draftHop(binder, part, place), alias: name }
  })
}

function addMiddle(binder: Binder, positions: DraftPosition[]): number {
  const position = positions.length
  const typeIds = binder.schema.allVertexTypeIds()
  return positions.push({ alias: `#${position}`, typeIds, within: null, failure: null }) - 1
}

/** What stands between the dots. */
function partsOf(type: EdgeTypeSyntax): readonly EdgeTypeSyntax[] {
  return type.kind === 'sequence' ? type.items.flatMap(partsOf) : [type]
}

type HopPlace = HopContext & { readonly range: SourceRange }

function draftHop(binder: Binder, part: EdgeTypeSyntax | null, place: HopPlace): DraftHop {
  const { value, unknown } = binder.withUnknown(() => knownHop(binder, part, place))
  if (unknown === null) return value
  return { ...value, steps: [], failure: failureNode(binder, unknown, { type: BOOL }) }
}

function knownHop(binder: Binder, part: EdgeTypeSyntax | null, place: HopPlace): DraftHop {
  const { from, to, alone, positions, range } = place
  const names = edgeNamesOf(binder, part)
  const common = { alias: null, from, to, names, range, part, isSingle: false, failure: null }
  const isChained = part !== null && hasChains(part)
  if (part?.kind === 'repeat' && !isChained) {
    const { item, min, max } = part
    const all = binder.schema.allVertexTypeIds()
    const steps = stepsOf(binder, item, { ends: { from: all, to: all }, alone: false })
    return { ...common, steps, repeat: { min, max } }
  }
  const ends = { from: positions[from]!.typeIds, to: positions[to]!.typeIds }
  if (isChained) return { ...common, steps: chainSteps(binder, part, ends), repeat: null }
  const steps = stepsOf(binder, part, { ends, alone })
  return { ...common, steps, repeat: null, isSingle: true }
}

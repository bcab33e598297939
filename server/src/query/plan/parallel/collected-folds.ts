/**
 * `s.@set += t` in a hop from s to t: what a source collects lies together until its edges are read,
 * and becomes its set when the loop is over. No thread touches the sets of another meanwhile.
 */
import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { snapshotsOf } from '../select/clause-reads.ts'
import { isChained, type SelectPlan } from '../select/select-plan.ts'
import { isVertexSet } from './shared-sets.ts'

export type Update = Extract<BoundDmlStatement, { kind: 'updateAccum' }>

/** Statements that fold the other end of the only hop into a set of the source, by their slots. */
export function collectedFolds(plan: SelectPlan, query: BoundQuery): ReadonlyMap<number, Update> {
  const { select, walks } = plan
  const [walk] = walks
  const folds = new Map<number, Update>()
  if (walk === undefined || walks.length > 1 || walk.joins || walk.repeat !== null) return folds
  // There is room for as many members as a source has edges; a chain may lead to more.
  if (isChained(walk)) return folds
  if (select.per !== null || select.accum === null) return folds
  const kept = new Set([...snapshotsOf(select).columns, ...select.previousVertexAccums])
  for (const statement of select.accum.body) {
    if (statement.kind !== 'updateAccum') continue
    const slot = sourceSet(statement, plan)
    if (slot === null || kept.has(slot) || !takesTarget(statement, walk.to)) continue
    const isSet = isVertexSet(query.vertexAccums[slot]!.type)
    if (isSet && writesOf(select.accum.body, slot) === 1) folds.set(slot, statement)
  }
  return folds
}

/** The slot of the source's accumulator that a statement adds to; null: it does something else. */
function sourceSet({ target, assign, applies }: Update, { start }: SelectPlan): number | null {
  if (assign || applies !== null || target.kind !== 'vertexAccum') return null
  return target.of.kind === 'vertexAlias' && target.of.position === start ? target.slot : null
}

function takesTarget({ value }: Update, position: number): boolean {
  if (value.kind !== 'element' || value.value.kind !== 'vertexAlias') return false
  return value.value.position === position
}

/** How many statements, at any depth, change a vertex accumulator. */
function writesOf(node: unknown, slot: number): number {
  if (Array.isArray(node)) return node.reduce((sum: number, one) => sum + writesOf(one, slot), 0)
  if (typeof node !== 'object' || node === null) return 0
  const { target } = node as { readonly target?: { readonly kind: string; readonly slot: number } }
  const own = target?.kind === 'vertexAccum' && target.slot === slot ? 1 : 0
  return Object.values(node).reduce((sum: number, one) => sum + writesOf(one, slot), own)
}

/**
 * `COUNT(a INTERSECT b)` of sets of vertices that nobody changes while a clause runs. They are
 * counted where they lie: no set is made, and any thread may do it.
 */
import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundEffects } from '#query/ir/bound-select.ts'
import type { AccumType } from '#query/ir/types.ts'

type Aggregate = Extract<BoundExpression, { kind: 'aggregate' }>
/** A set that stands in an accumulator, of all or of a vertex at hand. */
export type SetRead = Extract<BoundExpression, { kind: 'vertexAccum' | 'globalAccum' }>

/** The collection whose elements two others share, when only their number is wanted. */
export function sharedCount(
  node: BoundExpression,
): Extract<BoundExpression, { kind: 'setOperation' }> | null {
  if (node.kind !== 'aggregate' || node.function !== 'count') return null
  const { of, distinct } = node
  if (of.kind !== 'setOperation' || of.operation !== 'intersect') return null
  return !distinct || of.type.kind === 'SET' ? of : null
}

/** The two sets of such a count, when both are sets of vertices in accumulators. */
export function sharedSets(
  node: BoundExpression,
  query: BoundQuery,
): readonly [SetRead, SetRead] | null {
  const shared = sharedCount(node)
  if (shared === null) return null
  const { left, right } = shared
  return isSetRead(left, query) && isSetRead(right, query) ? [left, right] : null
}

function isSetRead(node: BoundExpression, query: BoundQuery): node is SetRead {
  if (node.kind === 'globalAccum') return isVertexSet(query.globalAccums[node.slot]!.type)
  if (node.kind !== 'vertexAccum' || node.previous || node.of.kind !== 'vertexAlias') return false
  return isVertexSet(query.vertexAccums[node.slot]!.type)
}

export function isVertexSet(type: AccumType): boolean {
  if (type.kind !== 'SetAccum' || type.element.kind !== 'value') return false
  return type.element.type.kind === 'VERTEX'
}

/** The counts in some conditions and statements that read nothing of what is written meanwhile. */
export function finishedCounts(
  root: unknown,
  written: Pick<BoundEffects, 'globalsWritten' | 'vertexAccumsWritten'>,
  query: BoundQuery,
): ReadonlySet<BoundExpression> {
  const found = new Set<BoundExpression>()
  let calls = false
  const isFinished = ({ kind, slot }: SetRead): boolean =>
    !(kind === 'globalAccum' ? written.globalsWritten : written.vertexAccumsWritten).includes(slot)
  visit(root, (node) => {
    // A called query counts in sets of its own.
    if (node.kind === 'callQuery') calls = true
    const sets = node.kind === 'aggregate' ? sharedSets(node as Aggregate, query) : null
    if (sets?.every(isFinished)) found.add(node as Aggregate)
  })
  return calls ? new Set() : found
}

interface AnyNode {
  readonly kind?: unknown
}

function visit(node: unknown, see: (node: AnyNode) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see)
  } else if (typeof node === 'object' && node !== null) {
    see(node)
    for (const child of Object.values(node)) visit(child, see)
  }
}

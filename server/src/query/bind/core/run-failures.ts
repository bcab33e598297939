/**
 * Errors that the arguments of a run cause, as nodes that raise them where the run reaches them: in
 * a branch that is not taken, a condition that is not tested and a loop without a round they are
 * no errors.
 */

import type { Place } from '#query/ir/bound.ts'
import type { BoundExpression, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import type { BoundHop } from '#query/ir/bound-select.ts'
import type { RunFailure } from '#query/ir/run-failure.ts'
import { BOOL, type ValueType } from '#query/ir/types.ts'
import { errorOfDiagnostics } from '../format-diagnostics.ts'
import type { Binder } from './binder.ts'
import { BindFailure } from './reports.ts'

type FailureNode = Extract<BoundExpression, { kind: 'failure' }>

/** @param of what the expression would have read: rows that do not have it do not raise the error */
export function failureNode(
  binder: Binder,
  failure: BindFailure,
  { type, of = [] }: { readonly type: ValueType; readonly of?: readonly BoundExpression[] },
): FailureNode {
  return { kind: 'failure', type, error: errorOf(binder, failure), of }
}

function errorOf(binder: Binder, failure: BindFailure): RunFailure {
  const said = failure.isSilent ? (binder.firstFailure ?? failure) : failure
  binder.firstFailure ??= said
  return errorOfDiagnostics([binder.diagnosticOf(said)])
}

/** Runs `bind`; bound for a run, what fails is raised when the value is asked for. */
export function valueOrFailure(
  binder: Binder,
  type: ValueType,
  bind: () => BoundExpression,
): BoundExpression {
  return orElse(binder, bind, (failure) =>
    failureNode(binder, failure, { type, of: aliasesAround(binder) }),
  )
}

/** As `attempt`; bound for a run, a failure leaves what `raising` makes of it. */
export function attemptOr<T>(
  binder: Binder,
  bind: () => T,
  raising: (failure: FailureNode) => T,
): T | null {
  if (!binder.isResolved) return binder.attempt(bind)
  return orElse(binder, bind, (failure) =>
    raising(failureNode(binder, failure, { type: BOOL, of: aliasesAround(binder) })),
  )
}

function orElse<T>(binder: Binder, bind: () => T, otherwise: (failure: BindFailure) => T): T {
  if (!binder.isResolved) return bind()
  try {
    return bind()
  } catch (failure) {
    if (!(failure instanceof BindFailure)) throw failure
    return otherwise(failure)
  }
}

/** What a condition may speak of: nobody knows what one would have read that cannot be bound. */
function aliasesAround({ clause }: Binder): readonly BoundExpression[] {
  if (clause?.kind !== 'where') return []
  const { positions, hops } = clause.select
  return [
    ...positions.map(({ typeIds }, position): BoundExpression => {
      return { kind: 'vertexAlias', type: { kind: 'VERTEX', typeIds }, position }
    }),
    ...hops.map((_, hop): BoundExpression => {
      return { kind: 'edgeAlias', type: { kind: 'EDGE', typeIds: [] }, hop }
    }),
  ]
}

/** A statement that ends the run. */
export interface FailureStatement {
  readonly kind: 'callStatement'
  readonly call: BoundExpression
  readonly applies: null
  readonly place: Place
}

export function failureStatement(call: FailureNode, place: Place): FailureStatement {
  return { kind: 'callStatement', call, applies: null, place }
}

/** That of a set which cannot be made; null: it can. */
export function failureOfSet(set: BoundVertexSetExpression): BoundHop['failure'] {
  switch (set.kind) {
    case 'vertices':
      return set.value.kind === 'failure' ? set.value : null
    case 'union':
    case 'intersect':
    case 'minus':
      return failureOfSet(set.left) ?? failureOfSet(set.right)
    default:
      return null
  }
}

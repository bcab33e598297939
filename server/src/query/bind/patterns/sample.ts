/** SAMPLE (docs/reference/gsql/select.md#sample): V1 only; in V2 it parses and has no effect. */

import type { BoundSample } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { DOUBLE } from '#query/ir/types.ts'
import type { SampleSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { ClauseState, type SelectState } from '../core/clause-state.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo } from '../core/convert.ts'

export function bindSample(
  binder: Binder,
  node: SampleSyntax | null,
  select: SelectState,
): BoundSample | null {
  if (node === null || binder.options.syntax !== 'v1') return null
  const isChained = select.hops.some(({ steps }) => steps.some(({ chain }) => chain !== undefined))
  if (select.hops.length !== 1 || isChained) {
    binder.fail(diagnosticCodes.misplaced, node.range, 'SAMPLE needs a pattern of one hop')
  }
  binder.clause = new ClauseState('where', select)
  try {
    const { amount, percent, when } = node
    return {
      amount: convertTo(binder, binder.expression(amount), DOUBLE, amount.range),
      percent,
      when: when === null ? null : bindCondition(binder, when),
    }
  } finally {
    binder.clause = null
  }
}

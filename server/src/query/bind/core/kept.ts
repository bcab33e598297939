/** Values that are asked for more than once and computed once. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { Binder } from './binder.ts'

/** What costs nothing to read again. */
const CHEAP: readonly BoundExpression['kind'][] = [
  'literal',
  'local',
  'variable',
  'parameter',
  'globalAccum',
]

/** Gives `value` where it is asked for first, which must be evaluated first; then what it was. */
export function keptValue(binder: Binder, value: BoundExpression): () => BoundExpression {
  if (CHEAP.includes(value.kind)) return () => value
  const id = binder.keptValues++
  let isFirst = true
  return () => {
    const node = { kind: 'kept', type: value.type, id, value: isFirst ? value : null } as const
    isFirst = false
    return node
  }
}

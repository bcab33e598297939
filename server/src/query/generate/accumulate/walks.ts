/** Statements in rows that stand for several (`plan/select/row-counts.ts`). */
import type { BoundAccumUpdate, BoundFold, BoundMutation } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { INT } from '#query/ir/types.ts'
import { type Repetition, repetitionOf } from '#query/plan/select/row-counts.ts'
import { doubleOf, wrapInteger } from '../expressions/integers.ts'
import { type Scope, withHoisted } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { accumType, emitUpdate } from './accum-write.ts'
import { emitMutation } from './mutation.ts'

/** Writes an update or a mutator as often as its row counts. */
export function emitForWalks(
  unit: Unit,
  statement: BoundAccumUpdate | BoundMutation,
  scope: Scope,
): void {
  const repetition = scope.walks.length === 0 ? 'once' : howOften(unit, statement)
  unit.line('{')
  if (repetition === 'multiplied' && statement.kind === 'updateAccum') {
    emitMultiplied(unit, statement, scope)
  } else if (repetition === 'each') {
    const i = unit.name('k')
    unit.line(`for(let ${i}=0;${i}<${doubleOf(unit, countOf(unit, scope))};${i}++){`)
    unit.line(`if(++rc+ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
    emitOnce(unit, statement, scope)
    unit.line('}')
  } else emitOnce(unit, statement, scope)
  unit.line('}')
}

function howOften(unit: Unit, statement: BoundAccumUpdate | BoundMutation): Repetition {
  const { target } = statement
  if (target.kind === 'local') return 'once'
  if (statement.kind === 'mutate') return statement.method === 'clear' ? 'once' : 'each'
  return repetitionOf(accumType(unit, target), statement.value, statement.assign)
}

function emitOnce(unit: Unit, statement: BoundAccumUpdate | BoundMutation, scope: Scope): void {
  if (statement.kind === 'mutate') emitMutation(unit, statement, scope)
  else emitUpdate(unit, statement, scope)
}

/** How many rows this one stands for. */
function countOf(unit: Unit, { walks }: Scope): string {
  return walks.reduce((product, walk) => wrapInteger(unit, 'INT', `${product}*${walk}`))
}

function emitMultiplied(unit: Unit, statement: BoundAccumUpdate, scope: Scope): void {
  const count: BoundExpression = { kind: 'default', type: INT }
  const inner = withHoisted(scope, count, countOf(unit, scope))
  emitUpdate(unit, { ...statement, value: multiplied(statement.value, count) }, inner)
}

function multiplied(fold: BoundFold, count: BoundExpression): BoundFold {
  if (fold.kind === 'pair') return { ...fold, value: multiplied(fold.value, count) }
  if (fold.kind !== 'scalar') return fold
  const { value } = fold
  const { type } = value
  const right: BoundExpression =
    type.kind === 'INT' ? count : { kind: 'convert', type, value: count }
  return { kind: 'scalar', value: { kind: 'arithmetic', type, operator: '*', left: value, right } }
}

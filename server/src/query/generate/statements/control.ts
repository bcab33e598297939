/** Control flow, the same at body level and inside clauses. */
import type { BoundBranch, BoundForeach } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { doubleOf, integerOf } from '../expressions/integers.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export interface Inner<S> {
  readonly scope: Scope
  readonly body: (statements: readonly S[]) => void
}

/** Nested, not chained: a condition may need lines of its own before its test. */
export function emitIf<S>(
  unit: Unit,
  statement: { readonly branches: readonly BoundBranch<S>[]; readonly otherwise: readonly S[] },
  inner: Inner<S>,
): void {
  for (const branch of statement.branches) {
    unit.line(`if(${unit.expression(branch.condition, inner.scope)}){`)
    inner.body(branch.body)
    unit.line('}else{')
  }
  inner.body(statement.otherwise)
  unit.line('}'.repeat(statement.branches.length))
}

export function emitWhile<S>(
  unit: Unit,
  statement: {
    readonly condition: BoundExpression
    readonly limit: BoundExpression | null
    readonly body: readonly S[]
  },
  inner: Inner<S>,
): void {
  const round = unit.name('k')
  const limit = unit.name('k')
  const rounds =
    statement.limit === null
      ? 'Infinity'
      : doubleOf(unit, unit.expression(statement.limit, inner.scope))
  unit.line(`for(let ${round}=0,${limit}=${rounds};${round}<${limit};${round}++){`)
  emitPoll(unit)
  unit.line(`if(!${unit.expression(statement.condition, inner.scope)})break;`)
  inner.body(statement.body)
  unit.line('}')
}

/** Loops of the query itself may never end: each round counts as one row of work. */
function emitPoll(unit: Unit): void {
  unit.line(`if(++rc+ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
}

export interface ForeachInner<S> extends Inner<S> {
  readonly variable: (slot: number) => string
  /** The copy that is iterated is given back after the loop, not with the row. */
  readonly releases: boolean
}

export function emitForeach<S>(
  unit: Unit,
  statement: BoundForeach<S>,
  inner: ForeachInner<S>,
): void {
  const { over } = statement
  if (over.kind === 'range') emitRange(unit, statement, inner)
  else if (over.kind === 'collection') emitCollection(unit, statement, inner)
  else emitVertices(unit, statement, inner)
}

function emitRange<S>(unit: Unit, statement: BoundForeach<S>, inner: ForeachInner<S>): void {
  const { over } = statement
  if (over.kind !== 'range') return
  const [i, end, step] = [unit.name('k'), unit.name('k'), unit.name('k')]
  const code = (value: BoundExpression) => doubleOf(unit, unit.expression(value, inner.scope))
  const stepCode = over.step === null ? '1' : unit.call('stepOf', code(over.step))
  unit.line(`for(let ${i}=${code(over.from)},${end}=${code(over.to)},${step}=${stepCode};`)
  unit.line(`${step}>0?${i}<=${end}:${i}>=${end};${i}+=${step}){`)
  emitPoll(unit)
  unit.line(`${inner.variable(statement.slots[0]!)}=${integerOf(unit, i)};`)
  inner.body(statement.body)
  unit.line('}')
}

function emitCollection<S>(unit: Unit, statement: BoundForeach<S>, inner: ForeachInner<S>): void {
  const { over, slots } = statement
  if (over.kind !== 'collection') return
  const [block, i] = [unit.name('h'), unit.name('k')]
  const copy = unit.call('iterationOf', unit.expression(over.value, inner.scope))
  const mark = inner.releases ? unit.name('k') : null
  if (mark !== null) unit.line(`{const ${mark}=${unit.call('tempMark')};`)
  unit.line(`{const ${block}=${copy};`)
  unit.line(`for(let ${i}=0;${i}<${unit.call('sizeOf', block)};${i}++){`)
  emitPoll(unit)
  const isMap = over.value.type.kind === 'MAP'
  if (slots.length === 1 && !isMap) {
    unit.line(`${inner.variable(slots[0]!)}=${unit.call('elementAt', block, i)};`)
  } else if (isMap) {
    unit.line(`${inner.variable(slots[0]!)}=${unit.call('keyAt', block, i)};`)
    if (slots.length > 1) {
      unit.line(`${inner.variable(slots[1]!)}=${unit.call('entryAt', block, i)};`)
    }
  } else {
    const row = unit.name('w')
    unit.line(`const ${row}=${unit.call('elementAt', block, i)};`)
    slots.forEach((slot, field) => {
      unit.line(`${inner.variable(slot)}=${row}[${field}];`)
    })
  }
  inner.body(statement.body)
  unit.line('}}')
  if (mark !== null) unit.line(`${unit.call('tempRelease', mark)};}`)
}

function emitVertices<S>(unit: Unit, statement: BoundForeach<S>, inner: ForeachInner<S>): void {
  const { over, slots } = statement
  if (over.kind !== 'vertexSet') return
  const [list, i] = [unit.name('h'), unit.name('k')]
  unit.line(`{const ${list}=${unit.call('setMembers', `s${over.slot}`)};`)
  unit.line(`for(let ${i}=0;${i}<${list}.length;${i}++){`)
  emitPoll(unit)
  unit.line(`${inner.variable(slots[0]!)}=${list}[${i}];`)
  inner.body(statement.body)
  unit.line('}}')
}

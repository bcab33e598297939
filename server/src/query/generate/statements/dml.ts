/** Statements of ACCUM and POST-ACCUM, for one concrete type combination. */
import type { BoundVariable } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { emitRegister, emitRegisterReset, emitUpdate } from '../accumulate/accum-write.ts'
import { emitForWalks } from '../accumulate/walks.ts'
import { registerKind } from '../expressions/accum-kinds.ts'
import { defaultValue } from '../expressions/columns.ts'
import { appliesTo } from '../expressions/expression.ts'
import { emitCollect } from '../parallel/collected-sets.ts'
import { emitSend } from '../parallel/sent-folds.ts'
import type { Scope } from '../text/scope.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { emitChange } from './changes.ts'
import { emitForeach, emitIf, emitWhile } from './control.ts'
import { emitLog, emitPrintln } from './files.ts'

/** Called for an accumulator `=` inside ACCUM: only the first row that assigns counts. */
export type AssignmentGuard = (
  update: Extract<BoundDmlStatement, { kind: 'updateAccum' }>,
  scope: Scope,
  emit: () => void,
) => void

export interface DmlContext {
  readonly scope: Scope
  readonly guard: AssignmentGuard
  /** Statements this pass over the rows leaves out. */
  readonly skips: (statement: BoundDmlStatement) => boolean
}

export function emitLocals(unit: Unit, locals: readonly BoundVariable[], prefix: string): void {
  locals.forEach((local, slot) => {
    const name = `${prefix}${slot}`
    const kind = local.accum === undefined ? null : registerKind(unit, local.accum)
    if (kind?.fold === 'avg') unit.line(`let ${name}_c=0;`)
    unit.line(`let ${name}=${kind?.initial ?? emptyLocal(unit, local)};`)
  })
}

function emptyLocal(unit: Unit, { accum, type }: BoundVariable): string {
  if (accum === undefined) return defaultValue(unit, type)
  return unit.call('tempBlock', unit.accumShape(accum))
}

export function emitDml(
  unit: Unit,
  statements: readonly BoundDmlStatement[],
  context: DmlContext,
): void {
  for (const statement of statements) emitStatement(unit, statement, context)
}

function emitStatement(unit: Unit, statement: BoundDmlStatement, context: DmlContext): void {
  const { scope } = context
  const body = (inner: readonly BoundDmlStatement[]) => emitDml(unit, inner, context)
  if (context.skips(statement)) return
  if ('applies' in statement && !appliesTo(scope, statement.applies)) return
  switch (statement.kind) {
    case 'updateAccum':
      if (scope.collected.has(statement)) {
        emitCollect(unit, statement, scope.collected.get(statement)!, scope)
      } else if (scope.sent.has(statement)) {
        emitSend(unit, statement, scope.sent.get(statement)!, scope)
      } else if (statement.assign && statement.target.kind !== 'local') {
        context.guard(statement, scope, () => emitUpdate(unit, statement, scope))
      } else emitForWalks(unit, statement, scope)
      return
    case 'mutate':
      emitForWalks(unit, statement, scope)
      return
    case 'setLocal':
      emitSetLocal(unit, statement, scope)
      return
    case 'setVariable': {
      const name = scope.buffered?.get(statement.slot) ?? `x${statement.slot}`
      unit.line(`${name}=${variableValue(unit, statement, scope, name)};`)
      return
    }
    case 'if':
      emitIf(unit, statement, { scope, body })
      return
    case 'while':
      emitWhile(unit, statement, { scope, body })
      return
    case 'foreach':
      emitForeach(unit, statement, {
        scope,
        body,
        variable: (slot) => `${scope.localPrefix}${slot}`,
        releases: false,
      })
      return
    case 'break':
    case 'continue':
      unit.line(`${statement.kind};`)
      return
    case 'setAttribute':
    case 'insertVertex':
    case 'insertEdge':
    case 'deleteElement':
      unit.line('{')
      emitChange(unit, statement, scope)
      unit.line('}')
      return
    case 'callStatement':
      unit.line(`${unit.expression(statement.call, scope)};`)
      return
    case 'println':
      emitPrintln(unit, statement, scope)
      return
    case 'log':
      emitLog(unit, statement, scope)
      return
  }
}

function emitSetLocal(
  unit: Unit,
  statement: Extract<BoundDmlStatement, { kind: 'setLocal' }>,
  scope: Scope,
): void {
  const { slot, value } = statement
  const name = `${scope.localPrefix}${slot}`
  const accum = scope.locals[slot]?.accum
  if (accum === undefined) {
    unit.line(`${name}=${ownValue(unit, statement, scope)};`)
    return
  }
  const kind = registerKind(unit, accum)
  const place = { state: name, count: `${name}_c` }
  if (kind === null) {
    if (value.kind === 'default') unit.line(`${unit.call('clearBlock', name)};`)
    else unit.line(`${name}=${ownValue(unit, statement, scope)};`)
  } else if (value.kind === 'default') emitRegisterReset(unit, kind, place)
  else {
    const scalar = unit.name('w')
    unit.line(`const ${scalar}=${unit.expression(value, scope)};`)
    emitRegister(unit, kind, place, { scalar, assign: true })
  }
}

/** The new value of a base variable; a container gets a block that outlives the statement. */
export function variableValue(
  unit: Unit,
  statement: { readonly slot: number; readonly value: BoundExpression },
  scope: Scope,
  name: string,
): string {
  const code = unit.expression(statement.value, scope)
  const isBlock = isBlockKind(unit.query.variables[statement.slot]!.type.kind)
  return isBlock ? unit.call('replaceValue', name, code) : code
}

/** A container local holds a copy of its own: later changes of the source do not show. */
function ownValue(
  unit: Unit,
  statement: { readonly value: Parameters<Unit['expression']>[0] },
  scope: Scope,
): string {
  const code = unit.expression(statement.value, scope)
  const { kind } = statement.value.type
  const isBlock = kind === 'LIST' || kind === 'SET' || kind === 'BAG' || kind === 'MAP'
  const fresh = statement.value.kind === 'collection' || statement.value.kind === 'map'
  return isBlock && !fresh ? unit.call('copyValue', code) : code
}

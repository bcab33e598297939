/** Statements of ACCUM and POST-ACCUM. Each leaf says which concrete types it needs (12.6). */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundApplies, BoundDmlStatement } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { readTypeOf, type ValueType } from '#query/ir/types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { AssignSyntax, Statement, VariableDeclaration } from '#query/syntax/ast-statement.ts'
import { bindAccumAssign, bindNewValue, bindValueOf, failTarget } from '../accumulators/assign.ts'
import {
  bindAccumType,
  bindType,
  findAccumTypedef,
  limitedType,
} from '../accumulators/declare-types.ts'
import { bindFold } from '../accumulators/fold.ts'
import { bindMutation } from '../accumulators/mutate.ts'
import type { Binder } from '../core/binder.ts'
import { attemptStatement } from '../core/broken-names.ts'
import { attemptOr } from '../core/run-failures.ts'
import { bindBitwiseMutation } from '../expressions/bitwise.ts'
import { failCallStatement } from '../expressions/calls.ts'
import { bindQueryCall } from '../expressions/query-calls.ts'
import {
  type BoundSetByName,
  bindAttributeAssign,
  bindDeleteAlias,
  bindSetAttr,
  isSetAttr,
} from './changes.ts'
import { bindForeach, bindIf, bindJump, bindLog, bindWhile, type Level } from './control.ts'
import { bindPrintln, isPrintln } from './files.ts'
import { bindInsert } from './insert.ts'

export function bindDml(
  binder: Binder,
  statements: readonly Statement[],
): readonly BoundDmlStatement[] {
  return statements.flatMap((statement) =>
    attemptStatement(binder, statement, () => bindStatement(binder, statement)),
  )
}

const level: Level<BoundDmlStatement> = {
  block: bindDml,
  declare: (binder: Binder, name: Identifier, type: ValueType) =>
    binder.declareLocal(name.name, type, { range: name.range }),
}

function bindStatement(binder: Binder, node: Statement): BoundDmlStatement[] {
  switch (node.kind) {
    case 'if':
    case 'caseStatement':
      return [bindIf(binder, node, level)]
    case 'while':
      return [bindWhile(binder, node, level)]
    case 'foreach':
      return [bindForeach(binder, node, level)]
    case 'break':
    case 'continue':
      return [bindJump(binder, node)]
    case 'log':
      return [bindLog(binder, node)]
    case 'variableDeclaration':
      return bindLocal(binder, node)
    case 'callStatement':
      return bindLeaf(binder, () => bindCallStatement(binder, node.call))
    case 'assign':
      return bindLeaf(binder, () => bindAssign(binder, node))
    case 'insert':
      return bindLeaf(binder, () => bindInsert(binder, node))
    case 'deleteAlias':
      return bindLeaf(binder, () => bindDeleteAlias(binder, node))
    default:
      return binder.fail(
        diagnosticCodes.misplaced,
        node.range,
        'this statement is not allowed in ACCUM or POST-ACCUM',
      )
  }
}

type Leaf = Extract<BoundDmlStatement, { applies: BoundApplies | null }>

/** Binds a statement and notes the types that it needs; null: it turned out to do nothing. */
function bindLeaf(binder: Binder, bind: () => Leaf | BoundSetByName | null): BoundDmlStatement[] {
  const { value, applies } = binder.clause!.collectNeeds(bind)
  if (value === null) return []
  return [value.kind === 'if' ? value : { ...value, applies }]
}

function bindCallStatement(binder: Binder, call: Expression): Leaf | BoundSetByName | null {
  if (call.kind !== 'call') throw new Error('a call statement without a call')
  if (isSetAttr(call)) return bindSetAttr(binder, call)
  const query = bindQueryCall(binder, call)
  if (query !== null) {
    return { kind: 'callStatement', call: query, applies: null, place: binder.place(call.range) }
  }
  if (isPrintln(call)) return bindPrintln(binder, call)
  if (call.of !== null) return bindBitwiseMutation(binder, call) ?? bindMutation(binder, call)
  return failCallStatement(binder, call)
}

function bindAssign(binder: Binder, node: AssignSyntax): Leaf {
  const { value, target } = node
  if (value.kind === 'select') {
    binder.fail(diagnosticCodes.misplaced, value.range, 'SELECT is not allowed inside SELECT')
  }
  const update = bindAttributeAssign(binder, node, value) ?? bindAccumAssign(binder, node, value)
  if (update !== null) return update
  const entry = target.kind === 'name' ? binder.lookup(target.name) : undefined
  if (entry === undefined) return failTarget(binder, node)
  const place = binder.place(node.range)
  const { slot } = entry
  if (entry.kind === 'local') {
    const { type } = binder.clause!.locals[slot]!
    const next = bindNewValue(binder, node, { value, type })
    return { kind: 'setLocal', slot, value: next, applies: null, place }
  }
  const { type } = binder.variables[slot]!
  const next = bindNewValue(binder, node, { value, type })
  binder.clause!.variablesWritten.add(slot)
  return { kind: 'setVariable', slot, value: next, applies: null, place }
}

/** One local; a local accumulator starts empty and then takes its initial value. */
function bindLocal(binder: Binder, node: VariableDeclaration): BoundDmlStatement[] {
  const { type } = node
  const named = type.kind === 'namedType' && findAccumTypedef(binder, type.name) !== undefined
  if (type.kind === 'accumType' || named) return bindLocalAccum(binder, node)
  const valueType = bindType(binder, type)
  return node.items.map(({ name, initial }) => {
    const { value, applies } = binder.clause!.collectNeeds(() =>
      initialValue(binder, initial, valueType),
    )
    const slot = binder.declareLocal(name.name, valueType, { range: name.range })
    return { kind: 'setLocal', slot, value, applies, place: binder.place(node.range) }
  })
}

/** With a faulty initial value the local is declared all the same: its uses are no mistakes. */
function initialValue(
  binder: Binder,
  initial: Expression | null,
  type: ValueType,
): BoundExpression {
  const bound =
    initial &&
    attemptOr<BoundExpression>(
      binder,
      () => bindValueOf(binder, initial, type),
      (failure) => ({ ...failure, type }),
    )
  return bound ?? { kind: 'default', type }
}

function bindLocalAccum(binder: Binder, node: VariableDeclaration): BoundDmlStatement[] {
  const accum = limitedType(binder, bindAccumType(binder, node.type))
  if (accum.kind === 'ArrayAccum') binder.notSupported(node.range, 'a local ArrayAccum')
  const type = readTypeOf(accum)
  const place = binder.place(node.range)
  return node.items.flatMap(({ name, initial }): BoundDmlStatement[] => {
    const fold = initial === null ? null : bindFold(binder, accum, initial)
    const slot = binder.declareLocal(name.name, type, { range: name.range, accum })
    const value: BoundExpression = { kind: 'default', type }
    const start = { kind: 'setLocal', slot, value, applies: null, place } as const
    if (fold === null) return [start]
    const target = { kind: 'local', slot } as const
    return [start, { kind: 'updateAccum', target, assign: true, value: fold, applies: null, place }]
  })
}

/** IF, CASE, WHILE and FOREACH, the same at body and at DML level. */

import type { BoundBranch, BoundForeach, BoundIterable, Place } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { INT, type ValueType } from '#query/ir/types.ts'
import { typeText } from '#query/ir/value-types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { BranchSyntax, ForeachSyntax, Statement } from '#query/syntax/ast-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo } from '../core/convert.ts'
import { narrowingOf } from '../core/narrowing.ts'
import { equals } from '../expressions/operators.ts'
import { looksLikeVertexSet } from '../expressions/vertex-set-shape.ts'

/** What differs between the levels: how statements are bound and loop variables declared. */
export interface Level<S> {
  readonly block: (binder: Binder, statements: readonly Statement[]) => readonly S[]
  readonly declare: (binder: Binder, name: Identifier, type: ValueType) => number
}

export interface BoundIf<S> {
  readonly kind: 'if'
  readonly branches: readonly BoundBranch<S>[]
  readonly otherwise: readonly S[]
  readonly place: Place
}

type IfSyntax = Extract<Statement, { kind: 'if' | 'caseStatement' }>

/** Both forms of CASE become a chain of conditions. */
export function bindIf<S>(binder: Binder, node: IfSyntax, level: Level<S>): BoundIf<S> {
  const subject = node.kind === 'caseStatement' ? node.subject : null
  const bindBranches = node.branches.map(
    (branch) => () => bindBranch(binder, branch, { subject, level }),
  )
  const [branches, otherwise] = binder.both(
    () => binder.each(bindBranches),
    () => binder.scoped(() => level.block(binder, node.otherwise)),
  )
  return { kind: 'if', branches, otherwise, place: binder.place(node.range) }
}

function bindBranch<S>(
  binder: Binder,
  branch: BranchSyntax,
  { subject, level }: { subject: Expression | null; level: Level<S> },
): BoundBranch<S> {
  const written = subject === null ? branch.condition : equals(subject, branch.condition)
  const bindBody = () => binder.scoped(() => level.block(binder, branch.body))
  const [condition, body] = binder.both(
    () => bindCondition(binder, written),
    () => binder.clause?.withNarrowed(narrowingOf(binder, written), bindBody) ?? bindBody(),
  )
  return { condition, body }
}

export function bindWhile<S>(
  binder: Binder,
  node: Extract<Statement, { kind: 'while' }>,
  level: Level<S>,
) {
  const [condition, body] = binder.both(
    () => bindCondition(binder, node.condition),
    () => inLoop(binder, () => level.block(binder, node.body)),
  )
  const limit = node.limit === null ? null : bindInt(binder, node.limit)
  return { kind: 'while', condition, limit, body, place: binder.place(node.range) } as const
}

export function bindInt(binder: Binder, node: Expression): BoundExpression {
  return convertTo(binder, binder.expression(node), INT, node.range)
}

function inLoop<T>(binder: Binder, bind: () => T): T {
  binder.loopDepth += 1
  try {
    return binder.scoped(bind)
  } finally {
    binder.loopDepth -= 1
  }
}

export function bindForeach<S>(
  binder: Binder,
  node: ForeachSyntax,
  level: Level<S>,
): BoundForeach<S> {
  const { over, types } = bindIterable(binder, node)
  return inLoop(binder, () => {
    const slots = node.variables.map((name, index) => level.declare(binder, name, types[index]!))
    const body = level.block(binder, node.body)
    return { kind: 'foreach', slots, over, body, place: binder.place(node.range) }
  })
}

interface Iteration {
  readonly over: BoundIterable
  /** Of the loop variables, as many as there are. */
  readonly types: readonly ValueType[]
}

function bindIterable(binder: Binder, node: ForeachSyntax): Iteration {
  const { over } = node
  if (over.kind === 'range') {
    const from = bindInt(binder, over.from)
    const to = bindInt(binder, over.to)
    const step = over.step === null ? null : bindInt(binder, over.step)
    return { over: { kind: 'range', from, to, step }, types: variableTypes(binder, node, [INT]) }
  }
  if (over.value.kind === 'name' && looksLikeVertexSet(binder, over.value)) {
    const slot = binder.vertexSetSlot(over.value.name)
    const type: ValueType = { kind: 'VERTEX', typeIds: binder.vertexSetTypes(slot) }
    return { over: { kind: 'vertexSet', slot }, types: variableTypes(binder, node, [type]) }
  }
  const value = binder.expression(over.value)
  const offered = offeredTypes(binder, value.type, over.value.range)
  const single = value.type.kind === 'GROUPS' && node.variables.length === 1
  const types = single ? [(value.type as Extract<ValueType, { row: ValueType }>).row] : offered
  return { over: { kind: 'collection', value }, types: variableTypes(binder, node, types) }
}

function variableTypes(
  binder: Binder,
  node: ForeachSyntax,
  types: readonly ValueType[],
): readonly ValueType[] {
  if (node.variables.length === types.length) return types
  const message = `this collection gives ${types.length} variable(s) per round, not ${node.variables.length}`
  return binder.fail(diagnosticCodes.argumentCount, node.variables[0]!.range, message)
}

function offeredTypes(binder: Binder, type: ValueType, range: SourceRange): readonly ValueType[] {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
    case 'BAG':
    case 'HEAP':
      return [type.element]
    case 'MAP':
      return [type.key, type.value]
    case 'GROUPS':
      return type.row.fields.map((field) => field.type)
    default: {
      const text = typeText(type, (id) => binder.schema.nameOf(id))
      return binder.fail(diagnosticCodes.typeMismatch, range, `FOREACH cannot iterate ${text}`)
    }
  }
}

export function bindJump(binder: Binder, node: Extract<Statement, { kind: 'break' | 'continue' }>) {
  if (binder.loopDepth === 0) {
    const word = node.kind.toUpperCase()
    binder.fail(diagnosticCodes.misplaced, node.range, `${word} stands outside a loop`)
  }
  return { kind: node.kind, place: binder.place(node.range) }
}

export function bindLog(binder: Binder, node: Extract<Statement, { kind: 'log' }>) {
  const [first, ...rest] = node.arguments
  if (first === undefined) throw new Error('LOG without arguments')
  const condition = bindCondition(binder, first)
  const values = rest.map((argument) => binder.expression(argument))
  return { kind: 'log', condition, values, place: binder.place(node.range) } as const
}

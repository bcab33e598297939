/** Body statements. */

import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import { isCollection, sortedIds } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression, Identifier } from '#query/syntax/ast.ts'
import type { AssignSyntax, Statement, VariableDeclaration } from '#query/syntax/ast-statement.ts'
import { bindAccumAssign, bindNewValue, bindValueOf, failTarget } from '../accumulators/assign.ts'
import { bindAccumDeclaration } from '../accumulators/declare-accums.ts'
import { bindAccumType, bindTupleType, bindType } from '../accumulators/declare-types.ts'
import { bindMutation } from '../accumulators/mutate.ts'
import type { Binder } from '../core/binder.ts'
import { attemptStatement } from '../core/broken-names.ts'
import { convertTo } from '../core/convert.ts'
import { attemptOr } from '../core/run-failures.ts'
import { dynamicVertexTypes, isTypeParameter } from '../core/type-parameters.ts'
import { bindBitwiseMutation } from '../expressions/bitwise.ts'
import { failCallStatement } from '../expressions/calls.ts'
import { bindQueryCall } from '../expressions/query-calls.ts'
import {
  isSetOperation,
  looksLikeVertexSet,
  verticesOfSet,
} from '../expressions/vertex-set-shape.ts'
import { vertexTypeOf } from '../expressions/vertex-sets.ts'
import { bindVirtualEdge } from '../patterns/virtual-edges.ts'
import { bindSelectInto } from '../tables/select-into.ts'
import { bindTableStatement } from '../tables/table-statements.ts'
import { bindChangeFrom } from './change-from.ts'
import { bindAttributeAssign, bindDeleteAlias, bindSetAttr, isSetAttr } from './changes.ts'
import { bindIf, bindJump, bindLog, bindWhile, type Level } from './control.ts'
import { bindRaise, bindTry, declareException } from './exceptions.ts'
import { bindLoadAccum } from './file-sources.ts'
import { bindPrintln, declareFiles, isPrintln } from './files.ts'
import { bindInsert } from './insert.ts'
import { bindBodyForeach, withElement } from './loop-references.ts'
import { bindPrint } from './print.ts'
import { bindSelect } from './select.ts'

export function bindBody(
  binder: Binder,
  statements: readonly Statement[],
): readonly BoundStatement[] {
  return statements.flatMap((statement) =>
    attemptStatement(binder, statement, () => bindStatement(binder, statement)),
  )
}

const level: Level<BoundStatement> = {
  block: bindBody,
  declare: (binder: Binder, name: Identifier, type: ValueType) =>
    binder.declareVariable(name.name, type, name.range),
}

function bindStatement(binder: Binder, node: Statement): BoundStatement[] {
  switch (node.kind) {
    case 'typedef':
      return bindTypedef(binder, node)
    case 'accumDeclaration':
      return bindAccumDeclaration(binder, node)
    case 'variableDeclaration':
      return bindVariables(binder, node)
    case 'assign':
      return withElement(binder, bindAssign(binder, node))
    case 'select':
      return [{ ...bindSelect(binder, node).select, resultSlot: null }]
    case 'print':
      return [bindPrint(binder, node)]
    case 'if':
    case 'caseStatement':
      return [bindIf(binder, node, level)]
    case 'while':
      return [bindWhile(binder, node, level)]
    case 'foreach':
      return bindBodyForeach(binder, node, level)
    case 'break':
    case 'continue':
      return [bindJump(binder, node)]
    case 'log':
      return [bindLog(binder, node)]
    case 'callStatement':
      return present(bindCallStatement(binder, node.call))
    case 'fileDeclaration':
      return declareFiles(binder, node)
    case 'exceptionDeclaration':
      declareException(binder, node)
      return []
    case 'raise':
      return [bindRaise(binder, node)]
    case 'try':
      return [bindTry(binder, node, (statements) => bindBody(binder, statements))]
    case 'return':
      return [bindReturn(binder, node)]
    case 'sqlSelect':
      return bindSelectInto(binder, node)
    case 'initTable':
    case 'orderTable':
    case 'filterTable':
    case 'projectTable':
    case 'projectVertices':
    case 'joinTables':
    case 'uniteTables':
    case 'unwindTable':
      return bindTableStatement(binder, node)
    case 'insert':
      return present(bindInsert(binder, node))
    case 'deleteAlias':
      return [bindDeleteAlias(binder, node)]
    case 'deleteFrom':
    case 'updateFrom':
      return [bindChangeFrom(binder, node)]
    case 'virtualEdge':
      return bindVirtualEdge(binder, node)
  }
}

function bindTypedef(
  binder: Binder,
  { type, name }: Extract<Statement, { kind: 'typedef' }>,
): BoundStatement[] {
  if (binder.typedefNames.has(name.name)) {
    const message = `type "${name.name}" is already defined`
    binder.fail(diagnosticCodes.duplicate, name.range, message)
  }
  binder.typedefNames.add(name.name)
  if (type.kind === 'tupleType') {
    binder.tuples.set(name.name, bindTupleType(binder, name.name, type.fields))
  } else {
    binder.accumTypedefs.set(name.name, bindAccumType(binder, type))
  }
  return []
}

/** Without an initial value a variable starts at the zero of its type. */
function bindVariables(binder: Binder, node: VariableDeclaration): BoundStatement[] {
  const type = bindType(binder, node.type)
  return node.items.map(({ name, initial }) => {
    const value =
      initial === null
        ? ({ kind: 'default', type } as const)
        : (attemptOr<BoundExpression>(
            binder,
            () => bindValueOf(binder, initial, type),
            (failure) => ({ ...failure, type }),
          ) ?? ({ kind: 'default', type } as const))
    const slot = binder.declareVariable(name.name, type, name.range)
    return { kind: 'setVariable', slot, value, place: binder.place(node.range) }
  })
}

function bindAssign(binder: Binder, node: AssignSyntax): BoundStatement {
  const loaded = bindLoadAccum(binder, node)
  if (loaded !== null) return loaded
  const { target, value } = node
  if (value.kind !== 'select') {
    const update = bindAttributeAssign(binder, node, value) ?? bindAccumAssign(binder, node, value)
    if (update !== null) return update
  }
  const entry = target.kind === 'name' ? binder.lookup(target.name) : undefined
  if (entry?.kind === 'variable' && value.kind !== 'select') {
    const { type } = binder.variables[entry.slot]!
    const next = bindNewValue(binder, node, { value, type })
    return { kind: 'setVariable', slot: entry.slot, value: next, place: binder.place(node.range) }
  }
  const free = target.kind === 'name' && entry === undefined && node.operator === '='
  const parameter =
    target.kind === 'name' && binder.parameters.some(({ name }) => name === target.name)
  if (!free || parameter) return failTarget(binder, node)
  try {
    return bindSetAssign(binder, node, target.name)
  } catch (failure) {
    // Declared all the same, so that one mistake is not reported again at every use.
    const typeIds = binder.isResolved ? [] : binder.schema.allVertexTypeIds()
    binder.assignVertexSet(target.name, typeIds)
    throw failure
  }
}

/** `S = …`: the first assignment declares the set; its types may grow. */
function bindSetAssign(binder: Binder, node: AssignSyntax, name: string): BoundStatement {
  const { value } = node
  const annotated = annotatedTypes(binder, node)
  if (value.kind === 'select') {
    const { select, typeIds } = bindSelect(binder, value)
    const resultSlot = binder.assignVertexSet(name, [...typeIds, ...annotated])
    return { ...select, resultSlot }
  }
  if (isPlainValue(binder, value)) failTarget(binder, node)
  const { set, typeIds } = binder.rules.vertexSet(binder, value)
  const slot = binder.assignVertexSet(name, [...typeIds, ...annotated])
  return { kind: 'assignVertexSet', slot, value: set, place: binder.place(node.range) }
}

/** `x = 1` with no `x`: a forgotten declaration rather than a vertex set. */
function isPlainValue(binder: Binder, value: Expression): boolean {
  if (looksLikeVertexSet(binder, value)) return false
  if (value.kind === 'call' || isSetOperation(value)) {
    return vertexTypeOf(binder.expression(value).type) === null
  }
  const literal = ['int', 'real', 'string', 'bool', 'unary', 'like', 'between', 'in', 'member']
  return literal.includes(value.kind) || value.kind === 'binary'
}

function annotatedTypes(binder: Binder, { annotation }: AssignSyntax): readonly number[] {
  const types = (annotation ?? []).map((ref) =>
    ref.kind === 'any' ? binder.schema.allVertexTypeIds() : annotatedType(binder, ref),
  )
  return sortedIds(types.flat())
}

/** An annotation is not evaluated: with one that names no type the statement fails. */
function annotatedType(binder: Binder, { name, range }: Identifier): readonly number[] {
  if (isTypeParameter(binder, name)) return dynamicVertexTypes(binder, name, range)
  return binder.rules.vertexSet(binder, { kind: 'name', name, range }).typeIds
}

/** A statement that turned out to do nothing leaves none behind. */
function present(statement: BoundStatement | null): BoundStatement[] {
  return statement === null ? [] : [statement]
}

function bindCallStatement(binder: Binder, call: Expression): BoundStatement | null {
  if (call.kind !== 'call') throw new Error('a call statement without a call')
  if (isSetAttr(call)) return bindSetAttr(binder, call)
  const query = bindQueryCall(binder, call)
  if (query !== null) {
    return { kind: 'callStatement', call: query, applies: null, place: binder.place(call.range) }
  }
  if (isPrintln(call)) return bindPrintln(binder, call)
  const name = call.name.name.toLowerCase()
  if (call.of !== null) return bindBitwiseMutation(binder, call) ?? bindMutation(binder, call)
  if (name === 'reset_collection_accum') return bindReset(binder, call)
  return failCallStatement(binder, call)
}

/** Starting an accumulator anew, without what it is declared to start with, empties every instance. */
function bindReset(binder: Binder, call: CallSyntax): BoundStatement {
  const [node, more] = call.arguments
  const global = node?.kind === 'globalAccum'
  if ((!global && node?.kind !== 'vertexAccumName') || more !== undefined) {
    const message = 'reset_collection_accum takes one accumulator: @a or @@a'
    return binder.fail(diagnosticCodes.argumentCount, call.range, message)
  }
  const slot = binder.accumSlot(`${global ? '@@' : '@'}${node.name}`, node.range)
  return { kind: 'declareAccum', global, slot, empties: true, place: binder.place(call.range) }
}

function bindReturn(binder: Binder, node: Extract<Statement, { kind: 'return' }>): BoundStatement {
  const { returns } = binder
  const place = binder.place(node.range)
  if (node.value === null) return { kind: 'return', value: null, place }
  if (returns === null) {
    const message = 'RETURN with a value needs RETURNS in the header'
    return binder.fail(diagnosticCodes.queryReturnsNothing, node.range, message)
  }
  if (isCollection(returns) && looksLikeVertexSet(binder, node.value)) {
    const members = verticesOfSet(binder, node.value)
    return { kind: 'return', value: convertTo(binder, members, returns, node.value.range), place }
  }
  return { kind: 'return', value: bindValueOf(binder, node.value, returns), place }
}

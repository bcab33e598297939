/** Expressions: one function per kind of node, in the order of the syntax tree. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, INT, STRING, type ValueType } from '#query/ir/types.ts'
import { joinTypes, typeText } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { bindEdgeAccum } from '../accumulators/edge-accums.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { bindGlobalAccum, bindMember, bindName, bindVertexAccum } from '../core/names.ts'
import { bindElement } from './arrays.ts'
import { bindCall } from './calls.ts'
import { bindInteger } from './integers.ts'
import { bindMethod } from './methods.ts'
import { bindIsNull } from './null-tests.ts'
import {
  bindBetween,
  bindBinary,
  bindCase,
  bindIn,
  bindLike,
  bindReal,
  bindUnary,
} from './operators.ts'
import { bindQueryValue } from './query-calls.ts'
import { bindVectorCall } from './vector-functions.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

export function bindExpression(binder: Binder, node: Expression): BoundExpression {
  switch (node.kind) {
    case 'int':
      return bindInteger(binder, node)
    case 'real':
      return bindReal(binder, node)
    case 'string':
      return { kind: 'literal', type: STRING, value: node.value }
    case 'bool':
      return { kind: 'literal', type: BOOL, value: node.value }
    case 'name':
      return bindName(binder, node)
    case 'globalAccum':
      return bindGlobalAccum(binder, node)
    case 'member':
      return bindMember(binder, node)
    case 'vertexAccum':
      return bindEdgeAccum(binder, node) ?? bindVertexAccum(binder, node)
    case 'call':
      return bindAnyCall(binder, node)
    case 'unary':
      return bindUnary(binder, node)
    case 'binary':
      return bindBinary(binder, node)
    case 'in':
      return bindIn(binder, node)
    case 'like':
      return bindLike(binder, node)
    case 'between':
      return bindBetween(binder, node)
    case 'isNull':
      return bindIsNull(binder, node)
    case 'case':
      return bindCase(binder, node)
    default:
      return bindComposite(binder, node)
  }
}

function bindComposite(
  binder: Binder,
  node: Node<
    | 'null'
    | 'vertexAccumName'
    | 'allOf'
    | 'bracket'
    | 'parenthesised'
    | 'pair'
    | 'list'
    | 'seed'
    | 'interval'
    | 'trim'
    | 'column'
  >,
): BoundExpression {
  switch (node.kind) {
    case 'list':
      return bindElements(binder, node, 'LIST')
    case 'parenthesised':
      return bindElements(binder, node, 'SET')
    case 'pair':
      return bindPairs(binder, node)
    case 'bracket':
      return bindElement(binder, node)
    case 'column':
      return bindColumn(binder, node)
    case 'seed':
    case 'allOf':
      return binder.fail(diagnosticCodes.misplaced, node.range, 'a vertex set is not a value')
    default:
      return binder.fail(diagnosticCodes.misplaced, node.range, 'this is not a value here')
  }
}

/** `$name` is a parameter in openCypher, and a column in loading jobs. */
function bindColumn(binder: Binder, { text, range }: Node<'column'>): BoundExpression {
  if (!binder.options.cypher) {
    return binder.fail(diagnosticCodes.misplaced, range, 'columns are read in loading jobs only')
  }
  const name = text.slice(1)
  const slot = binder.parameters.findIndex((parameter) => parameter.name === name)
  if (slot >= 0) return { kind: 'parameter', type: binder.parameters[slot]!.type, slot }
  const hint = suggest(
    name,
    binder.parameters.map((parameter) => parameter.name),
  )
  return binder.fail(
    diagnosticCodes.undeclared,
    range,
    `parameter "$${name}" is not declared${hint}`,
  )
}

function bindAnyCall(binder: Binder, node: CallSyntax): BoundExpression {
  if (node.of === null) return bindCall(binder, node)
  const vector = bindVectorCall(binder, node)
  if (vector !== null) return vector
  const query =
    node.of.kind === 'name' || node.of.kind === 'member' ? bindQueryValue(binder, node) : null
  return query ?? bindMethod(binder, node, node.of)
}

/** `[a, b]` is a list, `(a, b)` a set; the elements' common type is theirs. */
function bindElements(
  binder: Binder,
  node: Node<'list' | 'parenthesised'>,
  kind: 'LIST' | 'SET',
): BoundExpression {
  const items = binder.each(node.items.map((item) => () => binder.expression(item)))
  const element = items
    .map((item) => item.type)
    .reduce(joinOrFail(binder, node), items[0]?.type ?? INT)
  const elements = items.map((item, index) =>
    convertTo(binder, item, element, node.items[index]!.range),
  )
  return { kind: 'collection', type: { kind, element }, elements }
}

/** Told where the first stands that does not go with those before it. */
function joinOrFail(binder: Binder, { kind, items }: Node<'list' | 'parenthesised'>) {
  return (left: ValueType, right: ValueType, index: number): ValueType => {
    const joined = joinTypes(left, right)
    if (joined !== null) return joined
    const [one, other] = [left, right].map((type) =>
      typeText(type, (id) => binder.schema.nameOf(id)),
    )
    const isPair = kind === 'parenthesised' && items.length === 2
    const pair = isPair ? '; an entry of a map is written (key -> value)' : ''
    const hint = binder.options.cypher ? CYPHER_LISTS : pair
    const message = `elements have different types, ${one} and ${other}${hint}`
    return binder.fail(diagnosticCodes.typeMismatch, items[index]!.range, message)
  }
}

/** Decision 56. */
const CYPHER_LISTS =
  '; only what WITH, RETURN and all parts of a UNION write out may: collect each by itself, or toString(…) of each'

function bindPairs(binder: Binder, node: Node<'pair'>): BoundExpression {
  const [key] = node.keys
  const [value] = node.values
  if (key === undefined || value === undefined || node.keys.length > 1 || node.values.length > 1) {
    return binder.notSupported(node.range, 'group pairs')
  }
  const entry = { key: binder.expression(key), value: binder.expression(value) }
  const type = { kind: 'MAP', key: entry.key.type, value: entry.value.type } as const
  return { kind: 'map', type, entries: [entry] }
}

/** Tells by its shape and names whether an expression denotes a vertex set; such a set as a value. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'

export function looksLikeVertexSet(binder: Binder, node: Expression): boolean {
  switch (node.kind) {
    case 'name':
      return isVertexSetName(binder, node.name)
    case 'seed':
    case 'allOf':
      return true
    case 'call':
      return isVectorSearch(node)
    case 'binary':
      return isSetOperation(node) && (isOperand(binder, node.left) || isOperand(binder, node.right))
    default:
      return false
  }
}

export function isSetOperation(node: Expression): boolean {
  return node.kind === 'binary' && ['UNION', 'INTERSECT', 'MINUS'].includes(node.operator)
}

/** A call of `vectorSearch`, which yields a vertex set. */
export function isVectorSearch(node: Expression): node is CallSyntax {
  return node.kind === 'call' && node.of === null && node.name.name.toLowerCase() === 'vectorsearch'
}

/** Beside an operator of sets a bare type name stands for its vertices. */
function isOperand(binder: Binder, node: Expression): boolean {
  if (looksLikeVertexSet(binder, node)) return true
  return node.kind === 'name' && isFree(binder, node.name) && isTypeName(binder, node.name)
}

function isTypeName(binder: Binder, name: string): boolean {
  return binder.schema.vertexType(name) !== undefined
}

function isFree(binder: Binder, name: string): boolean {
  if (binder.lookup(name) !== undefined || binder.clause?.select.aliases.has(name)) return false
  return !binder.parameters.some((parameter) => parameter.name === name)
}

function isVertexSetName(binder: Binder, name: string): boolean {
  return isFree(binder, name) && binder.vertexSetSlot(name) >= 0
}

/** A vertex set as the value that holds its vertices. */
export function verticesOfSet(binder: Binder, node: Expression): BoundExpression {
  const { set, typeIds } = binder.rules.vertexSet(binder, node)
  const element: ValueType = { kind: 'VERTEX', typeIds }
  return { kind: 'setVertices', type: { kind: 'SET', element }, set }
}

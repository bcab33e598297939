/** Tells by its shape and names whether an expression denotes a vertex set. */
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'

export function looksLikeVertexSet(binder: Binder, node: Expression): boolean {
  switch (node.kind) {
    case 'name':
      return isVertexSetName(binder, node.name)
    case 'seed':
    case 'allOf':
      return true
    case 'binary':
      return ['UNION', 'INTERSECT', 'MINUS'].includes(node.operator)
    default:
      return false
  }
}

function isVertexSetName(binder: Binder, name: string): boolean {
  if (binder.lookup(name) !== undefined || binder.clause?.select.aliases.has(name)) return false
  if (binder.parameters.some((parameter) => parameter.name === name)) return false
  return binder.vertexSetSlot(name) >= 0
}

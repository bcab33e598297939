/** Vertex set expressions: bitmaps over all vertex numbers, by the runtime. */
import type { BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { vectorSearch } from './vectors.ts'

export function compileVertexSet(unit: Unit, node: BoundVertexSetExpression, scope: Scope): string {
  switch (node.kind) {
    case 'allOfTypes':
      return unit.call('allOf', `[${node.typeIds.join(',')}]`)
    case 'variable':
      return `s${node.slot}`
    case 'vertices': {
      const value = unit.expression(node.value, scope)
      const single = node.value.type.kind === 'VERTEX'
      return unit.call(single ? 'setOfVertex' : 'setOfVertices', value)
    }
    case 'vectorSearch':
      return vectorSearch(unit, node, scope)
    case 'union':
    case 'intersect':
    case 'minus': {
      const left = unit.vertexSet(node.left, scope)
      return unit.call(`${node.kind}Sets`, left, unit.vertexSet(node.right, scope))
    }
  }
}

/** Vertex set expressions. */
import type { BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import { evaluate, type Scope } from './expressions.ts'
import type { Run } from './run.ts'
import type { State } from './state.ts'
import { isVertex, type Vertex } from './values.ts'
import { searchVectors } from './vectors.ts'

/** Members ascending by number, or in the order of an ORDER BY. */
export function vertexSet(
  run: Run,
  node: BoundVertexSetExpression,
  scope: Scope,
): readonly Vertex[] {
  switch (node.kind) {
    case 'allOfTypes':
      return ascending(node.typeIds.flatMap((id) => run.graph.vertices.get(id) ?? []))
    case 'variable':
      return run.sets[node.slot] ?? []
    case 'vertices': {
      const value = evaluate(run, node.value, scope)
      if (value === null || isVertex(value)) return value === null ? [] : [value]
      return ascending((value as State).elements().filter(isVertex))
    }
    case 'union':
    case 'intersect':
    case 'minus': {
      const left = vertexSet(run, node.left, scope)
      const right = new Set(vertexSet(run, node.right, scope))
      if (node.kind === 'union') return ascending([...left, ...right])
      return ascending(left.filter((one) => right.has(one) === (node.kind === 'intersect')))
    }
    case 'vectorSearch': {
      const { candidates, attributes } = node
      const typeIds = [...new Set(attributes.map(({ typeId }) => typeId))]
      const all = candidates ?? ({ kind: 'allOfTypes', typeIds } as const)
      return ascending(searchVectors(run, node, { scope, within: vertexSet(run, all, scope) }))
    }
  }
}

export function ascending(vertices: Iterable<Vertex>): readonly Vertex[] {
  return [...new Set(vertices)].sort((a, b) => a.number - b.number)
}

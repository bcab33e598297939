/** Conditions of conditions, as they would be written. */
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'

export function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'NOT', operand, range: operand.range }
}

export function join(operator: 'AND' | 'OR', left: Expression, right: Expression): Expression {
  const range: SourceRange = left.range
  return { kind: 'binary', operator, left, right, range }
}

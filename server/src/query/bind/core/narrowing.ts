/** What `e.type == "X"` says about an alias: the types left where the condition holds. */
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import { type AliasTarget, aliasKey, type ClauseState } from './clause-state.ts'

type Narrowing = ReadonlyMap<string, readonly number[]>

export function narrowingOf(binder: Binder, condition: Expression): Narrowing {
  const { clause } = binder
  if (clause === null || condition.kind !== 'binary') return new Map()
  if (condition.operator === 'AND') {
    const left = narrowingOf(binder, condition.left)
    return new Map([...left, ...narrowingOf(binder, condition.right)])
  }
  if (condition.operator !== '==') return new Map()
  return (
    narrowedBy(binder, clause, [condition.left, condition.right]) ??
    narrowedBy(binder, clause, [condition.right, condition.left]) ??
    new Map()
  )
}

function narrowedBy(
  binder: Binder,
  clause: ClauseState,
  [member, literal]: readonly [Expression, Expression],
): Narrowing | null {
  if (member.kind !== 'member' || member.name.name !== 'type' || member.of.kind !== 'name')
    return null
  if (literal.kind !== 'string') return null
  const target = clause.select.aliases.get(member.of.name)
  if (target === undefined) return null
  const typeId = typeIdNamed(binder, target, literal.value)
  const left = clause.typesOf(target).filter((id) => id === typeId)
  return new Map([[aliasKey(target), left]])
}

function typeIdNamed(binder: Binder, target: AliasTarget, name: string): number | undefined {
  if (target.kind === 'vertex') return binder.schema.vertexType(name)?.id
  return binder.schema.edge(name)?.type.id
}

/**
 * Results nobody reads: `S = SELECT s FROM …` often stands for its ACCUM clause alone. Such a SELECT
 * marks no vertices and makes no set.
 *
 * A set is read where an expression names it, or a FOREACH runs over it. In the body's own
 * statements a result is dead when it is overwritten, or the query ends, before it is read; inside
 * loops and branches only when the set is never read at all.
 */
import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'

export function deadResults(body: readonly BoundStatement[]): ReadonlySet<BoundSelect> {
  const dead = new Set<BoundSelect>()
  body.forEach((statement, i) => {
    if (statement.kind === 'select') {
      if (isPlain(statement) && !readLater(body.slice(i + 1), statement.resultSlot)) {
        dead.add(statement)
      }
      return
    }
    for (const select of selectsIn(statement)) {
      if (isPlain(select) && !reads(body, select.resultSlot)) dead.add(select)
    }
  })
  return dead
}

/** HAVING, ORDER BY, and a LIMIT that is computed may fail: a SELECT with them is left as it is. */
function isPlain(select: BoundSelect): boolean {
  const { resultSlot, having, orderBy, limit, offset } = select
  if (resultSlot === null || having !== null || orderBy.length > 0) return false
  return [limit, offset].every((value) => value === null || isCount(value))
}

function isCount(value: BoundExpression): boolean {
  return value.kind === 'literal' && Number(value.value) >= 0
}

function readLater(rest: readonly BoundStatement[], slot: number | null): boolean {
  for (const statement of rest) {
    if (reads(statement, slot)) return true
    const writes =
      (statement.kind === 'select' && statement.resultSlot === slot) ||
      (statement.kind === 'assignVertexSet' && statement.slot === slot)
    if (writes) return false
  }
  return false
}

interface AnyNode {
  readonly kind?: unknown
  readonly slot?: unknown
  readonly type?: unknown
}

/** Base variables have a type in the tree, vertex sets have none. */
function reads(node: unknown, slot: number | null): boolean {
  if (Array.isArray(node)) return node.some((child) => reads(child, slot))
  if (typeof node !== 'object' || node === null) return false
  const { kind, slot: own, type } = node as AnyNode
  const isRead = kind === 'vertexSet' || (kind === 'variable' && type === undefined)
  if (isRead && own === slot) return true
  return Object.values(node).some((child) => reads(child, slot))
}

function selectsIn(node: unknown): readonly BoundSelect[] {
  if (Array.isArray(node)) return node.flatMap(selectsIn)
  if (typeof node !== 'object' || node === null) return []
  if ((node as AnyNode).kind === 'select') return [node as BoundSelect]
  return Object.values(node).flatMap(selectsIn)
}

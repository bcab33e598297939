/**
 * FOREACH in a body over a global list or map: what is assigned to the loop variable is assigned to
 * the element, too (docs/reference/gsql/statements.md#control-flow, docs/decisions/0038). The loop itself walks a copy.
 */

import type { BoundForeach, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { type AccumType, INT, type ValueType } from '#query/ir/types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { ForeachSyntax } from '#query/syntax/ast-statement.ts'
import { bindFold } from '../accumulators/fold.ts'
import { accumTypeOf } from '../accumulators/mutate.ts'
import type { Binder } from '../core/binder.ts'
import { bindForeach, type Level } from './control.ts'

export function bindBodyForeach(
  binder: Binder,
  node: ForeachSyntax,
  level: Level<BoundStatement>,
): BoundStatement[] {
  const assigned = node.variables.filter(({ name }) => assigns(node.body, name))
  if (assigned.length === 0) return [bindForeach(binder, node, level)]
  const loop = { binder, node, level, assigned }
  const { over, variables } = node
  const of = over.kind === 'collection' && over.value.kind === 'globalAccum' ? over.value : null
  const accum = of === null ? null : accumTypeOf(binder, of)
  if (of === null || accum === null || assigned.at(-1) !== variables.at(-1)) {
    return [bindRounds(loop, null)]
  }
  const slot = binder.accumSlot(`@@${of.name}`, of.range)
  if (accum.kind === 'ListAccum' && variables.length === 1) return overList(loop, slot)
  if (accum.kind === 'MapAccum' && variables.length === 2) return [overMap(loop, slot, accum)]
  return [bindRounds(loop, null)]
}

/** A statement, and what it changes beside when it assigns to a loop variable. */
export function withElement(binder: Binder, statement: BoundStatement): BoundStatement[] {
  if (statement.kind !== 'setVariable') return [statement]
  const change = binder.elementChanges.get(statement.slot)
  return change === undefined ? [statement] : [statement, change()]
}

interface Loop {
  readonly binder: Binder
  readonly node: ForeachSyntax
  readonly level: Level<BoundStatement>
  /** The loop variables that the body assigns to. */
  readonly assigned: readonly Identifier[]
}

interface Variable {
  readonly slot: number
  readonly type: ValueType
}

/**
 * Each variable that is assigned to has a value of its own: what the loop gives belongs to the copy
 * that it walks.
 * @param change what an assignment to the last variable changes beside
 */
function bindRounds(
  { binder, node, level, assigned }: Loop,
  change: ((variable: Variable) => BoundStatement) | null,
): BoundForeach<BoundStatement> {
  const place = binder.place(node.range)
  const firsts: BoundStatement[] = []
  const bound = bindForeach(binder, node, {
    ...level,
    declare: (_binder, name, type) => {
      const slot = level.declare(binder, name, type)
      if (!assigned.includes(name)) return slot
      const given = binder.variables.push({ name: '#given', type }) - 1
      firsts.push({ kind: 'setVariable', slot, value: read({ slot: given, type }), place })
      if (change !== null && name === node.variables.at(-1)) {
        binder.elementChanges.set(slot, () => change({ slot, type }))
      }
      return given
    },
  })
  return { ...bound, body: [...firsts, ...bound.body] }
}

/** With a count of the rounds: places in the list. */
function overList(loop: Loop, slot: number): BoundStatement[] {
  const { binder, node } = loop
  const place = binder.place(node.range)
  const index = { slot: binder.variables.push({ name: '#place', type: INT }) - 1, type: INT }
  const plus = { kind: 'arithmetic', type: INT, operator: '+' } as const
  const counted = { ...plus, left: read(index), right: integer(1) }
  const bound = bindRounds(loop, (element) => ({
    kind: 'mutate',
    target: { kind: 'globalAccum', slot },
    method: 'update',
    arguments: [read(index), read(element)],
    applies: null,
    place,
  }))
  return [
    { kind: 'setVariable', slot: index.slot, value: integer(-1), place },
    {
      ...bound,
      body: [{ kind: 'setVariable', slot: index.slot, value: counted, place }, ...bound.body],
    },
  ]
}

function overMap(
  loop: Loop,
  slot: number,
  accum: Extract<AccumType, { kind: 'MapAccum' }>,
): BoundStatement {
  const { binder, node } = loop
  const place = binder.place(node.range)
  const named = (name: string): Expression => ({ kind: 'name', name, range: node.range })
  const [keys, values] = [[named('#key')], [named('#value')]]
  const key = binder.variables.push({ name: '#key', type: accum.key }) - 1
  const bound = bindRounds(loop, (value) => {
    const names = new Map([
      ['#key', key],
      ['#value', value.slot],
    ])
    const pair: Expression = { kind: 'pair', keys, values, range: node.range }
    const fold = binder.withVariables(names, () => bindFold(binder, accum, pair))
    const anew = fold.kind === 'pair' ? { ...fold, assign: true } : fold
    const target = { kind: 'globalAccum', slot } as const
    return { kind: 'updateAccum', target, assign: false, value: anew, applies: null, place }
  })
  const given = read({ slot: bound.slots[0]!, type: accum.key })
  return {
    ...bound,
    body: [{ kind: 'setVariable', slot: key, value: given, place }, ...bound.body],
  }
}

function read({ slot, type }: Variable): BoundExpression {
  return { kind: 'variable', type, slot }
}

function integer(value: number): BoundExpression {
  return { kind: 'literal', type: INT, value }
}

/** Whether a variable of that name is assigned anywhere inside. */
function assigns(part: unknown, name: string): boolean {
  if (Array.isArray(part)) return part.some((item) => assigns(item, name))
  if (typeof part !== 'object' || part === null) return false
  const { kind, target } = part as { kind?: unknown; target?: { kind?: unknown; name?: unknown } }
  if (kind === 'assign' && target?.kind === 'name' && target.name === name) return true
  return Object.values(part).some((inner) => assigns(inner, name))
}

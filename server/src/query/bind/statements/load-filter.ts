/**
 * `LOADACCUM(…).FILTER(cond)` (docs/reference/gsql/accumulators.md), in terms of what is there: the rows are loaded into a
 * hidden list, with the columns that the condition speaks of, and folded where it holds. In the
 * condition a column is a text, of which `to_int` and `to_float` make numbers. Rows of a
 * GroupByAccum are loaded so as well, with no condition.
 */

import type { BoundFileSource, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression, BoundFileColumn } from '#query/ir/bound-expression.ts'
import { STRING } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { replaced } from '../expressions/aggregates.ts'
import { foldStatement } from '../tables/match-source.ts'
import { declared, hidden, readOf } from '../tables/tables.ts'
import { type LoadedRow, tupleOf } from './loaded-rows.ts'

export interface RowLoad {
  /** The accumulator that takes the rows. */
  readonly slot: number
  readonly file: BoundFileSource
  readonly columns: readonly BoundFileColumn[]
  readonly row: LoadedRow
  /** Null: every row is folded. */
  readonly condition: Expression | null
  /** Where the rows are loaded, for what is said of it. */
  readonly node: Expression
  readonly columnOf: (node: Expression) => BoundFileColumn
}

/** The call without its filter, and the condition; null: there is none. */
export function filterOf(
  node: Expression,
): { readonly call: Expression; readonly condition: Expression | null } | null {
  if (node.kind !== 'call' || node.of === null) return { call: node, condition: null }
  const isFilter = node.name.name.toLowerCase() === 'filter' && node.arguments.length === 1
  return isFilter ? { call: node.of, condition: node.arguments[0]! } : null
}

export function bindRowLoad(binder: Binder, load: RowLoad): BoundStatement[] {
  const { file, columns, condition, node } = load
  const place = binder.place((condition ?? node).range)
  const asked = condition === null ? [] : askedColumns(condition)
  const types = [...load.row.types, ...asked.map(() => STRING)]
  const row = tupleOf(types)
  const rows = hidden(binder, '#loaded', {
    kind: 'ListAccum',
    element: { kind: 'value', type: row },
  })
  const rowSlot = binder.variables.push({ name: '#row', type: row }) - 1
  const of: BoundExpression = { kind: 'variable', type: row, slot: rowSlot }
  const fields = types.map((type, field): BoundExpression => ({ kind: 'field', type, of, field }))
  const first = load.row.types.length
  const slots = asked.map((text) => binder.variables.push({ name: text, type: STRING }) - 1)
  const names = new Map(asked.map((text, i) => [text, slots[i]!]))
  const when =
    condition === null
      ? null
      : binder.withVariables(names, () => bindCondition(binder, withNames(condition)))
  const setters = slots.map(
    (slot, i): BoundStatement => ({ kind: 'setVariable', slot, value: fields[first + i]!, place }),
  )
  const fold = foldStatement({ slot: load.slot, fold: load.row.foldOf(fields), when }, place)
  const all = [...columns, ...asked.map((text) => load.columnOf(columnNode(text, node)))]
  const shape = { key: [], value: types, isTuple: true, isElement: true }
  return [
    declared(binder, node, rows),
    {
      kind: 'loadAccum',
      slot: rows,
      resets: true,
      sources: [{ file, columns: all }],
      shape,
      place,
    },
    {
      kind: 'foreach',
      slots: [rowSlot],
      over: { kind: 'collection', value: readOf(binder, rows) },
      body: [...setters, fold],
      place,
    },
  ]
}

/** As they are written, each once. */
function askedColumns(condition: Expression): string[] {
  const found = new Set<string>()
  replaced(condition, (part) => {
    if (part.kind === 'column') found.add(part.text)
    return null
  })
  return [...found]
}

function columnNode(text: string, { range }: Expression): Expression {
  return { kind: 'column', text, range }
}

const SPELLED: Readonly<Record<string, string>> = {
  to_int: 'str_to_int',
  to_float: 'tg_str_to_float',
}

function withNames(condition: Expression): Expression {
  return replaced(condition, (part) => {
    if (part.kind === 'column') return { kind: 'name', name: part.text, range: part.range }
    const spelled = part.kind === 'call' ? SPELLED[part.name.name.toLowerCase()] : undefined
    if (part.kind !== 'call' || spelled === undefined) return null
    const name = { name: spelled, range: part.name.range }
    return { ...part, name, arguments: part.arguments.map(withNames) } satisfies CallSyntax
  })
}

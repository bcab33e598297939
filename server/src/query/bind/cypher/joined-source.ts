/**
 * Rows of a table that a pattern extends from one of their vertices, as one match for all of them:
 * the rows are kept by that vertex, the match starts from all such vertices at once, and each of
 * its rows meets the table's rows of its start. One match per row would cost a pass over the
 * vertices of the graph each.
 */
import type { Expression } from '#query/syntax/ast.ts'
import type { NodeSyntax, PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../binder.ts'
import type { BoundStatement } from '../bound.ts'
import type { BoundExpression } from '../bound-expression.ts'
import type { BoundDmlStatement } from '../bound-select.ts'
import { ClauseState } from '../clause-state.ts'
import { bindCondition } from '../conditions.ts'
import { foldStatement, selectWith } from '../match-source.ts'
import { bindMatch } from '../select.ts'
import { declared, hidden, type RowFold, type RowSource, readOf, rowValue } from '../tables.ts'
import type { TupleValueType, ValueType } from '../types.ts'

export interface JoinSpec {
  /** The table: a variable that holds a list of tuples. */
  readonly tableSlot: number
  readonly row: TupleValueType
  /** The column whose vertices the patterns start from. */
  readonly anchor: string
  readonly paths: readonly PathSyntax[]
  /** Speaks of the patterns and the anchor. */
  readonly where: Expression | null
  /** Conditions that speak of other columns. */
  readonly late: Expression | null
  /** Columns that the patterns bind anew: the names mean those. */
  readonly shadowed: ReadonlySet<string>
  /** Tells the hidden accumulators of the query apart. */
  readonly id: number
  readonly range: SourceRange
}

export function joinedSource(
  binder: Binder,
  spec: JoinSpec,
  counts: RowSource['counts'],
): RowSource {
  const { row, range, anchor } = spec
  const keyField = row.fields.findIndex(({ name }) => name === anchor)
  const vertex = row.fields[keyField]!.type
  const rowsOf = hidden(binder, `#rowsOf${spec.id}`, {
    kind: 'MapAccum',
    key: vertex,
    value: { kind: 'accum', accum: { kind: 'ListAccum', element: { kind: 'value', type: row } } },
  })
  const starts = hidden(binder, `#starts${spec.id}`, {
    kind: 'SetAccum',
    element: { kind: 'value', type: vertex },
  })
  const patterns = [startingFrom(spec), ...spec.paths]
  const match = bindMatch(binder, { patterns, where: spec.where })
  const state = new ClauseState('accum', match.state)
  const columns = localsOf(state, spec)
  const inRow: RowSource['inRow'] = (use) =>
    binder.withLocals(columns, () => {
      binder.clause = state
      try {
        return use((node) => rowValue(binder, node))
      } finally {
        binder.clause = null
      }
    })
  const late = spec.late === null ? null : inRow(() => bindCondition(binder, spec.late!))
  const position = match.state.aliases.get(anchor)
  if (position?.kind !== 'vertex') throw new Error('a join without its start')
  const start: BoundExpression = { kind: 'vertexAlias', type: vertex, position: position.position }
  return {
    inRow,
    counts,
    folding: (folds) => {
      const over = rowsUnder(binder, rowsOf, start)
      const body = rowBody(binder, spec, { folds, late })
      const select = selectWith(binder, match, { folds, range })
      const { effects } = select.accum!
      return [
        ...kept(binder, spec, { rowsOf, starts, keyField }),
        {
          ...select,
          accum: {
            ...select.accum!,
            locals: state.locals,
            effects: { ...effects, globalsRead: [rowsOf] },
            body: [{ kind: 'foreach', slots: [0], over, body, place: binder.place(range) }],
          },
        },
      ]
    },
  }
}

/** `(@@#starts:a)`. */
function startingFrom({ id, anchor, range }: JoinSpec): PathSyntax {
  const node: NodeSyntax = {
    types: [{ kind: 'globalAccum', name: `#starts${id}`, all: false, range }],
    alias: { name: anchor, range },
    properties: [],
    where: null,
    range,
  }
  return { style: 'v3', nodes: [node], edges: [], range }
}

/** The row, and behind it each of its columns; the anchor is the pattern's own alias. */
function localsOf(
  state: ClauseState,
  { row, anchor, shadowed }: JoinSpec,
): ReadonlyMap<string, number> {
  state.locals.push({ name: '#row', type: row })
  const slots = row.fields.map(({ name, type }) => [name, state.locals.push({ name, type }) - 1])
  const visible = slots.filter(([name]) => name !== anchor && !shadowed.has(name as string))
  return new Map(visible as [string, number][])
}

function rowsUnder(binder: Binder, slot: number, key: BoundExpression) {
  const of = readOf(binder, slot)
  const type = (of.type as Extract<ValueType, { kind: 'MAP' }>).value
  const value: BoundExpression = { kind: 'method', type, method: 'get', of, arguments: [key] }
  return { kind: 'collection', value } as const
}

function rowBody(
  binder: Binder,
  { row, range }: JoinSpec,
  { folds, late }: { readonly folds: readonly RowFold[]; readonly late: BoundExpression | null },
): readonly BoundDmlStatement[] {
  const place = binder.place(range)
  const of: BoundExpression = { kind: 'local', type: row, slot: 0 }
  const columns = row.fields.map(({ type }, field): BoundDmlStatement => {
    const value: BoundExpression = { kind: 'field', type, of, field }
    return { kind: 'setLocal', slot: field + 1, value, applies: null, place }
  })
  const body = folds.map((fold) => foldStatement(fold, place))
  if (late === null) return [...columns, ...body]
  return [...columns, { kind: 'if', branches: [{ condition: late, body }], otherwise: [], place }]
}

/** Puts the table's rows under their vertices. */
function kept(
  binder: Binder,
  { tableSlot, row, range }: JoinSpec,
  { rowsOf, starts, keyField }: { rowsOf: number; starts: number; keyField: number },
): readonly BoundStatement[] {
  const place = binder.place(range)
  const rowSlot = binder.variables.push({ name: '#row', type: row }) - 1
  const value: BoundExpression = { kind: 'variable', type: row, slot: rowSlot }
  const { type } = row.fields[keyField]!
  const key: BoundExpression = { kind: 'field', type, of: value, field: keyField }
  const rows: BoundExpression = {
    kind: 'variable',
    type: { kind: 'LIST', element: row },
    slot: tableSlot,
  }
  const pair = { kind: 'pair', key, value: { kind: 'element', value } } as const
  return [
    declared(binder, { range }, rowsOf),
    declared(binder, { range }, starts),
    {
      kind: 'foreach',
      slots: [rowSlot],
      over: { kind: 'collection', value: rows },
      body: [
        foldStatement({ slot: rowsOf, fold: pair, when: null }, place),
        foldStatement({ slot: starts, fold: { kind: 'element', value: key }, when: null }, place),
      ],
      place,
    },
  ]
}

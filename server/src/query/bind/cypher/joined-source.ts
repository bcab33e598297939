/**
 * Rows of a table that a pattern extends from some of their vertices, the anchors, as one match for
 * all of them: the rows are kept by those vertices, the match goes from all first anchors at once
 * to such others as the table has, and each of its rows meets the table's rows of its anchors. One
 * match per row would cost a pass over the vertices of the graph each.
 */

import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { BOOL, INT, type TupleValueType, type ValueType } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { NodeSyntax, PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { ClauseState } from '../core/clause-state.ts'
import { bindCondition } from '../core/conditions.ts'
import { bindMatch } from '../statements/select.ts'
import { foldStatement, selectWith } from '../tables/match-source.ts'
import {
  declared,
  hidden,
  type RowFold,
  type RowSource,
  readOf,
  rowValue,
} from '../tables/tables.ts'

export interface JoinSpec {
  /** The table: a variable that holds a list of tuples. */
  readonly tableSlot: number
  readonly row: TupleValueType
  /** The columns whose vertices the patterns speak of; none: every row goes with every row. */
  readonly anchors: readonly string[]
  readonly paths: readonly PathSyntax[]
  /** Speaks of the patterns and the anchors. */
  readonly where: Expression | null
  /** Conditions that speak of other columns. */
  readonly late: Expression | null
  /** Columns that the patterns bind anew: the names mean those. */
  readonly shadowed: ReadonlySet<string>
  /** Tells the hidden accumulators of the query apart. */
  readonly id: number
  readonly range: SourceRange
}

/** A column that is a vertex of the patterns. */
interface Anchor {
  readonly field: number
  readonly name: string
  readonly type: ValueType
  /** The accumulator of all its vertices, and the name of that. */
  readonly starts: number
  readonly startsName: string
}

export function joinedSource(
  binder: Binder,
  spec: JoinSpec,
  counts: RowSource['counts'],
): RowSource {
  const { row, range } = spec
  const anchors = anchorsOf(binder, spec)
  const rowsOf = hidden(binder, `#rowsOf${spec.id}`, {
    kind: 'MapAccum',
    key: anchors.length === 1 ? anchors[0]!.type : INT,
    value: { kind: 'accum', accum: { kind: 'ListAccum', element: { kind: 'value', type: row } } },
  })
  const patterns = [...anchors.map((anchor) => startingFrom(anchor, range)), ...spec.paths]
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
  const late = spec.late === null ? [] : [inRow(() => bindCondition(binder, spec.late!))]
  const ends = anchors.map(({ name, type }): BoundExpression => {
    const target = match.state.aliases.get(name)
    if (target?.kind !== 'vertex') throw new Error('a join without its start')
    return { kind: 'vertexAlias', type, position: target.position }
  })
  const conditions = [...(anchors.length === 1 ? [] : sameVertices(spec, anchors, ends)), ...late]
  return {
    inRow,
    counts,
    folding: (folds) => {
      const select = selectWith(binder, match, { folds, range })
      const { effects } = select.accum!
      const body = eachRow(binder, spec, { rowsOf, key: keyOf(ends), folds, conditions })
      return [
        ...(anchors.length === 0 ? [] : kept(binder, spec, { rowsOf, anchors })),
        {
          ...select,
          accum: {
            ...select.accum!,
            locals: state.locals,
            effects: { ...effects, globalsRead: anchors.length === 0 ? [] : [rowsOf] },
            body,
          },
        },
      ]
    },
  }
}

function anchorsOf(binder: Binder, { row, anchors, id }: JoinSpec): readonly Anchor[] {
  return [...row.fields.entries()]
    .filter(([, { name }]) => anchors.includes(name))
    .map(([field, { name, type }]) => {
      const startsName = `#starts${id}_${field}`
      const element = { kind: 'value', type } as const
      const starts = hidden(binder, startsName, { kind: 'SetAccum', element })
      return { field, name, type, starts, startsName }
    })
}

/** `(@@#starts:a)`. */
function startingFrom({ name, startsName }: Anchor, range: SourceRange): PathSyntax {
  const node: NodeSyntax = {
    types: [{ kind: 'globalAccum', name: startsName, all: false, range }],
    alias: { name, range },
    properties: [],
    where: null,
    range,
  }
  return { style: 'v3', nodes: [node], edges: [], range }
}

/**
 * What the rows of such vertices are kept by: the vertex, or a number of the first two. It is met
 * for every row of the match, most of which no row of the table may go with: a number is found, or
 * missed, in a tenth of the time of a tuple. Two pairs may have one number: `sameVertices`. Without
 * anchors there is nothing to keep them by: every row is met.
 */
function keyOf([first, second]: readonly BoundExpression[]): BoundExpression {
  if (first === undefined) return { kind: 'literal', type: INT, value: 0 }
  if (second === undefined) return first!
  const number = (of: BoundExpression): BoundExpression => {
    return { kind: 'call', type: INT, name: 'getvid', arguments: [of] }
  }
  const factor: BoundExpression = { kind: 'literal', type: INT, value: 2 ** 26 }
  const left: BoundExpression = {
    kind: 'arithmetic',
    type: INT,
    operator: '*',
    left: number(first!),
    right: factor,
  }
  return { kind: 'arithmetic', type: INT, operator: '+', left, right: number(second) }
}

/** The anchors of the row are those of the match. */
function sameVertices(
  { row }: JoinSpec,
  anchors: readonly Anchor[],
  ends: readonly BoundExpression[],
): readonly BoundExpression[] {
  return anchors.map(({ field, type }, index) => {
    const own: BoundExpression = { kind: 'field', type, of: rowLocal(row), field }
    return { kind: 'compare', type: BOOL, operator: '==', left: own, right: ends[index]! }
  })
}

/** The row, and behind it each of its columns; anchors are the pattern's own aliases. */
function localsOf(
  state: ClauseState,
  { row, anchors, shadowed }: JoinSpec,
): ReadonlyMap<string, number> {
  state.locals.push({ name: '#row', type: row })
  const slots = row.fields.map(
    ({ name, type }) => [name, state.locals.push({ name, type }) - 1] as const,
  )
  const hidden = new Set([...anchors, ...shadowed])
  return new Map(slots.filter(([name]) => !hidden.has(name)))
}

function rowLocal(type: TupleValueType): BoundExpression {
  return { kind: 'local', type, slot: 0 }
}

interface RowWork {
  readonly rowsOf: number
  readonly key: BoundExpression
  readonly folds: readonly RowFold[]
  /** Under which a row of the table goes with one of the match. */
  readonly conditions: readonly BoundExpression[]
}

/** For a row of the match: each row of the table that has its vertices. */
function eachRow(
  binder: Binder,
  { row, range, tableSlot, anchors }: JoinSpec,
  { rowsOf, key, folds, conditions }: RowWork,
): readonly BoundDmlStatement[] {
  const place = binder.place(range)
  const list = { kind: 'LIST', element: row } as const
  const every: BoundExpression = { kind: 'variable', type: list, slot: tableSlot }
  const of = readOf(binder, rowsOf)
  const type = (of.type as Extract<ValueType, { kind: 'MAP' }>).value
  const common = { kind: 'method', of, arguments: [key] } as const
  const columns = row.fields.map(({ type: own }, field): BoundDmlStatement => {
    const value: BoundExpression = { kind: 'field', type: own, of: rowLocal(row), field }
    return { kind: 'setLocal', slot: field + 1, value, applies: null, place }
  })
  const [first, ...rest] = conditions
  const body = folds.map((fold) => foldStatement(fold, place))
  const condition = rest.reduce<BoundExpression | undefined>(
    (left, right) => left && { kind: 'and', type: BOOL, left, right },
    first,
  )
  const guarded: readonly BoundDmlStatement[] =
    condition === undefined
      ? body
      : [{ kind: 'if', branches: [{ condition, body }], otherwise: [], place }]
  const each: BoundDmlStatement = {
    kind: 'foreach',
    slots: [0],
    over: {
      kind: 'collection',
      value: anchors.length === 0 ? every : { ...common, type, method: 'get' },
    },
    body: [...columns, ...guarded],
    place,
  }
  if (anchors.length === 0) return [each]
  const isThere: BoundExpression = { ...common, type: BOOL, method: 'containsKey' }
  return [{ kind: 'if', branches: [{ condition: isThere, body: [each] }], otherwise: [], place }]
}

/** Puts the table's rows under their anchors. */
function kept(
  binder: Binder,
  { tableSlot, row, range }: JoinSpec,
  { rowsOf, anchors }: { readonly rowsOf: number; readonly anchors: readonly Anchor[] },
): readonly BoundStatement[] {
  const place = binder.place(range)
  const rowSlot = binder.variables.push({ name: '#row', type: row }) - 1
  const value: BoundExpression = { kind: 'variable', type: row, slot: rowSlot }
  const vertices = anchors.map(
    ({ field, type }): BoundExpression => ({ kind: 'field', type, of: value, field }),
  )
  const list = { kind: 'LIST', element: row } as const
  const rows: BoundExpression = { kind: 'variable', type: list, slot: tableSlot }
  const pair = { kind: 'pair', key: keyOf(vertices), value: { kind: 'element', value } } as const
  const folds: readonly RowFold[] = [
    { slot: rowsOf, fold: pair, when: null },
    ...anchors.map(({ starts }, index): RowFold => {
      return { slot: starts, fold: { kind: 'element', value: vertices[index]! }, when: null }
    }),
  ]
  return [
    ...folds.map(({ slot }) => declared(binder, { range }, slot)),
    {
      kind: 'foreach',
      slots: [rowSlot],
      over: { kind: 'collection', value: rows },
      body: folds.map((fold) => foldStatement(fold, place)),
      place,
    },
  ]
}

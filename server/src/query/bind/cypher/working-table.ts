/**
 * The working table of an openCypher query (docs/reference/gsql/opencypher.md): the rows so far, and the patterns and
 * conditions read since, which are joined to them when rows are next needed.
 *
 * Rows are a table variable of earlier clauses, looped over, with one variable per column; the
 * patterns are one match inside that loop. Both may be missing: then there is one row, or none.
 */

import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import { BOOL, type TupleValueType } from '#query/ir/types.ts'
import type { Expression, Identifier } from '#query/syntax/ast.ts'
import type { PathSyntax } from '#query/syntax/ast-pattern.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { ClauseState } from '../core/clause-state.ts'
import { bindCondition } from '../core/conditions.ts'
import { mentionedNames } from '../core/mentions.ts'
import { bindMatch, type Match } from '../statements/select.ts'
import { foldStatement, selectWith } from '../tables/match-source.ts'
import {
  bindTable,
  type Outputs,
  type RowFold,
  type RowSource,
  rowValue,
} from '../tables/tables.ts'
import { type JoinSpec, joinedSource } from './joined-source.ts'
import { lacksIn } from './lacking.ts'
import { join } from './logic.ts'
import { type MadeElements, withMade } from './made-elements.ts'
import { checkNameKinds } from './name-kinds.ts'
import { NullRewriter } from './nulls.ts'
import {
  aliasesOf,
  anchored,
  edgeAliasesOf,
  firstComponent,
  renamed,
  rewrittenPath,
  vertexAliasesOf,
  withAliasRenamed,
} from './paths.ts'
import { listsIn, withElements } from './written-lists.ts'

export interface Column {
  readonly name: string
  readonly nullable: boolean
  /** Nothing but null: its type is nobody's. */
  readonly isNull?: true
}

export interface Table {
  readonly slot: number
  readonly columns: readonly Column[]
  readonly row: TupleValueType
}

export function rowsOf({ row, slot }: Table): BoundExpression {
  return { kind: 'variable', type: { kind: 'LIST', element: row }, slot }
}

export class WorkingTable {
  readonly binder: Binder
  readonly statements: BoundStatement[] = []
  table: Table | null = null
  /** What CREATE has made since the last projection, and later clauses read. */
  readonly made: MadeElements = new Map()
  #paths: readonly PathSyntax[] = []
  #conditions: readonly Expression[] = []
  /** Tables named so far, over all parts of the query. */
  readonly #names: { count: number }

  constructor(binder: Binder, names: { count: number }) {
    this.binder = binder
    this.#names = names
  }

  /** Names that expressions can use, in the order they came. */
  get columns(): readonly Column[] {
    const fresh = this.#paths.flatMap(aliasesOf).filter((name) => !name.startsWith('#'))
    const known = (this.table?.columns ?? []).filter(({ name }) => !fresh.includes(name))
    const added = [...new Set(fresh)].map((name) => ({ name, nullable: false }))
    return [...known, ...added]
  }

  /** What a clause or an expression says of the columns there are: of lists, their elements. */
  spelled<T>(node: T): T {
    return withElements(this.readable(node), listsIn(this.columns.map(({ name }) => name)))
  }

  /** The same of what CREATE has made. */
  readable<T>(node: T): T {
    return withMade(this.binder, node, this.made)
  }

  get hasPatterns(): boolean {
    return this.#paths.length > 0
  }

  /** @param added patterns that are about to be added */
  rewriter(added: readonly PathSyntax[] = []): NullRewriter {
    const namesOf = (columns: readonly Column[]) => new Set(columns.map(({ name }) => name))
    const nullable = this.columns.filter((column) => column.nullable)
    const nulls = nullable.filter(({ isNull }) => isNull === true)
    const paths = [...this.#paths, ...added]
    const lacks = lacksIn(this.binder, { table: this.table, paths })
    return new NullRewriter(namesOf(nullable), 'cypher', { nulls: namesOf(nulls), lacks })
  }

  /** Patterns that no rows have been made of yet. */
  get paths(): readonly PathSyntax[] {
    return this.#paths
  }

  addPatterns(paths: readonly PathSyntax[], where: Expression | null): void {
    checkNameKinds(this, paths)
    this.#forgetEdges(paths)
    this.#paths = [...this.#paths, ...paths]
    if (where !== null) this.addCondition(where)
    this.#settle(where?.range ?? paths.at(-1)!.range)
  }

  /**
   * A relationship's name that is used again is a new one: what had the name before stays in the
   * match, and keeps its conditions, under a name that nobody can write (docs/reference/gsql/opencypher.md).
   */
  #forgetEdges(paths: readonly PathSyntax[]): void {
    const again = new Set(paths.flatMap(edgeAliasesOf))
    for (const name of this.#paths.flatMap(edgeAliasesOf)) if (again.has(name)) this.#hide(name)
  }

  #hide(name: string): void {
    this.#names.count += 1
    const hidden = `#hidden${this.#names.count}`
    this.#paths = this.#paths.map((path) => withAliasRenamed(path, name, hidden))
    this.#conditions = this.#conditions.map((condition) => renamed(condition, name, hidden))
  }

  /**
   * `WITH a, b` of names alone: the match goes on, and what a later MATCH adds is joined to it in
   * one. @param where knows the names that are left behind, too
   * @returns false when that cannot be: rows have to be made first
   */
  keepOnly(names: ReadonlySet<string>, where: Expression | null): boolean {
    const { columns, table } = this
    const isKnown = [...names].every((name) => columns.some((column) => column.name === name))
    const keepsTable = table === null || table.columns.every(({ name }) => names.has(name))
    if (!this.hasPatterns || !isKnown || !keepsTable) return false
    if (where !== null) this.addCondition(where)
    for (const { name } of columns) if (!names.has(name)) this.#hide(name)
    return true
  }

  addCondition(condition: Expression): void {
    this.#conditions = [...this.#conditions, ...conjuncts(condition)]
  }

  /** Patterns that share nothing with the others are joined as a table of their own. */
  #settle(range: SourceRange): void {
    const { inside, outside } = firstComponent(this.#paths)
    if (outside.length === 0) return
    const conditions = this.#conditions
    this.#paths = inside
    const known = new Set(this.columns.map(({ name }) => name))
    const later = new Set(outside.flatMap(aliasesOf).filter((name) => !known.has(name)))
    // Also of names that were used again since, or that WITH left behind: they end with the match.
    const early = (condition: Expression) =>
      ![...mentionedNames(condition)].some((name) => later.has(name))
    this.#conditions = conditions.filter(early)
    this.materialise(range)
    this.#paths = outside
    this.#conditions = conditions.filter((condition) => !early(condition))
    this.#settle(range)
  }

  /** Makes a table of all that is there, so that the next clause can loop over its rows. */
  materialise(range: SourceRange): void {
    if (!this.hasPatterns && this.#conditions.length === 0) return
    const { columns } = this
    const outputs: Outputs = {
      columns: columns.flatMap((column) => carried(column, range)),
      keys: [],
      having: null,
    }
    this.replace(columns, {
      outputs,
      groupBy: null,
      distinct: false,
      limit: null,
      source: this.source(range),
      range,
    })
  }

  /** The next table, from the rows so far, which it replaces. */
  replace(columns: readonly Column[], spec: Omit<Parameters<typeof bindTable>[1], 'into'>): void {
    const into = this.nextName(spec.range)
    this.statements.push(...bindTable(this.binder, { ...spec, into }))
    this.use(into, columns)
  }

  nextName(range: SourceRange): Identifier {
    this.#names.count += 1
    return { name: `#table${this.#names.count}`, range }
  }

  /** Goes on with the rows of a table variable. */
  use({ name }: Identifier, columns: readonly Column[]): void {
    const entry = this.binder.lookup(name)
    const type = entry?.kind === 'variable' ? this.binder.variables[entry.slot]!.type : null
    if (entry === undefined || type?.kind !== 'LIST' || type.element.kind !== 'TUPLE') {
      throw new Error('a table that is no list of tuples')
    }
    this.table = { slot: entry.slot, columns, row: type.element }
    this.#paths = []
    this.#conditions = []
  }

  /** Rows of the table joined with the patterns, where the conditions hold. */
  source(range: SourceRange): RowSource {
    const rewriter = this.rewriter()
    const join = this.#joinOn(rewriter, range)
    if (join !== null) {
      return joinedSource(this.binder, join, (argument) => this.counts?.(argument) ?? null)
    }
    const loop = this.loop(range)
    const { match, condition } = loop.inside(() => this.#match(rewriter))
    const state = match === null ? null : new ClauseState('accum', match.state)
    return {
      inRow: (use) =>
        loop.inside(() => {
          this.binder.clause = state
          try {
            return use((node) => rowValue(this.binder, node))
          } finally {
            this.binder.clause = null
          }
        }),
      folding: (folds) => loop.around(this.#folding(folds, { match, condition, range })),
      counts: (argument) => this.counts?.(argument) ?? null,
    }
  }

  /** Set while a clause with aggregates is bound: its rewriter's. */
  counts: NullRewriter['counts'] | null = null

  /** One match for all rows of the table, from vertices of each or of none; null: that cannot be. */
  #joinOn(rewriter: NullRewriter, range: SourceRange): JoinSpec | null {
    const { table } = this
    if (table === null || !this.hasPatterns) return null
    const vertices = new Set(this.#paths.flatMap(vertexAliasesOf))
    const starts = table.columns.filter(({ name }) => vertices.has(name))
    const shadowed = new Set(this.#paths.flatMap(edgeAliasesOf))
    const isAnchor = ({ name, nullable }: Column) => !nullable && !shadowed.has(name)
    if (!starts.every(isAnchor)) return null
    const anchors = starts.map(({ name }) => name)
    const others = table.columns.map(({ name }) => name).filter((name) => !anchors.includes(name))
    const speaksOfOthers = (node: unknown) => {
      const names = mentionedNames(node)
      return others.some((name) => names.has(name))
    }
    if (speaksOfOthers(this.#paths)) return null
    const { early, late } = this.#divided((node) => !speaksOfOthers(node), rewriter)
    this.#names.count += 1
    const paths = this.#paths.map((path) => rewrittenPath(path, rewriter))
    const { slot: tableSlot, row } = table
    const id = this.#names.count
    return { tableSlot, row, anchors, paths, where: early, late, shadowed, id, range }
  }

  /** The conditions in two, each joined by AND. */
  #divided(isEarly: (condition: Expression) => boolean, rewriter: NullRewriter) {
    const joined = (conditions: readonly Expression[]) =>
      conditions
        .map((condition) => rewriter.whenTrue(condition))
        .reduce<Expression | null>(
          (left, right) => (left === null ? right : join('AND', left, right)),
          null,
        )
    return {
      early: joined(this.#conditions.filter(isEarly)),
      late: joined(this.#conditions.filter((condition) => !isEarly(condition))),
    }
  }

  #match(rewriter: NullRewriter): {
    readonly match: Match | null
    readonly condition: BoundExpression | null
  } {
    const where = this.#divided(() => true, rewriter).early
    if (!this.hasPatterns) {
      return { match: null, condition: where === null ? null : bindCondition(this.binder, where) }
    }
    const patterns = this.joined(this.#paths, rewriter)
    return { match: bindMatch(this.binder, { patterns, where }), condition: null }
  }

  /** Patterns as they are matched for a row: names bound before start from their vertices. */
  joined(paths: readonly PathSyntax[], rewriter: NullRewriter): readonly PathSyntax[] {
    const bound = new Set((this.table?.columns ?? []).map(({ name }) => name))
    const starts = [...new Set(paths.flatMap(vertexAliasesOf))].filter((name) => bound.has(name))
    const rewritten = paths.map((path) => rewrittenPath(path, rewriter))
    return [...starts.map((name) => anchored(name, paths[0]!.range)), ...rewritten]
  }

  #folding(
    folds: readonly RowFold[],
    {
      match,
      condition,
      range,
    }: {
      readonly match: Match | null
      readonly condition: BoundExpression | null
      readonly range: SourceRange
    },
  ): readonly BoundStatement[] {
    if (match !== null) return [selectWith(this.binder, match, { folds, range })]
    const place = this.binder.place(range)
    const body = folds.map((fold) => foldStatement(fold, place))
    if (condition === null) return body
    return [{ kind: 'if', branches: [{ condition, body }], otherwise: [], place }]
  }

  /** The loop over the table's rows, with a variable for each column and companion. */
  loop(range: SourceRange): Loop {
    const { binder, table } = this
    if (table === null) return { inside: (bind) => bind(), around: (body) => body }
    const place = binder.place(range)
    const rowSlot = binder.variables.push({ name: '#row', type: table.row }) - 1
    const of: BoundExpression = { kind: 'variable', type: table.row, slot: rowSlot }
    const slots = table.row.fields.map(
      ({ name, type }) => binder.variables.push({ name, type }) - 1,
    )
    const names = new Map(table.row.fields.map(({ name }, index) => [name, slots[index]!]))
    const setters = table.row.fields.map(({ type }, field): BoundStatement => {
      const value: BoundExpression = { kind: 'field', type, of, field }
      return { kind: 'setVariable', slot: slots[field]!, value, place }
    })
    const rows = rowsOf(table)
    return {
      inside: (bind) => binder.withVariables(names, bind),
      around: (body) => [
        {
          kind: 'foreach',
          slots: [rowSlot],
          over: { kind: 'collection', value: rows },
          body: [...setters, ...body],
          place,
        },
      ],
    }
  }
}

export interface Loop {
  readonly inside: <T>(bind: () => T) => T
  readonly around: (body: readonly BoundStatement[]) => readonly BoundStatement[]
}

/** A column taken over as it is, with its companion. */
export function carried(
  { name, nullable }: Column,
  range: SourceRange,
): { name: string; value: Expression }[] {
  const value: Expression = { kind: 'name', name, range }
  if (!nullable) return [{ name, value }]
  const flag = nullFlagOf(name)
  return [
    { name, value },
    { name: flag, value: { kind: 'name', name: flag, range } },
  ]
}

export function flagLiteral(value: boolean): BoundExpression {
  return { kind: 'literal', type: BOOL, value }
}

function conjuncts(node: Expression): Expression[] {
  if (node.kind !== 'binary' || node.operator !== 'AND') return [node]
  return [...conjuncts(node.left), ...conjuncts(node.right)]
}

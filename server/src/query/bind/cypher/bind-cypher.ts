/**
 * openCypher bodies (docs/reference/gsql/opencypher.md), in the bound form that GSQL has: each clause turns the
 * rows before it into the rows after it (`working-table.ts`), and the last one is printed.
 */

import type { BoundPrintItem, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import type {
  CypherClause,
  CypherPart,
  CypherSyntax,
  MatchClause,
  ProjectClause,
} from '#query/syntax/cypher/ast-cypher.ts'
import type { Binder } from '../core/binder.ts'
import { mentionedNames } from '../core/mentions.ts'
import { attemptOr, failureStatement } from '../core/run-failures.ts'
import { foldStatement } from '../tables/match-source.ts'
import { hidden, readOf } from '../tables/tables.ts'
import { warnOfChanged } from './changed-before.ts'
import { bindOptional, bindUnwind } from './loops.ts'
import { bindProjection } from './project.ts'
import { warnOfRelationships } from './same-relationships.ts'
import { tableKey } from './table-key.ts'
import { uniteTables } from './union.ts'
import { rowsOf, type Table, WorkingTable } from './working-table.ts'
import { bindCreate, bindDeletes, bindSet, type CreatedVertices } from './writes.ts'
import { listsOfUnion } from './written-lists.ts'

export function bindCypher(binder: Binder, { parts }: CypherSyntax): BoundStatement[] {
  const { range } = parts[0]!
  const bind = () => bindParts(binder, parts)
  return (
    attemptOr(binder, bind, (failure) => [failureStatement(failure, binder.place(range))]) ?? []
  )
}

function bindParts(binder: Binder, parts: readonly CypherPart[]): BoundStatement[] {
  const lists = parts.length === 1 ? null : listsOfUnion(parts)
  const names = { count: 0, lists }
  checkUnions(binder, parts)
  const first = bindPart(binder, parts[0]!, names)
  const rest = parts.slice(1).map((part) => ({ part, bound: bindPart(binder, part, names) }))
  let table = first.table
  const statements = [...first.statements]
  for (const { part, bound } of rest) {
    const union = uniteTables(binder, part, { left: table, right: bound.table, names })
    statements.push(...bound.statements, ...union.statements)
    table = union.table
  }
  if (table === null) return statements
  const key = binder.options.adHoc ? 'Result_Table' : tableKey(parts)
  const last = parts.length === 1 ? parts[0]!.clauses.at(-1)! : null
  return [...statements, ...printed(binder, table, { key, last })]
}

/** Rows of both kinds of UNION together would depend on their order. */
function checkUnions(binder: Binder, [, second, ...rest]: readonly CypherPart[]): void {
  const other = rest.find(({ union }) => union !== second?.union)
  if (other === undefined) return
  const message = 'UNION and UNION ALL cannot be mixed in one query'
  binder.fail(diagnosticCodes.misplaced, other.range, message)
}

interface Part {
  readonly statements: readonly BoundStatement[]
  /** Null: the part only changes the graph. */
  readonly table: Table | null
}

/** @param names how many tables have a name so far, and the lists that all parts of a UNION write out */
function bindPart(
  binder: Binder,
  { clauses, range }: CypherPart,
  names: { count: number; readonly lists: ReadonlySet<number> | null },
): Part {
  const rows = new WorkingTable(binder, names)
  const created: CreatedVertices = new Map()
  warnOfChanged(binder, clauses)
  clauses.forEach((clause, index) => {
    if (clause.kind === 'return' && index < clauses.length - 1) {
      binder.fail(diagnosticCodes.misplaced, clauses[index + 1]!.range, 'RETURN ends a query')
    }
    const behind = clauses.slice(index + 1)
    bindClause(rows, clause, { created, behind, lists: names.lists })
  })
  const last = clauses.at(-1)!.kind
  if (last === 'return') return { statements: rows.statements, table: rows.table }
  if (last === 'match' || last === 'with' || last === 'unwind') {
    binder.fail(diagnosticCodes.misplaced, range, 'a query ends with RETURN or with a change')
  }
  return { statements: rows.statements, table: null }
}

/** Whether one of the clauses reads a name. */
function readBy(clauses: readonly CypherClause[]): (name: string) => boolean {
  const mentioned = mentionedNames(clauses)
  const readsAll = clauses.some((clause) => 'star' in clause && clause.star)
  return (name) => readsAll || mentioned.has(name)
}

interface ClauseContext {
  readonly created: CreatedVertices
  /** The clauses behind this one. */
  readonly behind: readonly CypherClause[]
  readonly lists: ReadonlySet<number> | null
}

function bindClause(
  rows: WorkingTable,
  clause: CypherClause,
  { created, behind, lists }: ClauseContext,
): void {
  switch (clause.kind) {
    case 'match':
      bindMatchClause(rows, rows.spelled(clause), behind)
      return
    case 'unwind':
      bindUnwind(rows, rows.spelled(clause))
      return
    case 'with':
    case 'return':
      bindProjection(rows, clause, clause.kind === 'return' ? lists : null)
      return
    case 'create':
      bindCreate(rows, rows.spelled(clause), { created, later: readBy(behind) })
      return
    case 'set':
      bindSet(rows, rows.spelled(clause))
      return
    case 'delete':
      bindDeletes(rows, clause)
  }
}

function bindMatchClause(
  rows: WorkingTable,
  clause: MatchClause,
  later: readonly CypherClause[],
): void {
  const known = new Set(rows.columns.map(({ name }) => name))
  if (clause.optional) bindOptional(rows, clause)
  else rows.addPatterns(clause.patterns, clause.where)
  warnOfRelationships(rows.binder, clause, { known, later })
}

interface Printing {
  readonly key: string
  /** The last clause of a query without UNION. */
  readonly last: CypherClause | null
}

function printed(binder: Binder, table: Table, { key, last }: Printing): BoundStatement[] {
  const place = binder.place(last?.range ?? { start: 0, end: 0 })
  const vertices = last?.kind === 'return' ? onlyVertex(table, last) : null
  if (vertices !== null) return printedVertices(binder, table, { type: vertices, place })
  const item: BoundPrintItem = { kind: 'value', key, value: rowsOf(table), where: null }
  return [{ kind: 'print', items: [item], toCsv: null, place }]
}

/** A RETURN of exactly one vertex name, without order, prints as a vertex set. */
function onlyVertex(
  { row }: Table,
  { items, star, orderBy }: ProjectClause,
): Extract<ValueType, { kind: 'VERTEX' }> | null {
  const [field, second] = row.fields
  const plain = items.length === 1 && items[0]!.value.kind === 'name'
  if (field === undefined || second !== undefined || star || !plain || orderBy.length > 0)
    return null
  return field.type.kind === 'VERTEX' ? field.type : null
}

function printedVertices(
  binder: Binder,
  table: Table,
  {
    type,
    place,
  }: {
    readonly type: Extract<ValueType, { kind: 'VERTEX' }>
    readonly place: BoundStatement['place']
  },
): BoundStatement[] {
  const slot = hidden(binder, '#vertices', { kind: 'ListAccum', element: { kind: 'value', type } })
  const rowSlot = binder.variables.push({ name: '#row', type: table.row }) - 1
  const of: BoundExpression = { kind: 'variable', type: table.row, slot: rowSlot }
  const value: BoundExpression = { kind: 'field', type, of, field: 0 }
  const typeIds = type.typeIds ?? binder.schema.allVertexTypeIds()
  const set = { kind: 'vertices', value: readOf(binder, slot) } as const
  const whole: BoundPrintItem = {
    kind: 'vertexSet',
    key: 'Result_Vertex_Set',
    set,
    typeIds,
    vertexAccums: [],
    where: null,
    withVectors: false,
  }
  const ids: BoundPrintItem = {
    kind: 'projection',
    key: 'VS_XXX',
    set,
    typeIds,
    columns: [
      {
        key: table.columns[0]!.name,
        value: { kind: 'vertexAlias', type, position: 0 },
        applies: null,
      },
    ],
    where: null,
    withVectors: false,
  }
  const item = binder.options.adHoc ? whole : ids
  return [
    { kind: 'declareAccum', global: true, slot, place },
    {
      kind: 'foreach',
      slots: [rowSlot],
      over: { kind: 'collection', value: rowsOf(table) },
      body: [foldStatement({ slot, fold: { kind: 'element', value }, when: null }, place)],
      place,
    },
    { kind: 'print', items: [item], toCsv: null, place },
  ]
}

/**
 * The key that the rows of a query print under: tables are named `T`, `T_1`, `T_2` … in the order
 * they are made, and the last one is printed. Which clause makes how many was worked out from the
 * published answers of 21 queries: a MATCH is a table of its own only where the next clause is no
 * projection; OPTIONAL MATCH and UNWIND make one and join it, a second; a projection that only
 * lists the columns of the table before it makes none, a UNION makes one.
 */
import type { CypherClause, CypherPart, ProjectClause } from '#query/syntax/cypher/ast-cypher.ts'

export function tableKey(parts: readonly CypherPart[]): string {
  const made = parts.reduce((count, { clauses }) => count + tablesOf(clauses), parts.length - 1)
  return made <= 1 ? 'T' : `T_${made - 1}`
}

interface Progress {
  readonly tables: number
  /** Patterns were matched since the last table. */
  readonly pending: boolean
  /** Columns of the last table; null: what is needed of its aliases. */
  readonly columns: readonly string[] | null
}

function tablesOf(clauses: readonly CypherClause[]): number {
  const start: Progress = { tables: 0, pending: false, columns: [] }
  return clauses.reduce(after, start).tables
}

function after(before: Progress, clause: CypherClause): Progress {
  const settled = before.tables + (before.pending ? 1 : 0)
  const joined = settled === 0 ? 1 : settled + 2
  switch (clause.kind) {
    case 'match':
      if (!clause.optional) return { ...before, pending: true }
      return { tables: joined, pending: false, columns: null }
    case 'unwind': {
      const columns = [...(before.columns ?? []), clause.as.name]
      return { tables: joined, pending: false, columns }
    }
    case 'with':
    case 'return': {
      const tables = before.tables + (listsOnly(before, clause) ? 0 : 1)
      return { tables, pending: false, columns: columnsOf(clause) }
    }
    default:
      return before
  }
}

function columnsOf({ items }: ProjectClause): readonly string[] {
  return items.map(({ value, as, text }) => as?.name ?? (value.kind === 'name' ? value.name : text))
}

/** Whether the clause says no more than which columns there are. */
function listsOnly({ tables, pending, columns }: Progress, clause: ProjectClause): boolean {
  if (tables === 0 || pending || clause.distinct) return false
  if (clause.star) return true
  const plain = clause.items.every(
    ({ value, as }) => value.kind === 'name' && (as === null || as.name === value.name),
  )
  if (!plain || columns === null) return plain
  const names = columnsOf(clause)
  return names.length === columns.length && names.every((name) => columns.includes(name))
}

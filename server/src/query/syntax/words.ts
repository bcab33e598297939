/**
 * Which words cannot be names. Reservation is enforced only where the grammar would otherwise be
 * ambiguous or an error would be reported far from its cause: real queries call things `count`,
 * `date`, `type`, `path`, `min`, `src` (docs/reference/gsql.md).
 */
import type { Token } from './token.ts'

const CLAUSE_WORDS = new Set([
  'ACCUM',
  'AND',
  'AS',
  'BETWEEN',
  'BREAK',
  'CASE',
  'CONTINUE',
  'DO',
  'ELSE',
  'END',
  'FOREACH',
  'FROM',
  'HAVING',
  'IF',
  'IN',
  'INTERSECT',
  'INTO',
  'IS',
  'LIKE',
  'LIMIT',
  'MINUS',
  'NOT',
  'OFFSET',
  'OR',
  'ORDER',
  'POST-ACCUM',
  'PRINT',
  'RETURN',
  'SELECT',
  'THEN',
  'TO_CSV',
  'UNION',
  'WHEN',
  'WHERE',
  'WHILE',
  'XOR',
])

/** True when `token` is a name that may stand for something the user named. */
export function isUserName(token: Token): boolean {
  return token.kind === 'name' && !CLAUSE_WORDS.has(token.upper)
}

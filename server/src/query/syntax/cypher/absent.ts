/**
 * Constructs of openCypher that this language leaves out (docs/reference/gsql/opencypher.md):
 * each is refused by its name, where it begins, before another rule reads half of it.
 */
import type { Cursor } from '../cursor.ts'
import type { Token } from '../token.ts'

export function failAbsent(cursor: Cursor, what: string, instead = ''): never {
  const hint = instead === '' ? '' : `; ${instead}`
  return cursor.fail(`${what} not available in openCypher queries${hint}`)
}

const QUANTIFIERS = new Set(['ALL', 'ANY', 'NONE', 'SINGLE'])
/** Functions over the elements of a list, each with a variable of its own. */
const LIST_FUNCTIONS = new Set([...QUANTIFIERS, 'EXTRACT', 'FILTER', 'REDUCE'])
const SUBQUERIES = new Set(['EXISTS', 'COUNT', 'COLLECT'])

const UNWIND_INSTEAD = 'UNWIND the list'

/** Where an operand begins. */
export function refuseAbsentOperand(cursor: Cursor): void {
  const { token } = cursor
  const next = cursor.peek(1)
  if (isSymbol(token, '{')) failAbsent(cursor, 'map literals are')
  if (isSymbol(token, '(') && patternAt(cursor, 0)) {
    const instead = 'use MATCH, or OPTIONAL MATCH and IS NULL'
    failAbsent(cursor, 'patterns as conditions are', instead)
  }
  if (isSymbol(token, '[')) refuseComprehension(cursor)
  if (token.kind !== 'name') return
  if (SUBQUERIES.has(token.upper) && isSymbol(next, '{')) {
    failAbsent(cursor, `${token.upper} { … } is`, 'use MATCH, or OPTIONAL MATCH and count(…)')
  }
  if (isSymbol(next, '(') && LIST_FUNCTIONS.has(token.upper)) refuseListFunction(cursor)
}

function refuseComprehension(cursor: Cursor): void {
  const [first, second] = [cursor.peek(1), cursor.peek(2)]
  if (first.kind === 'name' && second.kind === 'name' && second.upper === 'IN') {
    failAbsent(cursor, 'list comprehensions are', 'UNWIND the list, and collect(…) what is wanted')
  }
  const isNamed = first.kind === 'name' && isSymbol(second, '=')
  if (patternAt(cursor, isNamed ? 3 : 1)) {
    failAbsent(cursor, 'pattern comprehensions are', 'MATCH the pattern, and collect(…)')
  }
}

function refuseListFunction(cursor: Cursor): void {
  const { text, upper } = cursor.token
  const [variable, word] = [cursor.peek(2), cursor.peek(3)]
  if (variable.kind !== 'name') return
  const isOverList = word.kind === 'name' && word.upper === 'IN'
  if (QUANTIFIERS.has(upper) && isOverList) {
    failAbsent(cursor, `${text}(x IN list WHERE …) is`, UNWIND_INSTEAD)
  }
  if (isOverList || (upper === 'REDUCE' && isSymbol(word, '='))) {
    failAbsent(cursor, `${text}(…) over a list is`, UNWIND_INSTEAD)
  }
}

/** Behind the bracket that opens a subscript, or behind its first bound. */
export function refuseSlice(cursor: Cursor): void {
  if (isSymbol(cursor.token, '..')) {
    failAbsent(cursor, 'slices of lists, list[from..to], are', 'use head, last, tail or list[i]')
  }
}

/** Behind a name: `n {.name, …}`. */
export function refuseProjection(cursor: Cursor): void {
  if (isSymbol(cursor.token, '{')) {
    failAbsent(cursor, 'map projections are', 'write the properties as columns of their own')
  }
}

/** `text =~ pattern`. */
export function refuseRegularExpression(cursor: Cursor): void {
  if (!isSymbol(cursor.token, '=') || !isSymbol(cursor.peek(1), '~')) return
  failAbsent(cursor, 'regular expressions, =~, are', 'use STARTS WITH, ENDS WITH or CONTAINS')
}

/** In front of a path: `p = …`, `shortestPath(…)`. */
export function refuseAbsentPath(cursor: Cursor): void {
  const { kind, text, upper } = cursor.token
  if (kind !== 'name') return
  const next = cursor.peek(1)
  if (isSymbol(next, '=')) failAbsent(cursor, 'path variables are')
  if (isSymbol(next, '(') && ['SHORTESTPATH', 'ALLSHORTESTPATHS'].includes(upper)) {
    failAbsent(cursor, `${text}(…) is`, 'a repeated relationship, -[:T*]-, matches shortest walks')
  }
}

/** What users of other servers may write in the place of a clause. */
const CLAUSES = new Set(['CALL', 'FINISH', 'FOREACH', 'LOAD', 'MERGE', 'REMOVE', 'USE'])

export function refuseAbsentClause(cursor: Cursor): void {
  const { kind, upper } = cursor.token
  if (kind === 'name' && CLAUSES.has(upper)) failAbsent(cursor, `${upper} is`)
}

/** Behind the name in SET: properties are set one by one. */
export function refuseAbsentSet(cursor: Cursor): void {
  const { token } = cursor
  if (isSymbol(token, '=') || isSymbol(token, '+=')) {
    failAbsent(cursor, 'SET of all properties at once is', 'write SET a.property = value')
  }
  if (isSymbol(token, ':'))
    failAbsent(cursor, 'SET of a label is', 'a node has the type it was created with')
}

/** Whether the tokens from `ahead` on are a node in parentheses and the beginning of a relationship. */
export function patternAt(cursor: Cursor, ahead: number): boolean {
  const end = nodeEnd(cursor, ahead)
  if (end === null) return false
  const [first, second, third] = [0, 1, 2].map((at) => cursor.peek(end + at)) as [
    Token,
    Token,
    Token,
  ]
  if (isSymbol(first, '<')) return isSymbol(second, '-') && startsEdge(third)
  if (!isSymbol(first, '-')) return false
  if (isSymbol(second, '-')) return isSymbol(third, '(')
  return isSymbol(second, '->') || startsBracket(cursor, end + 1)
}

function startsEdge(token: Token): boolean {
  return isSymbol(token, '-') || isSymbol(token, '[')
}

/** `-[:T]`, `-[r:T]`, `-[*…]`, `-[]`, `-[r]-`: no list that is subtracted. */
function startsBracket(cursor: Cursor, at: number): boolean {
  if (!isSymbol(cursor.peek(at), '[')) return false
  const inside = cursor.peek(at + 1)
  if ([':', '*', ']', '{'].some((symbol) => isSymbol(inside, symbol))) return true
  const after = cursor.peek(at + 2)
  if (inside.kind !== 'name') return false
  if ([':', '*', '{'].some((symbol) => isSymbol(after, symbol))) return true
  const behind = cursor.peek(at + 3)
  return isSymbol(after, ']') && (isSymbol(behind, '-') || isSymbol(behind, '->'))
}

/** Behind the `)` of `(name:Label {…})`; null: there is no node at `ahead`. */
function nodeEnd(cursor: Cursor, ahead: number): number | null {
  if (!isSymbol(cursor.peek(ahead), '(')) return null
  let at = ahead + 1
  if (cursor.peek(at).kind === 'name') at += 1
  while (isSymbol(cursor.peek(at), ':') || isSymbol(cursor.peek(at), '|')) {
    if (cursor.peek(at + 1).kind !== 'name') return null
    at += 2
  }
  if (isSymbol(cursor.peek(at), '{')) at = braceEnd(cursor, at)
  return isSymbol(cursor.peek(at), ')') ? at + 1 : null
}

function braceEnd(cursor: Cursor, from: number): number {
  let at = from
  for (let depth = 0; cursor.peek(at).kind !== 'end'; at++) {
    if (isSymbol(cursor.peek(at), '{')) depth += 1
    if (isSymbol(cursor.peek(at), '}')) depth -= 1
    if (depth === 0) return at + 1
  }
  return at
}

function isSymbol({ kind, text }: Token, symbol: string): boolean {
  return kind === 'symbol' && text === symbol
}

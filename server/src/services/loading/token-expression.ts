/**
 * Regular expressions of token functions. They run on the server's own thread, by an engine that tries
 * one way after the other: what could take exponential time is refused. That is a repeated group
 * that has several ways to match one text: it repeats inside, or its choices may begin alike.
 */
import { DbError } from '#kernel/errors.ts'

const EXPRESSION_SIZE_CHARS_MAX = 200
const EXPRESSIONS_KEPT_MAX = 1_000
const expressions = new Map<string, RegExp>()

/** @throws DbError INVALID_PARAMETER */
export function tokenExpression(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`
  const known = expressions.get(key)
  if (known !== undefined) return known
  const looksElsewhere = /\\[1-9k]|\(\?[<=!]/.test(source)
  try {
    if (source.length <= EXPRESSION_SIZE_CHARS_MAX && !looksElsewhere && repeatsPlainly(source)) {
      const made = new RegExp(source, flags)
      if (expressions.size < EXPRESSIONS_KEPT_MAX) expressions.set(key, made)
      return made
    }
  } catch {
    // Told below.
  }
  throw new DbError(
    'INVALID_PARAMETER',
    `'${source.slice(0, 60)}' is no expression that can be used.`,
  )
}

/** An escape, a class of characters, or one character. */
const PIECE = /\\.|\[\^?(?:\\.|[^\]\\])*\]|./gs

function repeatsPlainly(source: string): boolean {
  const pieces = source.match(PIECE) ?? []
  const starts: number[] = []
  for (const [at, piece] of pieces.entries()) {
    if (piece === '(') starts.push(at)
    if (piece !== ')') continue
    const inside = pieces.slice((starts.pop() ?? -1) + 1, at)
    if (/^[*+{]$/.test(pieces[at + 1] ?? '') && !isPlain(inside)) return false
  }
  return true
}

/** Nothing in it repeats, and by its first character one choice is told from the others. */
function isPlain(pieces: readonly string[]): boolean {
  const [first, second] = pieces
  const members = first === '?' && second === ':' ? pieces.slice(2) : pieces
  if (members.some((piece) => /^[*+?{(]$/.test(piece))) return false
  const later = members.flatMap((piece, at) => (piece === '|' ? [members[at + 1]] : []))
  const beginnings = [members[0], ...later]
  if (beginnings.length === 1) return true
  const isLetter = (piece: string | undefined) => piece !== undefined && /^[\w ,;:/-]$/.test(piece)
  return beginnings.every(isLetter) && new Set(beginnings).size === beginnings.length
}

/**
 * Regular expressions of token functions. They run on the server's own thread. V8's engine tries one
 * match after the other, so that repetitions in a row (`.*.*.*x`) take time that grows with a power
 * of the length: after many attempts it changes to its linear engine. What that engine does not know
 * is refused, and so is a repeated group that can match one text in several ways.
 */
import { setFlagsFromString } from 'node:v8'
import { DbError } from '#kernel/errors.ts'

// Read when an expression is compiled: the flag `l` asks whether the linear engine knows it.
setFlagsFromString('--enable-experimental-regexp-engine')
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')

/** Largest count of a repetition that the linear engine knows. */
const LINEAR_COUNT_MAX = 16
/** Largest count of a repetition of one character. */
const COUNT_MAX = 1_000

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
      const divided = withSmallCounts(source)
      // Throws for what cannot be matched in linear time.
      new RegExp(divided, 'l')
      const made = new RegExp(divided, flags)
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

/** `\\d{4,40}` as `\\d{4}\\d{0,16}\\d{0,16}\\d{0,4}`, where one character is repeated. */
function withSmallCounts(source: string): string {
  const counted = /(\\.|\[\^?(?:\\.|[^\]\\])*\]|.)(?:\{(\d+)(?:(,)(\d*))?\}(?!\?))?/gs
  return source.replace(counted, (whole, ...groups: (string | undefined)[]) => {
    const [piece, low, comma, high = ''] = groups
    // A group may not be written twice: its number would change.
    if (low === undefined || piece === ')') return whole
    const min = Number(low)
    const max = high === '' ? min : Number(high)
    if (max < min || max > COUNT_MAX || max <= LINEAR_COUNT_MAX) return whole
    const open = comma !== undefined && high === '' ? `${piece}*` : ''
    const atLeast = parts(min).map((count) => `${piece}{${count}}`)
    const more = parts(max - min).map((count) => `${piece}{0,${count}}`)
    return [...atLeast, ...more, open].join('')
  })
}

function parts(count: number): number[] {
  const whole = Array.from({ length: Math.floor(count / LINEAR_COUNT_MAX) }, () => LINEAR_COUNT_MAX)
  return count % LINEAR_COUNT_MAX === 0 ? whole : [...whole, count % LINEAR_COUNT_MAX]
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

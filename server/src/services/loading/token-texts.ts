/**
 * Token functions whose result may be longer than what they are given, or that take characters apart:
 * each knows how long its result is before it makes it.
 */
import { checkSearch, checkTextSize, LineLimit, occurrencesIn, TextBuilder } from './line-limits.ts'

/** Up to this length a text is taken apart on the heap, which is faster. */
const SHORT_CHARS_MAX = 1_000
/** Characters that one call of `translate` replaces. */
const TRANSLATED_MAX = 10_000
/** SOUNDEX looks at the beginning of a word. */
const SOUND_CHARS_MAX = 10_000

/** @returns the size. @throws LineLimit for one that is too large */
export function sized(sizeChars: number): number {
  checkTextSize(sizeChars)
  return sizeChars
}

export function concat(args: readonly string[]): string {
  sized(args.reduce((sum, { length }) => sum + length, 0))
  return args.join('')
}

export function reverse(text: string): string {
  if (text.length <= SHORT_CHARS_MAX) return [...text].reverse().join('')
  const units = new Uint16Array(text.length)
  let at = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const next = text.charCodeAt(index + 1)
    const isPair = unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000
    if (isPair) units[--at] = next
    units[--at] = unit
    if (isPair) index++
  }
  return Buffer.from(units.buffer).toString('utf16le')
}

/** Code points. */
export function characterCount(text: string): number {
  let count = text.length
  for (let index = 0; index + 1 < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit >= 0xdc00) continue
    const next = text.charCodeAt(index + 1)
    if (next < 0xdc00 || next >= 0xe000) continue
    count--
    index++
  }
  return count
}

export function positionOf(text: string, pattern: string, from = 0): number {
  checkSearch(text, pattern)
  return text.indexOf(pattern, from)
}

export interface Replacement {
  readonly text: string
  readonly old: string
  readonly by: string
  readonly countMax: number
}

/** The first occurrences, from left to right; what was put in is not looked at again. */
export function replaceText({ text, old, by, countMax }: Replacement): string {
  checkSearch(text, old)
  const count = occurrencesIn(text, old, countMax)
  sized(text.length + count * (by.length - old.length))
  if (count === 0) return text
  if (countMax === Number.POSITIVE_INFINITY) return text.replaceAll(old, () => by)
  const builder = new TextBuilder()
  let at = 0
  for (let done = 0; done < count; done++) {
    // The empty text stands before each character, and behind the last.
    const next = old === '' ? done : text.indexOf(old, at)
    builder.add(text.slice(at, next))
    builder.add(by)
    at = next + old.length
  }
  builder.add(text.slice(at))
  return builder.finish()
}

/** `text.replace(expression, by)` with the same `$&`, `$1`, … in `by`, counted as it grows. */
export function replaceMatches(text: string, expression: RegExp, by: string): string {
  const matchesMax = text.length + 1
  const isSmall = matchesMax <= SHORT_CHARS_MAX && by.length <= SHORT_CHARS_MAX
  if (isSmall && !by.includes('$')) return text.replace(expression, by)
  const builder = new TextBuilder()
  let at = 0
  for (const match of text.matchAll(expression)) {
    builder.add(text.slice(at, match.index))
    for (const piece of expanded(by, match)) builder.add(piece)
    at = match.index + match[0].length
  }
  builder.add(text.slice(at))
  return builder.finish()
}

/** `$$`, `$&`, `` $` ``, `$'` and `$1` to `$99` as `String.prototype.replace` reads them (ECMA-262, GetSubstitution). */
function* expanded(by: string, match: RegExpExecArray): Generator<string> {
  let at = 0
  for (;;) {
    const next = by.indexOf('$', at)
    yield by.slice(at, next < 0 ? by.length : next)
    if (next < 0) return
    const sign = by[next + 1] ?? ''
    const digits = groupDigits(by.slice(next + 1, next + 3), match.length - 1)
    yield digits === '' ? named(sign, match) : (match[Number(digits)] ?? '')
    at = next + 1 + (digits.length || ("$&`'".includes(sign) ? sign.length : 0))
  }
}

function named(sign: string, match: RegExpExecArray): string {
  if (sign === '&') return match[0]
  if (sign === '`') return match.input.slice(0, match.index)
  if (sign === "'") return match.input.slice(match.index + match[0].length)
  return '$'
}

/** Two digits when there is such a group, else one; none: the sign stands for itself. */
function groupDigits(text: string, groupCount: number): string {
  for (const digits of [/^\d\d/.exec(text)?.[0], /^\d/.exec(text)?.[0]]) {
    if (digits !== undefined && Number(digits) >= 1 && Number(digits) <= groupCount) return digits
  }
  return ''
}

export function translate(text: string, from: string, to: string): string {
  const pairs = new Map<string, string>()
  const results = to[Symbol.iterator]()
  for (const character of from) {
    pairs.set(character, results.next().value ?? '')
    if (pairs.size <= TRANSLATED_MAX) continue
    throw new LineLimit(`translate replaces more than ${TRANSLATED_MAX} characters`)
  }
  if (text.length <= SHORT_CHARS_MAX) {
    return [...text].map((character) => pairs.get(character) ?? character).join('')
  }
  const builder = new TextBuilder()
  for (const character of text) builder.add(pairs.get(character) ?? character)
  return builder.finish()
}

export function soundOf(text: string): string {
  return text.slice(0, SOUND_CHARS_MAX)
}

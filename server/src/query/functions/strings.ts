/** String functions, 0-based positions. */
import { DbError } from '#kernel/errors.ts'
import { characterAt, characterCount, characterSlice, unitAt } from './characters.ts'
import type { BuiltIn, FunctionContext } from './functions.ts'

export function stringFunctions({
  text,
  intern,
  random,
  reserve,
  reserveCharacters,
}: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  const t = (code: unknown) => text(code as number)
  /** A text that is taken apart into its characters. */
  const characters = (code: unknown): string => {
    const value = t(code)
    reserveCharacters(value.length)
    return value
  }
  const n = (value: unknown) => Number(value)
  const room = (size: unknown): number => {
    reserve(Math.max(0, n(size)))
    return n(size)
  }
  const map = (name: string, change: (value: string) => string): readonly [string, BuiltIn] => [
    name,
    (code) => intern(change(t(code))),
  ]
  return [
    map('lower', (value) => value.toLowerCase()),
    map('upper', (value) => value.toUpperCase()),
    ['reverse', (code) => intern([...characters(code)].reverse().join(''))],
    ['length', (code) => characterCount(t(code))],
    ['ascii', (code) => t(code).codePointAt(0) ?? 0],
    ['chr', (code) => intern(String.fromCharCode(((n(code) % 256) + 256) % 256))],
    ['left', (code, count) => intern(characterSlice(t(code), 0, Math.max(0, n(count))))],
    ['right', (code, count) => intern(n(count) <= 0 ? '' : characterSlice(t(code), -n(count)))],
    ['lpad', (code, size, pad) => intern(padded(t(code), room(size), padText(pad, t), true))],
    ['rpad', (code, size, pad) => intern(padded(t(code), room(size), padText(pad, t), false))],
    ['ltrim', (code, set) => intern(trimStart(t(code), set === undefined ? ' ' : t(set)))],
    ['rtrim', (code, set) => intern(trimEnd(t(code), set === undefined ? ' ' : t(set)))],
    ['trim', (code, side, set) => intern(trimSide(t(code), t(side), t(set)))],
    ['repeat', (code, count) => intern(repeated(t(code), Math.max(0, n(count)), reserve))],
    ['space', (count) => intern(repeated(' ', Math.max(0, n(count)), reserve))],
    [
      'replace',
      (code, old, fresh) => intern(replaced(t(code), t(old), fresh ? t(fresh) : '', reserve)),
    ],
    ['substr', (code, start, size) => intern(substring(t(code), n(start), size))],
    // As openCypher has it.
    [
      'substring',
      (code, start, size) => {
        refuseNegative('start', n(start))
        if (size !== undefined) refuseNegative('length', n(size))
        return intern(substring(t(code), n(start), size))
      },
    ],
    [
      'instr',
      (code, part, from, occurrence) =>
        placeOf(t(code), t(part), {
          from: from === undefined ? 0 : n(from),
          occurrence: occurrence === undefined ? 1 : n(occurrence),
        }),
    ],
    ['find_in_set', (code, list) => characters(list).split(',').indexOf(t(code))],
    ['str_to_int', (code) => integerOf(t(code))],
    [
      'translate',
      (code, from, to) => intern(translated(characters(code), characters(from), characters(to))),
    ],
    ['insert', (code, at, part) => intern(inserted(t(code), n(at), { count: 0, part: t(part) }))],
    [
      'insert_over',
      (code, at, count, part) =>
        intern(inserted(t(code), n(at), { count: n(count), part: t(part) })),
    ],
    ['soundex', (code) => intern(soundex(characters(code)))],
    [
      'difference',
      (left, right) => agreement(soundex(characters(left)), soundex(characters(right))),
    ],
    ['gsql_uuid_v4', () => intern(uuid(random))],
  ]
}

function repeated(value: string, count: number, reserve: (length: number) => void): string {
  reserve(value.length * count)
  return value.repeat(count)
}

function padText(pad: unknown, text: (code: unknown) => string): string {
  return pad === undefined ? ' ' : text(pad)
}

function padded(value: string, size: number, pad: string, atStart: boolean): string {
  const missing = size - characterCount(value)
  if (missing <= 0) return characterSlice(value, 0, Math.max(0, size))
  if (pad === '') return value
  const times = Math.ceil(missing / characterCount(pad))
  const filling = characterSlice(pad.repeat(times), 0, missing)
  return atStart ? filling + value : value + filling
}

function trimStart(value: string, set: string): string {
  let from = 0
  for (const character of value) {
    if (!set.includes(character)) break
    from += character.length
  }
  return value.slice(from)
}

function trimEnd(value: string, set: string): string {
  let to = value.length
  while (to > 0) {
    const character = characterBefore(value, to)
    if (!set.includes(character)) break
    to -= character.length
  }
  return value.slice(0, to)
}

const PAIR_BEFORE = /^[\ud800-\udbff][\udc00-\udfff]$/

/** The character that ends at a unit. */
function characterBefore(value: string, unit: number): string {
  const pair = value.slice(Math.max(0, unit - 2), unit)
  return PAIR_BEFORE.test(pair) ? pair : pair.slice(-1)
}

/** `side` is LEADING, TRAILING or BOTH, as the binder spells it. */
function trimSide(value: string, side: string, set: string): string {
  const begun = side === 'TRAILING' ? value : trimStart(value, set)
  return side === 'LEADING' ? begun : trimEnd(begun, set)
}

function replaced(
  value: string,
  old: string,
  fresh: string,
  reserve: (length: number) => void,
): string {
  if (old === '') return value
  const growth = fresh.length - old.length
  if (growth > 0) reserve(value.length + growth * occurrences(value, old))
  return value.replaceAll(old, () => fresh)
}

function occurrences(value: string, part: string): number {
  let count = 0
  for (let at = value.indexOf(part); at >= 0; at = value.indexOf(part, at + part.length)) count++
  return count
}

/** A negative start counts from the end. */
function substring(value: string, start: number, size: unknown): string {
  const from = start < 0 ? Math.max(0, characterCount(value) + start) : start
  if (size === undefined) return characterSlice(value, from)
  return characterSlice(value, from, from + Math.max(0, Number(size)))
}

function refuseNegative(what: string, value: number): void {
  if (value >= 0) return
  throw new DbError(
    'QUERY_RUNTIME',
    `Runtime Error: the ${what} of substring is ${value}; it must not be negative.`,
    { details: { code: 'GSQL-1002' } },
  )
}

/** Where `part` begins for the so-manieth time from a place on; -1: not so often. */
function placeOf(
  value: string,
  part: string,
  { from, occurrence }: { readonly from: number; readonly occurrence: number },
): number {
  let at = value.indexOf(part, unitAt(value, from))
  for (let seen = 1; seen < occurrence && at >= 0; seen++) at = value.indexOf(part, at + 1)
  return characterAt(value, at)
}

/** What a message says of a value. */
const VALUE_CHARS_MAX = 200

function integerOf(value: string): number | bigint {
  const match = /^\s*([+-]?)(\d+)/.exec(value)
  if (match !== null) {
    const exact = BigInt(match[2]!) * (match[1] === '-' ? -1n : 1n)
    const near = Number(exact)
    return Number.isSafeInteger(near) ? near : exact
  }
  throw new DbError(
    'QUERY_RUNTIME',
    `Runtime Error: '${value.slice(0, VALUE_CHARS_MAX)}' is not an integer.`,
    {
      details: { code: 'GSQL-2601' },
    },
  )
}

function translated(value: string, from: string, to: string): string {
  const [given, fresh] = [[...from], [...to]]
  const exchange = (character: string): string => {
    const at = given.indexOf(character)
    return at < 0 ? character : (fresh[at] ?? '')
  }
  return [...value].map(exchange).join('')
}

/** `part` at a place, instead of so many characters that stand there. */
function inserted(
  value: string,
  at: number,
  { count, part }: { readonly count: number; readonly part: string },
): string {
  const start = Math.max(0, at)
  const rest = characterSlice(value, start + Math.max(0, count))
  return characterSlice(value, 0, start) + part + rest
}

const soundexDigits: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  ...{ B: '1', F: '1', P: '1', V: '1', C: '2', G: '2', J: '2', K: '2', Q: '2', S: '2' },
  ...{ X: '2', Z: '2', D: '3', T: '3', L: '4', M: '5', N: '5', R: '6' },
})

/** American Soundex: a letter and three digits; H and W do not part equal digits, vowels do. */
export function soundex(value: string): string {
  const letters = [...value.toUpperCase()].filter((letter) => letter >= 'A' && letter <= 'Z')
  if (letters.length === 0) return ''
  let text = letters[0]!
  let last = soundexDigits[letters[0]!] ?? ''
  for (const letter of letters.slice(1)) {
    if (letter === 'H' || letter === 'W') continue
    const digit = soundexDigits[letter] ?? ''
    if (digit !== '' && digit !== last) text += digit
    last = digit
  }
  return text.slice(0, 4).padEnd(4, '0')
}

/** How many of the four places agree. */
export function agreement(left: string, right: string): number {
  return [...left].filter((character, i) => character === right[i]).length
}

function uuid(random: () => number): string {
  const hex = (bits: number): string =>
    Math.floor(random() * 16 ** bits)
      .toString(16)
      .padStart(bits, '0')
  const variant = (8 + Math.floor(random() * 4)).toString(16)
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}

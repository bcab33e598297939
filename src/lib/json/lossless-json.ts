/**
 * JSON that keeps 64-bit integers: a number whose digits a double cannot hold becomes a bigint.
 *
 * A reviver could read the literal as it stood in the text (`context.source`), but is called for every
 * value: 12 MB take it three seconds. So literals that are too long are marked in the text first, which
 * is then parsed as any other.
 */

/** 2^53 has sixteen digits: a text without so many in a row has nothing to mark. */
const longDigits = /\d{16}/
/** Longer than a double may hold, and no part of a fraction or an exponent. */
const longLiteral = /(?<=^|[\s:,[])-?\d{16,}(?=$|[\s,\]}])/g
const MARK = '\uE000integer '
/** The first letter of a mark, written in either way. */
const markLike = /\uE000|\\ue000/i

/** @throws SyntaxError */
export function parseLossless(text: string): unknown {
  if (!longDigits.test(text)) return JSON.parse(text)
  if (markLike.test(text)) return JSON.parse(text, exactNumber)
  const marked = markIntegers(text)
  if (marked === null) return JSON.parse(text)
  let value: unknown
  try {
    value = JSON.parse(marked)
  } catch {
    // What is wrong is told by its place in the text as it came.
    return JSON.parse(text)
  }
  return unmarked(value)
}

/** Null where no integer is too long. */
function markIntegers(text: string): string | null {
  const isInText = quoteReader(text)
  const parts: string[] = []
  let from = 0
  for (const { 0: literal, index } of text.matchAll(longLiteral)) {
    if (Number.isSafeInteger(Number(literal)) || isInText(index)) continue
    parts.push(text.slice(from, index), `"${MARK}${literal}"`)
    from = index + literal.length
  }
  return parts.length === 0 ? null : parts.join('') + text.slice(from)
}

/** Whether a place lies in a string; asked from the first to the last. */
function quoteReader(text: string): (place: number) => boolean {
  let next = text.indexOf('"')
  let isInText = false
  return (place) => {
    while (next !== -1 && next < place) {
      if (!isInText || !isEscaped(text, next)) isInText = !isInText
      next = text.indexOf('"', next + 1)
    }
    return isInText
  }
}

function isEscaped(text: string, place: number): boolean {
  let first = place
  while (text[first - 1] === '\\') first--
  return (place - first) % 2 === 1
}

/** In place. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Record<string, unknown>
  for (const key of Object.keys(holder)) {
    const entry = holder[key]
    const made = unmarked(entry)
    if (made !== entry) holder[key] = made
  }
  return value
}

interface ReviverContext {
  readonly source?: string
}

function exactNumber(_key: string, value: unknown, context?: ReviverContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value
}

type RawJson = (text: string) => unknown
const rawJson = (JSON as { rawJSON?: RawJson }).rawJSON

/** The inverse: bigints are written as plain numbers. */
export function stringifyLossless(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch {
    // A bigint: looking at every value for it takes thrice the time.
    return JSON.stringify(value, exactDigits, indent)
  }
}

function exactDigits(_key: string, entry: unknown): unknown {
  if (typeof entry !== 'bigint') return entry
  return rawJson === undefined ? Number(entry) : rawJson(entry.toString())
}

/**
 * JSON both ways without losing integers: docs/reference/rest.md makes INT and UINT plain JSON numbers of 64
 * bits, so whole numbers beyond 2^53 are bigints in JavaScript.
 */
import { DbError } from '#kernel/errors.ts'
import { INTEGER_SIZE_CHARS_MAX, JSON_DEPTH_MAX } from '#kernel/limits.ts'
import { isForm } from './form.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** What `JSON.parse` hands a reviver as its third argument since ES2025. */
interface SourceContext {
  readonly source?: string
}

type SourceReviver = (key: string, value: unknown, context: SourceContext) => unknown

const parseWithSource = JSON.parse as (text: string, reviver?: SourceReviver) => unknown

/** Numbers with fewer digits are safe in a double: nothing to revive. */
const longDigits = /\d{16}/

/**
 * @returns plain data; `__proto__` is an own key like any other, integers beyond 2^53 are bigints
 * @throws DbError INVALID_JSON for anything that is not UTF-8 JSON of at most JSON_DEPTH_MAX levels
 */
export function parseJson(bytes: Uint8Array): unknown {
  checkDepth(bytes)
  try {
    return parseText(decoder.decode(bytes))
  } catch (cause) {
    throw invalidJson(bytes, cause)
  }
}

/** @throws SyntaxError */
export function parseText(text: string): unknown {
  return longDigits.test(text) ? parseWithSource(text, reviveInteger) : JSON.parse(text)
}

export function invalidJson(bytes: Uint8Array, cause: unknown): DbError {
  const text = `The request body is not valid JSON: ${reasonOf(bytes, cause)}`
  return new DbError('INVALID_JSON', text, { cause })
}

/** Forms are told by name: bodies are JSON whatever their Content-Type says. */
function reasonOf(bytes: Uint8Array, cause: unknown): string {
  if (isForm(bytes)) {
    return 'it is a form (a=1&b=2); parameters stand in the URL, or in the body as a JSON object.'
  }
  return cause instanceof Error ? cause.message : 'unreadable'
}

function reviveInteger(_key: string, value: unknown, context: SourceContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context.source ?? ''
  if (source.length > INTEGER_SIZE_CHARS_MAX) return value
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** Depth is counted on the bytes before any parser recurses. */
export function checkDepth(bytes: Uint8Array, depthMax: number = JSON_DEPTH_MAX): void {
  let depth = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (byte === QUOTE) index = endOfString(bytes, index)
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) depth--
    if (depth > depthMax) throw tooDeep()
  }
}

/** The position of the quote that closes the string opened at `start`, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

export function tooDeep(): DbError {
  return new DbError('INVALID_JSON', `The JSON is nested deeper than ${JSON_DEPTH_MAX} levels`)
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** As `JSON.stringify`, with bigints as plain numbers. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // Only a bigint gets here: plain data has no cycles.
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? rawJson(part.toString()) : part,
    )
  }
}

/**
 * JSON values: a STRING code of their text without white space. Texts are parsed once, and the
 * parsed trees of the latest are kept, since queries read several members of one value.
 */
import { DbError } from '#kernel/errors.ts'
import { JSON_VALUE_DEPTH_MAX } from '#kernel/limits.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { Shapes } from '../cells/shapes.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Value } from '../cells/value.ts'

type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json }

const KEPT_MAX = 256
/** Of a parsed tree, for each unit of its text: `[[],[]]` has an object for every three. */
const TREE_SIZE_BYTES = 24
/** Parsing with a look at the source of every number takes this much for each unit. */
const EXACT_SIZE_BYTES = 96
/** A number that a double may not hold exactly. */
const LONG_NUMBER = /\d{16}/

export function jsonFunctions(strings: StringTable, shapes: Shapes, memory: MemoryBudget) {
  const parsed = new Map<number, Json>()
  let heldBytes = 0
  const keep = (code: number, value: Json, length: number): void => {
    const bytes = length * TREE_SIZE_BYTES
    if (parsed.size >= KEPT_MAX || heldBytes + bytes > memory.heapLimitBytes / 4) {
      parsed.clear()
      memory.giveHeap(heldBytes)
      heldBytes = 0
    }
    if (parsed.has(code)) return
    parsed.set(code, value)
    heldBytes += bytes
    memory.takeHeap(bytes)
  }
  const parse = (text: string): Json => {
    checkDepth(text)
    const isExact = LONG_NUMBER.test(text)
    memory.checkOperation(text.length * (isExact ? EXACT_SIZE_BYTES : TREE_SIZE_BYTES))
    return parsedJson(text, isExact)
  }
  const treeOf = (code: number): Json => {
    const known = parsed.get(code)
    if (known !== undefined) return known
    const text = strings.text(code)
    const value = parse(text)
    keep(code, value, text.length)
    return value
  }
  const codeOf = (value: Json): number => {
    const text = textOf(value)
    const code = strings.intern(text)
    keep(code, value, text.length)
    return code
  }
  return {
    parseJson: (text: number, isArray: boolean): number => {
      const value = parse(strings.text(text))
      if (Array.isArray(value) !== isArray || typeof value !== 'object' || value === null) {
        throw failed('GSQL-2010', `the text is no JSON ${isArray ? 'array' : 'object'}`)
      }
      return codeOf(value)
    },
    jsonSize: (code: number): number => (treeOf(code) as Json[]).length,
    jsonHas: (code: number, key: number): boolean =>
      Object.hasOwn(treeOf(code) as object, strings.text(key)),
    /** `place` is a key's code, or a position. */
    jsonGet: (code: number, kind: string, place: number): Value => {
      const tree = treeOf(code)
      const value = Array.isArray(tree) ? tree[place] : memberOf(tree, strings.text(place))
      return converted(value, kind, { codeOf, strings, shapes })
    },
  }
}

function memberOf(tree: Json, key: string): Json | undefined {
  const object = tree as { [key: string]: Json }
  return Object.hasOwn(object, key) ? object[key] : undefined
}

interface Conversion {
  readonly codeOf: (value: Json) => number
  readonly strings: StringTable
  readonly shapes: Shapes
}

function converted(value: Json | undefined, kind: string, tools: Conversion): Value {
  const found = value === undefined || value === null ? null : scalarOf(value, kind, tools)
  if (found !== null) return found
  if (typeof value === 'object' && value !== null && kind.startsWith('JSON')) {
    if (Array.isArray(value) === (kind === 'JSONARRAY')) return tools.codeOf(value)
  }
  const problem = value === undefined ? 'missing' : `no ${kind}`
  throw failed('GSQL-2011', `the JSON value is ${problem}`)
}

/** Null: it is no scalar of that kind. */
function scalarOf(value: Json, kind: string, { strings, shapes }: Conversion): Value | null {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && kind === 'DOUBLE') return Number(value)
  if (isNumber && kind === 'INT') {
    return shapes.integer(typeof value === 'number' ? Math.trunc(value) : value)
  }
  if (typeof value === 'string' && kind === 'STRING') return strings.intern(value)
  return typeof value === 'boolean' && kind === 'BOOL' ? value : null
}

/** Before the text is parsed: a parser that calls itself for each level has no such limit. */
function checkDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = stringEnd(text, at)
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) depth++
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--
    if (depth > JSON_VALUE_DEPTH_MAX) {
      throw failed('GSQL-2010', `the JSON is nested deeper than ${JSON_VALUE_DEPTH_MAX} levels`)
    }
  }
}

/** Where the quotation mark is that ends the string which begins at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at
  }
  return text.length
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Integers beyond 2^53 stay exact. */
function parsedJson(text: string, isExact: boolean): Json {
  try {
    if (!isExact) return JSON.parse(text) as Json
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
      const source = context?.source ?? ''
      const isLong = typeof value === 'number' && !Number.isSafeInteger(value)
      return isLong && /^-?\d+$/.test(source) ? BigInt(source) : value
    }) as Json
  } catch {
    throw failed('GSQL-2010', 'the text is no JSON')
  }
}

function textOf(value: Json): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`,
  )
  return `{${members.join(',')}}`
}

function failed(code: string, message: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${message}.`, { details: { code } })
}

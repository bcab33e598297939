/**
 * JSON values: a STRING code of their text without white space. Texts are parsed once, and the
 * parsed trees of the latest are kept, since queries read several members of one value.
 */
import { DbError } from '#kernel/errors.ts'
import type { Shapes } from './shapes.ts'
import type { StringTable } from './strings.ts'
import type { Value } from './value.ts'

type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json }

const KEPT_MAX = 256

export function jsonFunctions(strings: StringTable, shapes: Shapes) {
  const parsed = new Map<number, Json>()
  const keep = (code: number, value: Json): void => {
    if (parsed.size >= KEPT_MAX) parsed.clear()
    parsed.set(code, value)
  }
  const treeOf = (code: number): Json => {
    const known = parsed.get(code)
    if (known !== undefined) return known
    const value = parse(strings.text(code))
    keep(code, value)
    return value
  }
  const codeOf = (value: Json): number => {
    const code = strings.intern(textOf(value))
    keep(code, value)
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

/** Integers beyond 2^53 stay exact. */
function parse(text: string): Json {
  try {
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

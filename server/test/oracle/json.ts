/** JSON values of the language: their text without white space. */
import type { ValueType } from '#query/ir/types.ts'
import { fail, type Value } from './values.ts'

type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json }

function parse(text: string): Json {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
      const source = context?.source ?? ''
      const isLong = typeof value === 'number' && !Number.isSafeInteger(value)
      return isLong && /^-?\d+$/.test(source) ? BigInt(source) : value
    }) as Json
  } catch {
    fail('GSQL-2010', 'the text is no JSON.')
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

export function parsedJson(text: string, isArray: boolean): Value {
  const value = parse(text)
  if (Array.isArray(value) !== isArray || typeof value !== 'object' || value === null) {
    fail('GSQL-2010', `the text is no JSON ${isArray ? 'array' : 'object'}.`)
  }
  return textOf(value)
}

export function jsonMember(text: string, method: string, key: Value, type: ValueType): Value {
  const tree = parse(text) as Json[] | { [key: string]: Json }
  if (method === 'size') return BigInt((tree as Json[]).length)
  const name = typeof key === 'bigint' ? Number(key) : (key as string)
  const isThere = Array.isArray(tree)
    ? typeof name === 'number' && name >= 0 && name < tree.length
    : Object.hasOwn(tree, name)
  if (method === 'containsKey') return isThere
  const value = isThere ? (tree as Record<string | number, Json>)[name] : undefined
  return typed(value, type)
}

function typed(value: Json | undefined, { kind }: ValueType): Value {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && kind === 'DOUBLE') return Number(value)
  if (isNumber && kind === 'INT') {
    return BigInt.asIntN(64, BigInt(typeof value === 'number' ? Math.trunc(value) : value))
  }
  if (typeof value === 'string' && kind === 'STRING') return value
  if (typeof value === 'boolean' && kind === 'BOOL') return value
  if (Array.isArray(value) && kind === 'JSONARRAY') return textOf(value)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && kind === 'JSONOBJECT') return textOf(value)
  return fail('GSQL-2011', `the JSON value is ${value === undefined ? 'missing' : `no ${kind}`}.`)
}

/** Loaded values as the JSON of an upsert (docs/reference/gsql/loading.md). */
import { findTuple } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, ElementType } from '#catalog/types.ts'
import { formatDatetime, isDatetime, parseDatetime } from '#kernel/datetime.ts'
import type { Loaded } from './row.ts'

/** JSON text; undefined: the value does not fit; null: nothing was given. */
export type Converted = string | null | undefined

export function convert(catalog: Catalog, type: AttributeType, loaded: Loaded): Converted {
  if (loaded === null) return null
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return arrayText(catalog, type.element, loaded)
    case 'MAP':
      return mapText(catalog, type, loaded)
    case 'TUPLE':
      return tupleText(catalog, type.name, fieldsOf(loaded))
    case 'FIXED_BINARY':
      return binaryText(type.length, loaded)
    case 'VECTOR':
      return vectorText(type.dimension, loaded)
    default:
      return typeof loaded === 'string' ? scalarText(type.kind, loaded) : undefined
  }
}

/** A list of that many numbers; blanks around them do not count. */
function vectorText(dimension: number, loaded: Loaded): Converted {
  if (loaded === '') return null
  const items = typeof loaded === 'object' && loaded?.kind === 'list' ? loaded.items : [loaded]
  if (items.length !== dimension) return undefined
  const texts = items.map((item) =>
    typeof item === 'string' ? realText('FLOAT', item.trim()) : undefined,
  )
  return texts.every((text) => typeof text === 'string') ? `[${texts.join(',')}]` : undefined
}

function binaryText(length: number, loaded: Loaded): Converted {
  const fits = typeof loaded === 'string' && Buffer.byteLength(loaded) === length
  return fits ? JSON.stringify(loaded) : undefined
}

function arrayText(catalog: Catalog, element: ElementType, loaded: Loaded): Converted {
  // One element per line: there may be none.
  if (loaded === '' && element.kind !== 'STRING') return null
  const items =
    typeof loaded === 'object' && loaded?.kind === 'list' ? loaded.items : [loaded ?? '']
  const texts = items.map((item) => elementText(catalog, element, item))
  return texts.includes(undefined) ? undefined : `[${texts.join(',')}]`
}

function elementText(catalog: Catalog, type: ElementType, item: Loaded): string | undefined {
  if (type.kind === 'TUPLE') return tupleText(catalog, type.name, fieldsOf(item)) ?? undefined
  return typeof item === 'string' ? (scalarText(type.kind, item) ?? undefined) : undefined
}

function mapText(
  catalog: Catalog,
  type: Extract<AttributeType, { kind: 'MAP' }>,
  loaded: Loaded,
): Converted {
  if (typeof loaded !== 'object' || loaded?.kind !== 'entries') return undefined
  const keys = loaded.entries.map(([key]) => elementText(catalog, type.key, key))
  const values = loaded.entries.map(([, value]) => elementText(catalog, type.value, value))
  if (keys.includes(undefined) || values.includes(undefined)) return undefined
  return `{"keylist":[${keys.join(',')}],"valuelist":[${values.join(',')}]}`
}

function fieldsOf(loaded: Loaded): readonly string[] | null {
  if (typeof loaded !== 'object' || loaded === null) return null
  if (loaded.kind === 'tuple') return loaded.fields
  return loaded.kind === 'list' ? loaded.items : null
}

function tupleText(
  catalog: Catalog,
  name: string,
  values: readonly string[] | null,
): string | undefined {
  const fields = findTuple(catalog, name)?.fields ?? []
  if (values === null || values.length > fields.length) return undefined
  const texts = values.map((value, index) => scalarText(fields[index]?.type ?? 'STRING', value))
  if (texts.some((text) => text === undefined || text === null)) return undefined
  const names = fields.slice(0, values.length).map((field) => JSON.stringify(field.name))
  return `{"keylist":[${names.join(',')}],"valuelist":[${texts.join(',')}]}`
}

/** An empty token is a text of its own only for STRING: for all others nothing was given. */
function scalarText(kind: string, token: string): Converted {
  if (kind === 'STRING') return JSON.stringify(token)
  if (token === '') return null
  switch (kind) {
    case 'INT':
    case 'UINT':
      return wholeText(kind, token)
    case 'BOOL':
      return boolText(token)
    case 'DATETIME':
      return datetimeText(token)
    case 'FLOAT':
    case 'DOUBLE':
      return nonFinite.has(token) ? JSON.stringify(token) : realText(kind, token)
    default:
      return undefined
  }
}

/** Digits in the range of 64 bits. */
export function wholeText(kind: 'INT' | 'UINT', token: string): string | undefined {
  // Most are written as JSON has them, and far from the limits.
  if (/^(0|[1-9]\d{0,14})$/.test(token)) return token
  if (!/^[+-]?\d{1,20}$/.test(token)) return undefined
  const value = BigInt(token.replace(/^\+/, ''))
  const inRange = kind === 'INT' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)
  return inRange === value ? value.toString() : undefined
}

/** As exports write what queries can store, and no client can send. */
const nonFinite = new Set(['NaN', 'inf', '-inf'])

/** Digits with a point and an exponent or without, in the range of the type. */
function realText(kind: 'FLOAT' | 'DOUBLE', token: string): Converted {
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(token)) return token
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(token)) return undefined
  const value = Number(token)
  const stored = kind === 'FLOAT' ? Math.fround(value) : value
  return Number.isFinite(stored) ? String(value) : undefined
}

function boolText(token: string): Converted {
  if (/^(TRUE|True|true|1)$/.test(token)) return 'true'
  return /^(FALSE|False|false|0)$/.test(token) ? 'false' : undefined
}

/** The form of answers, of days that every month has: stands as it is. */
const plainDatetime =
  /^(1[6-9]|[2-9]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3])(:[0-5]\d){2}$/

function datetimeText(token: string): Converted {
  if (plainDatetime.test(token)) return `"${token}"`
  const seconds = /^-?\d+$/.test(token) ? Number(token) : parseDatetime(token)
  return isDatetime(seconds) ? JSON.stringify(formatDatetime(seconds)) : undefined
}

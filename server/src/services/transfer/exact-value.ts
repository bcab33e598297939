/**
 * Attribute values as the JSON text of an export: every bit comes back. Answers round floats,
 * so they cannot be used for it.
 *
 * Three forms: `upsert`, which an import reads (MAP and tuples as lists, DATETIME in epoch seconds),
 * `payload`, which everybody may upsert (the same with texts of dates), and `plain`, for other
 * programs (objects, texts of dates).
 */
import type { AttributeType, AttributeValue, ElementType, TupleType } from '#catalog/types.ts'
import { valueAt } from '#graph/columns/read.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'

export type ValueForm = 'upsert' | 'payload' | 'plain'

/** @returns null where a row has no value to write: a vector that was never set */
export function exactValue(column: ColumnView, row: number, form: ValueForm): string | null {
  const { type, tuples } = column
  const value = valueAt(column, row)
  if (type.kind === 'VECTOR') {
    const numbers = value as readonly number[]
    return numbers.length === 0 ? null : `[${numbers.map(exactFloat).join(',')}]`
  }
  return textOf(type, value, { form, tuples })
}

interface Context {
  readonly form: ValueForm
  readonly tuples: readonly TupleType[]
}

function textOf(type: AttributeType, value: AttributeValue, context: Context): string {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return `[${itemsOf(value)
        .map((item) => elementText(type.element, item, context))
        .join(',')}]`
    case 'MAP':
      return mapText(type, itemsOf(value), context)
    case 'FIXED_BINARY':
      return binaryText(value as Uint8Array, context.form)
    case 'VECTOR':
      throw new Error('assertion failed: a vector inside a value')
    default:
      return elementText(type, value, context)
  }
}

function mapText(
  type: { readonly key: ElementType; readonly value: ElementType },
  pairs: readonly AttributeValue[],
  context: Context,
): string {
  const keys = pairs.map((pair) => elementText(type.key, itemsOf(pair)[0]!, context))
  const values = pairs.map((pair) => elementText(type.value, itemsOf(pair)[1]!, context))
  return listsOrObject(keys, values, context.form)
}

function listsOrObject(
  keys: readonly string[],
  values: readonly string[],
  form: ValueForm,
): string {
  if (form !== 'plain') return `{"keylist":[${keys.join(',')}],"valuelist":[${values.join(',')}]}`
  const members = keys.map((key, index) => {
    const name = key.startsWith('"') ? key : JSON.stringify(key)
    return `${name}:${values[index]}`
  })
  return `{${members.join(',')}}`
}

/** Upserts take the text whose UTF-8 the bytes are. */
function binaryText(bytes: Uint8Array, form: ValueForm): string {
  if (form !== 'plain') return JSON.stringify(Buffer.from(bytes).toString('utf8'))
  return `"Bytes ${[...new Int8Array(bytes)].join(' ')}"`
}

/** The plain form of what a LIST or SET holds. */
export function plainElement(
  type: ElementType,
  value: AttributeValue,
  tuples: readonly TupleType[],
): string {
  return elementText(type, value, { form: 'plain', tuples })
}

function elementText(type: ElementType, value: AttributeValue, context: Context): string {
  switch (type.kind) {
    case 'TUPLE': {
      const tuple = context.tuples.find(({ name }) => name === type.name)!
      const names = tuple.fields.map(({ name }) => JSON.stringify(name))
      const values = itemsOf(value).map((item, index) =>
        elementText({ kind: tuple.fields[index]!.type }, item, context),
      )
      return listsOrObject(names, values, context.form)
    }
    case 'DATETIME':
      return context.form === 'upsert' ? String(value) : `"${formatDatetime(Number(value))}"`
    case 'FLOAT':
      return exactFloat(value as number)
    case 'DOUBLE':
      return exactDouble(value as number)
    case 'STRING':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}

/** The shortest text that reads as the same number. */
export function exactDouble(value: number): string {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return '"NaN"'
  return value > 0 ? '"inf"' : '"-inf"'
}

/** The fewest digits that read as the same float of single precision: nine are always enough. */
export function exactFloat(value: number): string {
  const text = exactDouble(value)
  if (text.length <= 9 || !Number.isFinite(value)) return text
  for (let digits = 6; digits <= 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return String(shorter)
  }
  return text
}

function itemsOf(value: AttributeValue): readonly AttributeValue[] {
  return value as readonly AttributeValue[]
}

/**
 * Attribute values as the JSON text of docs/reference/rest.md: FLOAT with 7 significant digits, DOUBLE with
 * 16, DATETIME as text, MAP and tuples as objects, 64-bit integers with all their digits.
 */
import type { AttributeType, AttributeValue, ElementType, TupleType } from '#catalog/types.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { decodeValue } from './encoded.ts'
import { bytesAt, integerAt, numberAt, stringAt, vectorAt } from './read.ts'

/** The JSON text of one value. */
export function jsonAt(column: ColumnView, row: number): string {
  switch (column.type.kind) {
    case 'INT':
    case 'UINT':
      return String(integerAt(column, row))
    case 'DATETIME':
      return `"${formatDatetime(numberAt(column, row))}"`
    case 'FLOAT':
      return floatJson(numberAt(column, row))
    case 'DOUBLE':
      return doubleJson(numberAt(column, row))
    case 'BOOL':
      return numberAt(column, row) === 0 ? 'false' : 'true'
    case 'STRING':
      return JSON.stringify(stringAt(column, row))
    case 'VECTOR':
      return vectorJson(vectorAt(column, row))
    default:
      return valueJson(
        column.type,
        decodeValue(column.type, bytesAt(column, row), column.tuples),
        column.tuples,
      )
  }
}

/** The JSON text of a value that is not in a column. */
export function valueJson(
  type: AttributeType,
  value: AttributeValue,
  tuples: readonly TupleType[],
): string {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return `[${itemsOf(value)
        .map((item) => elementJson(type.element, item, tuples))
        .join(',')}]`
    case 'MAP': {
      const pairs = itemsOf(value).map((pair) => {
        const [key, item] = itemsOf(pair)
        return `${keyJson(type.key, key!, tuples)}:${elementJson(type.value, item!, tuples)}`
      })
      return `{${pairs.join(',')}}`
    }
    case 'VECTOR':
      return vectorJson(value as readonly number[])
    case 'FIXED_BINARY':
      return `"Bytes ${[...new Int8Array(value as Uint8Array)].join(' ')}"`
    default:
      return elementJson(type, value, tuples)
  }
}

/** Floats of single precision in brackets. */
function vectorJson(values: readonly number[]): string {
  return `[${values.map(floatJson).join(',')}]`
}

export function floatJson(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value === 0 ? '0' : String(value)
  return finiteJson(value) ?? String(Number(value.toPrecision(7)))
}

export function doubleJson(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : String(value)
  const notFinite = finiteJson(value)
  if (notFinite !== null) return notFinite
  const text = String(value)
  // Up to 16 digits are what rounding to 16 digits gives, too, and rounding is dear.
  if (text.length <= 16) return text
  const rounded = Number(value.toPrecision(16))
  // The largest double would be rounded beyond what a double holds.
  return Number.isFinite(rounded) ? String(rounded) : text
}

function finiteJson(value: number): string | null {
  if (Number.isFinite(value)) return null
  if (Number.isNaN(value)) return '"NaN"'
  return value > 0 ? '"inf"' : '"-inf"'
}

function elementJson(
  type: ElementType,
  value: AttributeValue,
  tuples: readonly TupleType[],
): string {
  switch (type.kind) {
    case 'TUPLE': {
      const tuple = tuples.find((candidate) => candidate.name === type.name)!
      const fields = itemsOf(value).map((item, index) => {
        const field = tuple.fields[index]!
        return `${JSON.stringify(field.name)}:${elementJson({ kind: field.type }, item, tuples)}`
      })
      return `{${fields.join(',')}}`
    }
    case 'DATETIME':
      return `"${formatDatetime(Number(value))}"`
    case 'FLOAT':
      return floatJson(value as number)
    case 'DOUBLE':
      return doubleJson(value as number)
    case 'STRING':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}

/** Keys of a JSON object are strings whatever the map's key type is. */
function keyJson(type: ElementType, key: AttributeValue, tuples: readonly TupleType[]): string {
  const text = elementJson(type, key, tuples)
  return text.startsWith('"') ? text : JSON.stringify(text)
}

function itemsOf(value: AttributeValue): readonly AttributeValue[] {
  return value as readonly AttributeValue[]
}

/** Comparing, joining and naming value types. */
import type { ScalarTypeName } from '#catalog/types.ts'
import type { CollectionType, TupleValueType, ValueType } from './types.ts'

const NUMERIC: readonly ScalarTypeName[] = ['INT', 'UINT', 'FLOAT', 'DOUBLE']

export interface NumericType {
  readonly kind: 'INT' | 'UINT' | 'FLOAT' | 'DOUBLE'
}

export function isNumeric(type: ValueType): type is NumericType {
  return NUMERIC.some((kind) => kind === type.kind)
}

export function isInteger(type: ValueType): boolean {
  return type.kind === 'INT' || type.kind === 'UINT'
}

export function isFloating(type: ValueType): boolean {
  return type.kind === 'FLOAT' || type.kind === 'DOUBLE'
}

export function isCollection(type: ValueType): type is CollectionType {
  return type.kind === 'LIST' || type.kind === 'SET' || type.kind === 'BAG'
}

/** The higher of two numeric types: INT, UINT, FLOAT, DOUBLE. */
export function higherNumeric(left: NumericType, right: NumericType): NumericType {
  return NUMERIC.indexOf(left.kind) >= NUMERIC.indexOf(right.kind) ? left : right
}

/** Equal up to the vertex and edge types a value may have. */
export function sameType(left: ValueType, right: ValueType): boolean {
  if (left.kind !== right.kind) return false
  switch (left.kind) {
    case 'LIST':
    case 'SET':
    case 'BAG':
    case 'HEAP':
      return sameType(left.element, (right as CollectionType).element)
    case 'MAP': {
      const other = right as typeof left
      return sameType(left.key, other.key) && sameType(left.value, other.value)
    }
    case 'TUPLE':
      return sameFields(left, right as TupleValueType)
    case 'GROUPS':
      return sameFields(left.row, (right as typeof left).row)
    default:
      return true
  }
}

function sameFields(left: TupleValueType, right: TupleValueType): boolean {
  if (left.fields.length !== right.fields.length) return false
  return left.fields.every((field, index) => sameType(field.type, right.fields[index]!.type))
}

/** The type two branches or elements share; null: none. */
export function joinTypes(left: ValueType, right: ValueType): ValueType | null {
  if (isNumeric(left) && isNumeric(right)) return higherNumeric(left, right)
  if (left.kind === 'VERTEX' && right.kind === 'VERTEX') {
    return { kind: 'VERTEX', typeIds: joinIds(left.typeIds, right.typeIds) }
  }
  if (left.kind === 'EDGE' && right.kind === 'EDGE') {
    return { kind: 'EDGE', typeIds: joinIds(left.typeIds, right.typeIds) }
  }
  return sameType(left, right) ? left : null
}

function joinIds(
  left: readonly number[] | null,
  right: readonly number[] | null,
): readonly number[] | null {
  return left === null || right === null ? null : sortedIds([...left, ...right])
}

export function sortedIds(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** As GSQL writes it, for messages and hovers. */
export function typeText(type: ValueType, nameOf: (typeId: number) => string = String): string {
  switch (type.kind) {
    case 'VERTEX':
    case 'EDGE':
      return type.typeIds === null
        ? type.kind
        : `${type.kind}<${type.typeIds.map(nameOf).join('|')}>`
    case 'LIST':
    case 'SET':
    case 'BAG':
    case 'HEAP':
      return `${type.kind}<${typeText(type.element, nameOf)}>`
    case 'MAP':
      return `MAP<${typeText(type.key, nameOf)}, ${typeText(type.value, nameOf)}>`
    case 'TUPLE':
      return type.name === '' ? `TUPLE<${fieldsText(type, nameOf)}>` : type.name
    case 'GROUPS':
      return `GROUPS<${fieldsText(type.row, nameOf)}>`
    default:
      return type.kind
  }
}

function fieldsText(type: TupleValueType, nameOf: (typeId: number) => string): string {
  return type.fields.map((field) => `${typeText(field.type, nameOf)} ${field.name}`).join(', ')
}

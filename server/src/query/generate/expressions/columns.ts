/** Reading attributes: one expression per physical storage of a column, flat or paged. */
import type { AttributeType } from '#catalog/types.ts'
import type { ColumnView } from '#graph/view.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { QueryEnv } from '#query/runtime/env.ts'
import type { ColumnLayout } from '#query/runtime/graph/physical.ts'
import type { Unit } from '../text/unit.ts'
import { convert, isInteger } from './integers.ts'

export interface ColumnPlace {
  /** Unique per column: names its bindings. */
  readonly key: string
  readonly column: ColumnLayout
  readonly find: (env: QueryEnv) => ColumnView
}

/** The value of a column at a row, as `type`. */
export function readColumn(unit: Unit, place: ColumnPlace, row: string, type: ValueType): string {
  const from = valueTypeOf(place.column.type)
  if (!isScalarColumn(place.column)) {
    const column = unit.bind(`${place.key} column`, (env) => env.attributes.column(place.find(env)))
    return unit.call('valueAt', column, row, unit.codec(type.kind === from.kind ? type : from))
  }
  return convert(unit, readScalar(unit, place, row, from), from, type)
}

function isScalarColumn(column: ColumnLayout): boolean {
  const kind = column.type.kind
  return (
    kind !== 'LIST' && kind !== 'SET' && kind !== 'MAP' && kind !== 'TUPLE' && kind !== 'VECTOR'
  )
}

function readScalar(unit: Unit, place: ColumnPlace, row: string, type: ValueType): string {
  const { key, column, find } = place
  if (column.storage === 'code' || column.storage === 'offset') {
    const strings = unit.bind(`${key} strings`, (env) => env.attributes.strings(find(env)))
    return unit.call(
      column.storage === 'code' ? 'codeAt' : 'offsetAt',
      strings,
      cellOf(unit, place, row),
    )
  }
  const cell = cellOf(unit, place, row)
  const stored64 = column.storage === 'int64' || column.storage === 'uint64'
  if (column.storage === 'bool') return `(${cell}!==0)`
  if (!isInteger(type)) return stored64 ? unit.call('Number', cell) : cell
  if (stored64) return unit.wide ? cell : unit.call('safeOf', cell)
  return unit.wide ? unit.call('BigInt', cell) : cell
}

/** The raw array element of a row. */
export function cellOf(unit: Unit, place: ColumnPlace, row: string): string {
  const data = unit.bind(`${place.key} data`, (env) => place.find(env).data)
  if (!place.column.isPaged) return `${data}[${row}]`
  const pages = unit.bind(`${place.key} pages`, (env) => place.find(env).pages)
  return `${data}[(${pages}[${row}>>>10]<<10)|(${row}&1023)]`
}

/** What reading a stored attribute yields. */
export function valueTypeOf(type: AttributeType): ValueType {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return { kind: type.kind, element: elementType(type.element) }
    case 'MAP':
      return { kind: 'MAP', key: elementType(type.key), value: elementType(type.value) }
    case 'TUPLE':
      return { kind: 'TUPLE', name: type.name, fields: [] }
    case 'FIXED_BINARY':
      return { kind: 'STRING' }
    case 'VECTOR':
      return { kind: 'LIST', element: { kind: 'FLOAT' } }
    default:
      return { kind: type.kind }
  }
}

function elementType(type: AttributeType): ValueType {
  return valueTypeOf(type)
}

/** Code of the value a type has before anything was assigned. */
export function defaultValue(unit: Unit, type: ValueType): string {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return unit.wide ? '0n' : '0'
    case 'BOOL':
      return 'false'
    case 'VERTEX':
    case 'EDGE':
      return '-1'
    case 'FLOAT':
    case 'DOUBLE':
    case 'STRING':
    case 'DATETIME':
      return '0'
    default:
      return unit.call('emptyValue', unit.codec(type))
  }
}

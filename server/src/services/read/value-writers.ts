/**
 * Writers from a column to JSON bytes: one function per column, made once per answer and called
 * per row, so that no type is looked at inside a listing's loop.
 */

import { doubleJson, jsonAt } from '#graph/columns/json.ts'
import { heapOffsetAt, integerAt, numberAt, positionOf } from '#graph/columns/read.ts'
import { idNumber, idText } from '#graph/ids/read.ts'
import { heapLength, lengthSize } from '#graph/memory/heap.ts'
import type { ColumnView, IdsView } from '#graph/view.ts'
import type { JsonSink } from './json-sink.ts'

export type RowWriter = (sink: JsonSink, row: number) => void

export function valueWriter(column: ColumnView): RowWriter {
  switch (column.type.kind) {
    case 'INT':
    case 'UINT':
      return integerWriter(column)
    case 'STRING':
      return stringWriter(column)
    case 'DATETIME':
      return (sink, row) => sink.datetime(numberAt(column, row))
    case 'DOUBLE':
      return doubleWriter(column)
    default:
      return (sink, row) => sink.text(jsonAt(column, row))
  }
}

function integerWriter(column: ColumnView): RowWriter {
  if (column.storage === 'int64' || column.storage === 'uint64') {
    return (sink, row) => sink.text(String(integerAt(column, row)))
  }
  const { data } = column
  return (sink, row) => sink.integer(data[positionOf(column, row)] as number)
}

function doubleWriter(column: ColumnView): RowWriter {
  const data = column.data as Float64Array
  return (sink, row) => {
    const value = data[positionOf(column, row)]!
    if (value >= 0 && value <= 0x7fff_ffff && (value | 0) === value) sink.integer(value)
    else sink.text(doubleJson(value))
  }
}

function stringWriter(column: ColumnView): RowWriter {
  const { bytes } = column.heap!
  return (sink, row) => {
    const offset = heapOffsetAt(column, row)
    const length = heapLength(bytes, offset)
    const start = offset + lengthSize(length)
    sink.string(bytes, start, start + length)
  }
}

/** The external id as a JSON string, as every answer prints it. */
export function idWriter(ids: IdsView): RowWriter {
  const { offsets, bytes } = ids
  if (offsets !== null && bytes !== null) {
    return (sink, row) => sink.string(bytes, offsets[row]!, offsets[row + 1]!)
  }
  return (sink, row) => sink.text(`"${idText(ids, row)}"`)
}

/** The id as a value of its own type: what a readable primary id prints as an attribute. */
export function idValueWriter(ids: IdsView): RowWriter {
  if (ids.type === 'STRING' || ids.type === 'DATETIME') return idWriter(ids)
  return (sink, row) => sink.text(String(idNumber(ids, row)))
}

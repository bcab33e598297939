/** Reading attributes and ids while a query runs: strings interned, collections as blocks. */
import type { AttributeValue } from '#catalog/types.ts'
import { valueAt as attributeAt, columnOf } from '#graph/columns/read.ts'
import { idText } from '#graph/ids/read.ts'
import { heapLength, lengthSize } from '#graph/memory/heap.ts'
import type { ColumnView } from '#graph/view.ts'
import type { MapValueType, TupleValueType, ValueType } from '#query/ir/types.ts'
import type { Memory } from '../cells/codec.ts'
import type { Shapes } from '../cells/shapes.ts'
import type { StringTable } from '../cells/strings.ts'
import type { MapShape } from '../cells/table-shapes.ts'
import type { Value } from '../cells/value.ts'
import type { EdgeHandles } from './edges.ts'
import type { VertexLayout } from './layout.ts'

/** A STRING column with the codes its dictionary codes were given, plus one. */
export interface StringColumn {
  readonly column: ColumnView
  readonly known: Int32Array
}

export interface ReaderOptions {
  readonly type: ValueType
  readonly wide: boolean
}

export type TypedAttribute = readonly { readonly typeId: number; readonly attributeId: number }[]
export type AttributeReader = (value: number) => Value

export interface AttributeParts {
  readonly memory: Memory
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly shapes: Shapes
}

export class Attributes {
  private readonly parts: AttributeParts
  private readonly strings_: StringTable

  constructor(parts: AttributeParts) {
    this.parts = parts
    this.strings_ = parts.memory.strings
  }

  column(column: ColumnView): ColumnView {
    return column
  }

  strings(column: ColumnView): StringColumn {
    const offsets = column.heap?.offsets ?? null
    return { column, known: new Int32Array(offsets === null ? 0 : offsets.length) }
  }

  /** The query's code for a dictionary code of a column. */
  codeAt(strings: StringColumn, code: number): number {
    const known = strings.known[code]
    if (known !== undefined && known !== 0) return known - 1
    const own = this.offsetAt(strings, strings.column.heap!.offsets![code]!)
    if (code < strings.known.length) strings.known[code] = own + 1
    return own
  }

  /** The query's code for the string at an offset of the column's heap. */
  offsetAt(strings: StringColumn, offset: number): number {
    const { bytes } = strings.column.heap!
    const length = heapLength(bytes, offset)
    const start = offset + lengthSize(length)
    return this.strings_.internBytes(bytes, start, start + length)
  }

  /** A collection or tuple attribute; a collection is a temporary block. */
  valueAt(column: ColumnView, row: number, type: ValueType): Value {
    return this.valueOf(attributeAt(column, row), type)
  }

  /** A value from outside (an attribute, an argument) as the query keeps it. */
  valueOf(value: AttributeValue, type: ValueType): Value {
    switch (type.kind) {
      case 'STRING':
        return this.strings_.intern(typeof value === 'string' ? value : String(value))
      case 'INT':
      case 'UINT':
        return this.parts.shapes.integer(value as number | bigint)
      case 'TUPLE':
        return this.tuple(value as readonly AttributeValue[], type)
      case 'LIST':
      case 'SET':
      case 'BAG': {
        const block = this.temporary(type)
        for (const element of value as readonly AttributeValue[]) {
          const own = this.valueOf(element, type.element)
          this.parts.shapes.of(block).add(block, own)
        }
        return block
      }
      case 'MAP':
        return this.map(value as readonly AttributeValue[], type)
      default:
        return value as number | boolean
    }
  }

  vertexReader(byType: TypedAttribute, options: ReaderOptions): AttributeReader {
    const { layout, shapes } = this.parts
    const zero = shapes.value(options.type).zero()
    return (vertex) => {
      if (vertex < 0) return zero
      const table = layout.tableOf(vertex)
      const entry = byType.find(({ typeId }) => typeId === table.typeId)
      if (entry === undefined) return zero
      const row = layout.rowOf(vertex)
      if (entry.attributeId < 0) return this.valueOf(idText(table.ids, row), options.type)
      return this.read(columnOf(table.columns, entry.attributeId), row, options.type) ?? zero
    }
  }

  edgeReader(byType: TypedAttribute, options: ReaderOptions): AttributeReader {
    const { edges, shapes } = this.parts
    const zero = shapes.value(options.type).zero()
    return (handle) => {
      const edge = edges.resolve(handle)
      if (edge === null) return zero
      const { table, adjacency, row } = edge
      const entry = byType.find(({ typeId }) => typeId === table.typeId)
      if (entry === undefined) return zero
      return this.read(columnOf(adjacency.columns, entry.attributeId), row, options.type) ?? zero
    }
  }

  private read(column: ColumnView | undefined, row: number, type: ValueType): Value | null {
    if (column === undefined) return null
    const value = attributeAt(column, row)
    const isReal = type.kind === 'FLOAT' || type.kind === 'DOUBLE'
    return isReal ? Number(value) : this.valueOf(value, type)
  }

  private temporary(type: ValueType): number {
    return this.parts.shapes.value(type).fresh() as number
  }

  private tuple(value: readonly AttributeValue[], type: TupleValueType): Value {
    return type.fields.map((field, i) => this.valueOf(value[i]!, field.type))
  }

  private map(value: readonly AttributeValue[], type: MapValueType): Value {
    const block = this.temporary(type)
    const shape = this.parts.shapes.of(block) as MapShape
    for (const pair of value) {
      const [key, item] = pair as readonly AttributeValue[]
      const ownKey = this.valueOf(key!, type.key)
      shape.foldEntry(block, ownKey, this.valueOf(item!, type.value))
    }
    return block
  }
}

/** Values of a query as plain JavaScript, for everything that leaves it other than by PRINT. */
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { idText } from '#graph/ids/read.ts'
import { type TupleLookup, tupleLookup } from '#graph/mutate/frame-values.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import type { ValueType } from '#query/bind/types.ts'
import type { VertexLayout } from './layout.ts'
import { integerText, realJson } from './number-text.ts'
import type { Shapes } from './shapes.ts'
import type { StringTable } from './strings.ts'
import { BagShape, type MapShape } from './table-shapes.ts'
import type { Value } from './value.ts'

export function tuplesOf(column: ColumnView): TupleLookup {
  return tupleLookup(column.tuples)
}

export class Exporter {
  readonly #shapes: Shapes
  readonly #strings: StringTable
  readonly #layout: VertexLayout

  constructor(parts: { shapes: Shapes; strings: StringTable; layout: VertexLayout }) {
    this.#shapes = parts.shapes
    this.#strings = parts.strings
    this.#layout = parts.layout
  }

  /** A value as an attribute of type `target` holds it. */
  attribute(value: Value, type: ValueType, target: AttributeType): AttributeValue {
    switch (target.kind) {
      case 'INT':
      case 'UINT':
      case 'DATETIME':
        return whole(value as number | bigint, target.kind === 'UINT')
      case 'FLOAT':
      case 'DOUBLE':
        return Number(value)
      case 'STRING':
        return this.text(value, type)
      case 'LIST':
      case 'SET':
        return this.elements(value).map((element) =>
          this.attribute(element, elementOf(type), target.element),
        )
      case 'MAP':
        return this.#pairs(value as number, type, target)
      case 'TUPLE':
        return this.#tuple(value, type)
      default:
        return value as boolean
    }
  }

  /** As text: an id, a number in full, a date as it prints. */
  text(value: Value, type: ValueType): string {
    switch (type.kind) {
      case 'STRING':
        return this.#strings.text(value as number)
      case 'VERTEX': {
        const vertex = value as number
        if (vertex < 0) return ''
        return idText(this.#layout.tableOf(vertex).ids, this.#layout.rowOf(vertex))
      }
      case 'INT':
      case 'UINT':
        return integerText(value as number | bigint, type.kind === 'UINT')
      case 'FLOAT':
      case 'DOUBLE':
        return realJson(value as number, type.kind === 'FLOAT' ? 7 : 16).replaceAll('"', '')
      case 'DATETIME':
        return formatDatetime(value as number)
      default:
        return String(value)
    }
  }

  /** Elements of a collection block, in its order. */
  elements(block: Value): Value[] {
    const shape = this.#shapes.of(block as number)
    const found: Value[] = []
    if (shape instanceof BagShape) shape.forEach(block as number, (value) => found.push(value))
    else {
      for (let i = 0; i < shape.size(block as number); i++) {
        found.push(shape.elementAt(block as number, i))
      }
    }
    return found
  }

  #pairs(
    block: number,
    type: ValueType,
    target: Extract<AttributeType, { kind: 'MAP' }>,
  ): AttributeValue {
    if (type.kind !== 'MAP') return []
    const shape = this.#shapes.of(block) as MapShape
    return Array.from({ length: shape.size(block) }, (_, i) => [
      this.attribute(shape.keyAt(block, i), type.key, target.key),
      this.attribute(shape.valueAt(block, i), type.value, target.value),
    ])
  }

  #tuple(value: Value, type: ValueType): AttributeValue {
    if (type.kind !== 'TUPLE') return []
    return type.fields.map((field, i) => {
      const inner = (value as readonly Value[])[i]!
      return this.attribute(inner, field.type, { kind: field.type.kind } as AttributeType)
    })
  }
}

function elementOf(type: ValueType): ValueType {
  return 'element' in type ? type.element : type
}

function whole(value: number | bigint, unsigned: boolean): number | bigint {
  if (typeof value === 'bigint') return unsigned ? BigInt.asUintN(64, value) : value
  const cut = Math.trunc(Number.isNaN(value) ? 0 : value)
  return unsigned && cut < 0 ? BigInt.asUintN(64, BigInt(cut)) : cut
}

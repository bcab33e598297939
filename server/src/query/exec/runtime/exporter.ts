/** Values of a query as plain JavaScript, for everything that leaves it other than by PRINT. */
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { idText } from '#graph/ids/read.ts'
import { type TupleLookup, tupleLookup } from '#graph/mutate/frame-values.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import type { ValueType } from '#query/bind/types.ts'
import type { PlainValue } from '#query/functions/user-functions.ts'
import type { EdgeHandles } from './edges.ts'
import type { VertexLayout } from './layout.ts'
import { integerText, realJson } from './number-text.ts'
import type { Shapes } from './shapes.ts'
import type { StringTable } from './strings.ts'
import { BagShape, type MapShape } from './table-shapes.ts'
import type { Value } from './value.ts'

export function tuplesOf(column: ColumnView): TupleLookup {
  return tupleLookup(column.tuples)
}

export interface ExporterParts {
  readonly shapes: Shapes
  readonly strings: StringTable
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
}

export class Exporter {
  readonly #shapes: Shapes
  readonly #strings: StringTable
  readonly #layout: VertexLayout
  readonly #edges: EdgeHandles

  constructor(parts: ExporterParts) {
    this.#shapes = parts.shapes
    this.#strings = parts.strings
    this.#layout = parts.layout
    this.#edges = parts.edges
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
      case 'VECTOR':
        return this.#vector(value, target.dimension)
      case 'TUPLE':
        return this.#tuple(value, type)
      default:
        return value as boolean
    }
  }

  /** As functions outside the query take it. */
  plain(value: Value, type: ValueType): PlainValue {
    switch (type.kind) {
      case 'STRING':
        return this.text(value, type)
      case 'LIST':
      case 'SET':
      case 'BAG':
        return this.elements(value).map((element) => this.plain(element, type.element))
      case 'MAP': {
        const block = value as number
        const shape = this.#shapes.of(block) as MapShape
        return Array.from({ length: shape.size(block) }, (_, i) => [
          this.plain(shape.keyAt(block, i), type.key),
          this.plain(shape.valueAt(block, i), type.value),
        ])
      }
      case 'TUPLE':
        return type.fields.map((field, i) =>
          this.plain((value as readonly Value[])[i]!, field.type),
        )
      default:
        return value as number | bigint | boolean
    }
  }

  /** As text: an id, a number in full, a date as it prints. */
  text(value: Value, type: ValueType): string {
    switch (type.kind) {
      case 'STRING':
      case 'JSONOBJECT':
      case 'JSONARRAY':
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

  /** As a line of a file has it: elements apart by a space, fields and pairs by a colon. */
  fileText(value: Value, type: ValueType): string {
    switch (type.kind) {
      case 'LIST':
      case 'SET':
      case 'BAG':
      case 'HEAP':
        return this.elements(value)
          .map((element) => this.fileText(element, type.element))
          .join(' ')
      case 'MAP': {
        const block = value as number
        const shape = this.#shapes.of(block) as MapShape
        return Array.from({ length: shape.size(block) }, (_, i) => {
          const key = this.fileText(shape.keyAt(block, i), type.key)
          return `${key}:${this.fileText(shape.valueAt(block, i), type.value)}`
        }).join(' ')
      }
      case 'TUPLE':
        return type.fields
          .map((field, i) => this.fileText((value as readonly Value[])[i]!, field.type))
          .join(':')
      case 'EDGE':
        return this.#edgeText(value as number)
      default:
        return this.text(value, type)
    }
  }

  /** @throws DbError QUERY_RUNTIME for a list of another length */
  #vector(value: Value, dimension: number): AttributeValue {
    const numbers = this.elements(value).map(Number)
    if (numbers.length === dimension) return numbers
    throw new DbError(
      'QUERY_RUNTIME',
      `Runtime Error: a vector of ${dimension} numbers cannot hold ${numbers.length}.`,
      { details: { code: 'GSQL-90000' } },
    )
  }

  /** The ids of its ends. */
  #edgeText(handle: number): string {
    const edge = this.#edges.resolve(handle)
    if (edge === null) return ''
    const { from, to } = this.#edges.ends(edge)
    const vertex: ValueType = { kind: 'VERTEX', typeIds: null }
    return `${this.text(from, vertex)}:${this.text(to, vertex)}`
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

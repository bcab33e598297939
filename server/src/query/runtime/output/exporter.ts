/** Values of a query as plain JavaScript, for everything that leaves it other than by PRINT. */
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { idText } from '#graph/ids/read.ts'
import { type TupleLookup, tupleLookup } from '#graph/mutate/frame-values.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import type { PlainValue } from '#query/functions/user-functions.ts'
import type { ValueType } from '#query/ir/types.ts'
import { HeapShape } from '../cells/heap.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { Shapes } from '../cells/shapes.ts'
import type { StringTable } from '../cells/strings.ts'
import { BagShape, type MapShape } from '../cells/table-shapes.ts'
import type { Value } from '../cells/value.ts'
import type { EdgeHandles } from '../graph/edges.ts'
import type { VertexLayout } from '../graph/layout.ts'
import { integerText, realJson } from './number-text.ts'

export function tuplesOf(column: ColumnView): TupleLookup {
  return tupleLookup(column.tuples)
}

export interface ExporterParts {
  readonly shapes: Shapes
  readonly strings: StringTable
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly memory: MemoryBudget
}

/** An element of a collection on the heap: its place in an array, and its value. */
const ELEMENT_SIZE_BYTES = 64

export class Exporter {
  readonly #shapes: Shapes
  readonly #strings: StringTable
  readonly #layout: VertexLayout
  readonly #edges: EdgeHandles
  readonly #memory: MemoryBudget

  constructor(parts: ExporterParts) {
    this.#shapes = parts.shapes
    this.#strings = parts.strings
    this.#layout = parts.layout
    this.#edges = parts.edges
    this.#memory = parts.memory
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
        return this.#countedText(value, type)
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
        return this.#countedText(value, type)
      case 'LIST':
      case 'SET':
      case 'BAG':
        return this.elements(value).map((element) => this.plain(element, type.element))
      case 'MAP': {
        const block = value as number
        const shape = this.#shapes.of(block) as MapShape
        this.#memory.takeHeap(shape.size(block) * 2 * ELEMENT_SIZE_BYTES)
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

  /**
   * As a line of a file has it: elements apart by a space, fields and pairs by a colon.
   * @param out takes the text piece by piece
   */
  fileText(value: Value, type: ValueType, out: (text: string) => void): void {
    switch (type.kind) {
      case 'LIST':
      case 'SET':
      case 'BAG':
      case 'HEAP': {
        let isFirst = true
        this.#eachElement(value, (element) => {
          if (!isFirst) out(' ')
          isFirst = false
          this.fileText(element, type.element, out)
        })
        return
      }
      case 'MAP':
        this.#pairsText(value as number, type, out)
        return
      case 'TUPLE':
        type.fields.forEach((field, i) => {
          if (i > 0) out(':')
          this.fileText((value as readonly Value[])[i]!, field.type, out)
        })
        return
      case 'EDGE':
        out(this.#edgeText(value as number))
        return
      default:
        out(this.text(value, type))
    }
  }

  #pairsText(
    block: number,
    type: Extract<ValueType, { kind: 'MAP' }>,
    out: (text: string) => void,
  ): void {
    const shape = this.#shapes.of(block) as MapShape
    for (let i = 0; i < shape.size(block); i++) {
      if (i > 0) out(' ')
      this.fileText(shape.keyAt(block, i), type.key, out)
      out(':')
      this.fileText(shape.valueAt(block, i), type.value, out)
    }
  }

  /**
   * What `use` makes of values lies on the heap until it returns, and counts until then.
   * @throws DbError QUERY_MEMORY_LIMIT
   */
  counted<T>(use: () => T): T {
    const before = this.#memory.heapBytes
    try {
      return use()
    } finally {
      this.#memory.giveHeap(this.#memory.heapBytes - before)
    }
  }

  #countedText(value: Value, type: ValueType): string {
    const text = this.text(value, type)
    this.#memory.takeHeap(text.length * 2)
    return text
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

  /** Elements of a collection block, in its order; they count until `counted` ends. */
  elements(block: Value): Value[] {
    const shape = this.#shapes.of(block as number)
    this.#memory.takeHeap(shape.size(block as number) * ELEMENT_SIZE_BYTES)
    const found: Value[] = []
    this.#eachElement(block, (value) => found.push(value))
    return found
  }

  #eachElement(block: Value, see: (value: Value) => void): void {
    const shape = this.#shapes.of(block as number)
    if (shape instanceof BagShape) shape.forEach(block as number, see)
    else if (shape instanceof HeapShape) shape.forEachSorted(block as number, see)
    else {
      for (let i = 0; i < shape.size(block as number); i++) see(shape.elementAt(block as number, i))
    }
  }

  #pairs(
    block: number,
    type: ValueType,
    target: Extract<AttributeType, { kind: 'MAP' }>,
  ): AttributeValue {
    if (type.kind !== 'MAP') return []
    const shape = this.#shapes.of(block) as MapShape
    this.#memory.takeHeap(shape.size(block) * 2 * ELEMENT_SIZE_BYTES)
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

/**
 * The order of elements by one attribute, as cursors can hold it: of the last element of a page its
 * value is kept, so that the place is found though that element is gone.
 */
import type { VertexType } from '#catalog/types.ts'
import { heapOffsetAt, integerAt, numberAt } from '#graph/columns/read.ts'
import { idNumber } from '#graph/ids/read.ts'
import { heapLength, lengthSize } from '#graph/memory/heap.ts'
import type { ColumnView, IdsView, VertexTableView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { compareNumbers } from '#kernel/order.ts'
import { type ReadableAttribute, readableVertexType } from './attributes.ts'
import { foreignCursor } from './cursor.ts'
import { parseSort, type SortKey, unsortable } from './sort.ts'

/** A text is its first bytes, a character each, so that characters stand in the order of bytes. */
export type SortValue = number | bigint | string

/** Longer texts are alike when they begin alike: a cursor travels in an address. */
export const SORTED_TEXT_BYTES_MAX = 256

/** Reads the values of one attribute, row by row. */
export interface ValueReader {
  read(row: number): SortValue
  /** Of a row's value with one that was read or parsed. Makes nothing that is left behind. */
  compare(row: number, value: SortValue): number
  /** From `String(value)`. @throws DbError INVALID_PARAMETER for what no value is written as */
  parse(text: string): SortValue
}

/**
 * @param sort `age` or `-age`; absent: null
 * @param what is sorted, for the message
 * @throws DbError INVALID_PARAMETER for several
 */
export function singleKey(sort: string | undefined, what: string): SortKey | null {
  const [key = null, second] = parseSort(sort)
  if (second === undefined) return key
  throw new DbError('INVALID_PARAMETER', `${what} are sorted by one attribute, not '${sort}'.`)
}

/** As `sort` has it. */
export const keyText = ({ name, isDescending }: SortKey): string =>
  `${isDescending ? '-' : ''}${name}`

/** An attribute of a vertex; its id has a name, whether or not it is read as an attribute. */
export function vertexAttribute(
  name: string,
  type: VertexType,
  table: VertexTableView,
): ReadableAttribute | undefined {
  const { attributes, vectors } = readableVertexType(type, table)
  const known = [...attributes, ...vectors].find((attribute) => attribute.name === name)
  const { names, type: kind } = type.primaryId
  const isId = names.length === 1 && names[0] === name
  return known ?? (isId ? { name, type: { kind }, attributeId: -1, column: null } : undefined)
}

/**
 * @param table of the vertices whose id the attribute is, where it has no column
 * @throws DbError INVALID_PARAMETER for a type without an order
 */
export function valueReader(
  { name, type, column }: ReadableAttribute,
  { ids }: VertexTableView,
): ValueReader {
  switch (type.kind) {
    case 'STRING':
      return textReader(column === null ? idRanges(ids) : columnRanges(column))
    case 'INT':
    case 'UINT':
      if (column === null) return numberReader((row) => idNumber(ids, row), parseInteger)
      return numberReader((row) => integerAt(column, row), parseInteger)
    case 'FLOAT':
    case 'DOUBLE':
    case 'BOOL':
    case 'DATETIME':
      if (column === null) return numberReader((row) => idNumber(ids, row), parseNumber)
      return numberReader((row) => numberAt(column, row), parseNumber)
    default:
      throw unsortable(name, type.kind)
  }
}

/** Where the UTF-8 of a text lies; three calls, for an object of them would be one per row. */
interface TextRanges {
  bytes(): Uint8Array
  start(row: number): number
  length(row: number): number
}

const idRanges = ({ bytes, offsets }: IdsView): TextRanges => ({
  bytes: () => bytes!,
  start: (row) => offsets![row]!,
  length: (row) => offsets![row + 1]! - offsets![row]!,
})

function columnRanges(column: ColumnView): TextRanges {
  const length = (row: number) => heapLength(column.heap!.bytes, heapOffsetAt(column, row))
  return {
    bytes: () => column.heap!.bytes,
    start: (row) => heapOffsetAt(column, row) + lengthSize(length(row)),
    length,
  }
}

const textReader = (ranges: TextRanges): ValueReader => ({
  read: (row) => {
    const start = ranges.start(row)
    const end = start + Math.min(ranges.length(row), SORTED_TEXT_BYTES_MAX)
    return Buffer.from(ranges.bytes().subarray(start, end)).toString('latin1')
  },
  compare: (row, value) => compareText(ranges, row, value as string),
  parse: (text) => text,
})

function compareText(ranges: TextRanges, row: number, value: string): number {
  const bytes = ranges.bytes()
  const start = ranges.start(row)
  const length = Math.min(ranges.length(row), SORTED_TEXT_BYTES_MAX)
  const common = Math.min(length, value.length)
  for (let at = 0; at < common; at++) {
    const difference = bytes[start + at]! - value.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return length - value.length
}

type NumberAt = (row: number) => number | bigint

const numberReader = (read: NumberAt, parse: ValueReader['parse']): ValueReader => ({
  read,
  compare: (row, value) => compareNumbers(read(row), value as number | bigint),
  parse,
})

/** A number beyond 2^53 is written rounded: its digits are the text of it, not its value. */
const parseNumber = (text: string): number => Number(text)

function parseInteger(text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw foreignCursor()
  return BigInt(text)
}

/** Both are numbers, or both are texts. */
export function compareValues(left: SortValue, right: SortValue): number {
  if (typeof left !== 'string' && typeof right !== 'string') return compareNumbers(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Keeps the first of many, by an order. */
export class FirstOf<Element> {
  readonly #count: number
  readonly #compare: (left: Element, right: Element) => number
  #kept: Element[] = []
  /** Once there are enough: what stands behind it is none of the first. */
  last: Element | null = null

  constructor(count: number, compare: (left: Element, right: Element) => number) {
    this.#count = count
    this.#compare = compare
  }

  offer(element: Element): void {
    if (this.last !== null && this.#compare(element, this.last) >= 0) return
    this.#kept.push(element)
    if (this.#kept.length >= 2 * this.#count) this.#trim()
  }

  inOrder(): readonly Element[] {
    this.#trim()
    return this.#kept
  }

  #trim(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#count)
    this.last = this.#kept.length < this.#count ? null : this.#kept.at(-1)!
  }
}

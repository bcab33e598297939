/** Attribute types as the small numbers that hot loops switch on. */
import type { Attribute, AttributeType, TupleType } from '#catalog/types.ts'
import type { ColumnStorage } from '#graph/view.ts'
import { PAGE_ROWS } from '#kernel/limits.ts'
import type { ArrayKind } from '../memory/growable.ts'

export const valueKind = {
  int: 0,
  uint: 1,
  datetime: 2,
  float: 3,
  double: 4,
  bool: 5,
  string: 6,
  encoded: 7,
  vector: 8,
} as const

export type ValueKind = (typeof valueKind)[keyof typeof valueKind]

export function kindOf(type: AttributeType): ValueKind {
  switch (type.kind) {
    case 'INT':
      return valueKind.int
    case 'UINT':
      return valueKind.uint
    case 'DATETIME':
      return valueKind.datetime
    case 'FLOAT':
      return valueKind.float
    case 'DOUBLE':
      return valueKind.double
    case 'BOOL':
      return valueKind.bool
    case 'STRING':
      return valueKind.string
    case 'VECTOR':
      return valueKind.vector
    default:
      return valueKind.encoded
  }
}

/** Where a new column of a kind begins; INT, UINT, DATETIME and STRING may widen later. */
export function firstStorage(kind: ValueKind): ColumnStorage {
  const storages = [
    'int32',
    'uint32',
    'int32',
    'float32',
    'float64',
    'bool',
    'code',
    'offset',
    'vector',
  ] as const
  return storages[kind]
}

export function arrayKindOf(storage: ColumnStorage): ArrayKind {
  if (storage === 'bool') return 'uint8'
  if (storage === 'code' || storage === 'offset') return 'uint32'
  return storage === 'vector' ? 'float32' : storage
}

/** Floats of a page of vectors at most, but for one vector that is longer: 256 KB. */
const VECTOR_PAGE_LENGTH_MAX = 65_536
const PAGE_SHIFT = Math.log2(PAGE_ROWS)

/**
 * Rows of a page, as a power of two. Pages of long vectors hold fewer rows: a write under a pinned
 * version copies a page, and 1,024 vectors of 1,536 numbers are 6 MB.
 */
export function pageShiftOf(type: AttributeType): number {
  if (type.kind !== 'VECTOR') return PAGE_SHIFT
  const rows = Math.max(1, Math.floor(VECTOR_PAGE_LENGTH_MAX / type.dimension))
  return Math.min(PAGE_SHIFT, 31 - Math.clz32(rows))
}

/** Array elements of one row. */
export function strideOf(type: AttributeType): number {
  return type.kind === 'VECTOR' ? type.dimension : 1
}

/** The tuples that a type mentions. */
export function tuplesOf(attribute: Attribute, tuples: readonly TupleType[]): TupleType[] {
  const names = new Set<string>()
  const collect = (type: AttributeType): void => {
    if (type.kind === 'TUPLE') names.add(type.name)
    if (type.kind === 'LIST' || type.kind === 'SET') collect(type.element)
    if (type.kind === 'MAP') {
      collect(type.key)
      collect(type.value)
    }
  }
  collect(attribute.type)
  return tuples.filter((tuple) => names.has(tuple.name))
}

/**
 * The types of GSQL values and accumulators, resolved: what every bound node carries.
 *
 * Plain data (it is posted to query workers). Two ideas are kept apart: a `ValueType` is what an
 * expression yields, an `AccumType` is how a declared accumulator stores and folds. Reading an
 * accumulator yields `readTypeOf(accum)`: SumAccum<INT> reads as INT, MapAccum<K, ListAccum<T>> as
 * MAP<K, LIST<T>>, HeapAccum<T> as HEAP<T>.
 */
import type { ScalarTypeName } from '#catalog/types.ts'

export type ValueType =
  | ScalarType
  | JsonValueType
  | VertexValueType
  | EdgeValueType
  | TupleValueType
  | CollectionType
  | MapValueType
  | HeapValueType
  | GroupsValueType

export interface ScalarType {
  readonly kind: ScalarTypeName
}

/** A JSON text that holds an object, or an array. */
export interface JsonValueType {
  readonly kind: 'JSONOBJECT' | 'JSONARRAY'
}

export interface VertexValueType {
  readonly kind: 'VERTEX'
  /** Type ids it can have, ascending; null: any type of the graph (VERTEX without a type). */
  readonly typeIds: readonly number[] | null
}

export interface EdgeValueType {
  readonly kind: 'EDGE'
  /** Edge type ids it can have, ascending; null: any. */
  readonly typeIds: readonly number[] | null
}

export interface TupleValueType {
  readonly kind: 'TUPLE'
  /** Its TYPEDEF name; empty for the rows of a GroupByAccum and anonymous tuples. */
  readonly name: string
  readonly fields: readonly TupleValueField[]
}

export interface TupleValueField {
  readonly name: string
  readonly type: ValueType
}

/** LIST keeps order and duplicates, BAG duplicates, SET neither. */
export interface CollectionType {
  readonly kind: 'LIST' | 'SET' | 'BAG'
  readonly element: ValueType
}

export interface MapValueType {
  readonly kind: 'MAP'
  readonly key: ValueType
  readonly value: ValueType
}

/** A heap as a value: iterates and prints in sort order. */
export interface HeapValueType {
  readonly kind: 'HEAP'
  readonly element: TupleValueType
}

/** A GroupByAccum as a value: its rows are tuples of keys, then values. */
export interface GroupsValueType {
  readonly kind: 'GROUPS'
  readonly keyCount: number
  readonly row: TupleValueType
}

export type AccumType =
  | {
      /** Reads as `value`: INT, UINT, FLOAT, DOUBLE or STRING (`+=` appends). */
      readonly kind: 'SumAccum'
      readonly value: ValueType
    }
  | {
      /** Scalar (also STRING, DATETIME), VERTEX (by internal id) or tuple (field by field). */
      readonly kind: 'MinAccum' | 'MaxAccum'
      readonly value: ValueType
      /**
       * An aggregate of rows: the first value is taken whatever it is, also an infinite one or NaN,
       * where a declared accumulator begins with the end of the range. It is kept in a cell.
       */
      readonly isOfRows?: true
    }
  | { readonly kind: 'AvgAccum' | 'OrAccum' | 'AndAccum' }
  | {
      /** `lengthBits` 64 unless declared; reads as INT, of more bits as a list of words. */
      readonly kind: 'BitwiseOrAccum' | 'BitwiseAndAccum'
      readonly lengthBits: number
    }
  | {
      readonly kind: 'ListAccum' | 'SetAccum' | 'BagAccum'
      /** A value, or a nested accumulator (ListAccum<ListAccum<INT>>). */
      readonly element: AccumElement
    }
  | { readonly kind: 'MapAccum'; readonly key: ValueType; readonly value: AccumElement }
  | {
      readonly kind: 'HeapAccum'
      readonly tuple: TupleValueType
      readonly order: readonly HeapOrder[]
      /** Of one inside another accumulator, or local to a row: its capacity; null: no limit. */
      readonly limit: HeapLimit | null
    }
  | {
      /** Reads as nested LISTs; every element is an accumulator. */
      readonly kind: 'ArrayAccum'
      readonly element: AccumType
      readonly dimensions: number
    }
  | {
      /** Reads as DOUBLE. */
      readonly kind: 'PercentileContAccum'
      readonly percent: number
    }
  | {
      readonly kind: 'GroupByAccum'
      readonly keys: readonly TupleValueField[]
      readonly values: readonly { readonly name: string; readonly accum: AccumType }[]
    }

/** What a collection accumulator holds. A base-type map value accumulates by 9.3's rules. */
export type AccumElement =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'accum'; readonly accum: AccumType }

export type HeapLimit =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'parameter'; readonly slot: number }

/** One sort key of a heap: position in the tuple's fields. */
export interface HeapOrder {
  readonly field: number
  readonly descending: boolean
}

export const INT: ScalarType = { kind: 'INT' }
export const UINT: ScalarType = { kind: 'UINT' }
export const FLOAT: ScalarType = { kind: 'FLOAT' }
export const DOUBLE: ScalarType = { kind: 'DOUBLE' }
export const BOOL: ScalarType = { kind: 'BOOL' }
export const STRING: ScalarType = { kind: 'STRING' }
export const DATETIME: ScalarType = { kind: 'DATETIME' }
export const JSON_OBJECT: JsonValueType = { kind: 'JSONOBJECT' }
export const JSON_ARRAY: JsonValueType = { kind: 'JSONARRAY' }
export const ANY_VERTEX: VertexValueType = { kind: 'VERTEX', typeIds: null }
export const ANY_EDGE: EdgeValueType = { kind: 'EDGE', typeIds: null }

/** Bits that one INT does not hold. */
export function isWideBits(accum: AccumType): boolean {
  return 'lengthBits' in accum && accum.lengthBits > 64
}

/** What an expression that names the accumulator yields. */
export function readTypeOf(accum: AccumType): ValueType {
  switch (accum.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return accum.value
    case 'AvgAccum':
      return DOUBLE
    case 'OrAccum':
    case 'AndAccum':
      return BOOL
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      return isWideBits(accum) ? { kind: 'LIST', element: INT } : INT
    case 'ListAccum':
      return { kind: 'LIST', element: elementReadType(accum.element) }
    case 'SetAccum':
      return { kind: 'SET', element: elementReadType(accum.element) }
    case 'BagAccum':
      return { kind: 'BAG', element: elementReadType(accum.element) }
    case 'MapAccum':
      return { kind: 'MAP', key: accum.key, value: elementReadType(accum.value) }
    case 'HeapAccum':
      return { kind: 'HEAP', element: accum.tuple }
    case 'PercentileContAccum':
      return DOUBLE
    case 'ArrayAccum': {
      let type = readTypeOf(accum.element)
      for (let i = 0; i < accum.dimensions; i++) type = { kind: 'LIST', element: type }
      return type
    }
    case 'GroupByAccum':
      return groupsType(accum)
  }
}

export function elementReadType(element: AccumElement): ValueType {
  return element.kind === 'value' ? element.type : readTypeOf(element.accum)
}

function groupsType(accum: Extract<AccumType, { kind: 'GroupByAccum' }>): GroupsValueType {
  const values = accum.values.map(({ name, accum: inner }) => ({ name, type: readTypeOf(inner) }))
  const row: TupleValueType = { kind: 'TUPLE', name: '', fields: [...accum.keys, ...values] }
  return { kind: 'GROUPS', keyCount: accum.keys.length, row }
}

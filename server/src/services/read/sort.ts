/** `sort` texts: `-age,name`, `-` for descending; ties keep the order they had. */
import { bytesAt, integerAt, numberAt } from '#graph/columns/read.ts'
import { idText, idValue } from '#graph/ids/read.ts'
import { compareBytes } from '#graph/memory/compare.ts'
import type { IdsView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { compareNumbers } from '#kernel/order.ts'
import {
  checkLength,
  type ReadableAttribute,
  type ReadableType,
  requireAttribute,
} from './attributes.ts'
import type { ReadScope, Sliced } from './read-scope.ts'

export interface SortKey {
  readonly name: string
  readonly isDescending: boolean
}

export type RowOrder = (left: number, right: number) => number

/** @throws DbError INVALID_PARAMETER */
export function parseSort(text: string | undefined): readonly SortKey[] {
  if (text === undefined || text.trim() === '') return []
  checkLength('sort', text)
  return text.split(',').map((part) => {
    const key = part.trim()
    const isDescending = key.startsWith('-')
    return { name: isDescending ? key.slice(1) : key, isDescending }
  })
}

/** @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER for an attribute that has no order */
export function rowOrder(
  keys: readonly SortKey[],
  type: ReadableType,
  ids: IdsView | null,
): RowOrder {
  const orders = keys.map(({ name, isDescending }) => {
    const order = orderOf(requireAttribute(type, name), ids)
    return isDescending ? (left: number, right: number) => order(right, left) : order
  })
  return (left, right) => {
    for (const order of orders) {
      const result = order(left, right)
      if (result !== 0) return result
    }
    return 0
  }
}

function orderOf({ name, type, column }: ReadableAttribute, ids: IdsView | null): RowOrder {
  switch (type.kind) {
    case 'STRING':
      if (column === null) return (left, right) => compareTexts(ids!, left, right)
      return (left, right) => compareBytes(bytesAt(column, left), bytesAt(column, right))
    case 'INT':
    case 'UINT':
      if (column === null) {
        return (left, right) => compareNumbers(numericId(ids!, left), numericId(ids!, right))
      }
      return (left, right) => compareNumbers(integerAt(column, left), integerAt(column, right))
    case 'FLOAT':
    case 'DOUBLE':
    case 'BOOL':
    case 'DATETIME':
      if (column === null) {
        return (left, right) => compareNumbers(numericId(ids!, left), numericId(ids!, right))
      }
      return (left, right) => compareNumbers(numberAt(column, left), numberAt(column, right))
    default:
      throw unsortable(name, type.kind)
  }
}

export function unsortable(name: string, kind: string): DbError {
  return new DbError(
    'INVALID_PARAMETER',
    `The attribute '${name}' of type ${kind} cannot be sorted by.`,
  )
}

const encoder = new TextEncoder()

function compareTexts(ids: IdsView, left: number, right: number): number {
  return compareBytes(encoder.encode(idText(ids, left)), encoder.encode(idText(ids, right)))
}

function numericId(ids: IdsView, row: number): number | bigint {
  return idValue(ids, row) as number | bigint
}

/** Rows sorted at once; longer lists are merged from runs of this length. */
const RUN_LENGTH = 1_024

/** A stable merge sort that stops for others: `items` is sorted in place. */
export function* sortInSlices(items: Uint32Array, order: RowOrder, scope: ReadScope): Sliced<void> {
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    const run = items.subarray(start, start + RUN_LENGTH)
    run.set([...run].sort(order))
    if (scope.isDue) yield
  }
  const merged = new Uint32Array(items.length > RUN_LENGTH ? items.length : 0)
  for (let length = RUN_LENGTH; length < items.length; length *= 2) {
    yield* mergeRuns({ items, merged, length }, order, scope)
    items.set(merged)
  }
}

interface MergePass {
  readonly items: Uint32Array
  readonly merged: Uint32Array
  /** Of each sorted run in `items`; every two become one in `merged`. */
  readonly length: number
}

function* mergeRuns(
  { items, merged, length }: MergePass,
  order: RowOrder,
  scope: ReadScope,
): Sliced<void> {
  for (let start = 0; start < items.length; start += 2 * length) {
    const middle = Math.min(start + length, items.length)
    const end = Math.min(start + 2 * length, items.length)
    let left = start
    let right = middle
    for (let at = start; at < end; at++) {
      if ((at & 1_023) === 0 && scope.isDue) yield
      const takesLeft = left < middle && (right >= end || order(items[left]!, items[right]!) <= 0)
      merged[at] = takesLeft ? items[left++]! : items[right++]!
    }
  }
}

/** Rows of what the entries of a run name, without a change. */
import type { DiscriminatorKey } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { adjacencyOf } from './apply-edges.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { fieldsOf, vertexTableOf } from './target.ts'

export interface EntryRows {
  /** Of the values, which the caller steps over; discriminators are not among them. */
  readonly columns: readonly Column[]
  readonly discriminators: readonly Column[]
  /** Reads the keys of the next entry up to its values. @returns its row, or -1 */
  next(): number
  /** As `next`, without a search. */
  readKeys(): void
  /** Of the entry whose keys were read last: its row, or -1. */
  find(): number
}

export function vertexRows(cursor: FrameCursor, tables: Tables): EntryRows {
  const table = vertexTableOf(tables, cursor.typeId)
  const columns = fieldsOf(cursor, table.columns).map(({ column }) => column)
  const { bytes, keyStart, keyEnd } = cursor
  const readKeys = () => {
    cursor.readKey(0, table.isNumericId)
  }
  const find = () => table.find(bytes, keyStart[0]!, keyEnd[0]!)
  return { columns, discriminators: [], readKeys, find, next: nextOf(readKeys, find) }
}

export function edgeRows(cursor: FrameCursor, tables: Tables): EntryRows {
  const { adjacency, discriminatorCount } = adjacencyOf(cursor, tables)
  const from = vertexTableOf(tables, cursor.fromTypeId)
  const to = vertexTableOf(tables, cursor.toTypeId)
  const columns = fieldsOf(cursor, adjacency.columns).map(({ column }) => column)
  const discriminators = columns.slice(0, discriminatorCount)
  const key: DiscriminatorKey = { bytes: cursor.bytes, view: cursor.view, start: 0, end: 0 }
  const { bytes, keyStart, keyEnd } = cursor
  const readKeys = () => {
    cursor.readKey(0, from.isNumericId)
    cursor.readKey(1, to.isNumericId)
    key.start = cursor.at
    for (const column of discriminators) cursor.skipValue(column.attribute.type)
    key.end = cursor.at
  }
  const find = () => {
    const first = from.find(bytes, keyStart[0]!, keyEnd[0]!)
    const second = to.find(bytes, keyStart[1]!, keyEnd[1]!)
    return first < 0 || second < 0 ? -1 : liveEdge(first, second)
  }
  const values = columns.slice(discriminatorCount)
  return { columns: values, discriminators, readKeys, find, next: nextOf(readKeys, find) }

  function liveEdge(first: number, second: number): number {
    const isSwapped = adjacency.isSymmetric && first > second
    const row = adjacency.find(isSwapped ? second : first, isSwapped ? first : second, key)
    return row >= 0 && adjacency.deleted.has(row) ? -1 : row
  }
}

function nextOf(readKeys: () => void, find: () => number): () => number {
  return () => {
    readKeys()
    return find()
  }
}

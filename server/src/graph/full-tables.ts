/**
 * What a commit may not fit into: the strings of one attribute and the ids of one type are addressed
 * with 32 bits, and rows are counted with 31. Such a commit must not reach the log, since it could
 * never be applied. Only what the commit writes to is looked at: other attributes take writes.
 */
import { DbError } from '#kernel/errors.ts'
import type { Column } from './columns/column.ts'
import { HEAP_SIZE_BYTES_MAX } from './memory/heap.ts'
import { FrameCursor } from './mutate/frame-cursor.ts'
import { runKind } from './mutate/frame-format.ts'
import type { Tables } from './tables/tables.ts'

/** Rows are counted with 31 bits: pages and bits are found with shifts of signed numbers. */
export const TABLE_ROW_COUNT_MAX = 2 ** 31 - 1

/** Room that is kept in a heap for what operations make of the values of a commit. */
const HEAP_RESERVE_BYTES = 2 ** 28

export interface FullLimits {
  /** A graph with less memory has no full heap or table. */
  readonly checkedFromBytes: number
  readonly heapSizeBytesMax: number
  readonly rowCountMax: number
}

export const fullLimits: FullLimits = {
  checkedFromBytes: 2 ** 31,
  heapSizeBytesMax: HEAP_SIZE_BYTES_MAX - HEAP_RESERVE_BYTES,
  rowCountMax: TABLE_ROW_COUNT_MAX,
}

/**
 * @param incomingBytes of the commit at hand and of those that are ordered
 * @throws DbError MEMORY_LIMIT naming what is full
 */
export function refuseFull(
  tables: Tables,
  frame: Uint8Array,
  incomingBytes: number,
  limits: FullLimits = fullLimits,
): void {
  if (tables.memory.meter.bytes < limits.checkedFromBytes) return
  const check = new FullCheck(tables, incomingBytes, limits)
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    if (cursor.kind === runKind.upsertVertices) check.vertices(cursor.typeId, cursor.fieldIds)
    else if (cursor.kind === runKind.upsertEdges) check.edges(cursor)
  }
}

class FullCheck {
  readonly #tables: Tables
  readonly #incomingBytes: number
  readonly #limits: FullLimits

  constructor(tables: Tables, incomingBytes: number, limits: FullLimits) {
    this.#tables = tables
    this.#incomingBytes = incomingBytes
    this.#limits = limits
  }

  vertices(typeId: number, fieldIds: readonly number[]): void {
    const table = this.#tables.vertexTable(typeId)
    if (table === undefined) return
    const { name } = table.type
    this.#rows(name, table.rowCount)
    this.#text(`ids of ${name}`, table.ids.textBytes)
    this.#columns(name, table.columns, fieldIds)
  }

  /** Edges make the vertices at their ends. */
  edges({ typeId, fromTypeId, toTypeId, fieldIds }: FrameCursor): void {
    this.vertices(fromTypeId, [])
    this.vertices(toTypeId, [])
    const table = this.#tables.edgeTable(typeId)
    for (const adjacency of table?.adjacencies ?? []) {
      if (adjacency.fromTypeId !== fromTypeId || adjacency.toTypeId !== toTypeId) continue
      this.#rows(table!.type.name, adjacency.rowCount)
      this.#columns(table!.type.name, adjacency.columns, fieldIds)
    }
  }

  #columns(typeName: string, columns: readonly Column[], fieldIds: readonly number[]): void {
    for (const column of columns) {
      if (!fieldIds.includes(column.attribute.id)) continue
      this.#text(`values of ${typeName}.${column.attribute.name}`, column.heapUse().byteCount)
    }
  }

  #text(what: string, usedBytes: number): void {
    const limitBytes = this.#limits.heapSizeBytesMax
    if (usedBytes + this.#incomingBytes <= limitBytes) return
    const message = `The ${what} have reached 4 GB; no more of them can be written.`
    throw new DbError('MEMORY_LIMIT', message, { details: { usedBytes, limitBytes } })
  }

  /** Each row that a commit makes takes a byte of it at least. */
  #rows(typeName: string, usedRows: number): void {
    const limitRows = this.#limits.rowCountMax
    if (usedRows + this.#incomingBytes <= limitRows) return
    const message = `${typeName} has reached 2 billion rows; no more can be written.`
    throw new DbError('MEMORY_LIMIT', message, { details: { usedRows, limitRows } })
  }
}

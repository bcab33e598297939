/** Where the graph's memory goes, table by table. */
import { DbError } from '#kernel/errors.ts'
import { HEAP_SIZE_BYTES_MAX } from './memory/heap.ts'
import type { Tables } from './tables/tables.ts'

export interface TableMemory {
  readonly typeId: number
  readonly typeName: string
  readonly kind: 'vertex' | 'edge'
  readonly liveCount: number
  readonly sizeBytes: number
}

export interface MemoryReport {
  readonly usedBytes: number
  readonly limitBytes: number
  /** Pages that exist only for pinned versions. */
  readonly copiedPagesBytes: number
  readonly tables: readonly TableMemory[]
}

/** A graph smaller than this has no full heap. */
export const HEAPS_CHECKED_FROM_BYTES = 2 ** 31

/**
 * @param incomingBytes of the commit at hand and of those that are ordered
 * @param heapsCheckedFromBytes HEAPS_CHECKED_FROM_BYTES but in tests
 * @throws DbError MEMORY_LIMIT
 */
export function refuseFull(
  tables: Tables,
  incomingBytes: number,
  heapsCheckedFromBytes: number,
): void {
  if (tables.memory.meter.bytes < heapsCheckedFromBytes) return
  refuseFullHeap(tables.longestHeapBytes, incomingBytes)
  refuseFullTable(tables.mostRows, incomingBytes)
}

/** Rows are counted with 31 bits: pages and bits are found with shifts of signed numbers. */
export const TABLE_ROW_COUNT_MAX = 2 ** 31 - 1

/**
 * Each row that a commit makes takes a byte of it at least.
 * @throws DbError MEMORY_LIMIT
 */
export function refuseFullTable(mostRows: number, incomingBytes: number): void {
  if (mostRows + incomingBytes <= TABLE_ROW_COUNT_MAX) return
  throw new DbError('MEMORY_LIMIT', 'A type has reached 2 billion rows; writes are off.', {
    details: { usedRows: mostRows, limitRows: TABLE_ROW_COUNT_MAX },
  })
}

/** Room that is kept in a heap for what operations make of the values of a commit. */
const HEAP_RESERVE_BYTES = 2 ** 28

/**
 * The strings of one attribute, and the ids of one type, are addressed with 32 bits. A commit that
 * may not fit must not reach the log: it could never be applied.
 * @throws DbError MEMORY_LIMIT
 */
export function refuseFullHeap(longestBytes: number, incomingBytes: number): void {
  if (longestBytes + incomingBytes + HEAP_RESERVE_BYTES <= HEAP_SIZE_BYTES_MAX) return
  throw new DbError(
    'MEMORY_LIMIT',
    'The texts of an attribute have reached 4 GB; writes are off.',
    {
      details: { usedBytes: longestBytes, limitBytes: HEAP_SIZE_BYTES_MAX },
    },
  )
}

export function memoryReport(tables: Tables, usedBytes: number, limitBytes: number): MemoryReport {
  const vertices = tables.vertices.all().map((table): TableMemory => {
    const { id: typeId, name: typeName } = table.type
    const { liveCount, sizeBytes } = table
    return { typeId, typeName, kind: 'vertex', liveCount, sizeBytes }
  })
  const edges = tables.edges.all().map((table): TableMemory => {
    const { id: typeId, name: typeName } = table.type
    const { liveCount, sizeBytes } = table
    return { typeId, typeName, kind: 'edge', liveCount, sizeBytes }
  })
  const copiedPagesBytes = tables.memory.versions.copiedBytes
  return { usedBytes, limitBytes, copiedPagesBytes, tables: [...vertices, ...edges] }
}

/** Where the graph's memory goes, table by table. */
import { DbError } from '#kernel/errors.ts'
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

/** @throws DbError MEMORY_LIMIT. Deletes and schema changes are let through: they make room. */
export function refuseBeyond(limitBytes: number, usedBytes: number): void {
  if (usedBytes <= limitBytes) return
  throw new DbError('MEMORY_LIMIT', 'The graph has reached its memory limit; writes are off.', {
    details: { usedBytes, limitBytes },
  })
}

export function memoryReport(tables: Tables, usedBytes: number, limitBytes: number): MemoryReport {
  const vertices = tables.vertices.flatMap((table): TableMemory[] => {
    if (table === undefined) return []
    const { id: typeId, name: typeName } = table.type
    const { liveCount, sizeBytes } = table
    return [{ typeId, typeName, kind: 'vertex', liveCount, sizeBytes }]
  })
  const edges = tables.edges.flatMap((table): TableMemory[] => {
    if (table === undefined) return []
    const { id: typeId, name: typeName } = table.type
    const { liveCount, sizeBytes } = table
    return [{ typeId, typeName, kind: 'edge', liveCount, sizeBytes }]
  })
  const copiedPagesBytes = tables.memory.versions.copiedBytes
  return { usedBytes, limitBytes, copiedPagesBytes, tables: [...vertices, ...edges] }
}

/** Where the graph's memory goes, table by table. */
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

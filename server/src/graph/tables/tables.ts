/** All tables of the graph by type id: what mutations change and views are made from. */
import type { Catalog } from '#catalog/types.ts'
import type { GraphView } from '#graph/view.ts'
import type { Column, Memory } from '../columns/column.ts'
import { EdgeTable } from './edge-table.ts'
import { VertexTable } from './vertex-table.ts'

export class Tables {
  readonly memory: Memory
  /** By type id; holes for dropped types. */
  readonly vertices: (VertexTable | undefined)[] = []
  readonly edges: (EdgeTable | undefined)[] = []

  constructor(memory: Memory) {
    this.memory = memory
  }

  vertexTable(typeId: number): VertexTable | undefined {
    return this.vertices[typeId]
  }

  edgeTable(typeId: number): EdgeTable | undefined {
    return this.edges[typeId]
  }

  /** Makes the tables those of `catalog`, matched by the stable ids of types and attributes. */
  reconcile(catalog: Catalog): void {
    const vertexIds = new Set(catalog.vertexTypes.map((type) => type.id))
    const edgeIds = new Set(catalog.edgeTypes.map((type) => type.id))
    this.edges.forEach((table, id) => {
      if (table === undefined || edgeIds.has(id)) return
      table.release()
      this.edges[id] = undefined
    })
    this.vertices.forEach((table, id) => {
      if (table === undefined || vertexIds.has(id)) return
      table.release()
      this.vertices[id] = undefined
    })
    for (const type of catalog.vertexTypes) {
      const table = this.vertices[type.id]
      if (table === undefined) {
        this.vertices[type.id] = new VertexTable(type, catalog.tuples, this.memory)
      } else table.setType(type, catalog.tuples)
    }
    for (const type of catalog.edgeTypes) {
      const table = this.edges[type.id]
      if (table === undefined) {
        this.edges[type.id] = new EdgeTable(type, catalog.tuples, this.memory)
      } else table.setType(type, catalog.tuples)
    }
  }

  /** True when some id may never be inserted again. */
  get hasRetiredIds(): boolean {
    return this.vertices.some((table) => table !== undefined && table.retired !== null)
  }

  /** True when the heap of some vertex column is mostly garbage: a rebuild would make room. */
  get isWasteful(): boolean {
    return this.vertices.some((table) => table?.columns.some((column) => column.isWasteful))
  }

  /** Moves the strings of columns whose heap is mostly garbage to new heaps. */
  compact(): void {
    for (const table of this.vertices) {
      if (compactColumns(table?.columns ?? [])) table!.changed()
    }
    for (const table of this.edges) {
      const columns = table?.adjacencies.flatMap((adjacency) => adjacency.columns) ?? []
      if (compactColumns(columns)) table!.changed()
    }
  }

  /** Forgets all cached views. */
  changed(): void {
    for (const table of this.vertices) table?.changed()
    for (const table of this.edges) table?.changed()
  }

  view(version: number): GraphView {
    return {
      version,
      vertexTables: this.vertices.flatMap((table) => (table === undefined ? [] : [table.view()])),
      edgeTables: this.edges.flatMap((table) => (table === undefined ? [] : [table.view()])),
    }
  }
}

function compactColumns(columns: readonly Column[]): boolean {
  const wasteful = columns.filter((column) => column.isWasteful)
  for (const column of wasteful) column.compact()
  return wasteful.length > 0
}

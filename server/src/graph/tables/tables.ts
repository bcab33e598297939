/** All tables of the graph by type id: what mutations change and views are made from. */
import type { Catalog } from '#catalog/types.ts'
import type { GraphView } from '#graph/view.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column, Memory } from '../columns/column.ts'
import { EdgeTable } from './edge-table.ts'
import { VertexTable } from './vertex-table.ts'

/** A rebuild leaves dead rows out when one in so many is dead. */
const DEAD_SHARE = 4
/** A dead row takes about as much memory as so many edges take work. */
const EDGES_PER_DEAD_ROW = 32

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

  /**
   * Vertex tables with so many dead rows that making them anew pays: a share of their rows, and some
   * for the edges, which get new ends and so have to be merged with them.
   */
  mostlyDead(): VertexTable[] {
    return this.vertices.flatMap((table) => {
      if (table === undefined || table.deleted.count === 0) return []
      const { count } = table.deleted
      if (count * DEAD_SHARE < table.rowCount) return []
      const edges = this.adjacenciesAt(table.type.id).reduce((sum, one) => sum + one.rowCount, 0)
      return count * EDGES_PER_DEAD_ROW < edges ? [] : [table]
    })
  }

  /** The adjacencies with vertices of a type at either end. */
  adjacenciesAt(typeId: number): Adjacency[] {
    return this.edges.flatMap((table) =>
      (table?.adjacencies ?? []).filter(
        ({ fromTypeId, toTypeId }) => fromTypeId === typeId || toTypeId === typeId,
      ),
    )
  }

  /** Puts a compacted table in the place of the old one, whose strings it goes on with. */
  replaceVertices(old: VertexTable, next: VertexTable): void {
    next.succeed(old)
    this.vertices[next.type.id] = next
    old.releaseRows()
  }

  /** Everything has to be written by the next checkpoint. */
  markModified(): void {
    for (const table of this.vertices) if (table !== undefined) table.isModified = true
    for (const table of this.edges) {
      for (const adjacency of table?.adjacencies ?? []) adjacency.isModified = true
    }
  }

  /** True when some id may never be inserted again. */
  get hasRetiredIds(): boolean {
    return this.vertices.some((table) => table !== undefined && table.retired !== null)
  }

  /** True when the heap of some column is mostly garbage: a rebuild would make room. */
  get isWasteful(): boolean {
    const isWasteful = (column: Column) => column.isWasteful
    return (
      this.vertices.some((table) => table?.columns.some(isWasteful)) ||
      this.edges.some((table) =>
        table?.adjacencies.some((adjacency) => adjacency.columns.some(isWasteful)),
      )
    )
  }

  /** Bytes of the longest heap of texts. */
  get longestHeapBytes(): number {
    const columns = [
      ...this.vertices.flatMap((table) => table?.columns ?? []),
      ...this.edges.flatMap((table) => table?.adjacencies.flatMap((one) => one.columns) ?? []),
    ]
    const ids = this.vertices.map((table) => table?.ids.textBytes ?? 0)
    const heaps = columns.map((column) => column.heapUse().byteCount)
    return [...ids, ...heaps].reduce((a, b) => Math.max(a, b), 0)
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

/** All tables of the graph by type id: what mutations change and views are made from. */
import type { Catalog } from '#catalog/types.ts'
import type { GraphView } from '#graph/view.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column, Memory } from '../columns/column.ts'
import { type ConvertedColumns, noneConverted } from '../columns/columns-of.ts'
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

  /**
   * Makes the tables those of `catalog`, matched by the stable ids of types and attributes.
   * @param converted columns that were made beforehand
   */
  reconcile(catalog: Catalog, converted: ConvertedColumns = noneConverted): void {
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
      } else table.setType(type, catalog.tuples, converted)
    }
    for (const type of catalog.edgeTypes) {
      const table = this.edges[type.id]
      if (table === undefined) {
        this.edges[type.id] = new EdgeTable(type, catalog.tuples, this.memory)
      } else table.setType(type, catalog.tuples, converted)
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
    return this.#columns().some((column) => column.isWasteful)
  }

  /** Rows of the largest table or adjacency, dead ones included. */
  get mostRows(): number {
    const vertices = this.vertices.map((table) => table?.rowCount ?? 0)
    const edges = this.edges.flatMap((table) => table?.adjacencies.map((one) => one.rowCount) ?? [])
    return [...vertices, ...edges].reduce((a, b) => Math.max(a, b), 0)
  }

  /** Bytes of the longest heap of texts. */
  get longestHeapBytes(): number {
    const ids = this.vertices.map((table) => table?.ids.textBytes ?? 0)
    const heaps = this.#columns().map((column) => column.heapUse().byteCount)
    return [...ids, ...heaps].reduce((a, b) => Math.max(a, b), 0)
  }

  /**
   * Moves the strings of columns whose heap is mostly garbage to new heaps, stopping every few
   * milliseconds; a view made before a stop is stale behind it.
   */
  *compactInPieces(): Generator<undefined, void> {
    for (const column of this.#columns()) {
      // Looked at when its turn comes: it may be gone by then.
      if (!column.isWasteful) continue
      yield* column.compactInPieces()
      this.changed()
      yield
    }
  }

  #columns(): Column[] {
    return [
      ...this.vertices.flatMap((table) => table?.columns ?? []),
      ...this.edges.flatMap((table) => table?.adjacencies.flatMap((one) => one.columns) ?? []),
    ]
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

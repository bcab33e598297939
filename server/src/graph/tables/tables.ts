/** All tables of the graph by type id: what mutations change and views are made from. */
import type { Catalog, TupleType } from '#catalog/types.ts'
import type { GraphView } from '#graph/view.ts'
import { ById } from '#kernel/by-id.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column, Memory } from '../columns/column.ts'
import { type MadeBefore, nothingMade } from '../columns/made-columns.ts'
import { EdgeTable } from './edge-table.ts'
import { VertexTable } from './vertex-table.ts'

/** A rebuild leaves dead rows out when one in so many is dead. */
const DEAD_SHARE = 4
/** A dead row takes about as much memory as so many edges take work. */
const EDGES_PER_DEAD_ROW = 32

export class Tables {
  readonly memory: Memory
  /** By type id. */
  readonly vertices = new ById<VertexTable>()
  readonly edges = new ById<EdgeTable>()
  /** Those of the catalogue that the tables are made from. */
  #tuples: readonly TupleType[] = []

  constructor(memory: Memory) {
    this.memory = memory
  }

  vertexTable(typeId: number): VertexTable | undefined {
    return this.vertices.get(typeId)
  }

  edgeTable(typeId: number): EdgeTable | undefined {
    return this.edges.get(typeId)
  }

  /**
   * Makes the tables those of `catalog`, matched by the stable ids of types and attributes.
   * @param made columns that were made beforehand
   */
  reconcile(catalog: Catalog, made: MadeBefore = nothingMade): void {
    // A definition never changes: a table of the same one stays as it is, unless tuples have changed.
    const hasSameTuples = catalog.tuples === this.#tuples
    this.#tuples = catalog.tuples
    this.#releaseDropped(catalog)
    for (const type of catalog.vertexTypes) {
      const table = this.vertices.get(type.id)
      if (table === undefined) {
        this.vertices.set(type.id, new VertexTable(type, catalog.tuples, this.memory))
      } else if (table.type !== type || !hasSameTuples) {
        table.setType(type, catalog.tuples, made)
      }
    }
    for (const type of catalog.edgeTypes) {
      const table = this.edges.get(type.id)
      if (table === undefined) {
        this.edges.set(type.id, new EdgeTable(type, catalog.tuples, this.memory))
      } else if (table.type !== type || !hasSameTuples) {
        table.setType(type, catalog.tuples, made)
      }
    }
  }

  #releaseDropped(catalog: Catalog): void {
    const vertexIds = new Set(catalog.vertexTypes.map((type) => type.id))
    const edgeIds = new Set(catalog.edgeTypes.map((type) => type.id))
    for (const table of this.edges) {
      if (edgeIds.has(table.type.id)) continue
      table.release()
      this.edges.delete(table.type.id)
    }
    for (const table of this.vertices) {
      if (vertexIds.has(table.type.id)) continue
      table.release()
      this.vertices.delete(table.type.id)
    }
  }

  /**
   * Vertex tables with so many dead rows that making them anew pays: a share of their rows, and some
   * for the edges, which get new ends and so have to be merged with them.
   */
  mostlyDead(): VertexTable[] {
    return this.vertices.all().filter((table) => {
      const { count } = table.deleted
      if (count === 0 || count * DEAD_SHARE < table.rowCount) return false
      const edges = this.adjacenciesAt(table.type.id).reduce((sum, one) => sum + one.rowCount, 0)
      return count * EDGES_PER_DEAD_ROW >= edges
    })
  }

  /** The adjacencies with vertices of a type at either end. */
  adjacenciesAt(typeId: number): Adjacency[] {
    return this.#adjacencies().filter(
      ({ fromTypeId, toTypeId }) => fromTypeId === typeId || toTypeId === typeId,
    )
  }

  /** Puts a compacted table in the place of the old one, whose strings it goes on with. */
  replaceVertices(old: VertexTable, next: VertexTable): void {
    next.succeed(old)
    this.vertices.set(next.type.id, next)
    old.releaseRows()
  }

  /**
   * Removes all tables and gives their memory back. Views of them stay readable. What was counted for
   * a table that was never finished, or for columns that were to replace others, is not counted
   * any more.
   */
  clear(): void {
    const { meter } = this.memory
    for (const table of this.edges.all()) table.release()
    for (const table of this.vertices.all()) table.release()
    for (const id of this.edges.ids()) this.edges.delete(id)
    for (const id of this.vertices.ids()) this.vertices.delete(id)
    meter.bytes = meter.besideTables ?? 0
  }

  /** Everything has to be written by the next checkpoint. */
  markModified(): void {
    for (const table of this.vertices) table.isModified = true
    for (const adjacency of this.#adjacencies()) adjacency.isModified = true
  }

  /** True when some id may never be inserted again. */
  get hasRetiredIds(): boolean {
    return this.vertices.all().some((table) => table.retired !== null)
  }

  /** True when the heap of some column is mostly garbage: a rebuild would make room. */
  get isWasteful(): boolean {
    return this.#columns().some((column) => column.isWasteful)
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

  someColumn(test: (column: Column) => boolean): boolean {
    return this.#columns().some(test)
  }

  #columns(): Column[] {
    return [
      ...this.vertices.all().flatMap((table) => table.columns),
      ...this.#adjacencies().flatMap((adjacency) => adjacency.columns),
    ]
  }

  #adjacencies(): Adjacency[] {
    return this.edges.all().flatMap((table) => table.adjacencies)
  }

  /** Forgets all cached views. */
  changed(): void {
    for (const table of this.vertices) table.changed()
    for (const table of this.edges) table.changed()
  }

  view(version: number): GraphView {
    return {
      version,
      vertexTables: this.vertices.all().map((table) => table.view()),
      edgeTables: this.edges.all().map((table) => table.view()),
    }
  }
}

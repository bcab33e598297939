/**
 * What a new writer may keep of the segments of the one before: tables that have not changed since the
 * fold, and whose rows are numbered alike on both.
 *
 * Whether a table was modified is known since a mark, which every checkpoint in the log moves. The
 * fold of a checkpoint lies before its entry in the log, so that what was modified between the mark
 * before and the entry counts, too. Rows are numbered alike where no rebuild has left any out.
 */
import type { Tables } from '../tables/tables.ts'
import type { SegmentDescription } from './segment-format.ts'

export class UnchangedTables {
  readonly #tables: Tables
  /** Of the newest checkpoint that is known here. */
  #foldedSequence: number
  /** Names of what was modified before the mark, and may have been so after the fold. */
  #modifiedBefore: ReadonlySet<string> = new Set()

  constructor(tables: Tables, foldedSequence: number) {
    this.#tables = tables
    this.#foldedSequence = foldedSequence
  }

  /** A checkpoint of another server stands here in the log. */
  folded(foldedSequence: number): void {
    const modified = new Set<string>()
    for (const { name, part } of this.#parts()) {
      if (part.isModified) modified.add(name)
      part.isModified = false
    }
    this.#modifiedBefore = modified
    this.#foldedSequence = foldedSequence
  }

  /** A checkpoint of this server: what was modified since is marked. */
  written(foldedSequence: number): void {
    this.#modifiedBefore = new Set()
    this.#foldedSequence = foldedSequence
  }

  /** The description without what may not be kept; null: nothing may. */
  of(segments: SegmentDescription, foldedSequence: number): SegmentDescription | null {
    if (foldedSequence !== this.#foldedSequence) return null
    for (const { name, part } of this.#parts()) {
      if (this.#modifiedBefore.has(name)) part.isModified = true
    }
    this.#modifiedBefore = new Set()
    const { vertexTables, adjacencies } = segments
    const rows = new Set(
      vertexTables.flatMap(({ typeId, rowCount, nextOrdinal = rowCount }) => {
        const table = this.#tables.vertexTable(typeId)
        const isWhole = rowCount === nextOrdinal && table?.rowCount === table?.nextOrdinal
        return isWhole ? [typeId] : []
      }),
    )
    return {
      ...segments,
      vertexTables: vertexTables.filter(({ typeId }) => rows.has(typeId)),
      adjacencies: adjacencies.filter((one) => rows.has(one.fromTypeId) && rows.has(one.toTypeId)),
    }
  }

  *#parts(): Generator<{ readonly name: string; readonly part: { isModified: boolean } }> {
    for (const table of this.#tables.vertices) yield { name: `v${table.type.id}`, part: table }
    for (const table of this.#tables.edges) {
      for (const adjacency of table.adjacencies) {
        yield {
          name: `e${table.type.id}.${adjacency.fromTypeId}.${adjacency.toTypeId}`,
          part: adjacency,
        }
      }
    }
  }
}

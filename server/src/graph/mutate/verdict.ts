/**
 * What refuses a batch as a whole, found before anything changes: expectations that do not hold, and
 * of an atomic batch what flags and permanently deleted ids refuse.
 *
 * Walks the batch in order and keeps what its own earlier entries create and delete in a small
 * overlay over the tables. Only atomic batches with flags, or beside such ids, pay for it.
 */
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { mustExist } from './apply-edges.ts'
import { expectationsHold } from './expectations.ts'
import { FrameCursor } from './frame-cursor.ts'
import { frameFlag, runKind } from './frame-format.ts'
import type { OutcomeBuilder } from './outcome.ts'
import { keyTextOf, meetsRetired, vertexTableOf } from './target.ts'

const REFUSING =
  frameFlag.newVertexOnly |
  frameFlag.updateVertexOnly |
  frameFlag.sourceMustExist |
  frameFlag.targetMustExist

/** Entries between two stops. */
const ENTRIES_PER_PIECE = 512

/**
 * Returns whether any entry is refused; `outcome` then lists what and why. Stops every few hundred
 * entries; nothing may change the tables until it returns.
 */
export function* judgeBatch(
  frame: Uint8Array,
  tables: Tables,
  outcome: OutcomeBuilder,
): Generator<undefined, boolean> {
  const cursor = new FrameCursor(frame)
  if (cursor.hasExpectations) {
    outcome.isInConflict = !(yield* expectationsHold(new FrameCursor(frame), tables))
    if (outcome.isInConflict) return true
  }
  if ((cursor.flags & frameFlag.atomic) === 0) return false
  if ((cursor.flags & REFUSING) === 0 && !tables.hasRetiredIds) return false
  const judge = new Judge(cursor, tables, outcome)
  while (cursor.nextRun()) {
    const entry = judge.entryOfRun()
    for (let i = 0; i < cursor.count; i++) {
      entry()
      if (i % ENTRIES_PER_PIECE === ENTRIES_PER_PIECE - 1) yield
    }
  }
  return outcome.hasRefusals
}

class Judge {
  readonly #cursor: FrameCursor
  readonly #tables: Tables
  readonly #outcome: OutcomeBuilder
  /** Whether a vertex exists after the entries so far, by type and id. */
  readonly #overlay = new Map<string, boolean>()
  /** Types whose every vertex an earlier run deleted. */
  readonly #emptied = new Set<number>()

  constructor(cursor: FrameCursor, tables: Tables, outcome: OutcomeBuilder) {
    this.#cursor = cursor
    this.#tables = tables
    this.#outcome = outcome
  }

  /** Judges the next entry of the present run. A run that empties a type has none. */
  entryOfRun(): () => void {
    switch (this.#cursor.kind) {
      case runKind.upsertVertices:
        return this.#vertexEntry()
      case runKind.upsertEdges:
        return this.#edgeEntry()
      case runKind.deleteVertices: {
        const table = vertexTableOf(this.#tables, this.#cursor.typeId)
        return () => {
          this.#cursor.readKey(0, table.isNumericId)
          this.#overlay.set(this.#nameOf(table, 0), false)
        }
      }
      case runKind.deleteVertexType:
        this.#emptyType(this.#cursor.typeId)
        return () => undefined
      default:
        return () => undefined
    }
  }

  #emptyType(typeId: number): void {
    this.#emptied.add(typeId)
    for (const name of this.#overlay.keys()) {
      if (name.startsWith(`${typeId}:`)) this.#overlay.set(name, false)
    }
  }

  #vertexEntry(): () => void {
    const cursor = this.#cursor
    const table = vertexTableOf(this.#tables, cursor.typeId)
    const refuseKnown = (cursor.flags & frameFlag.newVertexOnly) !== 0
    const refuseNew = (cursor.flags & frameFlag.updateVertexOnly) !== 0
    const types = cursor.fieldIds.map((id) => table.attributeType(id))
    return () => {
      cursor.readKey(0, table.isNumericId)
      const isKnown = this.#exists(table, 0)
      if (cursor.isUpdate) {
        // Makes nothing and is never refused.
      } else if (isKnown ? refuseKnown : refuseNew) {
        this.#outcome.skippedVertices.push({
          typeId: cursor.typeId,
          id: keyTextOf(cursor, table, 0),
        })
      } else if (meetsRetired(cursor, 0, table, this.#outcome)) this.#outcome.retiredEntries += 1
      else this.#overlay.set(this.#nameOf(table, 0), true)
      for (const type of types) cursor.skipValue(type)
    }
  }

  #edgeEntry(): () => void {
    const cursor = this.#cursor
    const edges = this.#tables.edgeTable(cursor.typeId)!
    const from = vertexTableOf(this.#tables, cursor.fromTypeId)
    const to = vertexTableOf(this.#tables, cursor.toTypeId)
    const must = mustExist(cursor, edges.type.directed)
    const types = cursor.fieldIds.map((id) => edges.attributeType(id))
    const checkFrom = () => !must.from || this.#check(from, 0)
    const checkTo = () => !must.to || this.#check(to, 1)
    return () => {
      cursor.readKey(0, from.isNumericId)
      cursor.readKey(1, to.isNumericId)
      if (!cursor.isUpdate) {
        const [first, second] = cursor.isTurned
          ? [checkTo(), checkFrom()]
          : [checkFrom(), checkTo()]
        if (first && second && !this.#meetsRetiredEnd(from, to)) {
          this.#overlay.set(this.#nameOf(from, 0), true)
          this.#overlay.set(this.#nameOf(to, 1), true)
        } else this.#outcome.skippedEdges += 1
      }
      for (const type of types) cursor.skipValue(type)
    }
  }

  #meetsRetiredEnd(from: VertexTable, to: VertexTable): boolean {
    const isFrom = meetsRetired(this.#cursor, 0, from, this.#outcome)
    return meetsRetired(this.#cursor, 1, to, this.#outcome) || isFrom
  }

  #check(table: VertexTable, position: 0 | 1): boolean {
    if (this.#exists(table, position)) return true
    this.#outcome.missEndpoint(table.type.id, keyTextOf(this.#cursor, table, position))
    return false
  }

  #exists(table: VertexTable, position: 0 | 1): boolean {
    const known = this.#overlay.get(this.#nameOf(table, position))
    if (known !== undefined) return known
    if (this.#emptied.has(table.type.id)) return false
    const { bytes, keyStart, keyEnd } = this.#cursor
    return table.find(bytes, keyStart[position]!, keyEnd[position]!) >= 0
  }

  #nameOf(table: VertexTable, position: 0 | 1): string {
    return `${table.type.id}:${keyTextOf(this.#cursor, table, position)}`
  }
}

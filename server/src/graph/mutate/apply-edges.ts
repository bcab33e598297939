/** Upserts the edges of one run: both ends, the edge itself, its attributes. */

import { DbError } from '#kernel/errors.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import { type DiscriminatorKey, writeKey } from '../adjacency/discriminator.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { EndsAhead } from './ends-ahead.ts'
import { EntryFields, type Field, skipField } from './fields.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { frameFlag } from './frame-format.ts'
import type { OutcomeBuilder } from './outcome.ts'
import {
  type ApplyTarget,
  ensureVertex,
  fieldsOf,
  keyTextOf,
  meetsRetired,
  vertexTableOf,
} from './target.ts'
import { WideKeys } from './wide-keys.ts'

export class EdgeRun {
  readonly #cursor: FrameCursor
  readonly #outcome: OutcomeBuilder
  readonly #adjacency: Adjacency
  readonly #from: VertexTable
  readonly #to: VertexTable
  readonly #discriminators: readonly Field[]
  readonly #fields: EntryFields
  readonly #ahead: EndsAhead | null
  readonly #wideKeys: WideKeys | null
  /** Of the present entry. */
  #row = -1
  readonly #key: DiscriminatorKey
  readonly #fromMustExist: boolean
  readonly #toMustExist: boolean
  /** Rows of the last keys: a source usually repeats. -1: that vertex does not exist. */
  #fromRow = -1
  #toRow = -1
  /** The present entry has made one of its ends, so that its edge is new as well. */
  #hasNewEnd = false

  constructor(cursor: FrameCursor, target: ApplyTarget, outcome: OutcomeBuilder) {
    this.#cursor = cursor
    this.#outcome = outcome
    const { adjacency, isDirected, discriminatorCount } = adjacencyOf(cursor, target.tables)
    this.#adjacency = adjacency
    adjacency.isModified = true
    this.#from = vertexTableOf(target.tables, cursor.fromTypeId)
    this.#to = vertexTableOf(target.tables, cursor.toTypeId)
    const fields = fieldsOf(cursor, adjacency.columns)
    this.#discriminators = fields.slice(0, discriminatorCount)
    this.#fields = new EntryFields(fields.slice(discriminatorCount), cursor)
    this.#wideKeys = WideKeys.of({
      cursor,
      tables: [this.#from, this.#to],
      discriminators: adjacency.columns.slice(0, discriminatorCount),
    })
    this.#key = { bytes: cursor.bytes, view: cursor.view, start: 0, end: 0 }
    const must = mustExist(cursor, isDirected)
    this.#fromMustExist = must.from
    this.#toMustExist = must.to
    this.#from.changed()
    this.#to.changed()
    this.#ahead = EndsAhead.of(cursor, { from: this.#from, to: this.#to }, () => {
      for (const field of fields) skipField(field, cursor)
    })
  }

  /** False when the entry has only begun: it is to be called again. */
  applyOne(): boolean {
    if (this.#fields.isUnderWay) return this.#fields.goOn() && this.#accept()
    if (this.#wideKeys !== null && !this.#wideKeys.isReady()) return false
    const cursor = this.#cursor
    this.#ahead?.next()
    const isKnown = cursor.isUpdate ? this.#findEnds() : this.#resolveEnds()
    const key = this.#key
    key.start = cursor.at
    for (const field of this.#discriminators) skipField(field, cursor)
    key.end = cursor.at
    const isNew = isKnown ? this.#resolveRow(key) : null
    if (isNew !== null) return this.#fields.apply(this.#row, isNew) && this.#accept()
    this.#fields.skip()
    if (!cursor.isUpdate) this.#outcome.skippedEdges += 1
    return true
  }

  #accept(): true {
    this.#adjacency.journal?.touched(this.#row)
    this.#outcome.acceptedEdges += 1
    return true
  }

  /** Fills the rows of both ends if they exist. */
  #findEnds(): boolean {
    const cursor = this.#cursor
    cursor.readKey(0, this.#from.isNumericId)
    cursor.readKey(1, this.#to.isNumericId)
    const { bytes, keyStart, keyEnd } = cursor
    this.#fromRow = this.#from.find(bytes, keyStart[0]!, keyEnd[0]!)
    this.#toRow = this.#to.find(bytes, keyStart[1]!, keyEnd[1]!)
    return this.#fromRow >= 0 && this.#toRow >= 0
  }

  /** Fills the rows of both ends; false when a flag or a permanently deleted end refuses the edge. */
  #resolveEnds(): boolean {
    const cursor = this.#cursor
    this.#hasNewEnd = false
    const sameFrom = !cursor.readKey(0, this.#from.isNumericId)
    const sameTo = !cursor.readKey(1, this.#to.isNumericId)
    if (this.#isRefused()) {
      this.#fromRow = -1
      this.#toRow = -1
      return false
    }
    if (!sameFrom || this.#fromRow < 0) {
      this.#fromRow = this.#ensureEnd(0, this.#from)
    }
    if (!sameTo || this.#toRow < 0) {
      this.#toRow = this.#ensureEnd(1, this.#to)
    }
    return true
  }

  #ensureEnd(position: 0 | 1, table: VertexTable): number {
    const before = table.rowCount
    const row = ensureVertex(this.#cursor, position, table)
    if (row === before) {
      this.#outcome.createdEnds += 1
      this.#hasNewEnd = true
    }
    return row
  }

  #isRefused(): boolean {
    if ((this.#fromMustExist || this.#toMustExist) && !this.#checkEnds()) return true
    if (this.#from.retired === null && this.#to.retired === null) return false
    const from = meetsRetired(this.#cursor, 0, this.#from, this.#outcome)
    return meetsRetired(this.#cursor, 1, this.#to, this.#outcome) || from
  }

  /** The ends that a flag wants, in the order in which the request names them. */
  #checkEnds(): boolean {
    const isTurned = this.#cursor.isTurned
    const first = isTurned ? this.#checkEnd(1) : this.#checkEnd(0)
    const second = isTurned ? this.#checkEnd(0) : this.#checkEnd(1)
    return first && second
  }

  #checkEnd(position: 0 | 1): boolean {
    if (position === 0) return !this.#fromMustExist || this.#exists(0, this.#from)
    return !this.#toMustExist || this.#exists(1, this.#to)
  }

  #exists(position: 0 | 1, table: VertexTable): boolean {
    const cursor = this.#cursor
    const row = table.find(cursor.bytes, cursor.keyStart[position]!, cursor.keyEnd[position]!)
    if (row >= 0) return true
    this.#outcome.missEndpoint(table.type.id, keyTextOf(cursor, table, position))
    return false
  }

  /** Fills the row of the edge. @returns whether it is new; null: there is none, and the run makes none */
  #resolveRow(key: DiscriminatorKey): boolean | null {
    const adjacency = this.#adjacency
    const isSwapped = adjacency.isSymmetric && this.#fromRow > this.#toRow
    const source = isSwapped ? this.#toRow : this.#fromRow
    const target = isSwapped ? this.#fromRow : this.#toRow
    const hash = adjacency.hashOf(source, target, key)
    let row = this.#hasNewEnd ? -1 : adjacency.findHashed({ source, target }, key, hash)
    const isNew = row < 0 || adjacency.deleted.has(row)
    if (isNew && this.#cursor.isUpdate) return null
    if (row < 0) {
      row = adjacency.append(source, target, hash)
      if (key.end > key.start) writeKey(adjacency.discriminators, row, key)
    } else if (isNew) adjacency.revive(row)
    this.#row = row
    return isNew
  }
}

interface AdjacencyOfRun {
  readonly adjacency: Adjacency
  readonly isDirected: boolean
  readonly discriminatorCount: number
}

/** The adjacency that a run of edges names. */
export function adjacencyOf(cursor: FrameCursor, tables: Tables): AdjacencyOfRun {
  const table = tables.edgeTable(cursor.typeId)
  const adjacency = table?.find(cursor.fromTypeId, cursor.toTypeId)
  if (table === undefined || adjacency === undefined) {
    const { typeId, fromTypeId, toTypeId } = cursor
    throw new DbError(
      'CORRUPT_LOG',
      `mutation batch: no edge type ${typeId} from ${fromTypeId} to ${toTypeId}`,
    )
  }
  table.changed()
  const { directed, discriminatorCount } = table.type
  return { adjacency, isDirected: directed, discriminatorCount }
}

/**
 * Which positions of a run's edges must hold existing vertices. The flags speak of source and target
 * as the request wrote them; for an undirected edge either one means both ends.
 */
export function mustExist(
  { flags, isTurned }: Pick<FrameCursor, 'flags' | 'isTurned'>,
  isDirected: boolean,
): { readonly from: boolean; readonly to: boolean } {
  const source = (flags & frameFlag.sourceMustExist) !== 0
  const target = (flags & frameFlag.targetMustExist) !== 0
  if (!isDirected) return { from: source || target, to: source || target }
  return isTurned ? { from: target, to: source } : { from: source, to: target }
}

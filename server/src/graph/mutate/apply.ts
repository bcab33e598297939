/**
 * Applies one mutation batch to the tables, the same way live and at replay.
 *
 * `step` works until its deadline and can be called again, so that a large batch leaves the event
 * loop to others; the engine hides the half-applied state from readers meanwhile. An atomic batch
 * with flags, and any batch with expectations, is judged whole by `verdict.ts` before its first change.
 */
import { assert } from '#kernel/assert.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { deleteEdge, TypeDelete } from './apply-deletes.ts'
import { EdgeRun } from './apply-edges.ts'
import { VertexDeletes } from './delete-vertices.ts'
import { EntryFields } from './fields.ts'
import { FrameCursor, isExpectation } from './frame-cursor.ts'
import { frameFlag, runKind } from './frame-format.ts'
import { type MutationOutcome, OutcomeBuilder } from './outcome.ts'
import {
  type ApplyTarget,
  ensureVertex,
  fieldsOf,
  keyTextOf,
  meetsRetired,
  vertexTableOf,
} from './target.ts'
import { judgeBatch } from './verdict.ts'
import { WideKeys } from './wide-keys.ts'

/** Entries between two looks at the clock. */
const ENTRIES_PER_LOOK = 512
/** As many steps of deletes, of up to 512 edges each. */
const STEPS_PER_LOOK = 8

export class FrameApplication {
  readonly #target: ApplyTarget
  readonly #cursor: FrameCursor
  readonly #outcome = new OutcomeBuilder()
  /** Entries of the current run not yet applied. */
  #left = 0
  #stepsPerLook = ENTRIES_PER_LOOK
  #isDone = false
  #verdict: Generator<undefined, boolean> | null = null
  /** Applies an entry; false when it has only begun and must be called again. */
  #applyOne: (() => boolean) | null = null

  /** @throws DbError CORRUPT_LOG when the bytes are no mutation batch. */
  constructor(frame: Uint8Array, target: ApplyTarget) {
    this.#target = target
    this.#cursor = new FrameCursor(frame)
    const { flags, hasExpectations } = this.#cursor
    if ((flags & frameFlag.atomic) === 0 && !hasExpectations) return
    this.#verdict = judgeBatch(frame, target.tables, this.#outcome)
  }

  /** Applies entries until `isLate` says so; true when the batch is done. */
  step(isLate: () => boolean): boolean {
    if (!this.#judge(isLate)) return false
    while (!this.#isDone) {
      if (this.#left === 0 && !this.#nextRun()) {
        this.#end()
        break
      }
      const applyOne = this.#applyOne!
      for (let i = 0; i < this.#stepsPerLook && this.#left > 0; i++) {
        if (!applyOne()) break
        this.#left -= 1
      }
      if (isLate()) return false
    }
    return true
  }

  /** Whether the verdict on the batch is reached; a refused one is done with it. */
  #judge(isLate: () => boolean): boolean {
    while (this.#verdict !== null) {
      const { done, value: isRefused } = this.#verdict.next()
      if (done === true) {
        this.#verdict = null
        this.#outcome.rejected = isRefused
        this.#isDone = isRefused
      } else if (isLate()) return false
    }
    return true
  }

  #end(): void {
    this.#isDone = true
    const { position } = this.#cursor
    if (position !== null) {
      this.#target.positions.note(position, this.#outcome.createdEnds)
    }
  }

  /** Once; it is remembered under the key of the batch, if it has one. */
  outcome(sequence: number): MutationOutcome {
    assert(this.#isDone, 'the batch is still being applied')
    const outcome = this.#outcome.finish(sequence)
    const { key } = this.#cursor
    if (key !== null) this.#target.keys.note(key, outcome)
    return outcome
  }

  #nextRun(): boolean {
    const cursor = this.#cursor
    while (cursor.nextRun()) {
      if (isExpectation(cursor.kind)) continue
      this.#left = cursor.count
      this.#applyOne = this.#applierOf(cursor)
      if (this.#left > 0) return true
    }
    return false
  }

  #applierOf(cursor: FrameCursor): () => boolean {
    this.#stepsPerLook = ENTRIES_PER_LOOK
    switch (cursor.kind) {
      case runKind.upsertVertices:
        return vertexApplier(cursor, this.#target, this.#outcome)
      case runKind.upsertEdges: {
        const run = new EdgeRun(cursor, this.#target, this.#outcome)
        return () => run.applyOne()
      }
      case runKind.deleteVertices: {
        const deletes = new VertexDeletes(cursor, this.#target, this.#outcome)
        this.#stepsPerLook = STEPS_PER_LOOK
        return () => deletes.step()
      }
      case runKind.deleteVertexType: {
        const typeDelete = new TypeDelete(cursor, this.#target, this.#outcome)
        this.#left = typeDelete.stepCount
        this.#stepsPerLook = STEPS_PER_LOOK
        return () => {
          typeDelete.step()
          return true
        }
      }
      default:
        return () => {
          deleteEdge(cursor, this.#target, this.#outcome)
          return true
        }
    }
  }
}

function vertexApplier(
  cursor: FrameCursor,
  target: ApplyTarget,
  outcome: OutcomeBuilder,
): () => boolean {
  const table = vertexTableOf(target.tables, cursor.typeId)
  const fields = new EntryFields(fieldsOf(cursor, table.columns), cursor)
  const isRefused = refusal(cursor, table, outcome)
  const wideKeys = WideKeys.of({ cursor, tables: [table], discriminators: [] })
  table.isModified = true
  const { isIndexed } = table
  table.changed()
  let row = -1
  const applyOne = () => {
    if (fields.isUnderWay) {
      if (!fields.goOn()) return false
    } else {
      cursor.readKey(0, table.isNumericId)
      if (isRefused()) {
        fields.skip()
        return true
      }
      const before = table.rowCount
      row = ensureVertex(cursor, 0, table)
      if (!fields.apply(row, row === before)) return false
    }
    if (isIndexed) table.touchIndexes(row)
    table.journal?.touched(row)
    outcome.acceptedVertices += 1
    return true
  }
  if (wideKeys === null) return applyOne
  return () => (fields.isUnderWay || wideKeys.isReady()) && applyOne()
}

/** Whether the present entry changes nothing; the outcome then says why. */
function refusal(cursor: FrameCursor, table: VertexTable, outcome: OutcomeBuilder): () => boolean {
  const { bytes, flags, isUpdate, keyStart, keyEnd } = cursor
  const refuseKnown = (flags & frameFlag.newVertexOnly) !== 0
  const refuseNew = (flags & frameFlag.updateVertexOnly) !== 0
  const isKnown = () => table.find(bytes, keyStart[0]!, keyEnd[0]!) >= 0
  const isFlagged = () => {
    if (!(refuseKnown || refuseNew) || isKnown() !== refuseKnown) return false
    outcome.skippedVertices.push({ typeId: cursor.typeId, id: keyTextOf(cursor, table, 0) })
    return true
  }
  const isRetired = () => {
    if (!meetsRetired(cursor, 0, table, outcome)) return false
    outcome.retiredEntries += 1
    return true
  }
  return () => (isUpdate ? !isKnown() : isFlagged() || isRetired())
}

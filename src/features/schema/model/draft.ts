/**
 * A draft: what the server last said, the operations done since, and those undone. The schema on
 * screen is always the operations applied to the base, so undo is a shorter list and nothing else.
 */

import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { Applied } from './applied.ts'
import { applyOperation, type Operation } from './operations.ts'

export interface Draft {
  /** Tells the server's answers apart: see `fingerprint`. */
  readonly baseVersion: string
  readonly base: SchemaModel
  readonly done: readonly Operation[]
  /** Undone operations, the next redo last. */
  readonly undone: readonly Operation[]
  /** `done` applied to `base`. */
  readonly schema: SchemaModel
}

export interface Conflict {
  readonly operation: Operation
  readonly problem: string
}

export function startDraft(base: SchemaModel): Draft {
  const baseVersion = fingerprint(base)
  return { baseVersion, base, done: [], undone: [], schema: base }
}

export type Edited =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problem: string }

/**
 * Does one operation; what was undone before cannot be redone after it. A description that is
 * written on stays one step.
 */
export function edit(draft: Draft, operation: Operation): Edited {
  const isMore = goesOn(draft.done.at(-1), operation)
  const before = isMore ? undo(draft) : draft
  const applied = applyOperation(before.schema, operation)
  if (!applied.ok) return applied
  const isNothing = operation.kind === 'json' && operation.operations.length === 0
  if (isNothing && !isMore) return { ok: true, draft }
  const done = isNothing ? before.done : [...before.done, operation]
  return { ok: true, draft: { ...draft, done, undone: [], schema: applied.schema } }
}

function goesOn(last: Operation | undefined, next: Operation): boolean {
  if (last?.kind === 'json' && next.kind === 'json') return last.sitting === next.sitting
  if (last?.kind !== 'describe' || next.kind !== 'describe') return false
  return last.name === next.name && last.part === next.part
}

/** What a sitting at the text of the schema began with. */
export function beforeSitting(draft: Draft, sitting: number): SchemaModel {
  const last = draft.done.at(-1)
  return last?.kind === 'json' && last.sitting === sitting ? undo(draft).schema : draft.schema
}

export function undo(draft: Draft): Draft {
  return goTo(draft, draft.done.length - 1)
}

export function redo(draft: Draft): Draft {
  return goTo(draft, draft.done.length + 1)
}

/** Gives the draft up, in a way that redo brings back operation by operation. */
export function discard(draft: Draft): Draft {
  return goTo(draft, 0)
}

/** The draft as it was after so many steps; those that lie between are undone or redone. */
export function goTo(draft: Draft, steps: number): Draft {
  const { done, undone } = draft
  if (steps >= done.length) return again(draft, steps - done.length)
  const kept = done.slice(0, Math.max(0, steps))
  return {
    ...draft,
    done: kept,
    undone: [...undone, ...done.slice(kept.length).toReversed()],
    schema: replay(draft.base, kept),
  }
}

function again(draft: Draft, steps: number): Draft {
  let { done, undone, schema } = draft
  for (let step = 0; step < steps; step++) {
    const next = undone.at(-1)
    if (next === undefined) break
    const applied = applyOperation(schema, next)
    if (!applied.ok) return { ...draft, done, schema, undone: [] }
    done = [...done, next]
    undone = undone.slice(0, -1)
    schema = applied.schema
  }
  return { ...draft, done, undone, schema }
}

/**
 * Carries the operations over to a newer answer of the server. What no longer applies is left out
 * and returned, with the reason, for the reader to decide on.
 */
export function rebase(
  draft: Draft,
  base: SchemaModel,
): { readonly draft: Draft; readonly conflicts: readonly Conflict[] } {
  const fresh = startDraft(base)
  const conflicts: Conflict[] = []
  const done: Operation[] = []
  let schema = base
  const waiting = [...draft.done]
  for (let operation = waiting.shift(); operation !== undefined; operation = waiting.shift()) {
    const applied: Applied = applyOperation(schema, operation)
    if (applied.ok) {
      schema = applied.schema
      done.push(operation)
    } else if (operation.kind === 'json') {
      // What of it still applies stays.
      waiting.unshift(...operation.operations)
    } else {
      conflicts.push({ operation, problem: applied.problem })
    }
  }
  return { draft: { ...fresh, done, schema }, conflicts }
}

/** The part of a draft that survives a reload: the base is read from the server again. */
export interface SavedDraft {
  readonly format: 1
  readonly baseVersion: string
  readonly done: readonly Operation[]
  readonly undone: readonly Operation[]
}

export function saveDraft(draft: Draft): SavedDraft {
  const { baseVersion, done, undone } = draft
  return { format: 1, baseVersion, done, undone }
}

/** Restores a saved draft on the schema the server has now; conflicts as in `rebase`. */
export function restoreDraft(
  saved: SavedDraft,
  base: SchemaModel,
): { readonly draft: Draft; readonly conflicts: readonly Conflict[] } {
  const restored = rebase({ ...startDraft(base), done: saved.done }, base)
  const undone = restored.conflicts.length === 0 ? saved.undone : []
  return { draft: { ...restored.draft, undone }, conflicts: restored.conflicts }
}

/** 64 bits of a schema's text: enough to see that somebody else changed it. */
export function fingerprint(schema: SchemaModel): string {
  const text = JSON.stringify(schema)
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let position = 0; position < text.length; position++) {
    low = Math.imul(low ^ text.charCodeAt(position), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(position), 0x85ebca6b)
  }
  return `${(high >>> 0).toString(16)}-${(low >>> 0).toString(16)}`
}

function replay(base: SchemaModel, operations: readonly Operation[]): SchemaModel {
  let schema = base
  for (const operation of operations) {
    const applied = applyOperation(schema, operation)
    if (applied.ok) schema = applied.schema
  }
  return schema
}

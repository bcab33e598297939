/**
 * Where a draft survives: at once in the browser, a moment later on the server, which has it for
 * the user's other browsers. Of two copies the one saved last counts; an emptied draft is kept as
 * such on the server, so that an old copy elsewhere does not come back.
 */

import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import {
  type Conflict,
  type Draft,
  restoreDraft,
  type SavedDraft,
  saveDraft,
  startDraft,
} from './draft.ts'

export interface DraftStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A saved draft and when, in milliseconds since 1970 by the clock of the browser that saved it. */
export interface DatedDraft extends SavedDraft {
  readonly savedAt: number
}

const keyOf = (graph: string): string => `quiver.schema-draft.${graph}`

export function datedDraft(draft: Draft, savedAt: number): DatedDraft {
  return { ...saveDraft(draft), savedAt }
}

export function isEmptyDraft({ done, undone }: Pick<SavedDraft, 'done' | 'undone'>): boolean {
  return done.length === 0 && undone.length === 0
}

/** Forgets the browser's copy, for that of the server. */
export function forgetDraft(store: DraftStore, graph: string): void {
  try {
    store.removeItem(keyOf(graph))
  } catch {
    // then it is the older one
  }
}

/** An empty draft leaves nothing behind. Storage that is full or forbidden is no error. */
export function storeDraft(store: DraftStore, graph: string, saved: DatedDraft): void {
  try {
    if (isEmptyDraft(saved)) store.removeItem(keyOf(graph))
    else store.setItem(keyOf(graph), JSON.stringify(saved))
  } catch {
    // the draft holds for this visit
  }
}

/** @param remote what the server keeps, as it came; null when there is nothing or no answer */
export function loadDraft(
  sources: { readonly store: DraftStore; readonly remote: unknown },
  graph: string,
  base: SchemaModel,
): { readonly draft: Draft; readonly conflicts: readonly Conflict[] } {
  const local = readLocal(sources.store, graph)
  const remote = asSaved(sources.remote)
  const isRemoteNewer = remote !== null && (local === null || remote.savedAt > local.savedAt)
  const saved = isRemoteNewer ? remote : local
  return saved === null ? { draft: startDraft(base), conflicts: [] } : restoreDraft(saved, base)
}

function readLocal(store: DraftStore, graph: string): DatedDraft | null {
  try {
    return asSaved(JSON.parse(store.getItem(keyOf(graph)) ?? 'null'))
  } catch {
    return null
  }
}

/** Drafts from before they were dated are the oldest of all. */
function asSaved(value: unknown): DatedDraft | null {
  if (typeof value !== 'object' || value === null) return null
  const saved = value as Partial<DatedDraft>
  if (saved.format !== 1 || !Array.isArray(saved.done) || !Array.isArray(saved.undone)) return null
  const { format, done, undone, baseVersion = '', savedAt = 0 } = saved
  return { format, done, undone, baseVersion, savedAt }
}

/** Drafts in the browser's storage: one per graph, written on every change, gone when published. */

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

const keyOf = (graph: string): string => `quiver.schema-draft.${graph}`

/** An empty draft leaves nothing behind. Storage that is full or forbidden is no error. */
export function storeDraft(store: DraftStore, graph: string, draft: Draft): void {
  try {
    if (draft.done.length === 0 && draft.undone.length === 0) store.removeItem(keyOf(graph))
    else store.setItem(keyOf(graph), JSON.stringify(saveDraft(draft)))
  } catch {
    // the draft holds for this visit
  }
}

export function loadDraft(
  store: DraftStore,
  graph: string,
  base: SchemaModel,
): { readonly draft: Draft; readonly conflicts: readonly Conflict[] } {
  const saved = readSaved(store, graph)
  return saved === null ? { draft: startDraft(base), conflicts: [] } : restoreDraft(saved, base)
}

function readSaved(store: DraftStore, graph: string): SavedDraft | null {
  try {
    const saved: unknown = JSON.parse(store.getItem(keyOf(graph)) ?? 'null')
    const isDraft = typeof saved === 'object' && saved !== null && 'format' in saved
    return isDraft && saved.format === 1 ? (saved as SavedDraft) : null
  } catch {
    return null
  }
}

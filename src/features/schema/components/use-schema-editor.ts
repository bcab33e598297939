/** The draft as the page's state: operations in, schema out, saved as it changes. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { RemoteDraft } from '../api/draft.ts'
import {
  type Conflict,
  type Draft,
  discard,
  edit,
  fingerprint,
  goTo,
  rebase,
  redo,
  startDraft,
  undo,
} from '../model/draft.ts'
import { loadDraft } from '../model/draft-storage.ts'
import type { Operation } from '../model/operations.ts'
import { type Change, diffSchemas } from '../model/schema-diff.ts'
import { type Keeping, useDraftKeeper } from './use-draft-keeper.ts'

export interface SchemaEditor {
  readonly draft: Draft
  readonly changes: readonly Change[]
  /** True when the server's schema is no longer the one the draft started from. */
  readonly hasDrifted: boolean
  /** Operations that a rebase or a reload had to leave out. */
  readonly conflicts: readonly Conflict[]
  readonly keeping: Keeping
  /** Writes this draft over that of another window. */
  readonly overwrite: () => void
  /** Null when done; otherwise why it was refused. */
  readonly apply: (operation: Operation) => string | null
  readonly undo: () => void
  readonly redo: () => void
  /** To the draft after so many of its steps, be they done or undone by now. */
  readonly goTo: (steps: number) => void
  readonly discard: () => void
  readonly rebase: () => void
  readonly dismissConflicts: () => void
  /** The draft is the server's schema now: starts again from there. */
  readonly published: (live: SchemaModel) => void
}

interface State {
  readonly draft: Draft
  readonly conflicts: readonly Conflict[]
}

export function useSchemaEditor(
  graph: string,
  live: SchemaModel,
  remote: RemoteDraft,
): SchemaEditor {
  const [state, setState] = useState<State>(() =>
    loadDraft({ store: localStorage, remote: remote.value }, graph, live),
  )
  const { keep, keeping, overwrite } = useDraftKeeper(graph, remote.version)
  const latest = useRef(state)
  const { draft, conflicts } = state
  const liveVersion = useMemo(() => fingerprint(live), [live])

  const set = useCallback(
    (next: State) => {
      latest.current = next
      keep(next.draft)
      setState(next)
    },
    [keep],
  )
  /** As `set` where nothing is worth keeping. */
  const follow = useCallback((next: State) => {
    latest.current = next
    setState(next)
  }, [])
  const change = useCallback(
    (step: (draft: Draft) => Draft) =>
      set({ ...latest.current, draft: step(latest.current.draft) }),
    [set],
  )
  const apply = useCallback(
    (operation: Operation) => {
      const edited = edit(latest.current.draft, operation)
      if (!edited.ok) return edited.problem
      set({ ...latest.current, draft: edited.draft })
      return null
    },
    [set],
  )

  const hasDrifted = liveVersion !== draft.baseVersion
  const isUntouched = draft.done.length === 0
  useEffect(() => {
    // Nothing of the user's is at stake: follow the server.
    if (hasDrifted && isUntouched) follow({ draft: startDraft(live), conflicts: [] })
  }, [hasDrifted, isUntouched, live, follow])

  return {
    draft,
    changes: useMemo(() => diffSchemas(draft.base, draft.schema), [draft.base, draft.schema]),
    hasDrifted: hasDrifted && !isUntouched,
    conflicts,
    keeping,
    overwrite: () => overwrite(latest.current.draft),
    apply,
    undo: useCallback(() => change(undo), [change]),
    redo: useCallback(() => change(redo), [change]),
    goTo: (steps) => change((before) => goTo(before, steps)),
    discard: useCallback(() => change(discard), [change]),
    rebase: () => set(rebase(latest.current.draft, live)),
    dismissConflicts: () => set({ ...latest.current, conflicts: [] }),
    published: (next) => set({ draft: startDraft(next), conflicts: [] }),
  }
}

/** Saves a draft as it changes: in the browser at once, on the server half a second later. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { isDraftConflict, writeDraft } from '../api/draft.ts'
import type { Draft } from '../model/draft.ts'
import { type DatedDraft, datedDraft, storeDraft } from '../model/draft-storage.ts'

const WRITE_DELAY_MS = 500

/**
 * `kept`: the server has it or will in a moment. `here`: the server did not take it, so other
 * browsers will not see it. `conflict`: another window wrote a draft of its own meanwhile.
 */
export type Keeping = 'kept' | 'here' | 'conflict'

export interface DraftKeeper {
  readonly keep: (draft: Draft) => void
  readonly keeping: Keeping
  /** Settles a conflict in favour of this window. */
  readonly overwrite: (draft: Draft) => void
}

/**
 * Writes go one after the other, so that an older one never lands last. Leaving the page writes
 * what waits; a closed tab leaves it to the copy in the browser.
 *
 * @param startVersion the server's version that the draft began with
 */
export function useDraftKeeper(graph: string, startVersion: number): DraftKeeper {
  const [keeping, setKeeping] = useState<Keeping>('kept')
  const version = useRef<number | null>(startVersion)
  const waiting = useRef<DatedDraft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const chain = useRef<Promise<void>>(Promise.resolve())

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    const saved = waiting.current
    waiting.current = null
    if (saved === null) return
    chain.current = chain.current.then(async () => {
      try {
        version.current = await writeDraft(graph, saved, version.current)
        setKeeping('kept')
      } catch (error) {
        setKeeping(isDraftConflict(error) ? 'conflict' : 'here')
      }
    })
  }, [graph])
  useEffect(() => flush, [flush])

  const keep = useCallback(
    (draft: Draft) => {
      const saved = datedDraft(draft, Date.now())
      storeDraft(localStorage, graph, saved)
      waiting.current = saved
      clearTimeout(timer.current)
      timer.current = setTimeout(flush, WRITE_DELAY_MS)
    },
    [graph, flush],
  )
  const overwrite = useCallback(
    (draft: Draft) => {
      version.current = null
      keep(draft)
      flush()
    },
    [keep, flush],
  )
  return { keep, keeping, overwrite }
}

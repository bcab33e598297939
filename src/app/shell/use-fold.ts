import { useCallback } from 'react'
import { useLocation } from 'react-router'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { useCommand } from '#ui/commands/commands.ts'

/** Pages that need the width begin with the rail. */
const startFolded: readonly string[] = ['explorer', 'queries', 'schema', 'data', 'statistics']

/** Whether the sidebar is a rail of icons and words: chosen page by page. */
export function useFold() {
  const { sidebar } = usePreferences()
  const page = useLocation().pathname.split('/').at(-1) ?? ''
  const isFolded = sidebar[page] ?? startFolded.includes(page)
  const fold = useCallback(
    () => preferences.set({ sidebar: { ...preferences.get().sidebar, [page]: !isFolded } }),
    [page, isFolded],
  )
  useCommand({
    id: 'shell.sidebar',
    label: 'Fold or unfold the sidebar',
    group: 'View',
    keys: 'mod+b',
    run: fold,
  })
  return { isFolded, fold }
}

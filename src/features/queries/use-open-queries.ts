/** The queries of a graph that are open: the shown one is in the address, all are kept over reloads. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { EditorMemory } from '#ui/code-editor/code-editor.tsx'
import { NEW_QUERY } from './model/drafts.ts'
import { closing, openWith, readOpen, showing, writeOpen } from './model/open-queries.ts'

type Queries = readonly { readonly name: string }[]

export function useOpenQueries(graph: string, queries: Queries) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('query')
  const isHere = (name: string) =>
    name === NEW_QUERY || queries.some((query) => query.name === name)
  const [open, setOpen] = useState(() => {
    const kept = readOpen(graph)
    const shown = asked ?? kept?.shown ?? queries[0]?.name ?? NEW_QUERY
    return openWith(kept?.names.filter(isHere) ?? [], isHere(shown) ? shown : NEW_QUERY)
  })
  const wanted = asked ?? open.shown
  const shown = isHere(wanted) ? wanted : NEW_QUERY
  if (shown !== open.shown) setOpen(showing(open, shown))
  const names = open.names.filter(isHere)
  const list = names.join('\n')
  useEffect(() => writeOpen(graph, { names: list.split('\n'), shown }), [graph, list, shown])

  const memories = useRef(new Map<string, EditorMemory>())
  const choose = useCallback((name: string) => setSearch({ query: name }), [setSearch])
  return {
    names,
    shown,
    key: open.key,
    choose,
    close: (name: string) => {
      const after = closing({ ...open, names }, name)
      memories.current.delete(name)
      setOpen(after.open)
      if (after.next !== null) choose(after.next)
    },
    /** The query in the editor is about to have this name. */
    keepFor: useCallback((coming: string) => setOpen((now) => ({ ...now, coming })), []),
    /** What the editor of a query left behind. */
    memoryOf: (name: string): EditorMemory => {
      const known = memories.current.get(name) ?? {}
      memories.current.set(name, known)
      return known
    },
  }
}

/** Addresses that lead into the explorer to vertices; see use-canvas-address.ts for whole scenes. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { fetchAmong } from './api/expand-steps.ts'
import { findVertices } from './api/explorer.ts'
import { parseVertexKey, type VertexKey } from './model/scene.ts'
import { linkedKeys, searchText } from './model/search.ts'
import type { Explorer } from './use-explorer.ts'

/**
 * `?vertex=Type:id` from a link: other pages and other people lead here. Without a type it is any
 * vertex of that id; where there is none, or several are, it is searched for. Several, on lines, come
 * with the edges among them. Without an id it is a search, too: for the first of that type.
 */
export function useStartVertex(graph: string, explorer: Explorer): void {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('vertex')
  const { add, addChosen, select, fail } = explorer
  const client = useQueryClient()
  const addSeveral = useCallback(
    async (keys: readonly VertexKey[]) => {
      try {
        const elements = await fetchAmong(client, graph, keys)
        await addChosen(`Add ${elements.vertices.length}`, elements)
        select(elements.vertices.map(({ key }) => key))
      } catch (error) {
        fail(error)
      }
    },
    [client, graph, addChosen, select, fail],
  )
  useEffect(() => {
    if (wanted === null) return
    const keys = linkedKeys(wanted)
    const [key] = keys
    if (key === undefined) {
      setSearch({ find: wanted.trim() }, { replace: true })
      return
    }
    if (keys.length > 1) {
      void addSeveral(keys)
      setSearch({}, { replace: true })
      return
    }
    const { type, id } = parseVertexKey(key)
    const kind = { kind: 'ids', type: type === '' ? null : type, ids: [id] } as const
    const leaving = new AbortController()
    const { signal } = leaving
    findVertices(graph, kind, { signal }).then(
      ({ vertices }) => {
        if (signal.aborted) return
        if (vertices.length === 1) add(vertices)
        const find = searchText(type, id)
        setSearch(vertices.length === 1 ? {} : { find }, { replace: true })
      },
      (error) => {
        if (!signal.aborted) fail(error)
      },
    )
    return () => leaving.abort()
  }, [wanted, graph, add, addSeveral, fail, setSearch])
}

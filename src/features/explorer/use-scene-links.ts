/** Addresses that lead into the explorer to vertices; see use-canvas-address.ts for whole scenes. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { findVertices } from './api/explorer.ts'
import { parseVertexKey } from './model/scene.ts'
import type { Explorer } from './use-explorer.ts'

/**
 * `?vertex=Type:id` from a link: other pages and other people lead here. Without a type it is any
 * vertex of that id; where there is none, or several are, it is searched for.
 */
export function useStartVertex(graph: string, explorer: Explorer): void {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('vertex')
  const { add, fail } = explorer
  useEffect(() => {
    if (wanted === null) return
    const { type, id } = parseVertexKey(
      wanted.includes(':') ? wanted.replace(':', ' ') : ` ${wanted}`,
    )
    const kind = { kind: 'ids', type: type === '' ? null : type, ids: [id] } as const
    const leaving = new AbortController()
    const { signal } = leaving
    findVertices(graph, kind, { signal }).then(
      ({ vertices }) => {
        if (signal.aborted) return
        if (vertices.length === 1) add(vertices)
        const find = type === '' ? id : wanted
        setSearch(vertices.length === 1 ? {} : { find }, { replace: true })
      },
      (error) => {
        if (!signal.aborted) fail(error)
      },
    )
    return () => leaving.abort()
  }, [wanted, graph, add, fail, setSearch])
}

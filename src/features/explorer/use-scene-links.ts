/** Addresses that lead into the explorer: to one vertex, or to a whole scene. */
import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { findVertices } from './api/explorer.ts'
import { restoreScene } from './model/saved-scene.ts'
import { parseVertexKey } from './model/scene.ts'
import { unpackScene } from './model/scene-link.ts'
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

/** `#scene=…` from a shared link; the address loses it, for it would be opened at each reload. */
export function useLinkedScene({ open, fail }: Explorer): void {
  const { hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!hash.startsWith('#scene=')) return
    let isCurrent = true
    void unpackScene(hash).then((text) => {
      if (!isCurrent) return
      const scene = restoreScene(text)
      if (scene === null) fail(new Error('The link holds no scene that can be read.'))
      else open(scene)
      void navigate({ hash: '' }, { replace: true })
    })
    return () => {
      isCurrent = false
    }
  }, [hash, open, fail, navigate])
}

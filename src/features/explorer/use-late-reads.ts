/** What a scene knows by name only is read behind it: attributes of its elements, counts of what is left. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { degreesQuery, type Refreshed, refreshEdges, refreshVertices } from './api/explorer.ts'
import { type DegreeRow, markGone, type Scene, type VertexKey, withRead } from './model/scene.ts'
import type { Action } from './model/scene-history.ts'

interface AttributeTools {
  readonly dispatch: (action: Action) => void
  readonly fail: (error: unknown) => void
}

interface Unread {
  readonly key: string
  readonly attributes: object | null
  readonly gone?: true
}

/** Reads attributes of restored and opened scenes; what is no more is marked so. */
export function useAttributes(
  graph: string,
  scene: Scene,
  { dispatch, fail }: AttributeTools,
): void {
  const client = useQueryClient()
  const underWay = useRef(new Set<string>())
  const { vertices, edges } = scene
  useEffect(() => {
    const unread = <E extends Unread>(elements: ReadonlyMap<string, E>): readonly E[] =>
      [...elements.values()].filter(
        ({ key, attributes, gone }) =>
          attributes === null && gone !== true && !underWay.current.has(key),
      )
    const read = async (elements: readonly Unread[], request: () => Promise<Refreshed>) => {
      if (elements.length === 0) return
      for (const { key } of elements) underWay.current.add(key)
      try {
        const refreshed = await request()
        dispatch({
          kind: 'amend',
          change: (current) => markGone(withRead(current, refreshed), refreshed.missing),
        })
      } catch (error) {
        fail(error)
      }
      for (const { key } of elements) underWay.current.delete(key)
    }
    const [newVertices, newEdges] = [unread(vertices), unread(edges)]
    void read(newVertices, () =>
      refreshVertices(
        client,
        graph,
        newVertices.map(({ key }) => key),
      ),
    )
    void read(newEdges, () => refreshEdges(graph, newEdges))
  }, [client, graph, vertices, edges, dispatch, fail])
}

interface CountTools {
  readonly degrees: ReadonlyMap<VertexKey, number>
  readonly noteDegree: (key: VertexKey, rows: readonly DegreeRow[]) => void
}

/** Counts what is left at vertices with a remainder, unless their degrees are known. */
export function useCounts(graph: string, scene: Scene, { degrees, noteDegree }: CountTools): void {
  const client = useQueryClient()
  const underWay = useRef(new Set<VertexKey>())
  const { vertices, remainders } = scene
  useEffect(() => {
    const wanted = new Set([...remainders.values()].map(({ vertex }) => vertex))
    for (const key of wanted) {
      const vertex = vertices.get(key)
      const isThere = vertex !== undefined && vertex.attributes !== null && vertex.gone !== true
      if (!isThere || degrees.has(key) || underWay.current.has(key)) continue
      underWay.current.add(key)
      client.fetchQuery({ ...degreesQuery(graph, key), staleTime: 0 }).then(
        (rows) => {
          underWay.current.delete(key)
          noteDegree(key, rows)
        },
        // The remainder goes on with the count it has; the inspector tells what is wrong.
        () => {},
      )
    }
  }, [client, graph, vertices, remainders, degrees, noteDegree])
}

/**
 * The explorer's state: the scene with its history, the selection, and the actions that ask the
 * server. Rules live in `model/`; this ties them to React and to the API.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { degreesQuery, fetchNeighbours, fetchSample, refreshVertices } from './api/explorer.ts'
import {
  applyPage,
  EXPAND_ALL_MAX,
  type ExpandRequest,
  type NeighbourPage,
  nextPage,
  type PageSize,
  totalDegree,
} from './model/expansion.ts'
import { amend, commit, type History, redo, startHistory, undo } from './model/history.ts'
import { restoreScene, saveScene } from './model/saved-scene.ts'
import {
  addElements,
  type DegreeRow,
  emptyScene,
  fits,
  moveVertices,
  type Point,
  type Scene,
  type SceneVertex,
  type VertexKey,
} from './model/scene.ts'

type Action =
  | { readonly kind: 'commit'; readonly label: string; readonly change: (scene: Scene) => Scene }
  | { readonly kind: 'amend'; readonly change: (scene: Scene) => Scene }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

function reduce(history: History<Scene>, action: Action): History<Scene> {
  switch (action.kind) {
    case 'commit':
      return commit(history, action.label, action.change(history.present))
    case 'amend':
      return amend(history, action.change(history.present))
    case 'undo':
      return undo(history)
    case 'redo':
      return redo(history)
  }
}

const SAVE_DELAY_MS = 500
const storageKey = (graph: string) => `quiver.explorer.${graph}`

export type Explorer = ReturnType<typeof useExplorer>

export function useExplorer(graph: string) {
  const [history, dispatch] = useReducer(reduce, graph, startFor)
  const [selection, setSelection] = useState<readonly string[]>([])
  const [degrees, setDegrees] = useState<ReadonlyMap<VertexKey, number>>(new Map())
  const [busy, setBusy] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const scene = history.present
  useSavedScene(graph, scene)
  useAttributes(graph, scene, dispatch)

  const change = useCallback(
    (label: string, make: (scene: Scene) => Scene) =>
      dispatch({ kind: 'commit', label, change: make }),
    [],
  )
  const attempt = useCallback(async (work: () => Promise<void>) => {
    setBusy((count) => count + 1)
    setError(null)
    try {
      await work()
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy((count) => count - 1)
    }
  }, [])
  const add = useCallback(
    (vertices: readonly SceneVertex[]) => {
      change(`Add ${vertices.length}`, (current) => addElements(current, { vertices, edges: [] }))
      setSelection(vertices.slice(0, 1).map(({ key }) => key))
    },
    [change],
  )
  const noteDegree = useCallback((key: VertexKey, rows: readonly DegreeRow[]) => {
    const total = totalDegree(rows)
    setDegrees((known) => (known.get(key) === total ? known : new Map(known).set(key, total)))
  }, [])
  const move = useCallback(
    (after: ReadonlyMap<VertexKey, Point>) =>
      change('Move', (current) => moveVertices(current, after)),
    [change],
  )
  const expansion = useExpansion(graph, { scene, change, attempt })
  return {
    ...expansion,
    scene,
    history,
    selection,
    select: setSelection,
    degrees,
    noteDegree,
    busy: busy > 0,
    error,
    dismissError: () => setError(null),
    add,
    change,
    move,
    undo: useCallback(() => dispatch({ kind: 'undo' }), []),
    redo: useCallback(() => dispatch({ kind: 'redo' }), []),
  }
}

interface ExpansionTools {
  readonly scene: Scene
  readonly change: (label: string, make: (scene: Scene) => Scene) => void
  readonly attempt: (work: () => Promise<void>) => Promise<void>
}

interface Expansion {
  readonly request: ExpandRequest
  readonly page: NeighbourPage
}

/** Every way to bring neighbours onto the canvas. */
function useExpansion(graph: string, { scene, change, attempt }: ExpansionTools) {
  const client = useQueryClient()
  const latest = useRef(scene)
  useEffect(() => {
    latest.current = scene
  })

  return useMemo(() => {
    /** One step of the history, whatever it brings. */
    const show = (label: string, expansions: readonly Expansion[]) => {
      const elements = {
        vertices: expansions.flatMap(({ page }) => page.vertices),
        edges: expansions.flatMap(({ page }) => page.edges),
      }
      const fit = fits(latest.current, elements)
      if (!fit.ok) throw new Error(`${fit.reason} Hide or collapse some first.`)
      change(label, (current) =>
        expansions.reduce((scene, { request, page }) => applyPage(scene, request, page), current),
      )
    }
    const expandRow = (vertex: VertexKey, row: DegreeRow, pageSize: PageSize) =>
      attempt(async () => {
        const request = nextPage(latest.current, vertex, row, pageSize)
        const page = await fetchNeighbours(graph, request)
        show(`Expand ${row.edgeType}`, [{ request, page }])
      })
    const sampleRow = (vertex: VertexKey, row: DegreeRow, pageSize: PageSize) =>
      attempt(async () => {
        const request: ExpandRequest = { vertex, row, limit: pageSize, cursor: null }
        const page = await fetchSample(graph, request, latest.current.edges.size)
        change(`Sample ${row.edgeType}`, (current) => addElements(current, page))
      })
    /** Counts first: all of a vertex with few neighbours, else the first page of each kind. */
    const expandAll = (vertex: VertexKey, pageSize: PageSize) =>
      attempt(async () => {
        const rows = await client.fetchQuery(degreesQuery(graph, vertex))
        const many = totalDegree(rows) > EXPAND_ALL_MAX
        const expansions: Expansion[] = []
        for (const row of rows) {
          const next = nextPage(latest.current, vertex, row, pageSize)
          const limit = many ? Math.min(next.limit, pageSize) : next.limit
          const request = { ...next, limit }
          expansions.push({ request, page: await fetchNeighbours(graph, request) })
        }
        show(`Expand ${expansions.length} kinds`, expansions)
      })
    /** A remainder was opened: its next page. */
    const expandRemainder = (key: string, pageSize: PageSize) => {
      const remainder = latest.current.remainders.get(key)
      return remainder === undefined
        ? Promise.resolve()
        : expandRow(remainder.vertex, remainder, pageSize)
    }
    return { expandRow, sampleRow, expandAll, expandRemainder }
  }, [graph, client, change, attempt])
}

function startFor(graph: string): History<Scene> {
  return startHistory(restoreScene(readStorage(graph)) ?? emptyScene)
}

/** Keeps the scene for the next visit, half a second after the last change. */
function useSavedScene(graph: string, scene: Scene): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const text = saveScene(scene, scene.positions)
      try {
        if (text === null) localStorage.removeItem(storageKey(graph))
        else localStorage.setItem(storageKey(graph), text)
      } catch {
        // the scene lives as long as the page
      }
    }, SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [graph, scene])
}

/** Reads what a restored scene knows by id only, once. */
function useAttributes(graph: string, scene: Scene, dispatch: (action: Action) => void): void {
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    const keys = [...scene.vertices.values()]
      .filter(({ attributes }) => attributes === null)
      .map(({ key }) => key)
    if (keys.length === 0) return
    refreshVertices(graph, keys).then(
      (vertices) =>
        dispatch({
          kind: 'amend',
          change: (current) => ({
            ...addElements(current, { vertices, edges: [] }),
            hidden: current.hidden,
          }),
        }),
      () => undefined,
    )
  }, [graph, scene, dispatch])
}

function readStorage(graph: string): string | null {
  try {
    return localStorage.getItem(storageKey(graph))
  } catch {
    return null
  }
}

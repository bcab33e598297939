/**
 * The explorer's state: the scene with its history, the selection, and the actions that ask the
 * server. Rules live in `model/`; this ties them to React and to the API.
 */
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { refreshVertices } from './api/explorer.ts'
import { totalDegree } from './model/expansion.ts'
import {
  amend,
  commit,
  commitFrom,
  type History,
  redo,
  startHistory,
  undo,
} from './model/history.ts'
import { restoreScene, saveScene } from './model/saved-scene.ts'
import {
  addElements,
  type DegreeRow,
  emptyScene,
  markGone,
  moveVertices,
  type Point,
  type Scene,
  type SceneVertex,
  type VertexKey,
} from './model/scene.ts'
import { useExpansion } from './use-expansion.ts'

type Positions = ReadonlyMap<VertexKey, Point>

type Action =
  | { readonly kind: 'commit'; readonly label: string; readonly change: (scene: Scene) => Scene }
  | { readonly kind: 'amend'; readonly change: (scene: Scene) => Scene }
  | { readonly kind: 'move'; readonly before: Positions; readonly after: Positions }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

function reduce(history: History<Scene>, action: Action): History<Scene> {
  switch (action.kind) {
    case 'commit':
      return commit(history, action.label, action.change(history.present))
    case 'amend':
      return amend(history, action.change(history.present))
    case 'move':
      return commitFrom(history, 'Move', {
        before: moveVertices(history.present, action.before),
        after: moveVertices(history.present, action.after),
      })
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
  useAttributes(graph, scene, { dispatch, fail: setError })

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
    (before: Positions, after: Positions) => dispatch({ kind: 'move', before, after }),
    [],
  )
  /** Where the canvas has put what came last: part of the scene, and no step of its own. */
  const settle = useCallback(
    (positions: Positions) =>
      dispatch({ kind: 'amend', change: (current) => moveVertices(current, positions) }),
    [],
  )
  /** Counts the steps back and forth, after which the canvas takes its places from the scene. */
  const [travels, setTravels] = useState(0)
  const travel = useCallback((kind: 'undo' | 'redo') => {
    dispatch({ kind })
    setTravels((count) => count + 1)
  }, [])
  /** Another scene in the place of this one, as a step that can be taken back. */
  const open = useCallback(
    (opened: Scene) => {
      change('Open a scene', () => opened)
      setSelection([])
      setTravels((count) => count + 1)
    },
    [change],
  )
  const expansion = useExpansion(graph, { scene, change, attempt, select: setSelection })
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
    dismissError: useCallback(() => setError(null), []),
    add,
    change,
    move,
    settle,
    open,
    travels,
    undo: useCallback(() => travel('undo'), [travel]),
    redo: useCallback(() => travel('redo'), [travel]),
    fail: setError,
  }
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

interface AttributeTools {
  readonly dispatch: (action: Action) => void
  readonly fail: (error: unknown) => void
}

/** Reads, once, what a scene knows by id only; what is no more is marked so. */
function useAttributes(graph: string, scene: Scene, { dispatch, fail }: AttributeTools): void {
  const asked = useRef<ReadonlySet<VertexKey>>(new Set())
  useEffect(() => {
    const keys = [...scene.vertices.values()]
      .filter(
        ({ key, attributes, gone }) => attributes === null && !gone && !asked.current.has(key),
      )
      .map(({ key }) => key)
    if (keys.length === 0) return
    asked.current = new Set([...asked.current, ...keys])
    refreshVertices(graph, keys).then(
      ({ vertices, missing }) =>
        dispatch({
          kind: 'amend',
          change: (current) => ({
            ...markGone(addElements(current, { vertices, edges: [] }), missing),
            hidden: current.hidden,
          }),
        }),
      fail,
    )
  }, [graph, scene, dispatch, fail])
}

function readStorage(graph: string): string | null {
  try {
    return localStorage.getItem(storageKey(graph))
  } catch {
    return null
  }
}

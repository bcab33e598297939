/**
 * The explorer's state: the scene with its history, the selection, and the actions that ask the
 * server. Rules live in `model/`; this ties them to React and to the API.
 */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { keepText, keptText } from '#lib/storage/kept.ts'
import { preferences } from '#lib/storage/preferences.ts'
import { totalDegree } from './model/expansion.ts'
import { groupedOf, newScene } from './model/groups.ts'
import { startHistory } from './model/history.ts'
import { recounted } from './model/remainders.ts'
import { restoreScene, saveScene } from './model/saved-scene.ts'
import {
  type DegreeRow,
  emptyScene,
  moveVertices,
  type Scene,
  type VertexKey,
} from './model/scene.ts'
import { type Positions, reduce, type SceneHistory } from './model/scene-history.ts'
import { useExpansion } from './use-expansion.ts'
import { useAttributes, useCounts } from './use-late-reads.ts'
import { useSteps } from './use-steps.ts'

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
  const noteDegree = useCallback((key: VertexKey, rows: readonly DegreeRow[]) => {
    const total = totalDegree(rows)
    setDegrees((known) => (known.get(key) === total ? known : new Map(known).set(key, total)))
    dispatch({ kind: 'amend', change: (current) => recounted(current, key, rows) })
  }, [])
  useCounts(graph, scene, { degrees, noteDegree })
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
  const forgetDegrees = useCallback((keys: readonly VertexKey[] | null) => {
    const stale = keys === null ? null : new Set(keys)
    setDegrees((known) => new Map([...known].filter(([key]) => stale?.has(key) === false)))
  }, [])
  const steps = useSteps({
    ...{ graph, history, dispatch, attempt, forgetDegrees },
    select: setSelection,
  })
  const grouped = useGrouped(scene)
  const expansion = useExpansion(graph, {
    ...{ scene, change, attempt },
    select: setSelection,
    fail: setError,
  })
  return {
    ...expansion,
    ...steps,
    scene,
    grouped,
    history,
    selection,
    select: setSelection,
    degrees,
    noteDegree,
    busy: busy > 0,
    error,
    dismissError: useCallback(() => setError(null), []),
    change,
    move,
    settle,
    fail: setError,
  }
}

/** Places are left out on purpose: nothing is grouped by where it lies. */
function useGrouped(scene: Scene) {
  const { vertices, edges, remainders, hidden, pinned, grouping } = scene
  return useMemo(
    () => groupedOf({ ...emptyScene, vertices, edges, remainders, hidden, pinned, grouping }),
    [vertices, edges, remainders, hidden, pinned, grouping],
  )
}

function startFor(graph: string): SceneHistory {
  return startHistory(
    restoreScene(keptText(storageKey(graph))) ?? newScene(preferences.get().groupLeaves),
  )
}

/** Keeps the scene for the next visit: half a second after a change, however many follow, and on leaving. */
function useSavedScene(graph: string, scene: Scene): void {
  const latest = useRef(scene)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    latest.current = scene
    timer.current ??= setTimeout(() => {
      timer.current = null
      writeStorage(graph, latest.current)
    }, SAVE_DELAY_MS)
  }, [graph, scene])
  useEffect(() => {
    const keepNow = () => {
      if (timer.current === null) return
      clearTimeout(timer.current)
      timer.current = null
      writeStorage(graph, latest.current)
    }
    // A reload ends no component.
    window.addEventListener('pagehide', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [graph])
}

function writeStorage(graph: string, scene: Scene): void {
  keepText(storageKey(graph), saveScene(scene, scene.positions))
}

/**
 * Steps back and forth over everything, and those that change the database: made at once, taken
 * back by writing what was there before, unless somebody else has changed it since.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { writeAttributes } from './api/edits.ts'
import { type AttributeWrite, reversed } from './model/attribute-write.ts'
import { type Scene, withAttributes } from './model/scene.ts'
import type { Action, SceneHistory } from './model/scene-history.ts'

interface StepTools {
  readonly graph: string
  readonly history: SceneHistory
  readonly dispatch: (action: Action) => void
  readonly attempt: (work: () => Promise<void>) => Promise<void>
  readonly select: (keys: readonly string[]) => void
}

export function useSteps({ graph, history, dispatch, attempt, select }: StepTools) {
  const client = useQueryClient()
  /** Counts the steps back and forth, after which the canvas takes its places from the scene. */
  const [travels, setTravels] = useState(0)
  const latest = useRef(history)
  useEffect(() => {
    latest.current = history
  })
  /** A step that writes is under way; the next one waits for another key. */
  const writing = useRef(false)

  const travel = useCallback(
    (kind: 'undo' | 'redo') => {
      if (writing.current) return
      const step = () => {
        dispatch({ kind })
        setTravels((count) => count + 1)
      }
      const { past, future } = latest.current
      const write = (kind === 'undo' ? past.at(-1) : future[0])?.write
      if (write === undefined) return step()
      writing.current = true
      void attempt(async () => {
        await writeAttributes(client, graph, kind === 'undo' ? reversed(write) : write)
        step()
      }).finally(() => {
        writing.current = false
      })
    },
    [client, graph, attempt, dispatch],
  )
  const edit = useCallback(
    async (write: AttributeWrite) => {
      const attributes = await writeAttributes(client, graph, write)
      const { key, type } = write.element
      const change = (scene: Scene) => withAttributes(scene, key, attributes)
      dispatch({ kind: 'commit', label: `Edit ${type}`, change, write })
    },
    [client, graph, dispatch],
  )
  /** Another scene in the place of this one, as a step that can be taken back. */
  const open = useCallback(
    (opened: Scene) => {
      dispatch({ kind: 'commit', label: 'Open a scene', change: () => opened })
      select([])
      setTravels((count) => count + 1)
    },
    [dispatch, select],
  )
  return {
    travels,
    edit,
    open,
    undo: useCallback(() => travel('undo'), [travel]),
    redo: useCallback(() => travel('redo'), [travel]),
  }
}

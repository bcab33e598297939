/**
 * Steps back and forth over everything, and those that change the database: made at once, taken
 * back by writing what was there before, unless somebody else has changed it since.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { counted } from '#lib/format.ts'
import { notify } from '#ui/feedback/toasts.tsx'
import { deleteAgain, deleteElements, restoreElements } from './api/deletions.ts'
import { writeAttributes } from './api/edits.ts'
import { type AttributeWrite, reversed } from './model/attribute-write.ts'
import { type Deletion, withoutDeleted } from './model/deletion.ts'
import {
  CanvasFull,
  emptyScene,
  fits,
  type Scene,
  type VertexKey,
  withAttributes,
} from './model/scene.ts'
import {
  type Action,
  type DataWrite,
  isDeletion,
  type SceneHistory,
} from './model/scene-history.ts'

interface StepTools {
  readonly graph: string
  readonly history: SceneHistory
  readonly dispatch: (action: Action) => void
  readonly attempt: (work: () => Promise<void>) => Promise<void>
  readonly select: (keys: readonly string[]) => void
  /** Degrees of these are others now; null: of whichever. */
  readonly forgetDegrees: (keys: readonly VertexKey[] | null) => void
}

export function useSteps({ graph, history, dispatch, attempt, select, forgetDegrees }: StepTools) {
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
        await takeStep(client, graph, { kind, write })
        if (isDeletion(write)) forgetDegrees(endsOf(write))
        step()
      }).finally(() => {
        writing.current = false
      })
    },
    [client, graph, attempt, dispatch, forgetDegrees],
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
  /** What was deleted before something failed is a step as well, and then the failure is thrown. */
  const deleteData = useCallback(
    async (deletion: Deletion) => {
      const { done, failure } = await deleteElements(client, graph, deletion)
      const change = (scene: Scene) => withoutDeleted(scene, done)
      const count = done.vertices.length + done.edges.length
      if (count > 0) {
        select([])
        forgetDegrees(endsOf(done))
        if (done.lasting === null) {
          dispatch({ kind: 'commit', label: `Delete ${count}`, change, write: done })
        } else dispatch({ kind: 'restart', change })
      }
      if (failure !== null) throw failure
    },
    [client, graph, dispatch, select, forgetDegrees],
  )
  /** Another scene in the place of this one, as a step that can be taken back. */
  const open = useCallback(
    (opened: Scene) =>
      attempt(async () => {
        const [vertices, edges] = [[...opened.vertices.values()], [...opened.edges.values()]]
        const fit = fits(emptyScene, { vertices, edges })
        if (!fit.ok) throw new CanvasFull(fit.reason)
        dispatch({ kind: 'commit', label: 'Open a scene', change: () => opened })
        select([])
        setTravels((count) => count + 1)
      }),
    [dispatch, select, attempt],
  )
  return {
    travels,
    edit,
    deleteData,
    open,
    undo: useCallback(() => travel('undo'), [travel]),
    redo: useCallback(() => travel('redo'), [travel]),
  }
}

interface WritingStep {
  readonly kind: 'undo' | 'redo'
  readonly write: DataWrite
}

async function takeStep(
  client: QueryClient,
  graph: string,
  { kind, write }: WritingStep,
): Promise<void> {
  if (!isDeletion(write)) {
    await writeAttributes(client, graph, kind === 'undo' ? reversed(write) : write)
  } else if (kind === 'redo') {
    const { failure } = await deleteAgain(client, graph, write)
    if (failure !== null) throw failure
  } else {
    const skipped = await restoreElements(client, graph, write)
    if (skipped === 0) return
    const words = counted(skipped, 'element was', 'elements were')
    notify(`${words} not written back: made again, or an end is gone`, { status: 'warning' })
  }
}

/** The vertices whose number of edges a deletion changes; null: its edges were not read. */
const endsOf = ({ edges, hanging, lasting }: Deletion): readonly VertexKey[] | null =>
  lasting === null ? [...edges, ...hanging].flatMap(({ from, to }) => [from, to]) : null

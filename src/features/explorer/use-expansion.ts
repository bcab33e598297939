/** Every way to bring neighbours onto the canvas; each is one step of the history. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { notify } from '#ui/feedback/toasts.tsx'
import { degreesQuery, fetchExpansion, fetchSample } from './api/explorer.ts'
import {
  applyPage,
  EXPAND_ALL_MAX,
  type ExpandRequest,
  type NeighbourPage,
  nextPage,
  openKinds,
  type PageSize,
  shortPageWords,
  totalDegree,
} from './model/expansion.ts'
import { addOutOfTurn } from './model/remainders.ts'
import {
  CanvasFull,
  type DegreeRow,
  type Elements,
  fits,
  remainderKey,
  type Scene,
  type SceneVertex,
  type VertexKey,
} from './model/scene.ts'
import { useConnections } from './use-connections.ts'

interface ExpansionTools {
  readonly scene: Scene
  readonly change: (label: string, make: (scene: Scene) => Scene) => void
  readonly attempt: (work: () => Promise<void>) => Promise<void>
  readonly select: (keys: readonly string[]) => void
  readonly fail: (error: unknown) => void
}

/** Neighbours of a kind that were to be drawn. */
interface OpenRow {
  readonly vertex: VertexKey
  readonly row: DegreeRow
}

interface Expansion {
  readonly request: ExpandRequest
  readonly page: NeighbourPage
}

function sayWhyShort({ request, page }: Expansion): void {
  const words = shortPageWords(request, page)
  if (words !== null) notify(words, { status: 'info' })
}

export function useExpansion(
  graph: string,
  { scene, change, attempt, select, fail }: ExpansionTools,
) {
  const client = useQueryClient()
  const latest = useRef(scene)
  useEffect(() => {
    latest.current = scene
  })
  /** What is being asked: a second double click does not ask again. */
  const asked = useRef(new Set<string>())
  /** Each sample is another one. */
  const samples = useRef(0)

  const draw = useCallback(
    (label: string, elements: Elements, make: (scene: Scene) => Scene, row?: OpenRow) => {
      const fit = fits(latest.current, elements)
      if (fit.ok) return change(label, make)
      const vertex = row && latest.current.vertices.get(row.vertex)
      const listed = vertex === undefined || row === undefined ? null : { vertex, row: row.row }
      throw new CanvasFull(`${fit.reason} Collapse or remove some first.`, listed)
    },
    [change],
  )

  const actions = useMemo(() => {
    const once = async (key: string, work: () => Promise<void>) => {
      if (asked.current.has(key)) return
      asked.current.add(key)
      await attempt(work)
      asked.current.delete(key)
    }
    const show = (label: string, expansions: readonly Expansion[]) => {
      const elements = {
        vertices: expansions.flatMap(({ page }) => page.vertices),
        edges: expansions.flatMap(({ page }) => page.edges),
      }
      const make = (current: Scene) =>
        expansions.reduce((scene, { request, page }) => applyPage(scene, request, page), current)
      draw(label, elements, make, expansions[0]?.request)
      expansions.forEach(sayWhyShort)
    }
    const expandRow = (vertex: VertexKey, row: DegreeRow, pageSize: PageSize) =>
      once(remainderKey(vertex, row), async () => {
        const request = nextPage(latest.current, vertex, row, pageSize)
        const page = await fetchExpansion(graph, request)
        show(`Expand ${row.edgeType}`, [{ request, page }])
      })
    const sampleRow = (vertex: VertexKey, row: DegreeRow, pageSize: PageSize) =>
      once(`sample ${remainderKey(vertex, row)}`, async () => {
        const request: ExpandRequest = { vertex, row, limit: pageSize, cursor: null }
        const page = await fetchSample(graph, request, samples.current++)
        draw(`Sample ${row.edgeType}`, page, (current) => addOutOfTurn(current, page), request)
      })
    /** Counts first: all of a vertex with few neighbours, else the next page of each open kind. */
    const expandAll = (vertex: VertexKey, pageSize: PageSize) =>
      once(vertex, async () => {
        const rows = await client.fetchQuery(degreesQuery(graph, vertex))
        const open = openKinds(latest.current, vertex, rows)
        const many = totalDegree(rows) > EXPAND_ALL_MAX
        const expansions = await Promise.all(
          open.map(async (row): Promise<Expansion> => {
            const next = nextPage(latest.current, vertex, row, pageSize)
            const request = { ...next, limit: many ? Math.min(next.limit, pageSize) : next.limit }
            return { request, page: await fetchExpansion(graph, request) }
          }),
        )
        const what = open.length === 1 ? open[0]?.edgeType : `${open.length} kinds`
        if (open.length > 0) show(`Expand ${what}`, expansions)
      })
    /** A remainder was opened: its next page. */
    const expandRemainder = (key: string, pageSize: PageSize) => {
      const remainder = latest.current.remainders.get(key)
      return remainder === undefined
        ? Promise.resolve()
        : expandRow(remainder.vertex, remainder, pageSize)
    }
    /** @throws CanvasFull */
    const addFound = (label: string, elements: Elements) =>
      draw(label, elements, (current) => addOutOfTurn(current, elements))
    /** Some neighbours chosen from the list. */
    const addChosen = (label: string, elements: Elements) =>
      attempt(async () => addFound(label, elements))
    /** At once: nothing is asked for, so the page is drawn once and not once more to be idle again. */
    const add = (vertices: readonly SceneVertex[]) => {
      try {
        addFound(`Add ${vertices.length}`, { vertices, edges: [] })
        select(vertices.slice(0, 1).map(({ key }) => key))
      } catch (error) {
        fail(error)
      }
    }
    return { expandRow, sampleRow, expandAll, expandRemainder, addChosen, addFound, add }
  }, [graph, client, attempt, draw, select, fail])
  const connections = useConnections(graph, { attempt, draw, select })
  return { ...actions, ...connections }
}

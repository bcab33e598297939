/**
 * How many neighbours of each kind are drawn and how many are left. What is left is told by a
 * remainder, which stays as long as its cursor says that there is more, whatever the counts say.
 */
import {
  addElements,
  type DegreeRow,
  type Elements,
  parseVertexKey,
  type Remainder,
  remainderKey,
  type Scene,
  type SceneEdge,
  type VertexKey,
} from './scene.ts'

interface Kind {
  readonly vertex: VertexKey
  /** As of its remainder. */
  readonly key: string
}

/** The kinds of neighbour that an edge shows: one at each end, a single one for an undirected loop. */
function kindsOf({ type, directed, from, to }: SceneEdge): readonly Kind[] {
  const kind = (vertex: VertexKey, direction: DegreeRow['direction'], other: VertexKey): Kind => ({
    vertex,
    key: remainderKey(vertex, {
      edgeType: type,
      direction,
      targetType: parseVertexKey(other).type,
    }),
  })
  const out = kind(from, directed ? 'out' : 'undirected', to)
  if (!directed && from === to) return [out]
  return [out, kind(to, directed ? 'in' : 'undirected', from)]
}

/** How many edges of each kind, by remainder key, are drawn at a vertex, hidden ones included. */
export function drawnKinds(scene: Scene, vertex: VertexKey): ReadonlyMap<string, number> {
  const drawn = new Map<string, number>()
  for (const edge of scene.edges.values()) {
    if (edge.gone === true || (edge.from !== vertex && edge.to !== vertex)) continue
    for (const kind of kindsOf(edge)) {
      if (kind.vertex === vertex) drawn.set(kind.key, (drawn.get(kind.key) ?? 0) + 1)
    }
  }
  return drawn
}

/** Records how far one kind of neighbour has been drawn; a finished one leaves no remainder. */
export function setRemainder(scene: Scene, remainder: Omit<Remainder, 'key'>): Scene {
  const remainders = new Map(scene.remainders)
  const key = remainderKey(remainder.vertex, remainder)
  if (remainder.shown >= remainder.count) remainders.delete(key)
  else remainders.set(key, { ...remainder, key })
  return { ...scene, remainders }
}

/** Adds what no page has brought; it is left no more where pages have begun. */
export function addOutOfTurn(scene: Scene, elements: Elements): Scene {
  const added = addElements(scene, elements)
  return newEdges(scene, elements.edges).reduce(
    (counted, edge) =>
      kindsOf(edge).reduce((current, { key }) => {
        const remainder = current.remainders.get(key)
        return remainder === undefined
          ? current
          : setRemainder(current, { ...remainder, shown: remainder.shown + 1 })
      }, counted),
    added,
  )
}

/** Each once, without those that are drawn. */
export const newEdges = (scene: Scene, edges: readonly SceneEdge[]): readonly SceneEdge[] =>
  [...new Map(edges.map((edge) => [edge.key, edge])).values()].filter(
    ({ key }) => !scene.edges.has(key),
  )

/** Brings the remainders of a vertex to the counts that the database has now. */
export function recounted(scene: Scene, vertex: VertexKey, rows: readonly DegreeRow[]): Scene {
  const counts = new Map(rows.map((row) => [remainderKey(vertex, row), row.count]))
  const changed = [...scene.remainders.values()].flatMap((remainder) => {
    if (remainder.vertex !== vertex) return []
    const next = withCounts(remainder, remainder.shown, counts.get(remainder.key) ?? 0)
    return next.count === remainder.count ? [] : [next]
  })
  return changed.reduce(setRemainder, scene)
}

/** Takes edges that were deleted out of the counts of what is drawn and of what there is. */
export function discounted(scene: Scene, edges: readonly SceneEdge[]): Scene {
  return edges.reduce((counted, edge) => {
    const isDrawn = scene.edges.has(edge.key)
    return kindsOf(edge).reduce((current, { key }) => {
      const remainder = current.remainders.get(key)
      if (remainder === undefined) return current
      const shown = Math.max(0, remainder.shown - (isDrawn ? 1 : 0))
      return setRemainder(current, withCounts(remainder, shown, remainder.count - 1))
    }, counted)
  }, scene)
}

function withCounts(remainder: Remainder, shown: number, count: number): Remainder {
  const least = remainder.cursor === null ? shown : shown + 1
  return { ...remainder, shown, count: Math.max(count, least) }
}

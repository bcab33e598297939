/**
 * Many vertices drawn as one node. Two ways: leaves of one type at one parent, where there are more
 * than thirty, and all vertices of a type. The scene keeps every vertex and edge; a group is a way to
 * draw them, so it follows what is added, hidden and removed, and opening it loses nothing.
 */
import {
  emptyScene,
  type Point,
  type Scene,
  type SceneEdge,
  type SceneVertex,
  type VertexKey,
  visible,
} from './scene.ts'

/** More of a kind than this are worth one node. */
export const UNGROUPED_MAX = 30

export interface Group {
  readonly key: string
  readonly type: string
  /** What its leaves hang on; null: it holds all vertices of the type. */
  readonly parent: VertexKey | null
  readonly members: readonly VertexKey[]
}

/** All edges of a type between the same two nodes, of which one at least is a group. */
export interface GroupEdge {
  readonly key: string
  readonly type: string
  readonly directed: boolean
  readonly from: string
  readonly to: string
  readonly count: number
}

export interface Grouped {
  readonly groups: ReadonlyMap<string, Group>
  readonly groupOf: ReadonlyMap<VertexKey, string>
  readonly edges: ReadonlyMap<string, GroupEdge>
}

export const ungrouped: Grouped = { groups: new Map(), groupOf: new Map(), edges: new Map() }

export function groupedOf(scene: Scene): Grouped {
  const { leaves, types } = scene.grouping
  if (!leaves && types.size === 0) return ungrouped
  const { vertices, edges } = visible(scene)
  const isFree = ({ key }: SceneVertex) => !scene.pinned.has(key)
  const byKey = new Map<string, Group & { readonly members: VertexKey[] }>()
  const note = (key: string, type: string, parent: VertexKey | null, member: VertexKey) => {
    const group = byKey.get(key) ?? { key, type, parent, members: [] }
    group.members.push(member)
    byKey.set(key, group)
  }
  const free = vertices.filter(isFree)
  for (const { key, type } of free) if (types.has(type)) note(typeKey(type), type, null, key)
  if (leaves) {
    const parents = parentsOf(scene, edges)
    for (const { key, type } of free) {
      const parent = types.has(type) ? undefined : parents.get(key)
      if (parent != null) note(leavesKey(parent, type), type, parent, key)
    }
  }
  const isGroup = ({ key, parent, members }: Group) =>
    parent === null ? members.length > 1 : members.length > UNGROUPED_MAX && !isOpened(scene, key)
  const groups = new Map([...byKey].filter(([, group]) => isGroup(group)))
  const groupOf = new Map(
    [...groups.values()].flatMap(({ key, members }) => members.map((one) => [one, key] as const)),
  )
  return { groups, groupOf, edges: groupEdges(edges, groupOf) }
}

const isOpened = ({ grouping }: Scene, key: string): boolean => grouping.opened.has(key)

const typeKey = (type: string): string => `group|${encodeURIComponent(type)}`
const leavesKey = (parent: VertexKey, type: string): string =>
  `${typeKey(type)}|${encodeURIComponent(parent)}`

/** What each leaf hangs on; null for vertices with two neighbours, a loop, or more to be expanded. */
function parentsOf(
  scene: Scene,
  edges: readonly SceneEdge[],
): ReadonlyMap<VertexKey, VertexKey | null> {
  const parents = new Map<VertexKey, VertexKey | null>()
  const note = (key: VertexKey, other: VertexKey) => {
    const known = parents.get(key)
    parents.set(key, key === other || (known !== undefined && known !== other) ? null : other)
  }
  for (const { from, to } of edges) {
    note(from, to)
    note(to, from)
  }
  for (const { vertex } of scene.remainders.values()) parents.set(vertex, null)
  return parents
}

/** Vertices with one neighbour on the canvas and nothing left to expand; pinned ones stay. */
export function leavesOf(scene: Scene): readonly VertexKey[] {
  const parents = parentsOf(scene, visible(scene).edges)
  const isLeaf = ([key, parent]: readonly [VertexKey, VertexKey | null]) =>
    parent !== null && parents.get(parent) === null && !scene.pinned.has(key)
  return [...parents].filter(isLeaf).map(([key]) => key)
}

function groupEdges(
  edges: readonly SceneEdge[],
  groupOf: ReadonlyMap<VertexKey, string>,
): ReadonlyMap<string, GroupEdge> {
  const found = new Map<string, GroupEdge>()
  for (const { type, directed, from, to } of edges) {
    if (!groupOf.has(from) && !groupOf.has(to)) continue
    const ends = [groupOf.get(from) ?? from, groupOf.get(to) ?? to] as const
    const [source, target] = directed || ends[0] <= ends[1] ? ends : [ends[1], ends[0]]
    const key = ['group', type, source, target].map(encodeURIComponent).join('|')
    const count = (found.get(key)?.count ?? 0) + 1
    found.set(key, { key, type, directed, from: source, to: target, count })
  }
  return found
}

/** Nothing on it yet; with leaves as one where that is wanted from the start. */
export const newScene = (leaves: boolean): Scene => groupLeaves(emptyScene, leaves)

/** On: all that are enough become one; off: all are drawn again. */
export function groupLeaves(scene: Scene, leaves: boolean): Scene {
  const grouping = { ...scene.grouping, leaves, opened: new Set<string>() }
  return leaves ? { ...scene, grouping } : { ...withMembersPlaced(scene), grouping }
}

export function collapseTypes(scene: Scene, types: Iterable<string>): Scene {
  const all = new Set([...scene.grouping.types, ...types])
  return { ...scene, grouping: { ...scene.grouping, types: all } }
}

/** Types with so many vertices on the canvas that one node for each leaves room. */
export function crowdedTypes(scene: Scene): readonly string[] {
  const counts = new Map<string, number>()
  for (const { type } of visible(scene).vertices) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > UNGROUPED_MAX).map(([type]) => type)
}

/** Draws the members of a group one by one, beside where it has been moved to. */
export function openGroup(scene: Scene, { key, type, parent }: Group): Scene {
  const { leaves, types, opened } = scene.grouping
  const grouping =
    parent === null
      ? { leaves, types: new Set([...types].filter((other) => other !== type)), opened }
      : { leaves, types, opened: new Set([...opened, key]) }
  return { ...withMembersPlaced(scene, key), grouping }
}

/** Where the canvas is to show groups that it has not placed yet: at their first member. */
export function groupPlaces({ positions }: Scene, { groups }: Grouped): ReadonlyMap<string, Point> {
  if (groups.size === 0) return positions
  const places = new Map(positions)
  for (const group of groups.values()) {
    const place = anchorOf(positions, group)
    if (place !== undefined && !places.has(group.key)) places.set(group.key, place)
  }
  return places
}

const anchorOf = (positions: Scene['positions'], { members }: Group): Point | undefined => {
  const first = members.find((key) => positions.has(key))
  return first === undefined ? undefined : positions.get(first)
}

/** Moves members as far as their group was moved, and forgets where that was. */
function withMembersPlaced(scene: Scene, only?: string): Scene {
  const positions = new Map(scene.positions)
  for (const group of groupedOf(scene).groups.values()) {
    if (only !== undefined && group.key !== only) continue
    const [place, anchor] = [positions.get(group.key), anchorOf(scene.positions, group)]
    positions.delete(group.key)
    if (place === undefined || anchor === undefined) continue
    for (const key of group.members) {
      const old = scene.positions.get(key)
      if (old !== undefined)
        positions.set(key, { x: old.x + place.x - anchor.x, y: old.y + place.y - anchor.y })
    }
  }
  return { ...scene, positions }
}

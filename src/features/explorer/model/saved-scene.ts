/**
 * The scene of a graph survives a reload: which elements, where they lie and what is left to page.
 * Attributes are read anew, so that a saved scene never shows old values as if they were current.
 */
import {
  emptyScene,
  type Grouping,
  parseVertexKey,
  type Remainder,
  type Scene,
  type SceneEdge,
  type TypeStyle,
  type VertexKey,
} from './scene.ts'

/** A larger scene is not kept, and the page says so: storage is small, restoring would be slow. */
export const SAVED_VERTICES_MAX = 1_000

/** Scenes of older versions have no discriminators. */
type SavedEdge = Omit<SceneEdge, 'attributes' | 'discriminator' | 'gone'> & {
  readonly discriminator?: string
}

interface SavedGrouping {
  readonly leaves: boolean
  readonly types: readonly string[]
  readonly opened: readonly string[]
}

interface SavedScene {
  readonly version: 1
  readonly vertices: readonly VertexKey[]
  readonly edges: readonly SavedEdge[]
  readonly remainders: readonly Remainder[]
  readonly hidden: readonly VertexKey[]
  readonly positions: readonly (readonly [VertexKey, number, number])[]
  /** Older scenes have none. */
  readonly styles?: readonly (readonly [string, TypeStyle])[]
  readonly pinned?: readonly VertexKey[]
  readonly grouping?: SavedGrouping
}

export const isSavable = ({ vertices: { size } }: Scene): boolean =>
  size > 0 && size <= SAVED_VERTICES_MAX

/** Null where it is empty or too large. */
export function saveScene(scene: Scene, positions: Scene['positions']): string | null {
  if (!isSavable(scene)) return null
  const saved: SavedScene = {
    version: 1,
    vertices: [...scene.vertices.keys()],
    edges: [...scene.edges.values()].map(({ attributes: _, gone: __, ...kept }) => kept),
    remainders: [...scene.remainders.values()],
    hidden: [...scene.hidden],
    positions: [...positions].map(([key, { x, y }]) => [key, Math.round(x), Math.round(y)]),
    ...(scene.styles.size > 0 && { styles: [...scene.styles] }),
    ...(scene.pinned.size > 0 && { pinned: [...scene.pinned] }),
    ...savedGrouping(scene.grouping),
  }
  return JSON.stringify(saved)
}

function savedGrouping({ leaves, types, opened }: Grouping): { readonly grouping?: SavedGrouping } {
  if (!leaves && types.size === 0) return {}
  return { grouping: { leaves, types: [...types], opened: [...opened] } }
}

function restoredGrouping({ leaves, types, opened }: SavedGrouping): Grouping {
  return { leaves, types: new Set(types), opened: new Set(opened) }
}

/** Null when the text is no scene of ours. */
export function restoreScene(text: string | null): Scene | null {
  if (text === null) return null
  try {
    const saved: unknown = JSON.parse(text)
    if (!isSavedScene(saved)) return null
    const vertices = saved.vertices.map((key) => ({
      key,
      ...parseVertexKey(key),
      attributes: null,
    }))
    return {
      ...emptyScene,
      vertices: new Map(vertices.map((vertex) => [vertex.key, vertex])),
      edges: byKey(saved.edges.map(restoredEdge)),
      remainders: byKey(saved.remainders),
      hidden: new Set(saved.hidden),
      positions: new Map(saved.positions.map(([key, x, y]) => [key, { x, y }])),
      styles: new Map(saved.styles),
      pinned: new Set(saved.pinned),
      ...(saved.grouping !== undefined && { grouping: restoredGrouping(saved.grouping) }),
    }
  } catch {
    return null
  }
}

function restoredEdge(kept: SavedEdge): SceneEdge {
  return { ...kept, discriminator: kept.discriminator ?? '', attributes: null }
}

function byKey<V extends { readonly key: string }>(values: readonly V[]): ReadonlyMap<string, V> {
  return new Map(values.map((value) => [value.key, value]))
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => Number.isFinite(value)
const isFlag: Check = (value) => typeof value === 'boolean'
const isDirection: Check = (value) => ['out', 'in', 'undirected'].includes(value as string)

const isEdge = shapeOf({
  key: isText,
  type: isText,
  directed: isFlag,
  from: isText,
  to: isText,
})

const isRemainder = shapeOf({
  key: isText,
  edgeType: isText,
  direction: isDirection,
  targetType: isText,
  count: isNumber,
  vertex: isText,
  shown: isNumber,
  cursor: (value) => value === null || typeof value === 'string',
})

const isPosition: Check = (value) =>
  Array.isArray(value) && isText(value[0]) && isNumber(value[1]) && isNumber(value[2])

const isName: Check = (value) => value === null || isText(value)
const isStyle: Check = (value) =>
  Array.isArray(value) &&
  isText(value[0]) &&
  shapeOf({ label: isName, color: isName, size: isName })(value[1])

const isScene = shapeOf({
  version: (value) => value === 1,
  vertices: listOf(isText),
  edges: listOf(isEdge),
  remainders: listOf(isRemainder),
  hidden: listOf(isText),
  positions: listOf(isPosition),
  styles: absentOr(listOf(isStyle)),
  pinned: absentOr(listOf(isText)),
  grouping: absentOr(shapeOf({ leaves: isFlag, types: listOf(isText), opened: listOf(isText) })),
})

const isSavedScene = (value: unknown): value is SavedScene => isScene(value)

function absentOr(check: Check): Check {
  return (value) => value === undefined || check(value)
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

function shapeOf(checks: Readonly<Record<string, Check>>): Check {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]))
}

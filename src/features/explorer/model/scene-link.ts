/**
 * A canvas as part of an address: what is drawn, what is selected, what part of it is seen. Who opens
 * the link reads attributes anew, with rights of their own.
 *
 * Version 2 names vertices by their number, so that some hundred fit; version 1 was a saved scene.
 */
import { packText, unpackText } from '#lib/packed-text.ts'
import type { View } from '#ui/graph-canvas/scene.ts'
import { restoreScene } from './saved-scene.ts'
import { edgeKey, remainderKey, type Scene, type SceneEdge } from './scene.ts'

const MARK = 'scene'

export const packScene = (text: string): Promise<string> => packText(MARK, text)

/** Null when the fragment holds no scene. */
export const unpackScene = (fragment: string): Promise<string | null> =>
  unpackText(MARK, fragment.replace(/&.*/, ''))

/** What of a canvas is no part of its scene. */
export interface Look {
  readonly selection: readonly string[]
  readonly view: View | null
}

type LinkedEdge = readonly [from: number, to: number, discriminator?: string]

interface LinkedScene {
  readonly v: 2
  readonly vertices: readonly string[]
  /** By type: directed or not, and its edges. */
  readonly edges: readonly (readonly [string, 0 | 1, readonly LinkedEdge[]])[]
  readonly more: readonly (readonly [
    number,
    string,
    string,
    string,
    number,
    number,
    string | null,
  ])[]
  /** Of vertices and remainders in their order, then of groups by name; null: none. */
  readonly places: readonly (number | null)[]
  readonly groups: readonly string[]
  readonly hidden: readonly number[]
  readonly pinned: readonly number[]
  readonly styles: readonly unknown[]
  readonly grouping: unknown
}

/** @param groups keys of what is drawn as one node */
export function linkedScene(scene: Scene, groups: Iterable<string> = []): string {
  const { vertices, remainders, positions, hidden, pinned, styles, grouping } = scene
  const numbers = numbersOf(scene)
  const numbered = (keys: Iterable<string>) => [...keys].map((key) => numbers.get(key) ?? -1)
  const grouped = [...groups].filter((key) => positions.has(key))
  const linked: LinkedScene = {
    v: 2,
    vertices: [...vertices.keys()],
    edges: edgesByType(scene.edges.values(), numbers),
    more: [...remainders.values()].map((row) => [
      numbers.get(row.vertex) ?? -1,
      ...([row.edgeType, row.direction, row.targetType, row.count, row.shown, row.cursor] as const),
    ]),
    places: [...numbers.keys(), ...grouped].flatMap((key) => {
      const place = positions.get(key)
      return place === undefined ? [null, null] : [Math.round(place.x), Math.round(place.y)]
    }),
    groups: grouped,
    hidden: numbered(hidden),
    pinned: numbered(pinned),
    styles: [...styles],
    grouping: { ...grouping, types: [...grouping.types], opened: [...grouping.opened] },
  }
  return JSON.stringify(linked)
}

/** Of vertices and remainders, by key. */
function numbersOf({ vertices, remainders }: Scene): ReadonlyMap<string, number> {
  return new Map([...vertices.keys(), ...remainders.keys()].map((key, number) => [key, number]))
}

function edgesByType(edges: Iterable<SceneEdge>, numbers: ReadonlyMap<string, number>) {
  const byType = new Map<string, [string, 0 | 1, LinkedEdge[]]>()
  for (const { type, directed, from, to, discriminator } of edges) {
    const kind = byType.get(type) ?? [type, directed ? 1 : 0, []]
    const ends = [numbers.get(from) ?? -1, numbers.get(to) ?? -1] as const
    kind[2].push(discriminator === '' ? ends : [...ends, discriminator])
    byType.set(type, kind)
  }
  return [...byType.values()]
}

/** Null when the text is no scene, of whichever version. */
export function readLinked(text: string | null): Scene | null {
  const scene = restoreScene(text)
  if (scene !== null || text === null) return scene
  try {
    return restoreScene(JSON.stringify(savedOf(JSON.parse(text) as LinkedScene)))
  } catch {
    return null
  }
}

/** As it is saved, where it is checked. */
function savedOf({ v, vertices, edges, more, places, groups, ...rest }: LinkedScene) {
  if (v !== 2) return null
  const remainders = more.map(([at, edgeType, direction, targetType, count, shown, cursor]) => {
    const kind = { edgeType, targetType, direction: direction as 'out' }
    const vertex = vertices[at] ?? ''
    return { ...kind, key: remainderKey(vertex, kind), vertex, count, shown, cursor }
  })
  const names = [...vertices, ...remainders.map(({ key }) => key)]
  const named = (numbers: readonly number[]) => numbers.flatMap((number) => names[number] ?? [])
  return {
    version: 1,
    vertices,
    edges: edges.flatMap(([type, directed, ends]) =>
      ends.map(([from, to, discriminator = '']) => {
        const pair = { from: vertices[from] ?? '', to: vertices[to] ?? '' }
        const edge = { type, directed: directed === 1, discriminator, ...pair }
        return { ...edge, key: edgeKey(edge) }
      }),
    ),
    remainders,
    positions: [...names, ...groups].flatMap((key, at) =>
      places[2 * at] == null ? [] : [[key, places[2 * at], places[2 * at + 1]]],
    ),
    styles: rest.styles,
    grouping: rest.grouping,
    hidden: named(rest.hidden),
    pinned: named(rest.pinned),
  }
}

/** What is selected, by number where it has one, and the view: `&at=10,-20,1.25&selected=0,17`. */
export function lookText(scene: Scene, { selection, view }: Look): string {
  const numbers = new Map(selectable(scene).map((key, number) => [key, number]))
  const shown = view && [Math.round(view.x), Math.round(view.y), +view.zoom.toFixed(3)].join()
  const selected = selection.map((key) => numbers.get(key) ?? encodeURIComponent(key)).join()
  return (shown ? `&at=${shown}` : '') + (selected === '' ? '' : `&selected=${selected}`)
}

/** Edges in an order that does not depend on when they came. */
const selectable = (scene: Scene): readonly string[] => [
  ...numbersOf(scene).keys(),
  ...[...scene.edges.keys()].sort(),
]

export function readLook(scene: Scene, fragment: string): Look {
  const [x = 0, y = 0, zoom = 0] = partOf(fragment, 'at').map(Number)
  const isView = Number.isFinite(x + y) && zoom > 0 && zoom < 100
  const names = selectable(scene)
  const selection = partOf(fragment, 'selected').flatMap((key) =>
    /^\d+$/.test(key) ? (names[Number(key)] ?? []) : decoded(key),
  )
  return { selection, view: isView ? { x, y, zoom } : null }
}

/** What a fragment says under a name, between its commas. */
export function partOf(fragment: string, name: string): readonly string[] {
  const [, text = ''] = new RegExp(`[#&]${name}=([^&]*)`).exec(fragment) ?? []
  return text === '' ? [] : text.split(',')
}

function decoded(text: string): readonly string[] {
  try {
    return [decodeURIComponent(text)]
  } catch {
    return []
  }
}

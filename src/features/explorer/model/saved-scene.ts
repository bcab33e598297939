/**
 * The scene of a graph survives a reload: which elements, where they lie and what is left to page.
 * Attributes are read anew, so that a saved scene never shows old values as if they were current.
 */
import { z } from 'zod'
import {
  emptyScene,
  parseVertexKey,
  type Remainder,
  type Scene,
  type SceneEdge,
  type VertexKey,
} from './scene.ts'

/** A larger scene is not kept: storage is small, and restoring it would be slow. */
export const SAVED_VERTICES_MAX = 1_000

const edge = z.object({
  key: z.string(),
  type: z.string(),
  directed: z.boolean(),
  from: z.string(),
  to: z.string(),
})

const remainder = z.object({
  key: z.string(),
  edgeType: z.string(),
  direction: z.enum(['out', 'in', 'undirected']),
  targetType: z.string(),
  count: z.number(),
  vertex: z.string(),
  shown: z.number(),
  cursor: z.string().nullable(),
})

const savedScene = z.object({
  version: z.literal(1),
  vertices: z.array(z.string()),
  edges: z.array(edge),
  remainders: z.array(remainder),
  hidden: z.array(z.string()),
  positions: z.array(z.tuple([z.string(), z.number(), z.number()])),
})

export function saveScene(scene: Scene, positions: Scene['positions']): string | null {
  if (scene.vertices.size === 0 || scene.vertices.size > SAVED_VERTICES_MAX) return null
  const saved: z.input<typeof savedScene> = {
    version: 1,
    vertices: [...scene.vertices.keys()],
    edges: [...scene.edges.values()].map(({ attributes: _, ...kept }) => kept),
    remainders: [...scene.remainders.values()],
    hidden: [...scene.hidden],
    positions: [...positions].map(([key, { x, y }]) => [key, Math.round(x), Math.round(y)]),
  }
  return JSON.stringify(saved)
}

/** Null when the text is no scene of ours. */
export function restoreScene(text: string | null): Scene | null {
  if (text === null) return null
  try {
    const saved = savedScene.parse(JSON.parse(text))
    const vertices = saved.vertices.map((key) => ({
      key,
      ...parseVertexKey(key),
      attributes: null,
    }))
    return {
      ...emptyScene,
      vertices: new Map(vertices.map((vertex) => [vertex.key, vertex])),
      edges: byKey(saved.edges.map((kept): SceneEdge => ({ ...kept, attributes: {} }))),
      remainders: byKey<Remainder>(saved.remainders),
      hidden: new Set<VertexKey>(saved.hidden),
      positions: new Map(saved.positions.map(([key, x, y]) => [key, { x, y }])),
    }
  } catch {
    return null
  }
}

function byKey<V extends { readonly key: string }>(values: readonly V[]): ReadonlyMap<string, V> {
  return new Map(values.map((value) => [value.key, value]))
}

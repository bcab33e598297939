/** Selections made from others; what is hidden is never part of one. */
import type { Scene, VertexKey } from './scene.ts'

type Drawn = Pick<Scene, 'vertices' | 'hidden'>

/** All vertices of the types that are selected, those first that were. */
export function ofSameType({ vertices, hidden }: Drawn, selection: readonly string[]): string[] {
  const types = new Set(selection.map((key) => vertices.get(key as VertexKey)?.type))
  const others = [...vertices.values()].filter(
    ({ key, type }) => types.has(type) && !hidden.has(key) && !selection.includes(key),
  )
  const chosen = selection.filter((key) => vertices.has(key as VertexKey))
  return [...chosen, ...others.map(({ key }) => key)]
}

/** The vertices that are not selected. */
export function inverted({ vertices, hidden }: Drawn, selection: readonly string[]): string[] {
  const chosen = new Set(selection)
  return [...vertices.keys()].filter((key) => !chosen.has(key) && !hidden.has(key))
}

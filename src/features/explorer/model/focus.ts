/** What lies within some hops of a few vertices: the rest of the canvas is dimmed meanwhile. */
import type { Scene as CanvasScene } from '#ui/graph-canvas/scene.ts'
import type { Focus, Scene, VertexKey } from './scene.ts'

export const HOPS = [1, 2, 3] as const

export function focusOn(scene: Scene, around: readonly VertexKey[], hops: number): Scene {
  return around.length === 0 ? scene : { ...scene, focus: { around, hops } }
}

export const withoutFocus = (scene: Scene): Scene =>
  scene.focus === null ? scene : { ...scene, focus: null }

/**
 * The elements of the canvas that stay bright, whatever the directions of the edges between them.
 * Null: nothing is in focus, or nothing of it is on the canvas any more.
 *
 * @param placeOf under which id the canvas shows a vertex
 */
export function litElements(
  { nodes, edges }: CanvasScene,
  focus: Focus | null,
  placeOf: (key: VertexKey) => string,
): ReadonlySet<string> | null {
  if (focus === null) return null
  const there = new Set(nodes.map(({ id }) => id))
  const lit = new Set(focus.around.map(placeOf).filter((id) => there.has(id)))
  if (lit.size === 0) return null
  let front: ReadonlySet<string> = new Set(lit)
  for (let hop = 0; hop < focus.hops; hop++) {
    const next = new Set<string>()
    for (const { source, target } of edges) {
      if (front.has(source) && !lit.has(target)) next.add(target)
      if (front.has(target) && !lit.has(source)) next.add(source)
    }
    for (const id of next) lit.add(id)
    front = next
  }
  const between = edges.filter(({ source, target }) => lit.has(source) && lit.has(target))
  return new Set([...lit, ...between.map(({ id }) => id)])
}

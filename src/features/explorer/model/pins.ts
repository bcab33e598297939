/** Vertices that stay where they are, whatever arranges the others. */
import type { Scene, VertexKey } from './scene.ts'

/** Pins what is not pinned; where all are, unpins them. */
export function togglePins(scene: Scene, keys: readonly VertexKey[]): Scene {
  const pinned = new Set(scene.pinned)
  const isFree = arePinned(scene, keys)
  for (const key of keys) {
    if (isFree) pinned.delete(key)
    else if (scene.vertices.has(key)) pinned.add(key)
  }
  return { ...scene, pinned }
}

export const arePinned = ({ pinned }: Scene, keys: readonly VertexKey[]): boolean =>
  keys.length > 0 && keys.every((key) => pinned.has(key))

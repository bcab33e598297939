import { describe, expect, it } from 'vitest'
import type { Scene as CanvasScene } from '#ui/graph-canvas/scene.ts'
import { focusOn, litElements, withoutFocus } from './focus.ts'
import { arePinned, togglePins } from './pins.ts'
import { restoreScene, saveScene } from './saved-scene.ts'
import { addElements, emptyScene, removeVertices, type SceneVertex, vertexKey } from './scene.ts'

/** a → b ← c → d, and e alone. */
const chain: CanvasScene = {
  nodes: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, typeName: 'T', label: id })),
  edges: ['ab', 'cb', 'cd'].map((id) => {
    const [source = '', target = ''] = id
    return { id, source, target, typeName: 'E', label: 'E', directed: true }
  }),
}

const lit = (around: readonly string[], hops: number) =>
  [...(litElements(chain, { around, hops }, (key) => key) ?? [])].sort().join(' ')

describe('litElements', () => {
  it('reaches so many edges far, whatever their directions', () => {
    expect(lit(['a'], 1)).toBe('a ab b')
    expect(lit(['a'], 2)).toBe('a ab b c cb')
    expect(lit(['a'], 3)).toBe('a ab b c cb cd d')
    expect(lit(['e', 'd'], 1)).toBe('c cd d e')
  })

  it('is nothing where nothing is in focus or on the canvas', () => {
    expect(litElements(chain, null, (key) => key)).toBeNull()
    expect(litElements(chain, { around: ['x'], hops: 1 }, (key) => key)).toBeNull()
    expect(lit(['x', 'e'], 3)).toBe('e')
  })

  it('goes by the node that stands for a vertex', () => {
    const inGroup = litElements(chain, { around: ['a1'], hops: 1 }, () => 'a')
    expect([...(inGroup ?? [])]).toEqual(['a', 'b', 'ab'])
  })
})

const vertex = (id: string): SceneVertex => ({
  key: vertexKey('T', id),
  type: 'T',
  id,
  attributes: {},
})
const scene = addElements(emptyScene, { vertices: [vertex('a'), vertex('b')], edges: [] })

describe('steps', () => {
  it('focus and leave', () => {
    expect(focusOn(scene, [], 2)).toBe(scene)
    expect(focusOn(scene, ['T a'], 2).focus).toEqual({ around: ['T a'], hops: 2 })
    expect(withoutFocus(focusOn(scene, ['T a'], 2))).toEqual(scene)
    expect(withoutFocus(scene)).toBe(scene)
  })

  it('pin what is free, unpin where all is pinned, and go with the vertex', () => {
    const one = togglePins(scene, ['T a', 'T nobody'])
    expect([...one.pinned]).toEqual(['T a'])
    expect(arePinned(one, ['T a'])).toBe(true)
    expect(arePinned(one, ['T a', 'T b'])).toBe(false)
    const both = togglePins(one, ['T a', 'T b'])
    expect([...both.pinned]).toEqual(['T a', 'T b'])
    expect(togglePins(both, ['T a', 'T b']).pinned.size).toBe(0)
    expect([...removeVertices(both, ['T a']).pinned]).toEqual(['T b'])
  })

  it('pins are kept with a scene; an older one has none; nonsense is no scene', () => {
    const pinned = togglePins(scene, ['T b'])
    const text = saveScene(pinned, pinned.positions) ?? ''
    expect(restoreScene(text)?.pinned).toEqual(new Set(['T b']))
    expect(restoreScene(saveScene(scene, new Map()))?.pinned.size).toBe(0)
    expect(restoreScene(text.replace('["T b"]', '[7]'))).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { restoreScene, saveScene } from './saved-scene.ts'
import { addElements, edgeKey, emptyScene, remainderKey, type Scene, vertexKey } from './scene.ts'
import {
  linkedScene,
  lookText,
  packScene,
  readLinked,
  readLook,
  unpackScene,
} from './scene-link.ts'

it('a scene survives the way through an address', async () => {
  const text = JSON.stringify({
    version: 1,
    vertices: ['Person é😀', 'A b/c%20&#?'],
    n: 'x'.repeat(9e4),
  })
  const packed = await packScene(text)
  expect(packed).toMatch(/^scene=[\w-]+$/)
  expect(packed.length).toBeLessThan(1_000)
  expect(await unpackScene(`#${packed}`)).toBe(text)
  expect(await unpackScene(`#${packed}&at=1,2,3&selected=0`)).toBe(text)
})

it('another or a broken fragment is no scene', async () => {
  const packed = await packScene('{"version":1}')
  expect(await unpackScene('')).toBeNull()
  expect(await unpackScene('#top')).toBeNull()
  expect(await unpackScene('#scene=!!!')).toBeNull()
  expect(await unpackScene(packed.slice(0, -8))).toBeNull()
})

/** A hub with so many leaves, of two types of edges, with all else that a scene may hold. */
function star(leaves: number): Scene {
  const hub = { key: vertexKey('Hub', 'h'), type: 'Hub', id: 'h', attributes: null }
  const others = Array.from({ length: leaves }, (_, at) => {
    const id = `leaf, ${String(at).padStart(5, '0')}`
    return { key: vertexKey('Leaf', id), type: 'Leaf', id, attributes: null }
  })
  const edges = others.map(({ key }, at) => {
    const directed = at % 2 === 0
    const ends = { from: key, to: hub.key, discriminator: at % 3 === 0 ? `d&${at}` : '' }
    const edge = { type: directed ? 'Has' : 'Knows', directed, ...ends }
    return { ...edge, key: edgeKey(edge), attributes: null }
  })
  const kind = { edgeType: 'Has', direction: 'in', targetType: 'Leaf' } as const
  const remainder = { ...kind, key: remainderKey(hub.key, kind), vertex: hub.key }
  const scene = addElements(emptyScene, { vertices: [hub, ...others], edges })
  return {
    ...scene,
    remainders: new Map([[remainder.key, { ...remainder, count: 99, shown: 7, cursor: 'WyJh' }]]),
    hidden: new Set([others[1]?.key ?? '']),
    pinned: new Set([hub.key]),
    positions: new Map(
      [hub, ...others.slice(1), remainder].map(({ key }, at) => [key, { x: at * 7, y: 3 - at }]),
    ),
    styles: new Map([['Leaf', { label: 'name', color: null, size: 'weight' }]]),
    grouping: { leaves: true, types: new Set(['Leaf']), opened: new Set(['g']) },
  }
}

describe('a canvas in an address', () => {
  it('holds all of its scene, and comes back as the same text', () => {
    for (const scene of [emptyScene, star(2), star(9)]) {
      const linked = readLinked(linkedScene(scene))
      expect(linked).toEqual({ ...scene, focus: null })
      expect(linkedScene(linked as Scene)).toBe(linkedScene(scene))
    }
    const scene = star(4)
    const text = saveScene(scene, scene.positions)
    expect(readLinked(text)).toEqual(restoreScene(text))
    const moved = { ...scene, positions: new Map([...scene.positions, ['group', { x: 3, y: 4 }]]) }
    expect(readLinked(linkedScene(moved, ['group', 'none']))?.positions.get('group')).toEqual({
      x: 3,
      y: 4,
    })
    expect(readLinked(linkedScene(moved))?.positions.has('group')).toBe(false)
  })

  it('is short enough for a hundred neighbours', async () => {
    expect((await packScene(linkedScene(star(100)))).length).toBeLessThan(1_900)
  })

  it('is no scene where it makes no sense', () => {
    const whole = linkedScene(star(3))
    const broken = [
      '',
      '[]',
      '{"v":2}',
      'null',
      '7',
      whole.replace('"v":2', '"v":3'),
      whole.slice(1),
    ]
    for (const text of [
      null,
      ...broken,
      whole.replace('"Hub h"', '7'),
      whole.replace('99', '"x"'),
    ]) {
      expect(readLinked(text), String(text)).toBeNull()
    }
  })

  it('says what is selected and seen', () => {
    const scene = star(3)
    const edge = [...scene.edges.keys()].at(-1) ?? ''
    const remainder = [...scene.remainders.keys()][0] ?? ''
    const look = {
      selection: ['Leaf leaf, 00001', edge, remainder],
      view: { x: -10, y: 25, zoom: 0.75 },
    }
    const text = lookText(scene, look)
    expect(text).toMatch(/^&at=-10,25,0\.75&selected=2,\d+,4$/)
    expect(readLook(scene, `#scene=x${text}`)).toEqual(look)
    const group = { selection: ['group, a&b'], view: null }
    expect(readLook(scene, `#shared=u/x${lookText(scene, group)}`)).toEqual(group)
    // As it comes back, its edges stand by type.
    const back = readLinked(linkedScene(scene)) as Scene
    expect([...back.edges.keys()]).not.toEqual([...scene.edges.keys()])
    expect(readLook(back, `#scene=x${text}`)).toEqual(look)
    expect(lookText(scene, { selection: [], view: null })).toBe('')
    const nothing = { selection: [], view: null }
    for (const bad of [
      '',
      '&at=1,2',
      '&at=1,2,-1',
      '&at=a,b,c',
      '&selected=99',
      '&selected=%',
      '&at=1,2,1e9',
    ]) {
      expect(readLook(scene, `#scene=x${bad}`), bad).toEqual(nothing)
    }
  })
})

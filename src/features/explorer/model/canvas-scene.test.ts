import { describe, expect, it } from 'vitest'
import {
  bundleKey,
  edgesBehind,
  selectedEdges,
  shownName,
  toCanvas,
  vertexLabel,
} from './canvas-scene.ts'
import { setRemainder } from './remainders.ts'
import { restoreScene, SAVED_VERTICES_MAX, saveScene } from './saved-scene.ts'
import { addElements, emptyScene, hideVertices, markGone, type Scene } from './scene.ts'
import { type EdgeRow, toEdge, toVertex } from './wire-rows.ts'

const row = (from: string, to: string, at: string): EdgeRow => ({
  e_type: 'Pays',
  directed: true,
  from_id: from,
  from_type: 'Card',
  to_id: to,
  to_type: 'Merchant',
  discriminator: at,
  attributes: { at },
})

const payments = (count: number): Scene =>
  addElements(emptyScene, {
    vertices: [
      toVertex({ v_id: 'c', v_type: 'Card', attributes: {} }),
      toVertex({ v_id: 'm', v_type: 'Merchant', attributes: { name: 'Books' } }),
    ],
    edges: Array.from({ length: count }, (_, i) => toEdge(row('c', 'm', String(i)), 'out')),
  })

describe('toEdge', () => {
  it('turns an incoming edge round, so that it is the same edge from either end', () => {
    const back: EdgeRow = { ...row('m', 'c', '1'), from_type: 'Merchant', to_type: 'Card' }
    expect(toEdge(back, 'in')).toEqual(toEdge(row('c', 'm', '1'), 'out'))
  })
})

describe('toCanvas', () => {
  it('names a vertex by its name, else by its id', () => {
    const labels = [...payments(0).vertices.values()].map(vertexLabel)
    expect(labels).toEqual(['c', 'Books'])
  })

  it.each([
    ['new\nline', 'new line'],
    ['a\r\nb\tc\u0000d\u2028e', 'a b c d e'],
    ['\u202eabc\u2066d\u2069', 'abcd'],
    ['שלום Åse', 'שלום Åse'],
  ])('shows the name %j as %j', (name, shown) => {
    expect(shownName(name)).toBe(shown)
    const vertex = toVertex({ v_id: name, v_type: 'Card', attributes: { name } })
    const other = toVertex({ v_id: 'm', v_type: 'Merchant', attributes: {} })
    const edges = ['1', '\u202e2'].map((at) => toEdge(row(name, 'm', at), 'out'))
    const scene = addElements(emptyScene, { vertices: [vertex, other], edges })
    const drawn = toCanvas(scene, new Map())
    expect(drawn.nodes[0]).toMatchObject({ label: shown, description: `Card ${shown}` })
    expect(drawn.edges.map(({ label }) => label)).toEqual(['Pays 1', 'Pays 2'])
  })

  it('draws up to three parallel edges each and more as one that stands for all', () => {
    expect(toCanvas(payments(3), new Map()).edges).toHaveLength(3)
    const [bundle, ...rest] = toCanvas(payments(40), new Map()).edges
    expect(rest).toEqual([])
    expect(bundle?.label).toBe('Pays ×40')
    expect(edgesBehind(payments(40), bundle?.id ?? '')).toHaveLength(40)
  })

  it('draws an unfolded bundle edge by edge, each with its discriminator', () => {
    const scene = payments(5)
    const [first] = scene.edges.values()
    const unfolded = new Set([first === undefined ? '' : bundleKey(first)])
    const { edges } = toCanvas(scene, new Map(), { unfolded })
    expect(edges.map(({ label }) => label)).toEqual([0, 1, 2, 3, 4].map((at) => `Pays ${at}`))
    expect(edgesBehind(scene, edges[2]?.id ?? '', unfolded)).toHaveLength(1)
  })

  it('counts each edge of a selection once, however many of its bundle are selected', () => {
    const scene = payments(5)
    const keys = [...scene.edges.keys()]
    const none = new Set<string>()
    expect(selectedEdges(scene, [...scene.vertices.keys(), ...keys], none)).toHaveLength(5)
    expect(selectedEdges(scene, keys.slice(1, 2), none)).toHaveLength(5)
    expect(selectedEdges(payments(3), keys.slice(1, 2), none).map(({ key }) => key)).toEqual(
      keys.slice(1, 2),
    )
    const [first] = scene.edges.values()
    const unfolded = new Set([first === undefined ? '' : bundleKey(first)])
    expect(selectedEdges(scene, keys.slice(1, 3), unfolded)).toHaveLength(2)
    expect(selectedEdges(scene, [...scene.vertices.keys(), 'none'], none)).toEqual([])
  })

  it('shows what is gone as a ghost', () => {
    const [card] = toCanvas(markGone(payments(1), ['Card c', 'Card other']), new Map()).nodes
    expect(card).toMatchObject({ variant: 'ghost', badge: 'removed' })
  })

  it('shows edges that are gone as such, a bundle only when all of it is gone', () => {
    const keys = [...payments(4).edges.keys()]
    const drawn = (count: number, gone: number) =>
      toCanvas(markGone(payments(count), keys.slice(0, gone)), new Map()).edges
    expect(drawn(1, 1)[0]).toMatchObject({ label: 'Pays, removed', variant: 'ghost' })
    expect(drawn(2, 1).map(({ variant }) => variant)).toEqual(['ghost', undefined])
    expect(drawn(4, 1)[0]).toMatchObject({ label: 'Pays ×4', tinted: true })
    expect(drawn(4, 4)[0]).toMatchObject({ label: 'Pays, removed ×4', variant: 'ghost' })
  })

  it('hangs what is not drawn on its vertex', () => {
    const remainder = {
      edgeType: 'Pays',
      direction: 'in',
      targetType: 'Card',
      count: 9_000,
      vertex: 'Merchant m',
      shown: 50,
      cursor: 'x',
    } as const
    const canvas = toCanvas(setRemainder(payments(1), remainder), new Map([['Card c', 12]]))
    expect(canvas.nodes.map(({ label }) => label)).toEqual(['c', 'Books', 'Pays +8,950'])
    expect(canvas.nodes[0]?.badge).toBe('12')
    expect(canvas.edges.at(-1)).toMatchObject({ target: 'Merchant m', directed: true })
  })
})

describe('saved scenes', () => {
  it('come back with the same elements, places and remainders, without attributes', () => {
    const before = hideVertices(payments(2), ['Card c'])
    const scene = markGone(before, before.edges.keys())
    const text = saveScene(scene, new Map([['Card c', { x: 1.4, y: -2 }]]))
    const restored = restoreScene(text)
    expect([...(restored?.edges.keys() ?? [])]).toEqual([...scene.edges.keys()])
    expect(restored?.positions.get('Card c')).toEqual({ x: 1, y: -2 })
    expect(restored?.hidden).toEqual(scene.hidden)
    expect(restored?.vertices.get('Merchant m')?.attributes).toBeNull()
    // What was gone may be there again.
    for (const edge of restored?.edges.values() ?? []) {
      expect(edge).toMatchObject({ attributes: null })
      expect(edge.gone).toBeUndefined()
    }
  })

  it('are not kept beyond the limit, nor read from foreign text', () => {
    const vertices = Array.from({ length: SAVED_VERTICES_MAX + 1 }, (_, i) =>
      toVertex({ v_id: String(i), v_type: 'Card', attributes: {} }),
    )
    expect(saveScene(addElements(emptyScene, { vertices, edges: [] }), new Map())).toBeNull()
    const most = addElements(emptyScene, { vertices: vertices.slice(1), edges: [] })
    expect(saveScene(most, new Map())).not.toBeNull()
    expect(restoreScene('{"version":2}')).toBeNull()
    expect(restoreScene('not json')).toBeNull()
  })
})

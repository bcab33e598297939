import { describe, expect, it } from 'vitest'
import { restoreScene, saveScene } from './saved-scene.ts'
import { addElements, emptyScene, type Scene, vertexKey } from './scene.ts'
import { BY_EDGES, choicesOf, looksOf, withStyle } from './scene-style.ts'

const person = (id: string, attributes: Record<string, unknown> | null) => ({
  key: vertexKey('Person', id),
  type: 'Person',
  id,
  attributes,
})

const edge = (from: string, to: string) => ({
  key: `${from}-${to}`,
  type: 'Knows',
  directed: false,
  from: vertexKey('Person', from),
  to: vertexKey('Person', to),
  discriminator: '',
  attributes: {},
})

const people = (...attributes: (Record<string, unknown> | null)[]): Scene =>
  addElements(emptyScene, {
    vertices: attributes.map((values, place) => person(String(place), values)),
    edges: [],
  })

const colourOf = (scene: Scene, id: string) =>
  looksOf(withStyle(scene, 'Person', { color: 'x' })).of.get(vertexKey('Person', id))?.color

describe('looksOf', () => {
  it('makes five bands of numbers, with equal values in one', () => {
    const scene = people(
      ...Array.from({ length: 100 }, (_, place) => ({ x: place < 50 ? 0 : place })),
    )
    const bands = looksOf(withStyle(scene, 'Person', { color: 'x' })).bands.get('Person') ?? []
    expect(bands.map(({ keys }) => keys.length).reduce((sum, count) => sum + count)).toBe(100)
    expect(bands[0]).toMatchObject({ label: '0', color: '--q-v1' })
    expect(bands[0]?.keys).toHaveLength(50)
    expect(bands.at(-1)).toMatchObject({ color: '--q-v5' })
    expect(bands.at(-1)?.label).toMatch(/ – 99$/)
  })

  it('puts integers beyond 2^53 and dates on the same scale as they are written', () => {
    const wide = people({ x: 708663653625634816n }, { x: 1 })
    const bands = looksOf(withStyle(wide, 'Person', { color: 'x' })).bands.get('Person')
    expect(bands?.map(({ label }) => label)).toEqual(['1', '708663653625634816'])
    const dates = people({ x: '2024-02-01 00:00:00' }, { x: '2020-01-01 00:00:00' })
    expect(colourOf(dates, '0')).toBe('--q-v5')
    expect(colourOf(dates, '1')).toBe('--q-v1')
    const days = people(...[1, 2, 3, 4, 5, 6].map((day) => ({ x: `2024-02-0${day} 08:00:00` })))
    const labels = looksOf(withStyle(days, 'Person', { color: 'x' })).bands.get('Person')
    expect(labels?.[0]?.label).toBe('2024-02-01 – 2024-02-02')
  })

  it('keeps the colours of values when more arrive', () => {
    const scene = people({ x: 'b' }, { x: 'a' })
    const before = [colourOf(scene, '0'), colourOf(scene, '1')]
    const grown = addElements(scene, {
      vertices: Array.from({ length: 20 }, (_, place) => person(`n${place}`, { x: `v${place}` })),
      edges: [],
    })
    expect([colourOf(grown, '0'), colourOf(grown, '1')]).toEqual(before)
    expect(colourOf(grown, 'n19')).toBe('--q-field')
  })

  it('says which elements have no value', () => {
    const bands = looksOf(withStyle(people({ x: 'a' }, null), 'Person', { color: 'x' })).bands
    expect(bands.get('Person')?.at(-1)).toMatchObject({ label: 'no value' })
  })

  it('measures vertices by their edges on the canvas', () => {
    const scene = addElements(people({}, {}, {}), {
      vertices: [],
      edges: [edge('0', '1'), edge('0', '2')],
    })
    const { of } = looksOf(withStyle(scene, 'Person', { size: BY_EDGES }))
    expect(of.get(vertexKey('Person', '0'))?.share).toBe(1)
    expect(of.get(vertexKey('Person', '2'))?.share).toBe(0)
  })

  it('offers for size what is a number or a date', () => {
    const scene = people({ a: 1, b: 'x', c: '2024-01-01 00:00:00', d: 5n })
    expect(choicesOf(scene, 'Person')).toEqual({
      attributes: ['a', 'b', 'c', 'd'],
      numeric: ['a', 'c', 'd'],
    })
  })
})

describe('styles of a scene', () => {
  it('are saved with it, and left out where there are none', () => {
    const scene = withStyle(people({ x: 1 }), 'Person', { color: 'x', label: 'y' })
    const restored = restoreScene(saveScene(scene, scene.positions))
    expect(restored?.styles.get('Person')).toEqual({ color: 'x', label: 'y', size: null })
    const plain = withStyle(scene, 'Person', { color: null, label: null })
    expect(plain.styles.size).toBe(0)
    expect(saveScene(plain, plain.positions)).not.toContain('styles')
  })

  it('that cannot be read make no scene', () => {
    const text = saveScene(people({ x: 1 }), new Map()) ?? ''
    const broken = JSON.stringify({ ...JSON.parse(text), styles: [['Person', { label: 7 }]] })
    expect(restoreScene(broken)).toBeNull()
  })
})

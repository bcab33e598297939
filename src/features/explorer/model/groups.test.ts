import { describe, expect, it } from 'vitest'
import { toCanvas } from './canvas-scene.ts'
import {
  collapseTypes,
  crowdedTypes,
  groupedOf,
  groupLeaves,
  groupPlaces,
  leavesOf,
  newScene,
  openGroup,
  UNGROUPED_MAX,
} from './groups.ts'
import { togglePins } from './pins.ts'
import { setRemainder } from './remainders.ts'
import { restoreScene, saveScene } from './saved-scene.ts'
import {
  addElements,
  edgeKey,
  emptyScene,
  hideVertices,
  type Point,
  type Scene,
  type SceneEdge,
  type SceneVertex,
  vertexKey,
} from './scene.ts'

const vertex = (type: string, id: string): SceneVertex => ({
  key: vertexKey(type, id),
  type,
  id,
  attributes: {},
})

const edge = (from: string, to: string, type = 'Has'): SceneEdge => {
  const identity = { type, directed: true, from, to, discriminator: '' }
  return { ...identity, key: edgeKey(identity), attributes: {} }
}

/** Hubs a and b, joined, with so many leaves each. */
function star(ofA: number, ofB = 0): Scene {
  const leaves = (hub: string, count: number) =>
    Array.from({ length: count }, (_, place) => vertex('Leaf', `${hub}${place}`))
  const [some, others] = [leaves('a', ofA), leaves('b', ofB)]
  return addElements(emptyScene, {
    vertices: [vertex('Hub', 'a'), vertex('Hub', 'b'), ...some, ...others],
    edges: [
      edge('Hub a', 'Hub b'),
      ...some.map(({ key }) => edge('Hub a', key)),
      ...others.map(({ key }) => edge(key, 'Hub b')),
    ],
  })
}

const drawn = (scene: Scene) => toCanvas(scene, new Map(), { grouped: groupedOf(scene) })
const names = (scene: Scene) =>
  drawn(scene).nodes.map(({ label, badge }) => [label, badge].join(' ').trim())
const onlyGroup = (scene: Scene) => {
  const [group, ...others] = groupedOf(scene).groups.values()
  if (group === undefined || others.length > 0) throw new Error('not one group')
  return group
}

describe('groups of leaves', () => {
  it('stand for more than thirty leaves of a type at a parent, and no fewer', () => {
    expect(names(groupLeaves(star(UNGROUPED_MAX), true))).toHaveLength(2 + UNGROUPED_MAX)
    const scene = groupLeaves(star(UNGROUPED_MAX + 1, 2), true)
    expect(names(scene)).toEqual(['a', 'b', 'b0', 'b1', 'Leaf ×31'])
    expect(drawn(scene).edges.map(({ label }) => label)).toEqual(['Has', 'Has', 'Has', 'Has ×31'])
    expect(names(groupLeaves(scene, false))).toHaveLength(35)
  })

  it('leave out what has two neighbours, a loop, more to be expanded, or a pin', () => {
    const base = star(35)
    const changes: readonly ((scene: Scene) => Scene)[] = [
      (scene) => addElements(scene, { vertices: [], edges: [edge('Leaf a0', 'Hub b')] }),
      (scene) => addElements(scene, { vertices: [], edges: [edge('Leaf a0', 'Leaf a0')] }),
      (scene) =>
        setRemainder(scene, {
          ...{ vertex: 'Leaf a0', edgeType: 'Has', direction: 'out', targetType: 'Leaf' },
          ...{ count: 9, shown: 1, cursor: null },
        }),
      (scene) => togglePins(scene, ['Leaf a0']),
      (scene) => hideVertices(scene, ['Leaf a0']),
    ]
    for (const change of changes) {
      const group = onlyGroup(groupLeaves(change(base), true))
      expect(group.members).toHaveLength(34)
      expect(group.members).not.toContain('Leaf a0')
    }
  })

  it('are opened one by one, take in what comes, and are a step that a saved scene keeps', () => {
    const scene = groupLeaves(star(40, 40), true)
    const [first] = groupedOf(scene).groups.values()
    if (first === undefined) throw new Error('no group')
    const opened = openGroup(scene, first)
    expect(names(opened)).toHaveLength(2 + 40 + 1)
    const more = addElements(opened, {
      vertices: [vertex('Leaf', 'new')],
      edges: [edge('Leaf new', 'Hub b')],
    })
    expect(onlyGroup(more).members).toHaveLength(41)
    const restored = restoreScene(saveScene(more, more.positions))
    expect(restored?.grouping).toEqual(more.grouping)
    expect(saveScene(star(1), new Map())).not.toContain('grouping')
  })

  it('are one from the start where that is wanted, as part of the step that brings them', () => {
    const star31 = star(UNGROUPED_MAX + 1)
    const expand = (scene: Scene) =>
      addElements(scene, {
        vertices: [...star31.vertices.values()],
        edges: [...star31.edges.values()],
      })
    expect(names(expand(newScene(true)))).toEqual(['a', 'b', 'Leaf ×31'])
    expect(names(expand(newScene(false)))).toHaveLength(2 + 31)
    const off = groupLeaves(expand(newScene(true)), false)
    expect(names(restoreScene(saveScene(off, off.positions)) ?? emptyScene)).toHaveLength(2 + 31)
  })

  it('are put at a member, and bring all along when they were moved', () => {
    const positions = new Map<string, Point>(
      Array.from({ length: 40 }, (_, place) => [`Leaf a${place}`, { x: place, y: 7 }] as const),
    )
    const scene = groupLeaves({ ...star(40), positions }, true)
    const group = onlyGroup(scene)
    expect(groupPlaces(scene, groupedOf(scene)).get(group.key)).toEqual({ x: 0, y: 7 })
    expect(openGroup(scene, group).positions).toEqual(positions)
    const places = new Map(positions).set(group.key, { x: 100, y: 107 })
    const moved = openGroup({ ...scene, positions: places }, group)
    expect(moved.positions.get('Leaf a5')).toEqual({ x: 105, y: 107 })
    expect(moved.positions.has(group.key)).toBe(false)
  })
})

describe('a type as one', () => {
  it('draws one line for the edges of a kind between it and another node, loops too', () => {
    const scene = collapseTypes(star(3, 2), ['Leaf', 'Hub'])
    expect(names(scene)).toEqual(['Hub ×2', 'Leaf ×5'])
    const lines = drawn(scene).edges.map(({ label, source, target }) => [label, source, target])
    expect(lines).toEqual([
      ['Has ×1', 'group|Hub', 'group|Hub'],
      ['Has ×3', 'group|Hub', 'group|Leaf'],
      ['Has ×2', 'group|Leaf', 'group|Hub'],
    ])
    const hubs = [...groupedOf(scene).groups.values()].find(({ type }) => type === 'Hub')
    if (hubs === undefined) throw new Error('no group')
    expect(names(openGroup(scene, hubs))).toEqual(['a', 'b', 'Leaf ×5'])
  })

  it('is offered for types of which there are many', () => {
    expect(crowdedTypes(star(20, 20))).toEqual(['Leaf'])
    expect(crowdedTypes(hideVertices(star(31), ['Leaf a0']))).toEqual([])
  })
})

it('leaves are what hangs on one neighbour that is none itself', () => {
  expect(leavesOf(star(2, 1))).toEqual(['Leaf a0', 'Leaf a1', 'Leaf b0'])
  const pair = {
    vertices: [vertex('Leaf', 'x'), vertex('Leaf', 'y')],
    edges: [edge('Leaf x', 'Leaf y')],
  }
  expect(leavesOf(addElements(emptyScene, pair))).toEqual([])
})

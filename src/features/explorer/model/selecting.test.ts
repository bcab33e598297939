import { describe, expect, it } from 'vitest'
import type { SceneVertex } from './scene.ts'
import { inverted, ofSameType } from './selecting.ts'

const vertex = (type: string, id: string): SceneVertex => ({
  key: `${type}/${id}` as SceneVertex['key'],
  type,
  id,
  attributes: {},
})
const list = [vertex('A', '1'), vertex('B', '1'), vertex('A', '2'), vertex('A', '3')]
const scene = {
  vertices: new Map(list.map((one) => [one.key, one])),
  hidden: new Set(['A/3'] as SceneVertex['key'][]),
}

describe('a selection', () => {
  it('grows to its types, without what is hidden or no vertex', () => {
    expect(ofSameType(scene, ['A/2', 'an edge'])).toEqual(['A/2', 'A/1'])
    expect(ofSameType(scene, ['B/1', 'A/1'])).toEqual(['B/1', 'A/1', 'A/2'])
    expect(ofSameType(scene, ['an edge'])).toEqual([])
  })

  it('is inverted, and twice is itself', () => {
    expect(inverted(scene, ['A/1'])).toEqual(['B/1', 'A/2'])
    expect(inverted(scene, inverted(scene, ['A/1']))).toEqual(['A/1'])
    expect(inverted(scene, [])).toEqual(['A/1', 'B/1', 'A/2'])
  })
})

import { describe, expect, it } from 'vitest'
import { connectionOf, PATHS_TOLD_MAX } from './path-words.ts'
import type { SceneEdge, SceneVertex } from './scene.ts'

const vertex = (id: string): SceneVertex => ({ key: `P ${id}`, type: 'P', id, attributes: {} })
const edge = (from: string, to: string, more: Partial<SceneEdge> = {}): SceneEdge => ({
  key: `${from}${to}${more.discriminator ?? ''}`,
  type: 'Pays',
  directed: true,
  from: `P ${from}`,
  to: `P ${to}`,
  discriminator: '',
  attributes: null,
  ...more,
})

describe('connectionOf', () => {
  it('tells each way with the direction of every hop', () => {
    const found = {
      length: 2,
      vertices: ['a', 'b', 'c', 'd'].map(vertex),
      edges: [edge('a', 'b'), edge('d', 'b'), edge('a', 'c', { directed: false }), edge('c', 'd')],
    }
    expect(connectionOf(vertex('a'), vertex('d'), found).paths).toEqual([
      'a —Pays→ b ←Pays— d',
      'a —Pays— c —Pays→ d',
    ])
  })

  it('counts parallel edges in one line', () => {
    const parallel = ['1', '2', '3'].map((discriminator) => edge('a', 'b', { discriminator }))
    const found = {
      length: 1,
      vertices: [vertex('a'), vertex('b')],
      edges: [...parallel, edge('b', 'a')],
    }
    const { paths } = connectionOf(vertex('a'), vertex('b'), found)
    expect(paths).toEqual(['a —Pays ×3→ and ←Pays— b'])
  })

  it('says when there are more, and when there is none', () => {
    const middles = Array.from({ length: PATHS_TOLD_MAX + 1 }, (_, place) => `m${place}`)
    const found = {
      length: 2,
      vertices: ['a', 'b', ...middles].map(vertex),
      edges: middles.flatMap((middle) => [edge('a', middle), edge(middle, 'b')]),
    }
    const many = connectionOf(vertex('a'), vertex('b'), found)
    expect(many.paths).toHaveLength(PATHS_TOLD_MAX)
    expect(many.isCut).toBe(true)
    const none = { length: null, vertices: [], edges: [] }
    expect(connectionOf(vertex('a'), vertex('b'), none).paths).toEqual([])
  })
})

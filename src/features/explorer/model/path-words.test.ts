import { describe, expect, it } from 'vitest'
import { type Connection, connectionOf, PATHS_TOLD_MAX, waysOf } from './path-words.ts'
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

const lines = ({ paths }: Connection) => paths.map(({ words }) => words.join(' '))

describe('connectionOf', () => {
  it('tells each way with the direction of every hop', () => {
    const found = {
      length: 2,
      vertices: ['a', 'b', 'c', 'd'].map(vertex),
      edges: [edge('a', 'b'), edge('d', 'b'), edge('a', 'c', { directed: false }), edge('c', 'd')],
    }
    expect(lines(connectionOf(vertex('a'), vertex('d'), found))).toEqual([
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
    expect(lines(connectionOf(vertex('a'), vertex('b'), found))).toEqual([
      'a —Pays ×3→ and ←Pays— b',
    ])
  })

  it('tells vertices apart that are called alike', () => {
    const ada = (id: string) => ({ ...vertex(id), attributes: { name: 'Ada' } })
    const other = { ...vertex('c'), key: 'Q c', type: 'Q' }
    const found = {
      length: 2,
      vertices: [ada('a'), ada('b'), vertex('c'), other],
      edges: [edge('a', 'c'), edge('c', 'b')],
    }
    const told = connectionOf(ada('a'), ada('b'), found)
    expect(lines(told)).toEqual(['Ada (P:a) —Pays→ P:c —Pays→ Ada (P:b)'])
    expect(told.title).toBe('Ada (P:a) and Ada (P:b)')
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
    expect(many.note).toBe('2 edges apart; the first 10 of more ways')
    const none = { length: null, vertices: [vertex('a'), vertex('b')], edges: [] }
    expect(connectionOf(vertex('a'), vertex('b'), none)).toMatchObject({
      title: 'a and b',
      paths: [],
    })
  })
})

describe('waysOf', () => {
  const found = {
    vertices: ['a', 'b'].map(vertex),
    ways: [{ vertices: ['P a', 'P b', 'P c'], edges: [edge('a', 'b'), edge('c', 'b')], cost: 2.5 }],
    isCut: false,
    edgesMax: 3,
    attribute: 'km',
  }

  it('tells each way with its cost, and among which it is the cheapest', () => {
    const told = waysOf(vertex('a'), vertex('c'), found)
    expect(lines(told)).toEqual(['a —Pays→ b ←Pays— P c'])
    expect(told.paths[0]?.cost).toBe(2.5)
    expect(told.note).toBe(
      'Ways of at most 3 edges, the least km first; edges without km are not taken',
    )
  })

  it('says when there is none, and when not all were looked at', () => {
    const none = waysOf(vertex('a'), vertex('c'), { ...found, ways: [], attribute: null })
    expect(none.note).toBe('No way of at most 3 edges')
    const cut = waysOf(vertex('a'), vertex('c'), { ...found, attribute: null, isCut: true })
    expect(cut.note).toBe(
      'Ways of at most 3 edges, the shortest first; there were too many to look at all',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { DRAWN_MATCHES_MAX, drawnMatches } from './drawn-search.ts'
import type { SceneVertex } from './scene.ts'

const vertex = (id: string, name: string, type = 'Person'): SceneVertex => ({
  key: `${type}/${id}` as SceneVertex['key'],
  type,
  id,
  attributes: { name },
})
const scene = (list: readonly SceneVertex[], hidden: readonly string[] = []) => ({
  vertices: new Map(list.map((one) => [one.key, one])),
  hidden: new Set(hidden as SceneVertex['key'][]),
})
const people = [vertex('p1', 'Cyra Ada'), vertex('p2', 'Ada Byron'), vertex('ada', 'Zoe')]

describe('what is drawn', () => {
  it.each([
    ['ada', ['ada', 'p2', 'p1']],
    ['ADA B', ['p2']],
    ['person:p1', ['p1']],
    ['Person:', ['p1', 'p2', 'ada']],
    ['Company:p1', []],
    ['  ', []],
  ])('is found by %j', (text, ids) => {
    expect(drawnMatches(scene(people), text).first.map(({ id }) => id)).toEqual(ids)
  })

  it('is not found while hidden, and never more than a few, which it tells', () => {
    const { first } = drawnMatches(scene(people, ['Person/ada']), 'ada')
    expect(first.map(({ id }) => id)).toEqual(['p2', 'p1'])
    const many = drawnMatches(scene(Array.from({ length: 30 }, (_, n) => vertex(`v${n}`, ''))), 'v')
    expect(many.first).toHaveLength(DRAWN_MATCHES_MAX)
    expect(many.count).toBe(30)
  })
})

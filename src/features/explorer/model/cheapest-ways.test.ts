import { describe, expect, it } from 'vitest'
import { cheapestWays, costBy } from './cheapest-ways.ts'
import type { SceneEdge } from './scene.ts'

const edge = (from: string, to: string, cost?: unknown, discriminator = ''): SceneEdge => ({
  key: `${from}${to}${discriminator}`,
  type: 'Road',
  directed: true,
  from,
  to,
  discriminator,
  attributes: cost === undefined ? {} : { cost },
})

const ask = (edges: readonly SceneEdge[], more: { edgesMax?: number; count?: number } = {}) =>
  cheapestWays(edges, {
    ...{ source: 'a', target: 'z', costOf: costBy('cost'), edgesMax: 5, count: 9 },
    ...more,
  }).ways.map(({ vertices, cost }) => `${vertices.join('')} ${cost}`)

/** A way over b and c is cheaper than the direct one; against an edge as along it. */
const town = [
  edge('a', 'z', 10),
  edge('a', 'b', 2),
  edge('c', 'b', 2),
  edge('c', 'z', 2),
  edge('b', 'z', 7),
]

describe('cheapestWays', () => {
  it('come in the order of their cost, so many as are asked for', () => {
    expect(ask(town)).toEqual(['abcz 6', 'abz 9', 'az 10'])
    expect(ask(town, { count: 2 })).toEqual(['abcz 6', 'abz 9'])
  })

  it('have at most so many edges', () => {
    expect(ask(town, { edgesMax: 2 })).toEqual(['abz 9', 'az 10'])
    expect(ask(town, { edgesMax: 0 })).toEqual([])
  })

  it('take the cheapest of parallel edges, and none without a cost', () => {
    expect(
      ask([edge('a', 'z', 5, '1'), edge('z', 'a', 3n, '2'), edge('a', 'b'), edge('b', 'z', 0)]),
    ).toEqual(['az 3'])
    expect(ask([edge('a', 'z', 'dear')])).toEqual([])
  })

  it('know of costs below zero, and go through no vertex twice for them', () => {
    const edges = [edge('a', 'b', -5), edge('b', 'c', -5), edge('c', 'a', -5), edge('c', 'z', 1)]
    expect(ask(edges)).toEqual(['abcz -9', 'acz -4'])
  })

  it('end in time where there are too many to look at, and say so', () => {
    const layer = (place: number) => Array.from({ length: 20 }, (_, one) => `${place}.${one}`)
    const edges = [1, 2, 3, 4].flatMap((place) =>
      layer(place).flatMap((from) =>
        layer(place + 1).map((to) => edge(from, to, place === 4 ? 1_000 : 0)),
      ),
    )
    const ends = [
      ...layer(1).map((to) => edge('a', to, 0)),
      ...layer(5).map((to) => edge(to, 'z', 0)),
    ]
    const found = cheapestWays([...edges, ...ends], {
      ...{ source: 'a', target: 'z', costOf: costBy('cost'), edgesMax: 11, count: 1_000_000 },
    })
    expect(found.isCut).toBe(true)
    expect(found.ways.length).toBeLessThan(100_000)
  })

  it('are the same as among all ways, on random graphs', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    for (let round = 0; round < 40; round++) {
      const letters = [...'abcdez']
      const edges = Array.from({ length: 12 }, (_, place) =>
        edge(letters[random(6)] ?? '', letters[random(6)] ?? '', random(20) - 3, String(place)),
      )
      const found = cheapestWays(edges, {
        ...{ source: 'a', target: 'z', costOf: costBy('cost'), edgesMax: 4, count: 3 },
      }).ways.map(({ cost }) => cost)
      expect(found).toEqual(allCosts(edges, 4).slice(0, 3))
    }
  })
})

/** Costs of all ways without a repeated vertex, by trying each. */
function allCosts(edges: readonly SceneEdge[], edgesMax: number): number[] {
  const ways = new Map<string, number>()
  const walk = (path: string, cost: number) => {
    const at = path.at(-1)
    if (at === 'z') {
      ways.set(path, Math.min(cost, ways.get(path) ?? Number.POSITIVE_INFINITY))
      return
    }
    if (path.length > edgesMax) return
    for (const { from, to, attributes } of edges) {
      const next = from === at ? to : to === at ? from : undefined
      if (next !== undefined && !path.includes(next))
        walk(path + next, cost + Number(attributes?.['cost']))
    }
  }
  walk('a', 0)
  return [...ways.values()].sort((a, b) => a - b)
}

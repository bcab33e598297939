import { beforeEach, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  realClock,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { type NeighbourRequest, NeighbourService } from '../edges/neighbour-service.ts'
import { BrowseService } from './browse-service.ts'

const catalog = catalogOf(
  [vertexType(1, 'A', { attributes: attributes({ n: 'INT' }) }), vertexType(2, 'B')],
  [
    edgeType(3, 'D', [1, 1], { attributes: attributes({ w: 'INT' }) }),
    edgeType(4, 'U', [1, 1], { directed: false }),
    edgeType(5, 'M', [1, 1], {
      attributes: attributes({ k: 'INT' }),
      discriminatorCount: 1,
    }),
    edgeType(6, 'X', [1, 2], { directed: false }),
  ],
)

let engine: GraphEngine
let browse: BrowseService
let neighbours: NeighbourService

beforeEach(async () => {
  engine = await engineWith(catalog)
  browse = new BrowseService(engine, realClock)
  neighbours = new NeighbourService(engine, realClock)
})

const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
const commit = (build: (frame: FrameBuilder) => unknown) => {
  const frame = new FrameBuilder(catalog)
  build(frame)
  return engine.commit(frame.finish())
}

async function page(request: Partial<NeighbourRequest>, id = 'hub') {
  const asked = { edgeType: 'D', direction: 'out', targetType: 'A', limit: 7, ...request } as const
  return parse(await neighbours.page('g', { type: 'A', id }, asked))
}

/** Follows cursors to the end, with something happening between the pages. */
async function follow(
  request: Partial<NeighbourRequest>,
  between: (pageNumber: number) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  for (let number = 0; number === 0 || cursor !== null; number++) {
    const answer = await page({ ...request, ...(cursor !== null && { cursor }) })
    expect(answer.edges.length).toBeLessThanOrEqual(7)
    for (const edge of answer.edges) seen.push(`${edge.to_id}/${edge.discriminator ?? ''}`)
    cursor = answer.cursor
    await between(number)
  }
  return seen
}

describe('pages of neighbours', () => {
  const others = Array.from({ length: 40 }, (_, index) => `v${index}`)

  it('meet every edge once through writes and a rebuild', async () => {
    await commit((frame) => others.map((id) => frame.edge('D', ['hub', id], { w: 1 })))
    await engine.rebuild()
    await commit((frame) => others.map((id) => frame.edge('D', ['hub', `w${id}`], { w: 1 })))
    const seen = await follow({}, async (number) => {
      await commit((frame) => frame.edge('D', ['hub', `late${number}`], { w: 1 }))
      if (number === 3) await engine.rebuild()
    })
    const expected = [...others, ...others.map((id) => `w${id}`)].map((id) => `${id}/`)
    expect(seen.filter((name) => !name.startsWith('late')).sort()).toEqual(expected.sort())
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('meet parallel edges and both ends of undirected ones once', async () => {
    await commit((frame) => {
      for (let k = 0; k < 30; k++) frame.edge('M', ['hub', 'v0'], { k })
      frame.edge('M', ['hub', 'v1'], { k: 0 })
      others.map((id, index) => frame.edge('U', index % 2 === 0 ? ['hub', id] : [id, 'hub']))
      frame.edge('U', ['hub', 'hub'])
    })
    const parallel = await follow({ edgeType: 'M' }, (number) =>
      number === 1 ? engine.rebuild() : Promise.resolve(),
    )
    expect(parallel).toHaveLength(31)
    expect(new Set(parallel).size).toBe(31)
    const undirected = await follow({ edgeType: 'U', direction: 'undirected' }, () =>
      engine.rebuild(),
    )
    expect(undirected.sort()).toEqual([...others, 'hub'].map((id) => `${id}/`).sort())
  })

  it('reach directed edges from behind, filter them and bring the other ends along', async () => {
    await commit((frame) => {
      frame.vertex('A', 'v0', { n: 5 })
      frame.edge('D', ['v0', 'hub'], { w: 1 }).edge('D', ['v1', 'hub'], { w: 2 })
    })
    expect(await page({ direction: 'in', filter: 'w=1' })).toEqual({
      edges: [
        {
          e_type: 'D',
          directed: true,
          from_id: 'hub',
          from_type: 'A',
          to_id: 'v0',
          to_type: 'A',
          attributes: { w: 1 },
        },
      ],
      vertices: [{ v_id: 'v0', v_type: 'A', attributes: { n: 5 } }],
      cursor: null,
    })
    await expect(page({ direction: 'undirected' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    await expect(page({}, 'nobody')).rejects.toMatchObject({ code: 'VERTEX_NOT_FOUND' })
  })

  it('go by an attribute of the edge or of the other end, meet each once, and end', async () => {
    await commit((frame) => {
      others.map((id, n) => frame.vertex('A', id, { n: -n }))
      others.map((id, n) => frame.edge('D', ['hub', id], { w: n % 3 }))
    })
    await engine.rebuild()
    await commit((frame) => {
      frame.edge('D', ['hub', 'late'], { w: 1 })
      for (const k of [2, 10, 1]) frame.edge('M', ['hub', 'v0'], { k })
    })
    const weights = (ids: readonly string[]) =>
      ids.map((id) => (id === 'late/' ? 1 : Number(id.slice(1, -1)) % 3))
    for (const sort of ['w', '-w']) {
      const seen = await follow({ sort }, (number) =>
        number === 1 ? engine.rebuild() : Promise.resolve(),
      )
      expect(new Set(seen).size).toBe(41)
      expect(seen).toHaveLength(41)
      const sign = sort === 'w' ? 1 : -1
      expect(weights(seen)).toEqual(weights(seen).toSorted((a, b) => sign * (a - b)))
    }
    const first = await page({ sort: 'n', limit: 2 })
    expect(first.edges.map((edge: { to_id: string }) => edge.to_id)).toEqual(['v39', 'v38'])
    const byId = await page({ sort: '-id', limit: 3 })
    expect(byId.edges.map((edge: { to_id: string }) => edge.to_id)).toEqual(['v9', 'v8', 'v7'])
    const parallel = await follow({ edgeType: 'M', sort: '-k', limit: 1 }, async () => {})
    expect(parallel).toEqual(['v0/10', 'v0/2', 'v0/1'])
  })

  it('go on behind an edge that is gone, whatever the order', async () => {
    await commit((frame) => others.map((id, n) => frame.edge('D', ['hub', id], { w: n })))
    const seen = await follow({ sort: '-w' }, async (number) => {
      await commit((frame) => frame.deleteEdge('D', ['hub', `v${Math.max(0, 33 - 7 * number)}`]))
    })
    expect(seen).toEqual(others.toReversed().map((id) => `${id}/`))
  })

  it('refuse an order that there is not, and a cursor of another', async () => {
    await commit((frame) => others.map((id, n) => frame.edge('D', ['hub', id], { w: n })))
    await expect(page({ sort: 'nothing' })).rejects.toThrow(
      "The attribute 'nothing' is not an attribute of type D, nor of type A.",
    )
    await expect(page({ filter: 'nothing=1' })).rejects.toMatchObject({
      code: 'ATTRIBUTE_NOT_FOUND',
    })
    await expect(page({ sort: 'w,n' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    const { cursor } = await page({ sort: 'w' })
    await expect(page({ sort: '-w', cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(page({ cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    const other = (await page({})).cursor
    await expect(page({ sort: 'w', cursor: other })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    const longer = (text: string) => {
      const parts: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString())
      return Buffer.from(JSON.stringify([...parts, 'spare'])).toString('base64url')
    }
    for (const request of [{ sort: 'w', cursor: longer(cursor) }, { cursor: longer(other) }]) {
      await expect(page(request)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    }
  })

  it('filter by both ends of what is listed', async () => {
    await commit((frame) => {
      others.map((id, n) => frame.vertex('A', id, { n }))
      others.map((id, n) => frame.edge('D', ['hub', id], { w: n % 2 }))
    })
    const { edges } = await page({ filter: 'n>35,w=1' })
    expect(edges.map((edge: { to_id: string }) => edge.to_id)).toEqual(['v37', 'v39'])
    await expect(page({ filter: 'n="35"' })).rejects.toThrow('without quotes')
  })

  it('are cut where they weigh too much, and go on from there', async () => {
    await commit((frame) => others.map((id) => frame.edge('D', ['hub', id], { w: 1 })))
    const whole = await page({ limit: 40 })
    expect(whole.edges).toHaveLength(40)
    const seen = await follow({ limit: 7, sizeBytesMax: 500 }, async () => {})
    expect(seen).toEqual(others.map((id) => `${id}/`))
    const cut = await neighbours.page(
      'g',
      { type: 'A', id: 'hub' },
      { edgeType: 'D', direction: 'out', targetType: 'A', limit: 40, sizeBytesMax: 2_000 },
    )
    expect(cut.length).toBeLessThanOrEqual(2_000)
    expect(parse(cut).edges.length).toBeGreaterThan(5)
    const { edges } = await page({ sizeBytesMax: 1, sort: 'w' })
    expect(edges).toHaveLength(1)
  })

  it('sample the same edges for the same seed, and every edge at some seed', async () => {
    await commit((frame) => others.map((id) => frame.edge('D', ['hub', id], { w: 1 })))
    const idsOf = async (seed: number) =>
      (await page({ sample: 5, seed })).edges.map((edge: { to_id: string }) => edge.to_id)
    expect(await idsOf(1)).toEqual(await idsOf(1))
    const met = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const ids = await idsOf(seed)
      expect(new Set(ids).size).toBe(5)
      for (const id of ids) met.add(id)
    }
    expect(met.size).toBe(40)
  })
})

describe('degrees, counts and many vertices', () => {
  it('tell each kind of edge once', async () => {
    await commit((frame) => {
      frame.edge('D', ['a', 'b'], { w: 1 }).edge('D', ['c', 'a'], { w: 1 })
      frame.edge('U', ['a', 'a']).edge('U', ['b', 'a']).edge('X', ['a', 'x'])
      frame.edge('M', ['a', 'b'], { k: 1 }).edge('M', ['a', 'b'], { k: 2 })
    })
    const degrees = await browse.degrees('g', 'A', 'a')
    expect(degrees.map((row) => Object.values(row).join(' '))).toEqual([
      'D out A 1',
      'D in A 1',
      'U undirected A 2',
      'M out A 2',
      'X undirected B 1',
    ])
    expect(await browse.counts('g')).toEqual({
      vertices: [
        { type: 'A', count: 3 },
        { type: 'B', count: 1 },
      ],
      edges: [
        { type: 'D', count: 2 },
        { type: 'U', count: 2 },
        { type: 'M', count: 2 },
        { type: 'X', count: 1 },
      ],
    })
    const references = [{ id: 'x' }, { type: 'A', id: 'a' }, { type: 'A', id: 'x' }, { id: '?' }]
    const found = parse(await browse.readVertices('g', references))
    expect(found.vertices.map((row: { v_id: string }) => row.v_id)).toEqual(['x', 'a'])
    expect(found.missing).toEqual([{ type: 'A', id: 'x' }, { id: '?' }])
  })

  it('bring the edges between many pairs, each once', async () => {
    await commit((frame) => {
      frame.edge('D', ['a', 'b'], { w: 1 }).edge('D', ['b', 'a'], { w: 2 })
      frame.edge('U', ['a', 'a']).edge('U', ['b', 'a']).edge('X', ['a', 'x'])
      frame.edge('M', ['a', 'b'], { k: 1 })
    })
    await engine.rebuild()
    await commit((frame) => {
      frame.edge('M', ['a', 'b'], { k: 2 }).edge('D', ['c', 'a'], { w: 3 })
      frame.deleteVertex('A', 'c')
    })
    const read = async (...pairs: readonly string[]) => {
      const references = pairs.map((text) => {
        const [type = '', from_type = '', from_id = '', to_type = '', to_id = ''] = text.split(' ')
        return { type, from_type, from_id, to_type, to_id }
      })
      const { edges } = parse(await browse.readEdges('g', references))
      return edges.map((row: { [name: string]: unknown }) =>
        [row['e_type'], row['from_id'], row['to_id'], row['discriminator'] ?? row['attributes']]
          .map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
          .join(' '),
      )
    }
    expect(await read('D A a A b', 'D A b A a', 'M A a A b')).toEqual([
      'D a b {"w":1}',
      'D b a {"w":2}',
      'M a b 1',
      'M a b 2',
    ])
    // An undirected edge is one edge, from whichever end it is asked.
    expect(await read('U A a A b', 'U A b A a', 'U A a A a', 'X B x A a')).toEqual([
      'U a b {}',
      'U b a {}',
      'U a a {}',
      'X x a {}',
    ])
    expect(await read('D A b A b', 'D A c A a', 'D A a A ?', '? A a A b', 'D ? a A b')).toEqual([])
    expect(await read()).toEqual([])
    await expect(browse.readEdges('?', [])).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' })
  })
})

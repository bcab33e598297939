/** Path calls, compared with a search over the plain edge list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

/** The edges of the client's own test, and their weights. */
const links: readonly (readonly [number, number, number])[] = [
  ...([
    [10, 20, 999],
    [20, 30, 999],
    [30, 40, 999],
    [40, 50, 900],
    [10, 60, 900],
  ] as const),
  ...([
    [60, 70, 900],
    [70, 80, 999],
    [80, 40, 999],
    [80, 20, 999],
    [70, 40, 900],
    [30, 60, 999],
  ] as const),
]

beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  const script = `CREATE VERTEX V (PRIMARY_ID id INT, n INT) CREATE VERTEX W (PRIMARY_ID id STRING)
    CREATE DIRECTED EDGE E (FROM V, TO V, w INT) CREATE UNDIRECTED EDGE U (FROM V, TO W)
    CREATE GRAPH g(*)`
  await server.request('POST', '/gsql/v1/statements', script)
  const edges = links.map(([from, to, w]) => `"${from}":{"E":{"V":{"${to}":{"w":{"value":${w}}}}}}`)
  const undirected = '"50":{"U":{"W":{"end":{}}}}'
  const vertices = [10, 20, 30, 40, 50, 60, 70, 80].map((id) => `"${id}":{"n":{"value":${id}}}`)
  await server.request(
    'POST',
    '/graph/g',
    `{"vertices":{"V":{${vertices.join(',')}}},"edges":{"V":{${[...edges, undirected].join(',')}}}}`,
  )
})
afterAll(() => server.close())

const vertex = (id: number | string) => ({ type: typeof id === 'string' ? 'W' : 'V', id })

async function find(kind: string, body: Record<string, unknown>) {
  const answer = await server.request('POST', `/restpp/${kind}/g`, body)
  if (answer.body.error) return answer.body
  const [{ vertices, edges }] = answer.body.results
  return {
    vertices: vertices.map((one: { v_id: string }) => one.v_id).sort(),
    edges: edges
      .map((one: { from_id: string; to_id: string }) => `${one.from_id}-${one.to_id}`)
      .sort(),
  }
}

const between = (from: number | string, to: number | string, more = {}) => ({
  source: vertex(from),
  target: vertex(to),
  ...more,
})

/** Every edge of every walk of at most `length` steps. */
function allWalks(from: number, to: number, length: number): string[] {
  const found = new Set<string>()
  const walk = (at: number, path: string[]): void => {
    if (at === to) for (const edge of path) found.add(edge)
    if (path.length === length) return
    for (const [one, other] of links) if (one === at) walk(other, [...path, `${one}-${other}`])
  }
  walk(from, [])
  return [...found].sort()
}

describe('POST /restpp/shortestpath/{graph}', () => {
  it('answers one shortest path, or all of them as one sub-graph', async () => {
    const one = await find('shortestpath', between(10, 50))
    expect(one.edges).toHaveLength(4)
    expect(one.vertices).toHaveLength(5)
    const all = await find('shortestpath', between(10, 50, { allShortestPaths: true }))
    expect(all.vertices).toEqual(['10', '20', '30', '40', '50', '60', '70'])
    expect(all.edges).toEqual(['10-20', '10-60', '20-30', '30-40', '40-50', '60-70', '70-40'])
  })

  it('keeps to the length, the directions and the filters', async () => {
    const none = { vertices: [], edges: [] }
    expect(await find('shortestpath', between(10, 50, { maxLength: 3 }))).toEqual(none)
    expect(await find('shortestpath', between(50, 10))).toEqual(none)
    const heavy = { edgeFilters: [{ type: 'E', condition: 'w >= 999' }] }
    expect(await find('shortestpath', between(10, 40, heavy))).toMatchObject({
      edges: ['10-20', '20-30', '30-40'],
    })
    const around = { vertexFilters: { type: 'V', condition: 'n != 30 and (n > 5 or n = 0)' } }
    expect((await find('shortestpath', between(10, 40, around))).edges).toEqual([
      '10-60',
      '60-70',
      '70-40',
    ])
    const without = { vertexFilters: [{ type: 'V', condition: 'n != 10' }] }
    expect(await find('shortestpath', between(10, 40, without))).toEqual(none)
  })

  it('crosses undirected edges both ways, and takes several ends', async () => {
    const there = await find('shortestpath', between(10, 'end', { maxLength: 5 }))
    expect(there.edges).toContain('50-end')
    expect((await find('shortestpath', between('end', 50))).edges).toEqual(['end-50'])
    const several = { sources: [vertex(20), vertex(70)], targets: [vertex(40), vertex(30)] }
    expect((await find('shortestpath', several)).edges).toEqual(['20-30', '70-40'])
    expect(await find('shortestpath', between(10, 10))).toEqual({ vertices: ['10'], edges: [] })
  })

  it('refuses what it cannot read', async () => {
    expect(await find('shortestpath', { source: vertex(10) })).toMatchObject({ code: 'REST-30000' })
    expect((await find('shortestpath', between(11, 10))).code).toBe('601')
    expect((await find('shortestpath', between(10, 11))).message).toContain('target_vertex_id')
    for (const condition of ['n >', 'n > 1 and', '(n > 1', 'nope > 1', 'n > 1 xor n < 2', '"']) {
      const filter = { vertexFilters: [{ type: 'V', condition }] }
      expect((await find('shortestpath', between(10, 50, filter))).code, condition).toBe(
        'REST-30000',
      )
    }
    const unknown = { edgeFilters: [{ type: 'X' }] }
    expect((await find('shortestpath', between(10, 50, unknown))).code).toBe('REST-30000')
    expect((await find('allpaths', between(10, 50))).code).toBe('REST-30000')
  })
})

describe('POST /restpp/allpaths/{graph}', () => {
  it.each([1, 2, 3, 4, 5, 6, 8])(
    'answers the edges of all walks of at most %i steps',
    async (length) => {
      for (const [from, to] of [
        [10, 50],
        [10, 40],
        [30, 20],
        [80, 60],
      ] as const) {
        const found = await find(
          'allpaths',
          between(from, to, { maxLength: length, edgeFilters: [{ type: 'E' }] }),
        )
        expect(found.edges, `${from} to ${to}`).toEqual(allWalks(from, to, length))
      }
    },
  )
})

describe('/restpp/kstep_expansion/{graph}', () => {
  it('finds what lies within some steps, each vertex and edge once', async () => {
    const from = (step: number, more: object = {}) =>
      find('kstep_expansion', { source_vertices: [vertex(10)], step, ...more })
    expect((await from(0)).vertices).toEqual(['10'])
    expect((await from(1)).vertices).toEqual(['10', '20', '60'])
    expect((await from(2)).vertices).toEqual(['10', '20', '30', '60', '70'])
    const all = await from(9)
    expect(all.vertices).toEqual(['10', '20', '30', '40', '50', '60', '70', '80', 'end'])
    expect(all.edges).toHaveLength(links.length + 1)
    const heavy = await from(9, { edgeFilters: [{ type: 'E', condition: 'w > 950' }] })
    expect(heavy.vertices).toEqual(['10', '20', '30', '40', '60'])
  })

  it('refuses what names no vertex, or one that is not there', async () => {
    expect(await find('kstep_expansion', {})).toMatchObject({
      message: 'The body must hold source_vertices.',
    })
    const ghost = { source_vertices: [vertex(999)] }
    expect(await find('kstep_expansion', ghost)).toMatchObject({ error: true, code: '601' })
  })
})

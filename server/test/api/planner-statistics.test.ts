/** Counts and histograms that plans are estimated by: measured, given, kept, gone by. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HISTOGRAM_ROWS_READ_MAX, HISTOGRAM_VALUE_CHARS_MAX } from '#kernel/limits.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

const cardinality = '/gsql/v1/stats/cardinality?graph=acme'
const histogram = '/gsql/v1/stats/histogram'
const ofAge = { graph: 'acme', vertex: 'Person', attribute: 'age' }

let server: TestServer

/** Persons 1 to 100: as old as their number, but for every second, who is 7. */
async function fill(): Promise<void> {
  const Person: Record<string, object> = {}
  const edges: Record<string, object> = {}
  for (let id = 1; id <= 100; id++) {
    Person[id] = { age: { value: id % 2 === 0 ? 7 : id }, name: { value: `n${id % 4}` } }
    edges[id] = { Works_At: { Company: { mill: { pay: { value: id * 10 } } } } }
  }
  const data = { vertices: { Person, Company: { mill: {} } }, edges: { Person: edges } }
  const { body } = await server.request('POST', '/graph/acme', data)
  expect(body.error).toBe(false)
}

async function restart(): Promise<void> {
  const { image } = server
  server = await startServer({ image })
}

beforeEach(async () => {
  server = await startServer()
  await createAcme(server)
  await fill()
})
afterEach(() => server.close())

const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  (await server.request(method, url, body)).body

async function planOf(select: string) {
  const text = `INTERPRET QUERY () FOR GRAPH acme { ${select} PRINT S; }`
  const { body } = await server.request('POST', '/quiver/v1/queries/explain', text)
  return body.results.steps.find(({ select: one }: { select: unknown }) => one !== null).select
}

const rowsWhere = async (condition: string) =>
  (await planOf(`S = SELECT p FROM Person:p WHERE ${condition};`)).start.estimatedRows

describe('counts', () => {
  it('are live until they are kept, and live again when they are forgotten', async () => {
    const people = async () => (await call('GET', `${cardinality}&vertex=Person`)).results
    expect(await people()).toEqual({
      ...{ vertex_counts: [{ type: 'Person', count: 100 }], edge_counts: [] },
    })
    const kept = await call('POST', cardinality)
    expect(kept).toEqual({ error: false, message: 'successfully persisted statistics' })
    await server.request('DELETE', '/graph/acme/vertices/Person/1')
    await restart()
    expect((await people()).vertex_counts).toEqual([{ type: 'Person', count: 100 }])
    const dropped = await call('DELETE', `${cardinality}&vertex=Person`)
    expect(dropped).toEqual({ error: false, message: 'successfully deleted statistics' })
    expect((await people()).vertex_counts).toEqual([{ type: 'Person', count: 99 }])
    const { edge_counts } = (await call('GET', `${cardinality}&edge=Works_At`)).results
    expect(edge_counts).toEqual([{ type: 'Works_At', from: 'Person', to: 'Company', count: 100 }])
  })

  it('given by hand are what plans go by', async () => {
    const hop = 'S = SELECT t FROM Person:s -(Works_At>:e)- Company:t;'
    expect((await planOf(hop)).hops[0].estimatedEdges).toBe(100)
    const given = {
      vertex_counts: [{ type: 'Person', count: 1_000 }],
      edge_counts: [{ type: 'Works_At', from: 'Person', to: 'Company', count: 7_000 }],
    }
    expect(await call('POST', cardinality, given)).toMatchObject({ error: false })
    const plan = await planOf(hop)
    expect([plan.start.estimatedRows, plan.hops[0].estimatedEdges]).toEqual([1_000, 7_000])
    expect(await rowsWhere('p.age == 7')).toBe(100)
  })

  it('are of types and ends that there are', async () => {
    const of = async (body: object) => {
      const { code, message } = await call('POST', cardinality, body)
      return [code, message]
    }
    const count = 1
    expect(await of({ vertex_counts: [{ type: 'Ghost', count }] })).toEqual([
      ...['VERTEX_TYPE_NOT_FOUND', expect.stringContaining('Ghost')],
    ])
    expect(await of({ edge_counts: [{ type: 'Ghost', count }] })).toEqual([
      ...['EDGE_TYPE_NOT_FOUND', expect.stringContaining('Ghost')],
    ])
    expect(await of({ edge_counts: [{ type: 'Knows', from: 'Company', count }] })).toEqual([
      ...['INVALID_PARAMETER', 'No edge type Knows goes from Company to *.'],
    ])
    expect(await of({ vertex_counts: [{ type: 'Person', count: -1 }] })).toEqual([
      ...['INVALID_PARAMETER', expect.stringContaining('count')],
    ])
    const nowhere = await call('POST', '/gsql/v1/stats/cardinality')
    expect(nowhere.message).toBe('The parameter graph is required.')
    const ghost = await call('GET', '/gsql/v1/stats/cardinality?graph=ghost')
    expect(ghost.code).toBe('GRAPH_NOT_FOUND')
  })
})

describe('a histogram', () => {
  it('is measured over the values that there are, and kept', async () => {
    const { results } = await call('POST', histogram, { ...ofAge, bucket: 5 })
    const buckets = Object.values(results) as { rowsTotal: number; upperBound: number }[]
    expect(Object.keys(results)[0]).toBe('0')
    expect(results['0']).toEqual({ rowsTotal: 1, rowsUpper: 1, upperBound: 1 })
    expect(buckets.reduce((sum, { rowsTotal }) => sum + rowsTotal, 0)).toBe(100)
    const seven = buckets.find(({ upperBound }) => upperBound === 7)
    expect(seven).toMatchObject({ rowsUpper: 51 })
    expect(buckets.at(-1)?.upperBound).toBe(99)
    await restart()
    const kept = [{ vertex: 'Person', attribute: 'age', histogram: buckets }]
    expect((await call('GET', histogram, ofAge)).results).toEqual(kept)
    const url = `${histogram}?graph=acme&vertex=Person&attribute=age`
    expect((await call('GET', url)).results).toEqual(kept)
  })

  it('tells plans what a condition keeps', async () => {
    expect(await rowsWhere('p.age == 7')).toBe(10)
    expect(await rowsWhere('p.age > 90')).toBe(33)
    await call('POST', histogram, { ...ofAge, bucket: 50 })
    expect(await rowsWhere('p.age == 7')).toBe(51)
    expect(await rowsWhere('7 == p.age')).toBe(51)
    expect(Math.abs((await rowsWhere('p.age > 90')) - 5)).toBeLessThan(2)
    expect(Math.abs((await rowsWhere('90 < p.age')) - 5)).toBeLessThan(2)
    const gone = await call('DELETE', histogram, ofAge)
    expect(gone.results).toBe('successfully deleted 1 histogram')
    expect(await rowsWhere('p.age == 7')).toBe(10)
    expect((await call('GET', histogram, { graph: 'acme' })).results).toEqual([])
  })

  it('is also of texts, times and edges', async () => {
    const measure = async (names: object) =>
      (await call('POST', histogram, { graph: 'acme', ...names })).results
    expect(await measure({ vertex: 'Person', attribute: 'name' })).toEqual(
      Object.fromEntries(
        ['n0', 'n1', 'n2', 'n3'].map((upperBound, index) => [
          ...[String(index), { rowsTotal: 25, rowsUpper: 25, upperBound }],
        ]),
      ),
    )
    expect(await measure({ vertex: 'Person', attribute: 'joined' })).toEqual({
      '0': { rowsTotal: 100, rowsUpper: 100, upperBound: '1970-01-01 00:00:00' },
    })
    const pay = await measure({ edge: 'Works_At', attribute: 'pay', bucket: 1 })
    expect(pay).toEqual({
      '0': { rowsTotal: 1, rowsUpper: 1, upperBound: 10 },
      '1': { rowsTotal: 99, rowsUpper: 1, upperBound: 1000 },
    })
    const plan = await planOf(
      'S = SELECT t FROM Person:s -(Works_At>:e)- Company:t WHERE e.pay > 750;',
    )
    expect(Math.abs(plan.hops[0].estimatedRows - 25)).toBeLessThan(2)
  })

  it('reads every value up to a limit, and of more rows a part, scaled', async () => {
    const measure = async () => {
      const { results } = await call('POST', histogram, { ...ofAge, bucket: 1 })
      return Object.values(results) as { rowsTotal: number }[]
    }
    const add = async (from: number, to: number) => {
      const ids = Array.from({ length: to - from }, (_, index) => [from + index, {}])
      const data = { vertices: { Person: Object.fromEntries(ids) } }
      expect((await call('POST', '/graph/acme', data)).error).toBe(false)
    }
    await add(101, HISTOGRAM_ROWS_READ_MAX + 1)
    const [zeros, others] = await measure()
    expect(others).toEqual({ rowsTotal: 100, rowsUpper: 1, upperBound: 99 })
    expect(zeros!.rowsTotal).toBe(HISTOGRAM_ROWS_READ_MAX - 100)
    await add(HISTOGRAM_ROWS_READ_MAX + 1, HISTOGRAM_ROWS_READ_MAX + 2)
    const sampled = await measure()
    // Rows 0, 2, 4, …: the one of age 99 now stands for two.
    expect(sampled[1]).toEqual({ rowsTotal: 100, rowsUpper: 2, upperBound: 99 })
    const total = sampled.reduce((sum, { rowsTotal }) => sum + rowsTotal, 0)
    expect(Math.abs(total - HISTOGRAM_ROWS_READ_MAX - 1)).toBeLessThanOrEqual(sampled.length)
  })

  it('holds no infinite number, and of a long text the beginning', async () => {
    const insert = `INTERPRET QUERY () FOR GRAPH acme {
      INSERT INTO Person (PRIMARY_ID, score) VALUES (1001, 1e308 * 10);
      INSERT INTO Person (PRIMARY_ID, score) VALUES (1002, 2.5);
    }`
    expect(await call('POST', '/gsql/v1/queries/interpret', insert)).toMatchObject({ error: false })
    const read = await call('GET', '/restpp/graph/acme/vertices/Person/1001?select=score')
    expect(read.results[0].attributes).toEqual({ score: 'inf' })
    const score = { graph: 'acme', vertex: 'Person', attribute: 'score' }
    const measured = await call('POST', histogram, score)
    expect(measured.results).toEqual({
      0: { rowsTotal: 100, rowsUpper: 100, upperBound: 0 },
      1: { rowsTotal: 1, rowsUpper: 1, upperBound: 2.5 },
    })
    const long = 'z'.repeat(100_000)
    const names = { 1001: { name: { value: `${long}1` } }, 1002: { name: { value: `${long}2` } } }
    await call('POST', '/graph/acme', { vertices: { Person: names } })
    const texts = { graph: 'acme', vertex: 'Person', attribute: 'name', bucket: 1_000 }
    const { results } = await call('POST', histogram, texts)
    expect(Object.values(results).at(-1)).toEqual({
      ...{ rowsTotal: 2, rowsUpper: 2, upperBound: long.slice(0, HISTOGRAM_VALUE_CHARS_MAX) },
    })
  })

  it('needs one type, an attribute with an order, and a graph', async () => {
    const codes = await Promise.all(
      [
        { ...ofAge, edge: 'Knows' },
        { graph: 'acme', attribute: 'age' },
        { ...ofAge, attribute: 'ghost' },
        { ...ofAge, attribute: 'langs' },
        { ...ofAge, bucket: 0 },
        { ...ofAge, graph: 'ghost' },
        { vertex: 'Person', attribute: 'age' },
      ].map(async (body) => (await call('POST', histogram, body)).code),
    )
    expect(codes).toEqual([
      ...['INVALID_PARAMETER', 'INVALID_PARAMETER', 'ATTRIBUTE_NOT_FOUND', 'INVALID_PARAMETER'],
      ...['INVALID_PARAMETER', 'GRAPH_NOT_FOUND', 'INVALID_PARAMETER'],
    ])
  })

  it('is for those who may read the data of its graph', async () => {
    await call('POST', histogram, ofAge)
    await call('POST', '/gsql/v1/schema/graphs?graphName=other', {})
    await call('POST', '/gsql/v1/users', { username: 'ann', password: 'the password of ann' })
    const role = { roles: ['designer'], users: ['ann'] }
    await call('POST', '/gsql/v1/roles/grant?graph=other', role)
    const basic = Buffer.from('ann:the password of ann').toString('base64')
    const asAnn = { authorization: `Basic ${basic}` }
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const { status } = await server.request(method, `${histogram}?graph=other`, ofAge, asAnn)
      expect(status, method).toBe(403)
    }
  })

  it('goes with its graph, whose types and data stay', async () => {
    await call('POST', histogram, ofAge)
    await call('POST', cardinality, { vertex_counts: [{ type: 'Person', count: 5 }] })
    await call('DELETE', '/gsql/v1/schema/graphs/acme?cascade=true')
    await call('POST', '/gsql/v1/schema/graphs?graphName=acme', { VertexTypes: ['Person'] })
    expect((await call('GET', histogram, { graph: 'acme' })).results).toEqual([])
    expect((await call('GET', cardinality)).results.vertex_counts).toEqual([
      { type: 'Person', count: 100 },
    ])
  })
})

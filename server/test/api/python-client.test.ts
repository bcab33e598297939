/**
 * The calls of the Python client (pyTigerGraph 2.0) in the order and the
 * spelling in which it makes them, and what it reads from the answers.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

const basic = `Basic ${Buffer.from('tigergraph:tigergraph').toString('base64')}`
const headers = { authorization: basic, 'x-user-agent': 'pyTigerGraph' }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function call(method: Method, url: string, body?: unknown) {
  const answer = await server.request(method, url, body, headers)
  return answer.body
}

/** As the client does it: a truthy `error` other than the text `"false"` is an exception. */
async function results(method: Method, url: string, body?: unknown) {
  const answer = await call(method, url, body)
  if (answer.error && answer.error !== 'false') throw new Error(`${answer.code}: ${answer.message}`)
  return answer.results
}

beforeAll(async () => {
  server = await startServer()
  await createAcme(server)
})

afterAll(() => server.close())

describe('the handshake', () => {
  it('takes the version apart by lines and blanks, and finds 4.1 or newer', async () => {
    const { message } = await call('GET', '/restpp/version')
    const lines: string[] = message.split('\n').slice(3, -1)
    const components = lines.map((line) => {
      const [name = '', version = '', hash = '', date, time, zone] = line.split(' ').filter(Boolean)
      expect([date, time, zone].every((part) => part !== undefined)).toBe(true)
      return { name, version, hash }
    })
    const product = components.find(({ name }) => name === 'product')
    const text = product?.version ?? ''
    const version = text.slice(text.indexOf('_') + 1, text.lastIndexOf('_'))
    expect(version.split('.')).toHaveLength(3)
    const [major = '', minor = ''] = version.split('.')
    expect(major >= '4' && minor > '0').toBe(true)
  })

  it('refuses a token that is wrong, though no credentials are needed', async () => {
    const wrong = { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.wrong' }
    const answer = await server.request('GET', '/restpp/version', undefined, wrong)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ error: true, code: 'REST-10016' })
  })

  it('refuses the token calls of version 3', async () => {
    const answer = await server.request('POST', '/restpp/requesttoken', { secret: 'x' }, headers)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ error: true, code: 'REST-1000' })
  })

  it('answers echo and ping with trailing slashes', async () => {
    expect(await call('GET', '/restpp/echo/')).toEqual({ error: false, message: 'Hello GSQL' })
    expect(await call('POST', '/restpp/echo/')).toEqual({ error: false, message: 'Hello GSQL' })
    expect(await call('GET', '/api/ping')).toMatchObject({ error: false, message: 'pong' })
  })
})

describe('the schema', () => {
  it('has three keys and no other, and no pairs where there is one', async () => {
    const schema = await results('GET', '/gsql/v1/schema/graphs/acme')
    expect(Object.keys(schema).sort()).toEqual(['EdgeTypes', 'GraphName', 'VertexTypes'])
    expect(schema.EdgeTypes.map(({ Name }: { Name: string }) => Name)).toEqual([
      'Works_At',
      'Knows',
      'Pays',
    ])
    for (const type of schema.EdgeTypes) expect(type).not.toHaveProperty('EdgePairs')
    for (const type of schema.VertexTypes) expect(type.EmbeddingAttributes).toEqual([])
  })

  it('lists tuples and graphs', async () => {
    const tuples = await results('GET', '/gsql/v1/udt/tuples?graph=acme')
    expect(tuples[0]).toMatchObject({ name: 'Addr', fields: expect.any(Array) })
    const { graphs } = await call('GET', '/gsql/v1/schema/graphs')
    expect(graphs[0].edges).toEqual(['Works_At', 'Employs', 'Knows', 'Pays'])
  })

  it('finds endpoints by their keys', async () => {
    const builtin = await call('GET', '/restpp/endpoints/acme?builtin=true')
    expect(builtin).toHaveProperty(['GET /endpoints/{graph_name}'])
    const key = 'GET /graph/{graph_name}/vertices/{vertex_type}/{vertex_id}'
    expect(builtin[key].parameters).toMatchObject({
      vertex_type: { type: 'TYPENAME' },
      vertex_id: { is_id: 'true', id_type: '$vertex_type', max_length: 2560 },
      limit: { type: 'UINT64' },
      count_only: { type: 'BOOL', default: 'false' },
    })
    expect(builtin).toHaveProperty(['GET /abortquery/{graph_name}'])
    expect(builtin).toHaveProperty(['GET /showprocesslist/{graph_name}'])
  })
})

describe('data', () => {
  it('is upserted with exact counts', async () => {
    const graph = '/restpp/graph/acme'
    const people = Object.fromEntries(
      [1, 2, 3, 4, 5].map((id) => [id, { age: { value: id }, name: { value: `p${id}` } }]),
    )
    expect(await results('POST', graph, { vertices: { Person: people } })).toEqual([
      { accepted_vertices: 5, accepted_edges: 0 },
    ])
    const added = { vertices: { Person: { 5: { age: { value: 11, op: '+' } } } } }
    expect(await results('POST', `${graph}?new_vertex_only=True`, added)).toEqual([
      {
        accepted_vertices: 0,
        accepted_edges: 0,
        skipped_vertices: 1,
        vertices_already_exist: [{ v_type: 'Person', v_id: '5' }],
      },
    ])
    const twice =
      '{"edges":{"Company":{"c":{"Pays":{"Person":{"1":{"month":{"value":"1"}},"1":{"month":{"value":"2"}}}}}}}}'
    expect(await results('POST', `${graph}?vertex_must_exist=false`, twice)).toEqual([
      { accepted_vertices: 0, accepted_edges: 2 },
    ])
    const unknown = { vertices: { Person: { 1: { nope: { value: 1 } } } } }
    await expect(results('POST', graph, unknown)).rejects.toThrow(/REST-30200|REST-10004/)
  })

  it('is read by filter, sort and limit, ids as strings', async () => {
    const rows = await results(
      'GET',
      '/restpp/graph/acme/vertices/Person?filter=age>1,age<5&sort=-age&limit=2&select=age',
    )
    expect(rows).toEqual([
      { v_id: '4', v_type: 'Person', attributes: { age: 4 } },
      { v_id: '3', v_type: 'Person', attributes: { age: 3 } },
    ])
  })

  it('is counted with zeros, and statistics that are skipped answer 200', async () => {
    const count = (body: object) => results('POST', '/restpp/builtins/acme?realtime=true', body)
    expect(await count({ function: 'stat_vertex_number', type: '*' })).toEqual([
      { v_type: 'Person', count: 5 },
      { v_type: 'Company', count: 1 },
    ])
    const edges = { function: 'stat_edge_number', type: '*', from_type: '*', to_type: '*' }
    expect(await count(edges)).toContainEqual({ e_type: 'Knows', count: 0 })
    await expect(count({ function: 'stat_vertex_number', type: 'Nope' })).rejects.toThrow('7004')
    const [row] = await count({ function: 'stat_vertex_attr', type: 'Person' })
    expect(row.attributes.age).toEqual({ MIN: 1, MAX: 5, AVG: 3 })
    const body = { function: 'stat_edge_attr', type: 'Knows', from_type: '*', to_type: '*' }
    const skipped = await server.request('POST', '/restpp/builtins/acme', body, headers)
    expect(skipped.status).toBe(200)
    expect(skipped.body.message).toMatch(/stat_edge_attr is skip|No valid edge/)
  })

  it('is deleted: one object for vertices, a list for edges', async () => {
    expect(await results('DELETE', '/restpp/graph/acme/edges/Company/c/Pays')).toEqual([
      { e_type: 'Pays', deleted_edges: 2 },
    ])
    expect(await results('DELETE', '/restpp/graph/acme/vertices/Person/5')).toEqual({
      v_type: 'Person',
      deleted_vertices: 1,
    })
    const nope = results('DELETE', '/restpp/graph/acme/vertices/Nope/5')
    await expect(nope).rejects.toThrow('REST-30000')
  })
})

describe('queries', () => {
  const text = `CREATE QUERY query1(VERTEX<Person> p, STRING s) FOR GRAPH acme {
    SumAccum<INT> @@ret; V = {Person.*}; V = SELECT v FROM V:v ACCUM @@ret += v.age;
    INT ret = @@ret; PRINT ret; PRINT p, s; PRINT V; }`

  it('are created, installed, listed and described', async () => {
    expect(await call('POST', '/gsql/v1/queries?graph=acme', text)).toMatchObject({ error: false })
    const installed = await call('GET', '/gsql/v1/queries/install?graph=acme&queries=query1')
    expect(installed.error).toBe(false)
    expect(installed.message).toContain('SUCCESS')
    expect(await results('GET', '/gsql/v1/queries?graph=acme')).toEqual(['query1'])
    const dynamic = await call('GET', '/restpp/endpoints/acme?dynamic=true')
    expect(Object.keys(dynamic)).toContain('GET /query/acme/query1')
    const signature = '/gsql/v1/queries/signature?graph=acme&queryName=query1'
    const { input, output } = await call('POST', signature)
    expect(input).toEqual([{ p: 'vertex<Person>' }, { s: 'string' }])
    expect(output[0]).toEqual({ ret: 'int' })
    expect(output[2].V[0].attributes.langs).toBe('STRING_LIST')
  })

  it('run by POST, and by GET after the answer that tells the client so', async () => {
    const refused = await call('POST', '/restpp/query/acme/query1', { p: 1 })
    expect(refused.code).toBe('REST-30000')
    expect(refused.message).toContain("'id' is not found in the VERTEX parameter")
    const [ret] = await results('GET', '/restpp/query/acme/query1?p=1')
    expect(ret).toEqual({ ret: 10 })
    // The client escapes nothing but the percent sign.
    const s = `'"+&😀 100%25`
    const posted = await results('POST', '/restpp/query/acme/query1', { p: { id: 1 }, s })
    expect(posted[1]).toEqual({ p: '1', s: `'"+&😀 100%` })
  })

  it('run detached, with status and result', async () => {
    const asynchronous = { ...headers, 'gsql-async': 'true' }
    const url = '/restpp/query/acme/query1?p=1'
    const { body } = await server.request('GET', url, undefined, asynchronous)
    const id = encodeURIComponent(body.request_id)
    await expect
      .poll(() => results('GET', `/restpp/query_status?graph_name=acme&requestid=${id}`))
      .toMatchObject([{ requestid: body.request_id, status: 'success' }])
    expect((await results('GET', `/restpp/query_result?requestid=${id}`))[0]).toEqual({ ret: 10 })
  })

  it('are listed and aborted: nothing runs', async () => {
    const listed = await call('GET', '/restpp/showprocesslist/acme')
    expect(listed).toMatchObject({ error: false, results: [], code: 'REST-0000' })
    const aborted = await call('GET', '/restpp/abortquery/acme?requestid=all')
    expect(aborted).toMatchObject({ results: [{ aborted_queries: [] }], code: 'REST-0000' })
  })

  it('name the graph that is unknown in the words of the data plane', async () => {
    for (const path of ['/query/nope/query1', '/showprocesslist/nope', '/abortquery/nope']) {
      expect(await call('GET', `/restpp${path}`)).toMatchObject({
        code: 'REST-1004',
        message: `The graph name 'nope' parsed from the url = '${path}' is not found, please provide a valid graph name.`,
      })
    }
  })

  it('tell why nothing was interpreted', async () => {
    const answer = await call('POST', '/gsql/v1/queries/interpret', ' ')
    expect(answer.message).toBe('The text contains no query.')
  })

  it('have empty results when the answer is larger than asked for', async () => {
    const limit = { ...headers, 'response-limit': '10.0' }
    const url = '/restpp/query/acme/query1?p=1'
    const { body } = await server.request('GET', url, undefined, limit)
    expect(body).toMatchObject({ error: true, code: 'REST-4000', results: [] })
  })

  it('are dropped, and dropping an unknown one fails', async () => {
    expect(await call('DELETE', '/gsql/v1/queries/query1?graph=acme')).toMatchObject({
      error: false,
      dropped: ['query1'],
      failedToDrop: [],
    })
    const again = await call('DELETE', '/gsql/v1/queries/query1?graph=acme')
    expect(again).toMatchObject({ error: true, failedToDrop: ['query1'] })
  })
})

describe('the rest', () => {
  it('rebuilds with the message that the client compares', async () => {
    const { message } = await call('GET', '/restpp/rebuildnow/acme')
    expect(message).toBe('RebuildNow finished, please check details in the folder: /tmp/rebuildnow')
  })

  it('tells performance, services and metrics under their keys', async () => {
    const performance = await server.request('GET', '/restpp/statistics/acme?seconds=60')
    expect(performance.text).toContain('CompletedRequests')
    const wanted = { ServiceDescriptors: [{ ServiceName: 'gsql' }] }
    const { ServiceStatusEvents } = await call('POST', '/informant/current-service-status', wanted)
    expect(ServiceStatusEvents[0]).toMatchObject({
      ServiceDescriptor: { ServiceName: 'GSQL' },
      ServiceStatus: 'Online',
    })
    const keys = {
      'cpu-memory': 'CPUMemoryMetrics',
      diskspace: 'DiskMetrics',
      network: 'NetworkMetrics',
      qps: 'QPSMetrics',
    }
    for (const [category, key] of Object.entries(keys)) {
      const metrics = await call('POST', `/informant/metrics/get/${category}`, { LatestNum: '1' })
      expect(Object.keys(metrics)).toEqual([key])
    }
  })
})

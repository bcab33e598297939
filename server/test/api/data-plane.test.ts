/** The contract's own examples of section 2, over HTTP, answer for answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let schema: number

beforeAll(async () => {
  server = await startServer()
  await createAcme(server)
  schema = server.engine.catalog.graphs[0]!.schemaVersion
})

afterAll(() => server.close())

const example = `{
  "vertices": { "Person": { "7": {
    "name": {"value": "Ada"}, "age": {"value": 1, "op": "+"},
    "joined": {"value": "2024-03-01 09:30:00"},
    "langs": {"value": ["en", "fr"]}, "tags": {"value": ["vip"]},
    "phones": {"value": {"keylist": ["home", "work"], "valuelist": ["111", "222"]}},
    "home": {"value": {"keylist": ["street", "no"], "valuelist": ["Elm", 5]}} },
    "8": {} } },
  "edges": {
    "Person": { "7": {
      "Works_At": { "Company": { "acme-ltd": { "pay": {"value": 5200.5, "op": "max"} } } },
      "Knows":    { "Person":  { "8": {} } } } },
    "Company": { "acme-ltd": { "Pays": { "Person": { "7": [
      { "month": {"value": "2024-01"}, "amount": {"value": 10} },
      { "month": {"value": "2024-02"}, "amount": {"value": 12} } ] } } } } } }`

describe('the data plane over HTTP', () => {
  it('keeps a byte order mark in front of an id and a text, in queries, too', async () => {
    const [id, name] = ['\uFEFFacme', '\uFEFFAda']
    const vertices = { Company: { [id]: {} }, Person: { 70: { name: { value: name } } } }
    await server.request('POST', '/restpp/graph/acme', { vertices })
    const company = `/restpp/graph/acme/vertices/Company/${encodeURIComponent(id)}`
    expect((await server.request('GET', company)).body.results).toMatchObject([{ v_id: id }])
    const person = await server.request('GET', '/restpp/graph/acme/vertices/Person/70')
    expect(person.body.results[0].attributes.name).toBe(name)
    const text = `INTERPRET QUERY () FOR GRAPH acme {
      ListAccum<STRING> @@names;
      C = SELECT c FROM Person:c WHERE c.name == "${name}" ACCUM @@names += c.name; PRINT @@names;
    }`
    const query = await server.request('POST', '/gsql/v1/queries/interpret', text)
    expect(query.body.results).toEqual([{ '@@names': [name] }])
    await server.request('DELETE', company)
    await server.request('DELETE', '/restpp/graph/acme/vertices/Person/70')
  })

  it('takes the example payload, whatever its content type, with and without the prefix', async () => {
    const expected = {
      version: { edition: 'enterprise', api: 'v2', schema },
      error: false,
      message: '',
      results: [{ accepted_vertices: 2, accepted_edges: 4 }],
      code: 'REST-0003',
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const prefix of ['/restpp', '', '/api/restpp']) {
      const answer = await server.request('POST', `${prefix}/graph/acme`, example, form)
      expect([answer.status, answer.body]).toEqual([200, expected])
    }
  })

  it('raises by + once per request', async () => {
    const { body } = await server.request('GET', '/restpp/graph/acme/vertices/Person/7?select=age')
    expect(body.results).toEqual([{ v_id: '7', v_type: 'Person', attributes: { age: 3 } }])
  })

  it('shows one vertex as the contract prints it', async () => {
    const { text } = await server.request('GET', '/restpp/graph/acme/vertices/Person/7/')
    expect(text).toBe(
      `{"version":{"edition":"enterprise","api":"v2","schema":${schema}},"error":false,"message":"","results":[{"v_id":"7","v_type":"Person","attributes":{"name":"Ada","age":3,"score":0,"active":false,"joined":"2024-03-01 09:30:00","langs":["en","fr"],"tags":["vip"],"phones":{"home":"111","work":"222"},"home":{"street":"Elm","no":5}}}]}`,
    )
  })

  it('shows edges, and their counts under every name', async () => {
    const rows = await server.request('GET', '/restpp/graph/acme/edges/Person/7')
    expect(rows.body.results).toEqual([
      {
        e_type: 'Works_At',
        directed: true,
        from_id: '7',
        from_type: 'Person',
        to_id: 'acme-ltd',
        to_type: 'Company',
        attributes: { since: '1970-01-01 00:00:00', pay: 5200.5 },
      },
      {
        e_type: 'Knows',
        directed: false,
        from_id: '7',
        from_type: 'Person',
        to_id: '8',
        to_type: 'Person',
        attributes: { weight: 0 },
      },
    ])
    const counts = await server.request('GET', '/graph/acme/edges/Person/7/_?count_only=True')
    expect(counts.body.results).toEqual([
      { e_type: 'Works_At', count: 1 },
      { e_type: 'Employs', count: 0 },
      { e_type: 'Knows', count: 1 },
      { e_type: 'Pays', count: 0 },
    ])
    const one = '/graph/acme/edges/Company/acme-ltd/Pays/Person/7/2024-02'
    expect((await server.request('GET', one)).body.results).toMatchObject([
      { discriminator: '2024-02', attributes: { month: '2024-02', amount: 12 } },
    ])
  })

  it('answers must-exist flags with the missing vertices, atomic ones with an error', async () => {
    const payload = {
      edges: { Person: { 7: { Works_At: { Company: { 'acme-ltd': {}, ghost: {} } } } } },
    }
    const url = '/restpp/graph/acme?vertex_must_exist=true&source_vertex_must_exist=false'
    expect((await server.request('POST', url, payload)).body).toMatchObject({
      results: [
        {
          accepted_vertices: 0,
          accepted_edges: 1,
          skipped_edges: 1,
          edge_vertices_not_exist: [{ v_type: 'Company', v_id: 'ghost' }],
        },
      ],
      code: 'REST-0002',
    })
    const atomic = { 'gsql-atomic-level': 'atomic' }
    const refused = await server.request('POST', url, payload, atomic)
    expect(refused.body).toMatchObject({
      error: true,
      results: [{ edge_vertices_not_exist: [{ v_type: 'Company', v_id: 'ghost' }] }],
    })
    expect(refused.body.message).toContain("Company 'ghost'")
  })

  it('says in a header how many ends its edges have created, and nothing where there are none', async () => {
    const payload = {
      edges: { Person: { 7: { Works_At: { Company: { 'new-1': {}, 'new-2': {} } } } } },
    }
    const told = 'x-quiver-created-endpoints'
    const first = await server.request('POST', '/restpp/graph/acme', payload)
    expect(first.body.results).toEqual([{ accepted_vertices: 0, accepted_edges: 2 }])
    expect(first.headers[told]).toBe('2')
    const second = await server.request('POST', '/restpp/graph/acme', payload)
    expect(second.headers[told]).toBeUndefined()
    for (const id of ['new-1', 'new-2']) {
      await server.request('DELETE', `/restpp/graph/acme/vertices/Company/${id}`)
    }
  })

  it('keeps repeated target keys, 64-bit integers and ids of every kind', async () => {
    const ids = ['a/b', '100%', '😀', 'x y:z', '__proto__']
    const vertices = ids.map(
      (id) => `${JSON.stringify(id)}:{"founded":{"value":18446744073709551615}}`,
    )
    const months = ['5', '6', '7'].map((month) => `"7":{"month":{"value":"${month}"}}`)
    const payload = `{"vertices":{"Company":{${vertices.join(',')}}},
      "edges":{"Company":{"a/b":{"Pays":{"Person":{${months.join(',')}}}}}}}`
    const answer = await server.request('POST', '/graph/acme', payload)
    expect(answer.body.results).toEqual([{ accepted_vertices: 5, accepted_edges: 3 }])
    for (const id of ids) {
      const url = `/restpp/graph/acme/vertices/Company/${encodeURIComponent(id)}`
      const { text, body } = await server.request('GET', url)
      expect(body.results[0].v_id).toBe(id)
      expect(text).toContain('"founded":18446744073709551615')
    }
    const filter = encodeURIComponent('founded=18446744073709551615')
    const found = await server.request('GET', `/graph/acme/vertices/Company?filter=${filter}`)
    expect(found.body.results).toHaveLength(5)
    const pays = await server.request('GET', '/graph/acme/edges/Company/a%2Fb/Pays/Person/7')
    expect(pays.body.results).toHaveLength(3)
  })

  it('deletes edges and vertices and says how many', async () => {
    const edge = '/restpp/graph/acme/edges/Person/7/Knows/Person/8'
    expect((await server.request('DELETE', edge)).body.results).toEqual([
      { e_type: 'Knows', deleted_edges: 1 },
    ])
    const vertex = '/restpp/graph/acme/vertices/Person/7'
    expect((await server.request('DELETE', vertex)).body.results).toEqual({
      v_type: 'Person',
      deleted_vertices: 1,
    })
    const all = '/restpp/graph/acme/delete_by_type/vertices/Company?ack=all'
    expect((await server.request('DELETE', all)).body.results).toEqual({
      v_type: 'Company',
      deleted_vertices: 6,
    })
    const counts = await server.request('POST', '/restpp/builtins/acme', {
      function: 'stat_edge_number',
      type: '*',
    })
    expect(counts.body.results.map((row: { count: number }) => row.count)).toEqual([0, 0, 0, 0])
  })

  it('serves our own reads under /quiver/v1', async () => {
    await server.request('POST', '/graph/acme', example)
    const base = '/quiver/v1/graphs/acme'
    const counts = await server.request('GET', `${base}/counts`)
    expect(counts.body.results.edges).toContainEqual({ type: 'Pays', count: 2 })
    const degrees = await server.request('GET', `${base}/vertices/Person/7/degrees`)
    expect(degrees.body.results).toContainEqual({
      edge_type: 'Pays',
      direction: 'in',
      target_type: 'Company',
      count: 2,
    })
    const query = 'edge_type=Pays&direction=in&target_type=Company&limit=1'
    const first = await server.request('GET', `${base}/vertices/Person/7/neighbours?${query}`)
    expect(first.body.results.edges).toMatchObject([{ discriminator: '2024-01' }])
    const { cursor } = first.body.results
    const rest = await server.request(
      'GET',
      `${base}/vertices/Person/7/neighbours?${query}&cursor=${cursor}`,
    )
    expect(rest.body.results).toMatchObject({
      edges: [{ discriminator: '2024-02' }],
      vertices: [{ v_id: 'acme-ltd' }],
      cursor: null,
    })
    const page = await server.request('GET', `${base}/vertices/Person?limit=1`)
    expect(page.body.results.vertices).toHaveLength(1)
    const many = await server.request('POST', `${base}/vertices`, {
      ids: [{ id: '7' }, { id: '?' }],
    })
    expect(many.body.results).toMatchObject({ vertices: [{ v_id: '7' }], missing: [{ id: '?' }] })
  })
})

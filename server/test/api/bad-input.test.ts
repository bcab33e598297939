/**
 * Every bad input the interface can meet: the contract's code and status, nothing written, and a
 * server that goes on as if nothing had happened.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let sequence = 0

beforeAll(async () => {
  server = await startServer()
  await createAcme(server)
  await upsert({ vertices: { Person: { 1: { name: { value: 'Ada' } } } } })
  sequence = server.engine.sequence
})

afterEach(async () => {
  expect(server.engine.sequence, 'something was written').toBe(sequence)
  const healthy = await server.request('GET', '/restpp/graph/acme/vertices/Person/1')
  expect(healthy.body.results).toMatchObject([{ v_id: '1', attributes: { name: 'Ada' } }])
})

afterAll(() => server.close())

function upsert(payload: unknown, query = '', headers: Record<string, string> = {}) {
  return server.request('POST', `/restpp/graph/acme${query}`, payload, headers)
}

function expectError(answer: Answer, code: string, status: number): void {
  expect([answer.body?.code, answer.status], answer.text).toEqual([code, status])
  expect(answer.body).toMatchObject({ error: true, version: { edition: 'enterprise' } })
  expect(answer.body.message).not.toBe('')
  expect(answer.text).not.toContain('node:')
}

const person = (attributes: unknown) => ({ vertices: { Person: { 2: attributes } } })
const value = (of: unknown, op?: unknown) => ({ value: of, ...(op !== undefined && { op }) })

describe('an upsert is refused', () => {
  it.each<[string, unknown, string]>([
    ['malformed JSON', '{"vertices": {', 'REST-2001'],
    ['nothing at all', '', 'REST-2001'],
    ['a text', 'hello', 'REST-2001'],
    ['a NUL', '{"vertices":\u0000{}}', 'REST-2001'],
    ['very deep JSON', `{"vertices":${'['.repeat(100_000)}`, 'REST-2001'],
    ['very deep objects', '{"vertices":{"Person":'.repeat(50_000), 'REST-30200'],
    ['an array', [], 'REST-30200'],
    ['a number', '5', 'REST-30200'],
    ['null', 'null', 'REST-30200'],
    ['an unknown section', { nodes: {} }, 'REST-30200'],
    ['__proto__ as section', '{"__proto__":{}}', 'REST-30200'],
    ['an unknown vertex type', { vertices: { Nope: {} } }, 'REST-30200'],
    ['__proto__ as vertex type', '{"vertices":{"__proto__":{"1":{}}}}', 'REST-30200'],
    ['constructor as edge type', { edges: { Person: { 1: { constructor: {} } } } }, 'REST-30200'],
    ['an unknown edge type', { edges: { Person: { 1: { Nope: {} } } } }, 'REST-30200'],
    [
      'an edge between the wrong types',
      { edges: { Company: { x: { Knows: { Person: { 1: {} } } } } } },
      'REST-30200',
    ],
    ['an unknown attribute', person({ nope: value(1) }), 'REST-30200'],
    [
      '__proto__ as attribute',
      '{"vertices":{"Person":{"2":{"__proto__":{"value":1}}}}}',
      'REST-30200',
    ],
    ['a text for an integer', person({ age: value('3') }), 'REST-30200'],
    ['a fraction for an integer', person({ age: value(1.5) }), 'REST-30200'],
    ['a negative UINT', person({ age: value(-1) }), 'REST-30200'],
    ['2^64', '{"vertices":{"Person":{"2":{"age":{"value":18446744073709551616}}}}}', 'REST-30200'],
    ['a number for a text', person({ name: value(1) }), 'REST-30200'],
    ['a number for a BOOL', person({ active: value(1) }), 'REST-30200'],
    ['epoch seconds for a DATETIME', person({ joined: value(0) }), 'REST-30200'],
    ['an impossible day', person({ joined: value('2023-02-30') }), 'REST-30200'],
    ['null as a value', person({ name: value(null) }), 'REST-30200'],
    ['a plain object for a MAP', person({ phones: value({ home: '1' }) }), 'REST-30200'],
    [
      'lists of different length',
      person({ phones: value({ keylist: ['a'], valuelist: [] }) }),
      'REST-30200',
    ],
    [
      'an unknown field of a tuple',
      person({ home: value({ keylist: ['zip'], valuelist: [1] }) }),
      'REST-30200',
    ],
    ['an unknown operation code', person({ age: value(1, '^') }), 'REST-30200'],
    ['an operation that does not fit', person({ name: value('x', '&') }), 'REST-30200'],
    ['a number as operation', person({ age: value(1, 1) }), 'REST-30200'],
    ['an id that is no integer', { vertices: { Person: { ada: {} } } }, 'REST-30200'],
    ['an empty id', { vertices: { Company: { '': {} } } }, 'REST-30200'],
    ['an id of 4 KB', { vertices: { Company: { ['x'.repeat(4_096)]: {} } } }, 'REST-30200'],
    [
      'an edge without its discriminator',
      { edges: { Company: { x: { Pays: { Person: { 1: {} } } } } } },
      'REST-30200',
    ],
    [
      'several edges of a type without discriminator',
      { edges: { Person: { 1: { Knows: { Person: { 2: [{}, {}] } } } } } },
      'REST-30200',
    ],
  ])('for %s', async (_, payload, code) => {
    expectError(await upsert(payload), code, 400)
  })

  it.each([
    ['new and update only', '?new_vertex_only=true&update_vertex_only=1', 'REST-30200'],
    ['two must-exist', '?vertex_must_exist=True&source_vertex_must_exist=true', 'REST-30200'],
    ['a third must-exist', '?vertex_must_exist=1&target_vertex_must_exist=1', 'REST-30200'],
    ['an unknown ack', '?ack=maybe', 'REST-30001'],
    ['a flag that is no boolean', '?new_vertex_only=perhaps', 'REST-30000'],
  ])('for conflicting or unknown flags: %s', async (_, query, code) => {
    expectError(await upsert(person({}), query), code, 400)
  })

  it('for an unknown atomic level and an unknown graph', async () => {
    expectError(await upsert(person({}), '', { 'gsql-atomic-level': 'half' }), 'REST-30001', 400)
    const elsewhere = await server.request('POST', '/restpp/graph/nope', person({}))
    expectError(elsewhere, 'REST-1004', 400)
    expect(elsewhere.body.message).toBe(
      "The graph name 'nope' parsed from the url = '/graph/nope' is not found, please provide a valid graph name.",
    )
  })

  it('whole, wherever in it the mistake is', async () => {
    const vertices = Object.fromEntries(Array.from({ length: 3_000 }, (_, id) => [id, {}]))
    const payload = { vertices: { Person: { ...vertices, last: {} } } }
    expectError(await upsert(payload), 'REST-30200', 400)
    const edge = { Person: { 5: { Knows: { Person: { 6: { weight: value('heavy') } } } } } }
    expectError(await upsert({ vertices: { Person: vertices }, edges: edge }), 'REST-30200', 400)
  })

  it('for bytes that are no UTF-8', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/restpp/graph/acme',
      payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x7b, 0x7d, 0x7d]),
    })
    expect([response.statusCode, response.json().code]).toEqual([400, 'REST-2001'])
  })
})

describe('a read is refused', () => {
  const at = '/restpp/graph/acme'
  it.each([
    ['an unknown graph', '/restpp/graph/nope/vertices/Person', 'REST-1004', 400],
    ['__proto__ as graph', '/restpp/graph/__proto__/vertices/Person', 'REST-1004', 400],
    ['an unknown vertex type', `${at}/vertices/Nope`, 'REST-30000', 400],
    ['constructor as vertex type', `${at}/vertices/constructor/1`, 'REST-30000', 400],
    ['an unknown id', `${at}/vertices/Person/77`, '601', 200],
    ['an id of another type', `${at}/vertices/Person/ada`, '601', 200],
    ['an id with a slash', `${at}/vertices/Company/a%2Fb`, '601', 200],
    ['an id with a percent sign', `${at}/vertices/Company/100%25`, '601', 200],
    ['an id of one emoji', `${at}/vertices/Company/${encodeURIComponent('😀')}`, '601', 200],
    ['an id of 4 KB', `${at}/vertices/Company/${'x'.repeat(4_096)}`, '601', 200],
    ['__proto__ as id', `${at}/vertices/Company/__proto__`, '601', 200],
    ['an unknown edge type', `${at}/edges/Person/1/Nope`, 'REST-30000', 400],
    ['__proto__ as edge type', `${at}/edges/Person/1/__proto__`, 'REST-30000', 400],
    ['an unknown source', `${at}/edges/Person/77`, '601', 200],
    ['an unknown target', `${at}/edges/Person/1/Knows/Person/77`, '601', 200],
    ['an unknown selected attribute', `${at}/vertices/Person?select=nope`, 'REST-30000', 400],
    ['__proto__ as sort', `${at}/vertices/Person?sort=__proto__`, 'REST-30000', 400],
    ['a malformed filter', `${at}/vertices/Person?filter=age%3E`, 'REST-30000', 400],
    ['a filter of the wrong type', `${at}/vertices/Person?filter=age%3D%22x%22`, 'REST-30000', 400],
    ['a limit that is no number', `${at}/vertices/Person?limit=many`, 'REST-30000', 400],
    ['a negative limit', `${at}/vertices/Person?limit=-1`, 'REST-30000', 400],
  ])('for %s', async (_, url, code, status) => {
    expectError(await server.request('GET', url), code, status)
  })

  it('without escaping mistakes: a lone percent sign in a path', async () => {
    const answer = await server.request('GET', `${at}/vertices/Company/100%`)
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body.error).toBe(true)
  })

  it('when its answer is larger than the limit', async () => {
    const headers = { 'response-limit': '20.0' }
    const answer = await server.request('GET', `${at}/vertices/Person`, undefined, headers)
    expectError(answer, 'REST-4000', 400)
    expect(answer.body.results).toEqual([])
  })
})

describe('a delete is refused', () => {
  it.each([
    ['DELETE', '/restpp/graph/acme/vertices/Nope/1', 'REST-30000', 400],
    ['DELETE', '/restpp/graph/acme/vertices/Nope', 'REST-30000', 400],
    ['DELETE', '/restpp/graph/acme/vertices/Person?filter=nope%3D1', 'REST-30000', 400],
    ['DELETE', '/restpp/graph/acme/delete_by_type/vertices/Nope', 'REST-30000', 400],
    ['DELETE', '/restpp/graph/acme/delete_by_type/vertices/Person?ack=no', 'REST-30001', 400],
    ['DELETE', '/restpp/graph/acme/edges/Person/77', '601', 200],
    ['DELETE', '/restpp/graph/acme/edges/Person/1/Nope', 'REST-30000', 400],
  ] as const)('%s %s', async (method, url, code, status) => {
    expectError(await server.request(method, url), code, status)
  })

  it('never for an unknown id, which deletes nothing', async () => {
    const answer = await server.request('DELETE', '/restpp/graph/acme/vertices/Person/77')
    expect(answer.body).toMatchObject({
      error: false,
      results: { v_type: 'Person', deleted_vertices: 0 },
    })
  })
})

describe('builtins are refused', () => {
  it.each([
    ['an unknown function', { function: 'stat_everything' }, 'REST-30000', 400],
    ['no function', { type: '*' }, 'REST-30000', 400],
    ['an unknown type', { function: 'stat_vertex_number', type: 'Nope' }, 'GSQL-7004', 200],
    ['malformed JSON', '{', 'REST-2001', 400],
  ])('for %s', async (_, body, code, status) => {
    expectError(await server.request('POST', '/restpp/builtins/acme', body), code, status)
  })
})

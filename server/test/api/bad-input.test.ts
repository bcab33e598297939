import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
})
afterAll(() => server.close())

const person = (attributes: string) => `{"vertices":{"Person":{"7":{${attributes}}}}}`
const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`

/** Each with the code that the contract gives it; nothing may be written. */
const payloads: readonly [what: string, body: string, code: string, query?: string][] = [
  ['broken JSON', '{"vertices":', 'REST-2001'],
  ['an array', '[]', 'REST-30200'],
  ['a text', '"x"', 'REST-30200'],
  ['too deep JSON', deep, 'REST-30200'],
  ['a deep value', person(`"name":{"value":${deep}}`), 'REST-30200'],
  ['an unknown vertex type', '{"vertices":{"Ghost":{"1":{}}}}', 'REST-30200'],
  ['__proto__ as a type', '{"vertices":{"__proto__":{"1":{}}}}', 'REST-30200'],
  ['constructor as a type', '{"vertices":{"constructor":{"1":{}}}}', 'REST-30200'],
  ['__proto__ as an attribute', person('"__proto__":{"value":1}'), 'REST-30200'],
  ['an unknown attribute', person('"ghost":{"value":1}'), 'REST-30200'],
  [
    'an unknown edge type',
    '{"edges":{"Person":{"7":{"Ghost":{"Person":{"8":{}}}}}}}',
    'REST-30200',
  ],
  [
    'a wrong target type',
    '{"edges":{"Person":{"7":{"Works_At":{"Person":{"8":{}}}}}}}',
    'REST-30200',
  ],
  ['a text for a number', person('"age":{"value":"7"}'), 'REST-30200'],
  ['a number for a text', person('"name":{"value":7}'), 'REST-30200'],
  ['null', person('"name":{"value":null}'), 'REST-30200'],
  ['a negative UINT', person('"age":{"value":-1}'), 'REST-30200'],
  ['2^64', person('"age":{"value":18446744073709551616}'), 'REST-30200'],
  ['a fraction for an INT', person('"age":{"value":1.5}'), 'REST-30200'],
  ['an epoch for a DATETIME', person('"joined":{"value":1700000000}'), 'REST-30200'],
  ['an unknown operation', person('"age":{"value":1,"op":"^"}'), 'REST-30200'],
  ['an operation that does not fit', person('"name":{"value":"x","op":"&"}'), 'REST-30200'],
  ['an id that is no INT', '{"vertices":{"Person":{"seven":{}}}}', 'REST-30200'],
  ['an INT id of 2^63', '{"vertices":{"Person":{"9223372036854775808":{}}}}', 'REST-30200'],
  ['an id of 4 KB', `{"vertices":{"Company":{"${'x'.repeat(4096)}":{}}}}`, 'REST-30200'],
  ['an empty id', '{"vertices":{"Company":{"":{}}}}', 'REST-30200'],
  [
    'a missing discriminator',
    '{"edges":{"Company":{"c":{"Pays":{"Person":{"7":{}}}}}}}',
    'REST-30200',
  ],
  ['conflicting flags', person(''), 'REST-30200', 'new_vertex_only=true&update_vertex_only=true'],
  [
    'conflicting must-exist flags',
    person(''),
    'REST-30200',
    'vertex_must_exist=true&source_vertex_must_exist=true',
  ],
  ['an unknown ack', person(''), 'REST-30001', 'ack=some'],
  ['a flag that is no boolean', person(''), 'REST-30000', 'new_vertex_only=maybe'],
]

const reads: readonly [url: string, code: string, status: number][] = [
  ['/graph/ghost/vertices/Person/7', 'REST-1004', 400],
  ['/graph/__proto__/vertices/Person/7', 'REST-1004', 400],
  ['/graph/acme/vertices/Ghost/7', 'REST-30000', 400],
  ['/graph/acme/vertices/Person/7', '601', 200],
  ['/graph/acme/vertices/Person/not%20a%20number', '601', 200],
  [`/graph/acme/vertices/Company/${encodeURIComponent('a/b%😀')}`, '601', 200],
  [`/graph/acme/vertices/Company/${'%F0%9F%98%80'.repeat(1024)}`, '601', 200],
  ['/graph/acme/vertices/Person?limit=-1', 'REST-30000', 400],
  ['/graph/acme/vertices/Person?filter=ghost=1', 'REST-30000', 400],
  ['/graph/acme/edges/Person/7', '601', 200],
  ['/graph/acme/edges/Ghost/7', 'REST-30000', 400],
  ['/query/acme/ghost', 'REST-1000', 404],
  ['/query/ghost/q', 'REST-1004', 400],
]

describe('bad input', () => {
  it.each(payloads)('in an upsert: %s', async (_what, body, code, query = '') => {
    const answer = await server.request('POST', `/restpp/graph/acme?${query}`, body)
    expect([answer.body.code, answer.status, answer.body.error], answer.text).toEqual([
      code,
      400,
      true,
    ])
    expect(answer.body.message.length).toBeLessThan(1_000)
    const counts = await server.request('POST', '/restpp/builtins/acme', {
      function: 'stat_vertex_number',
      type: '*',
    })
    expect(counts.body.results.every((row: { count: number }) => row.count === 0)).toBe(true)
  })

  it.each(reads)('in a read: %s', async (url, code, status) => {
    const answer = await server.request('GET', url)
    expect([answer.body.code, answer.status, answer.body.error], answer.text).toEqual([
      code,
      status,
      true,
    ])
  })

  it('in a long list is reported by its first fault: millions would take all memory', async () => {
    const numbers = (count: number) => ({ user: Array.from({ length: count }, () => 1) })
    const send = (body: object) => server.request('DELETE', '/restpp/expiredtoken', body)
    const one = 'user.0: must be of type string, not number'
    expect((await send(numbers(5_000))).body.message).toContain('(and 4997 more)')
    expect((await send(numbers(50_000))).body.message).toBe(`Invalid request: ${one}`)
  })

  it('of integers with more than a thousand digits is refused without reading them', async () => {
    const zeros = (length: number) => '1'.padStart(length, '0')
    const idOf = async (digits: string) => {
      const body = `{"vertices":{"Person":{"${digits}":{}}}}`
      return (await server.request('POST', '/restpp/graph/acme', body)).body.code
    }
    expect(await idOf(zeros(1_000))).toBe('REST-0001')
    expect(await idOf(zeros(1_001))).toBe('REST-30200')
    const read = (id: string) => server.request('GET', `/restpp/graph/acme/vertices/Person/${id}`)
    expect((await read(zeros(1_000))).body.error).toBe(false)
    expect((await read(zeros(1_001))).body.code).toBe('601')
    const value = await server.request(
      'POST',
      '/graph/acme',
      person(`"age":{"value":1${'0'.repeat(1_001)}}`),
    )
    expect(value.body.code).toBe('REST-30200')
  })

  it('leaves the server healthy and prototypes clean', async () => {
    expect((await server.request('GET', '/api/ping')).status).toBe(200)
    expect(Object.keys(Object.prototype)).toEqual([])
    const good = await server.request(
      'POST',
      '/graph/acme',
      person('"age":{"value":18446744073709551615}'),
    )
    expect(good.body.results).toEqual([{ accepted_vertices: 1, accepted_edges: 0 }])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DOCUMENT_BYTES_MAX, DOCUMENTS_PER_KIND_MAX } from '#contract/documents.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
const url = '/quiver/v1/documents/schema-draft'

beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterEach(() => server.close())

const put = (path: string, value: unknown) => server.request('PUT', `${url}${path}`, value)
const read = async (path: string) => (await server.request('GET', `${url}${path}`)).body.results

describe('documents', () => {
  it('survive a restart as they were written, long integers included', async () => {
    const draft = { list: [1, 'é😀'], nothing: null, ['__proto__']: { x: 1 } }
    const { version } = (await put('/a%2Fb', draft)).body.results
    await put('/big', '{"id":18446744073709551615}')
    await server.close()
    server = await startServer({ image: server.image, queryWorkerCount: 0 })
    const sizeBytes = Buffer.byteLength(JSON.stringify(draft))
    const updatedAt = server.clock.nowMs()
    expect(await read('/a%2Fb')).toEqual({
      key: 'a/b',
      version,
      updatedAt,
      sizeBytes,
      value: draft,
    })
    const { text } = await server.request('GET', `${url}/big`)
    expect(text).toContain('"value":{"id":18446744073709551615}')
    expect(await read('')).toEqual([
      { key: 'a/b', version, updatedAt, sizeBytes },
      { key: 'big', version, updatedAt, sizeBytes: 27 },
    ])
    expect(await read('/none')).toBeNull()
  })

  it('keep their text, without a byte order mark', async () => {
    const text = ' {"a" : 1.0, "b":1e2,"a":2}\n'
    await put('/text', `\ufeff${text}`)
    const { text: answer, body } = await server.request('GET', `${url}/text`)
    expect(answer).toContain(`"value":${text}}`)
    expect(body.results).toMatchObject({ sizeBytes: text.length, value: { a: 2, b: 100 } })
    for (const wrong of ['{"a":1', '', `${text}x`, '\ufeff\ufeff1']) {
      expect((await put('/text', wrong)).status, wrong).toBe(400)
    }
  })

  it('are not overwritten unseen', async () => {
    const first = (await put('/d?version=0', 1)).body.results
    expect((await put('/d?version=0', 2)).status).toBe(409)
    const second = (await put(`/d?version=${first.version}`, 3)).body.results
    expect(second.version).toBeGreaterThan(first.version)
    const refused = await put(`/d?version=${first.version}`, 4)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ error: true, code: 'DOCUMENT_CONFLICT', results: second })
    expect((await read('/d')).value).toBe(3)
    const stale = await server.request('DELETE', `${url}/d?version=${first.version}`)
    expect(stale.body.code).toBe('DOCUMENT_CONFLICT')
    await server.request('DELETE', `${url}/d?version=${second.version}`)
    expect(await read('/d')).toBeNull()
    server.clock.advance(1)
    await put('/d', 5)
    expect((await put(`/d?version=${first.version}`, 6)).status).toBe(409)
    expect((await server.request('DELETE', `${url}/none`)).body.error).toBe(false)
  })

  it('let one of two writers at once through', async () => {
    const answers = await Promise.all([
      put('/d?version=0', { a: 1 }),
      put('/d?version=0', { b: 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 409])
    expect((await read('/d')).value).toEqual({ a: 1 })
  })

  it('belong to one user, and go with him', async () => {
    await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'secret123' })
    const authorization = `Basic ${Buffer.from('ada:secret123').toString('base64')}`
    await server.request('PUT', `${url}/d`, '"hers"', { authorization })
    expect(await read('/d')).toBeNull()
    const hers = await server.request('GET', `${url}/d`, undefined, { authorization })
    expect(hers.body.results.value).toBe('hers')
    await server.request('DELETE', '/gsql/v1/users/ada')
    await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'secret123' })
    const later = await server.request('GET', `${url}/d`, undefined, { authorization })
    expect(later.body.results).toBeNull()
  })

  it('that are shared scenes of a graph are read by whoever may read it, and nobody else', async () => {
    for (const graph of ['one', 'other']) {
      await server.request('POST', `/gsql/v1/schema/graphs?graphName=${graph}`, {})
    }
    await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'secret123' })
    const role = { roles: ['queryreader'], users: ['ada'] }
    await server.request('POST', '/gsql/v1/roles/grant?graph=one', role)
    const authorization = `Basic ${Buffer.from('ada:secret123').toString('base64')}`
    const shared = '/quiver/v1/documents/shared-scene'
    for (const graph of ['one', 'other']) {
      await server.request('PUT', `${shared}/${graph}%2Fx`, { of: graph })
    }
    const fetched = (path: string) =>
      server.request('GET', `/quiver/v1/graphs/${path}`, undefined, { authorization })
    const found = await fetched('one/shared-scenes/tigergraph/x')
    expect(found.body.results).toMatchObject({ key: 'one/x', value: { of: 'one' } })
    expect((await fetched('other/shared-scenes/tigergraph/x')).status).toBe(403)
    for (const path of ['tigergraph/y', 'nobody/x', 'ada/x', '..%2Ftigergraph/x']) {
      expect((await fetched(`one/shared-scenes/${path}`)).body, path).toEqual({
        error: false,
        message: '',
        results: null,
      })
    }
  })

  it('have limits', async () => {
    const large = await put('/x', `"${'x'.repeat(DOCUMENT_BYTES_MAX - 1)}"`)
    expect([large.status, large.body.code]).toEqual([413, 'BODY_TOO_LARGE'])
    const fits = await put('/x', `"${'x'.repeat(DOCUMENT_BYTES_MAX - 2)}"`)
    expect(fits.status).toBe(200)
    expect((await server.request('PUT', '/quiver/v1/documents/users/x', {})).status).toBe(400)
    expect((await put(`/${'k'.repeat(257)}`, {})).status).toBe(400)
    expect((await put('/x?version=-1', {})).status).toBe(400)
    expect((await server.request('PUT', `${url}/empty`)).status).toBe(400)
    for (let count = 1; count < DOCUMENTS_PER_KIND_MAX; count++) await put(`/${count}`, count)
    const tooMany = await put('/one-more', 1)
    expect([tooMany.status, tooMany.body.code]).toEqual([400, 'INVALID_PARAMETER'])
    expect((await put('/x', 1)).status).toBe(200)
  })
})

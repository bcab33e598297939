/** Rows of the contract that few clients call (priority C): those that work, and those that are not here. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
  const data = {
    vertices: { Person: { 1: { age: { value: 30 } }, 2: { age: { value: 50 } }, 3: {} } },
  }
  await server.request('POST', '/graph/acme', data)
})
afterAll(() => server.close())

const get = async (url: string) => (await server.request('GET', url)).body

describe('rows of the contract that few call', () => {
  it('search vertices by what the URL or the body says', async () => {
    const ids = (body: { results: { v_id: string }[] }) => body.results.map(({ v_id }) => v_id)
    const url = '/restpp/searchvertex/acme'
    expect(ids(await get(`${url}?vertex_type=Person&filter=age%3E10&sort=-age`))).toEqual([
      '2',
      '1',
    ])
    const body = { type: 'Person', filter: 'age>10', limit: 1, sort: 'age' }
    expect(ids((await server.request('POST', url, body)).body)).toEqual(['1'])
    expect(await get(url)).toMatchObject({ error: true, code: 'REST-30000' })
    expect(await get(`${url}?vertex_type=Ghost`)).toMatchObject({ error: true, code: 'REST-30000' })
  })

  it('tell of one cluster, one package, and no queues', async () => {
    const replication = await get('/gsql/v1/replication')
    expect(replication).toMatchObject({ error: false, numChangesToBeReplicated: 0 })
    expect(replication.lastSeqId).toBeGreaterThan(0)
    expect(await get('/gsql/v1/packages')).toMatchObject({ error: false, results: ['gds'] })
    expect(await get('/restpp/workload-manager/queue')).toEqual([])
    const configs = '/gsql/v1/workload-manager/configs'
    expect(await get(configs)).toEqual({ isEnabled: false, queues: {} })
    const change = await server.request('POST', configs, { isEnabled: true })
    expect(change).toMatchObject({ status: 400, body: { error: true, code: 'INVALID_PARAMETER' } })
    const status = await server.request('POST', '/restpp/workload-manager/queuestatus', {})
    expect(status.body).toMatchObject({
      ...{ error: false, message: 'Completes' },
      WorkloadQueueStatusByInstances: [{ error: false, results: { GPE_1_1: [] } }],
    })
  })

  it('answer under their paths of 3.x', async () => {
    const file = '/gsqlserver/gsql/userdefinedfunction?filename=ExprUtil'
    expect(Object.keys((await get(file)).results)).toEqual(['ExprUtil'])
    const progress = '/gsqlserver/gsql/loading-jobs?action=getprogress&graph=acme&jobId='
    expect(await get(`${progress}x`)).toMatchObject({ code: 'REQUEST_NOT_FOUND' })
    expect((await get('/gsqlserver/gsql/loading-jobs?graph=acme')).results).toEqual([])
    expect((await get('/gsqlserver/gsql/description?graph=acme')).error).toBe(false)
    expect(await get('/gsqlserver/gsql/queryinfo?graph=acme&query=x')).toMatchObject({
      error: true,
    })
    expect(await get('/gsqlserver/gsql/queryinfo?graph=acme')).toMatchObject({
      message: 'The parameter queryName is required.',
    })
  })

  it('answer tokens of 3.x as an endpoint that is not there: clients then ask for one of 4.x', async () => {
    const { status, body } = await server.request('POST', '/restpp/requesttoken')
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: true, code: 'REST-1000' })
    expect(body.message).toContain('Endpoint is not found from url')
  })

  it.each([
    ['GET', '/gsql/v1/list-buckets/s', 'object store'],
    ['GET', '/gsql/v1/groups', 'proxy groups'],
    ['POST', '/gsql/v1/groups?action=delete', 'proxy groups'],
    ['PUT', '/gsql/v1/groups', 'proxy groups'],
    ['DELETE', '/gsql/v1/groups/g', 'proxy groups'],
    ['GET', '/gsql/scim/v2/Users', 'SCIM'],
    ['PATCH', '/gsql/scim/v2/Users/7', 'SCIM'],
    ['POST', '/gsql/scim/v2/Groups', 'SCIM'],
    ['GET', '/gsqlserver/gsql/saml/meta', 'single sign-on'],
    ['POST', '/api/auth/saml/acs', 'single sign-on'],
    ['GET', '/api/auth/oidc/callback', 'single sign-on'],
    ['GET', '/gsqlserver/gsql/ldap/refresh-group', 'LDAP'],
    ['PUT', '/gsql/v1/udt/files/ExprFunctions', 'C++'],
    ['PUT', '/gsql/v1/udt/files', 'C++'],
    ['DELETE', '/gsql/v1/udt/files/ExprUtil', 'C++'],
  ] as const)('answer %s %s as what is not here: %s', async (method, url, feature) => {
    const { status, body } = await server.request(method, url)
    expect([status, body.error, body.code]).toEqual([501, true, 'FEATURE_ABSENT'])
    expect(body.message).toContain(feature)
  })

  it('are in the document with the status that says so', async () => {
    const { paths } = (await server.request('GET', '/openapi.json')).body
    const patch = paths['/gsql/scim/v2/Users/{id}'].patch
    expect(patch.description).toContain('WRITE_USER')
    expect(patch.responses['501'].description).toContain('FEATURE_ABSENT (REST-10001)')
  })
})

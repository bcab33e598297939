import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorStatus } from '#http/error-status.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

interface Provocation {
  readonly code: ErrorCode
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly body?: string
  /** What the message has to name. */
  readonly names: string
}

const provocations: readonly Provocation[] = [
  {
    code: 'ENDPOINT_NOT_FOUND',
    method: 'GET',
    url: '/restpp/nothing/here',
    names: '/nothing/here',
  },
  { code: 'QUERY_NOT_FOUND', method: 'GET', url: '/restpp/query/acme/nobody', names: 'nobody' },
  {
    code: 'REQUEST_NOT_FOUND',
    method: 'DELETE',
    url: '/gsql/v1/queries/running/1.RESTPP_1_1.2.N',
    names: '1.RESTPP_1_1.2.N',
  },
  {
    code: 'INVALID_STATISTICS_PARAMETER',
    method: 'GET',
    url: '/restpp/statistics/acme?seconds=61',
    names: 'seconds',
  },
  {
    code: 'INVALID_PARAMETER',
    method: 'DELETE',
    url: '/restpp/graph/acme/vertices/Person/7?permanent=perhaps',
    names: 'permanent',
  },
  {
    code: 'QUERY_INVALID',
    method: 'POST',
    url: '/gsql/v1/queries?graph=acme',
    body: 'CREATE QUERY broken() { S = {Nobody.*}; }',
    names: 'Nobody',
  },
]

describe('an error', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    await createAcme(server)
  })
  afterAll(() => server.close())

  it.each(provocations)('$code is answered in the contract’s shape, naming what', async (given) => {
    const { method, url, body, names } = given
    const answer = await server.app.inject({ method, url, ...(body !== undefined && { body }) })
    expect(answer.statusCode).toBe(errorStatus[given.code].status)
    const json = answer.json() as { error: boolean; message: string; code?: string }
    expect(json.error).toBe(true)
    expect(json.message).toContain(names)
    // RESTPP speaks the contract's codes; the GSQL face, where it has a code, names ours.
    const codes = [errorStatus[given.code].code, given.code, undefined]
    expect(codes).toContain(json.code)
  })
})

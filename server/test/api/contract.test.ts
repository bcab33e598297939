import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorStatus } from '#http/error-status.ts'
import { errorCodes } from '#kernel/errors.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterAll(() => server.close())

const folder = new URL('../../contract/', import.meta.url)

async function declaredEndpoints(): Promise<[name: string, endpoint: Endpoint][]> {
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) =>
    Object.entries(module).filter(
      (entry): entry is [string, Endpoint] =>
        typeof entry[1] === 'object' && entry[1] !== null && 'envelope' in entry[1],
    ),
  )
}

describe('the mounted contract', () => {
  it('is the whole contract: nothing is declared that no route serves', async () => {
    const declared = await declaredEndpoints()
    expect(declared.length).toBeGreaterThan(50)
    const idle = declared.filter(([, one]) => !server.app.endpoints.has(one)).map(([name]) => name)
    expect(idle).toEqual([])
  })

  it('declares only errors that have a code and a status, each once', () => {
    for (const { errors, paths } of server.app.endpoints) {
      expect(new Set(errors).size, paths[0]).toBe(errors.length)
      for (const code of errors) expect(errorStatus[code], `${paths[0]} ${code}`).toBeDefined()
    }
  })

  it('keeps 404 for unknown endpoints: clients lose code and message on it', () => {
    const lost = errorCodes.filter((code) => errorStatus[code].status === 404)
    for (const code of lost) expect(errorStatus[code].code).toBe('REST-1000')
  })

  it('declares every error that a request of each kind can meet', async () => {
    const ghosts = { graph: 'ghost', name: 'ghost', vertex_type: 'ghost', index: 'ghost' }
    for (const { paths, methods, errors, invalidQuery } of server.app.endpoints) {
      const path = paths[0] ?? ''
      if (/echo|session|sample/.test(path)) continue
      const url = Object.entries(ghosts)
        .reduce((text, [key, value]) => text.replace(`{${key}}`, value), path)
        .replace(/\{\w+\}/g, 'ghost')
      const { body, text } = await server.request(methods[0] as 'GET', `${url}?graph=ghost`)
      if (body?.error !== true) continue
      const known = [
        ...errors,
        'INVALID_PARAMETER',
        'INVALID_JSON',
        'UNAUTHENTICATED',
        invalidQuery,
      ]
      const codes = known.flatMap((code) =>
        code ? [code, errorStatus[code as 'FORBIDDEN'].code] : [],
      )
      expect([...codes, 'REST-5000', 'GSQL-7004'], `${methods[0]} ${url}: ${text}`).toContain(
        body.code,
      )
    }
  })

  it('gives every answer a request id', async () => {
    for (const url of [
      '/api/ping',
      '/nowhere',
      '/gsql/v1/nowhere',
      '/restpp/statistics/x',
      '/%E0%A4%A',
    ]) {
      const { headers } = await server.request('GET', url)
      expect(headers['x-request-id'], url).toMatch(/^\d+\.RESTPP_1_1\.\d+\.N$/)
    }
  })
})

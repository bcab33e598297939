import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { answerExcerpt, curlCommand, fillPath, httpRequest, queryText } from './http-request.ts'

const readVertex = endpoint({
  method: 'GET',
  path: ['/restpp/graph/{graph}/vertices/{type}', '/restpp/graph/{graph}/vertices/{type}/{id}'],
  at: 'any',
  summary: 'test',
  params: z.object({ graph: z.string(), type: z.string(), id: z.string().optional() }),
  response: z.unknown(),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: [],
})

describe('httpRequest', () => {
  it('takes the longest path whose parameters are given', () => {
    expect(httpRequest(readVertex, { params: { graph: 'g', type: 'T' } }).url).toBe(
      '/restpp/graph/g/vertices/T',
    )
    expect(httpRequest(readVertex, { params: { graph: 'g', type: 'T', id: 'x' } }).url).toBe(
      '/restpp/graph/g/vertices/T/x',
    )
  })

  it('encodes slashes, percent signs and emoji of an id', () => {
    const params = new Map([['id', 'a/b%2F 😀']])
    expect(fillPath(['/v/{id}'], params)).toBe('/v/a%2Fb%252F%20%F0%9F%98%80')
  })

  it('sends nothing for an id that a browser would take out of the path', () => {
    for (const id of ['.', '..', '']) {
      const params = { graph: 'g', type: 'T', id }
      expect(() => httpRequest(readVertex, { params }), id).toThrow('cannot stand in an address')
    }
    for (const id of ['...', '.a', '%2e', '. ']) {
      const { url } = httpRequest(readVertex, { params: { graph: 'g', type: 'T', id } })
      expect(new URL(url, 'http://h').pathname, id).toBe(url)
      expect(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))).toBe(id)
    }
  })

  it('leaves out absent query values and repeats lists', () => {
    const query = new Map<string, unknown>([
      ['a', undefined],
      ['b', null],
      ['c', ['1', '2']],
      ['d', false],
    ])
    expect(queryText(query)).toBe('?c=1&c=2&d=false')
  })

  it('tells a terminal what was wanted of the guard, and nothing that only the console says', () => {
    const curlOf = (guard: string) =>
      curlCommand('http://h', {
        ...{ method: 'POST', url: '/x', body: undefined },
        headers: { 'x-console': '1', 'x-write-guard': guard },
      })
    expect(curlOf('read-only')).toContain("-H 'x-write-guard: read-only'")
    expect(curlOf('confirmed')).toBe("curl -X POST 'http://h/x'")
  })

  it('marks its requests as the console and sends exact integers', () => {
    const request = httpRequest(readVertex, {
      params: { graph: 'g', type: 'T' },
      body: { n: 18446744073709551615n },
    })
    expect(request.headers['x-console']).toBe('1')
    expect(request.body).toBe('{"n":18446744073709551615}')
  })

  it('shows no password in a command line, and no body that would fill the memory', () => {
    const send = (url: string, body: string | Uint8Array) =>
      curlCommand('http://h', { method: 'POST', url, body, headers: {} })
    const login = send('/quiver/v1/session', '{"user":"ada","password":"s\\"ecret"}')
    expect(login).toContain('"user":"ada"')
    expect(login).not.toContain('ecret')
    for (const [path, body] of [
      ['/gsql/v1/users', '{"name":"ada","password":"hidden"}'],
      ['/gsql/v1/tokens', '{"lifetime":3600,"secret":"hidden"}'],
      ['/gsql/v1/tokens', '{"tokens":["hidden","a]hidden"]}'],
    ] as const) {
      expect(send(path, body), body).not.toContain('hidden')
    }
    expect(send('/restpp/graph/g', '{"password":"a column"}')).toContain('a column')
    const bytes = new TextEncoder().encode('{"wide":18446744073709551615}')
    expect(send('/restpp/graph/g', bytes)).toContain('18446744073709551615')
    expect(send('/restpp/graph/g', new Uint8Array(100_000)).length).toBeLessThan(200)
    expect(send('/restpp/graph/g', 'x'.repeat(100_000)).length).toBeLessThan(200)
  })

  it('writes a command line whose address and body hold what a shell or curl would act on', () => {
    const params = { graph: 'g', type: 'T', id: "o'neil!*(1)" }
    const { url } = httpRequest(readVertex, { params })
    const command = curlCommand('http://h', { method: 'GET', url, body: '@file', headers: {} })
    expect(command).toBe(
      `curl -X GET 'http://h/restpp/graph/g/vertices/T/o'\\''neil!*(1)' \\\n  --data-raw '@file'`,
    )
  })

  it('writes a command line that survives quotes', () => {
    const request = httpRequest(readVertex, {
      params: { graph: 'g', type: 'T' },
      body: { text: "it's" },
      method: 'POST',
    })
    expect(curlCommand('http://h', request)).toContain(`--data-binary '{"text":"it'\\''s"}'`)
  })
})

describe('answerExcerpt', () => {
  const url = '/restpp/query/g/q'

  it('is the answer, or its beginning', () => {
    expect(answerExcerpt(url, '{"wide":18446744073709551615}')).toBe(
      '{"wide":18446744073709551615}',
    )
    const long = answerExcerpt(url, 'ä'.repeat(100_000))
    expect(long).toMatch(/^ä+…$/)
    expect(long.length).toBeLessThan(5_000)
  })

  it('is nothing where credentials are answered', () => {
    for (const path of [
      '/quiver/v1/session',
      '/quiver/v1/tokens?user=a',
      '/gsql/v1/tokens',
      '/gsql/v1/secrets?graph=g',
      '/gsql/v1/statements',
    ]) {
      expect(answerExcerpt(path, '{"token":"hidden"}'), path).toBe('')
    }
  })
})

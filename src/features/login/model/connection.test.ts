import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import { skewOf } from '#api/connection.ts'
import { connectionNotes, connectionProblem, type Place } from './connection.ts'

const place: Place = {
  protocol: 'https:',
  host: 'graph.example:14240',
  hostname: 'graph.example',
  online: true,
}
const failure = (code: string, status: number, message = 'Told by the server.') =>
  new ApiError(message, { code, status, method: 'GET', url: '/api/ping', curl: '' })
const pong = { message: 'pong', latencyMs: 3, skewMs: 0 }
const pinged = (pingError: unknown, at: Place = place) =>
  connectionProblem({ pong: null, pingError, sessionError: null }, at)

describe('connectionProblem', () => {
  it('is none while the server answers', () => {
    const nothing = { pingError: null, sessionError: null }
    expect(connectionProblem({ ...nothing, pong }, place)).toBeNull()
  })

  it('tells a server that cannot say who is signed in from one that never could', () => {
    const asked = { pong, pingError: null, sessionError: failure('REST-0001', 500) }
    const problem = connectionProblem(asked, place)
    expect(problem?.title).toContain('cannot say who is signed in')
    expect(problem?.text).toBe('Told by the server.')
  })

  it('tells silence by how the page came here', () => {
    const silent = failure('UNREACHABLE', 0)
    expect(pinged(silent)).toMatchObject({
      title: 'graph.example:14240 does not answer',
      text: expect.stringContaining('certificate'),
      link: { href: 'https://graph.example:14240/api/ping' },
    })
    expect(pinged(silent, { ...place, protocol: 'http:' })).toMatchObject({
      text: expect.stringContaining('speaks HTTPS now'),
      link: { href: 'https://graph.example:14240/ui/' },
    })
    expect(pinged(silent, { ...place, online: false })?.title).toBe('This computer has no network')
  })

  it.each([
    ['HTTP-502', 502, 'A proxy answers'],
    ['HTTP-504', 504, 'A proxy answers'],
    ['HTTP-404', 404, 'is no Quiver'],
    ['INVALID_ANSWER', 200, 'is no Quiver'],
    ['REST-12001', 503, 'answers, and refuses'],
    ['REST-10016', 403, 'answers, and refuses'],
  ])('tells an answer of %s with status %i as one that %s', (code, status, words) => {
    const problem = pinged(failure(code, status))
    expect(problem?.title).toContain(words)
    expect(problem?.title).toContain(place.host)
    expect(problem?.steps.length).toBeGreaterThan(0)
  })

  it('tells a refused host name the option that allows it', () => {
    const problem = pinged(failure('REST-10016', 403, 'The host is unknown.'))
    expect(problem?.text).toBe('The host is unknown.')
    expect(problem?.steps.join()).toContain('--allow-host')
  })

  it('knows a server that answers pings and is none of ours', () => {
    const asked = { pingError: null, sessionError: null }
    const other = connectionProblem({ ...asked, pong: { ...pong, message: 'hello' } }, place)
    expect(other?.text).toBe('It answered the ping with “hello”.')
    for (const sessionError of [failure('HTTP-404', 404), failure('INVALID_ANSWER', 200)]) {
      const found = connectionProblem({ ...asked, pong, sessionError }, place)
      expect(found?.title).toContain('like a TigerGraph server')
    }
  })
})

describe('connectionNotes', () => {
  const notes = (skewMs: number | null, version: unknown, at: Partial<Place> = {}) =>
    connectionNotes({ skewMs, version }, { ...place, ...at })

  it('are none where all is well', () => {
    expect(notes(59_999, '0.1.0 (0123456789ab)')).toEqual([])
    expect(notes(null, undefined)).toEqual([])
    for (const hostname of ['localhost', '127.0.0.1', '127.9.0.1', '[::1]']) {
      expect(notes(0, '0.1.0', { protocol: 'http:', hostname })).toEqual([])
    }
  })

  it('tell a clock that is a minute off or more, and which way', () => {
    expect(notes(60_000, undefined).join()).toContain('is 1 min ahead of the server’s')
    expect(notes(-7_500_000, undefined).join()).toContain('is 2 h 5 min behind the server’s')
  })

  it('tell a server of another release, or of one that cannot be read', () => {
    expect(notes(0, '0.2.0 (0123)').join()).toContain('of release 0.2.0, this page of 0.1.0')
    expect(notes(0, 'whatever').join()).toContain('tells no version')
    expect(notes(0, null).join()).toContain('tells no version')
  })

  it('tell that passwords travel in the open', () => {
    expect(notes(0, undefined, { protocol: 'http:' }).join()).toContain('not encrypted')
  })
})

describe('skewOf', () => {
  const date = 'Mon, 23 Nov 2026 00:00:10 GMT'
  const told = Date.UTC(2026, 10, 23, 0, 0, 10)

  it('takes a whole second for its middle', () => {
    expect(skewOf(date, told + 500)).toBe(0)
    expect(skewOf(date, told + 60_500)).toBe(60_000)
    expect(skewOf(date, told - 59_500)).toBe(-60_000)
  })

  it('is unknown without a time', () => {
    expect(skewOf(null, told)).toBeNull()
    expect(skewOf('soon', told)).toBeNull()
  })
})

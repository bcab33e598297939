import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createIndexes } from '#contract/indexes.ts'
import { loadSample } from '#contract/sample.ts'
import { readServerLog } from '#contract/server-log.ts'
import { readVersions } from '#contract/system.ts'
import { upsertData } from '#contract/upsert.ts'
import { ApiError } from './api-error.ts'
import { mayCall, noteRefusal, ownRightsQuery, refusalOf } from './rights.ts'
import { sessionQuery } from './session.ts'

type Held = Partial<Record<string, true | readonly string[]>>

/** As the server tells it: each of its privileges, granted or not. */
function rights(graph: string | null, held: Held = {}) {
  const names = ['READ_DATA', 'UPDATE_DATA', 'WRITE_SCHEMA', 'READ_USER']
  const privileges = names.map((privilege) => ({
    privilege,
    privilegeType: 'GRAPH',
    granted: held[privilege] === true,
    types: Array.isArray(held[privilege]) ? held[privilege] : [],
    through: [],
  }))
  return { user: 'ada', graph, isSuperUser: false, privileges }
}

describe('why a call would be refused', () => {
  it('is the privilege that is missing, where, and who can give it', () => {
    expect(refusalOf(rights('acme', { READ_DATA: true }), createIndexes)).toBe(
      'This takes the privilege WRITE_SCHEMA on graph acme, which you do not have. Whoever administers acme or this server can give it to you.',
    )
    expect(refusalOf(rights(null), loadSample)).toBe(
      'This takes the privilege WRITE_SCHEMA on all graphs, which you do not have. Whoever administers this server can give it to you.',
    )
  })

  it('is nothing where the privilege is held, or none is wanted', () => {
    expect(refusalOf(rights('acme', { WRITE_SCHEMA: true }), createIndexes)).toBe(null)
    expect(refusalOf(rights('acme'), readVersions)).toBe(null)
  })

  it('is left to the server where the privilege is held on some types', () => {
    const some = ['Person']
    expect(refusalOf(rights('acme', { UPDATE_DATA: some }), upsertData)).toBe(null)
    expect(refusalOf(rights('acme', { WRITE_SCHEMA: some }), createIndexes)).not.toBe(null)
  })
})

function clientOf(session: { readonly isSuperUser: boolean }): QueryClient {
  const client = new QueryClient()
  const of = { user: 'ada', passwordIsDefault: false, version: '1', ...session }
  client.setQueryData(sessionQuery.queryKey, of)
  return client
}

describe('what is read only where it may be', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('asks nothing for who may do everything, and once for anybody else', async () => {
    const asked = vi.fn(async (url: string) => {
      const results = rights(null, { READ_USER: url.endsWith('effective') ? true : [] })
      return new Response(JSON.stringify({ error: false, message: '', results }))
    })
    vi.stubGlobal('fetch', asked)
    vi.stubGlobal('window', { location: { origin: 'http://here' } })
    expect(await mayCall(clientOf({ isSuperUser: true }), readServerLog, '')).toBe(true)
    expect(asked).not.toHaveBeenCalled()
    const client = clientOf({ isSuperUser: false })
    expect(await mayCall(client, readServerLog, '')).toBe(true)
    expect(await mayCall(client, loadSample, 'acme')).toBe(false)
    expect(asked.mock.calls.map(([url]) => url)).toEqual(['/quiver/v1/access/effective'])
  })
})

describe('a refusal', () => {
  const refused = (code = 'FORBIDDEN', status = 403) =>
    new ApiError('No.', { code, status, method: 'POST', url: '/', curl: '' })
  const invalid = (client: QueryClient, key: QueryKey) =>
    client.getQueryState(key)?.isInvalidated === true

  it('has the rights asked for again, unless they were asked for just now', () => {
    const client = clientOf({ isSuperUser: false })
    const { queryKey: old } = ownRightsQuery('acme')
    const { queryKey: fresh } = ownRightsQuery('')
    client.setQueryData(old, rights('acme'), { updatedAt: Date.now() - 11_000 })
    client.setQueryData(fresh, rights(null))
    noteRefusal(client, refused('REST-2001', 404))
    noteRefusal(client, new Error('403'))
    expect(invalid(client, old)).toBe(false)
    noteRefusal(client, refused())
    expect([old, fresh, sessionQuery.queryKey].map((key) => invalid(client, key))).toEqual([
      ...[true, false, false],
    ])
  })
})

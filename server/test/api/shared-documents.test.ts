/**
 * Documents that one server changes are seen by another one that shares its store. A collection that
 * has no case here fails the last test.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RoleStore } from '#services/auth/role-store.ts'
import { UserStore } from '#services/auth/user-store.ts'
import { DetachedScripts } from '#services/gsql/detached-scripts.ts'
import { LoadRunStore, type StoredLoadRun } from '#services/loading/load-run-store.ts'
import { LoadRuns } from '#services/loading/load-runs.ts'
import { ImportMarks } from '#services/transfer/import-marks.ts'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { createAcme, testClock } from '../fixtures/server.ts'
import { caughtUp as documentsCaughtUp, joinDocuments } from '../fixtures/shared-documents.ts'
import { caughtUp, type SharedServer, startShared } from '../fixtures/shared-servers.ts'

type Headers = Record<string, string>

const basic = (user: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const root = basic('tigergraph', 'right right')

let image: SharedImage
let writer: SharedServer
let follower: SharedServer

beforeAll(async () => {
  image = new SharedImage()
  writer = await startShared(image, { name: 'a' })
  await createAcme(writer)
  const password = { name: 'tigergraph', password: 'right right' }
  expect((await writer.request('PUT', '/gsql/v1/users', password)).status).toBe(200)
  follower = await startShared(image, { name: 'b', takesOver: false })
})
afterAll(async () => {
  await follower?.close()
  await writer?.close()
})

/** At the writer; resolves when the follower has it. */
async function change(
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers = root,
) {
  const answer = await writer.request(method, url, body, headers)
  expect(answer.status, answer.text).toBe(200)
  await caughtUp(follower, image)
  return answer
}

/** At the follower. */
const read = async (url: string, headers = root) => {
  const { body } = await follower.request('GET', url, undefined, headers)
  return body.results ?? body
}
const statusOf = async (headers: Headers) =>
  (await follower.request('GET', '/quiver/v1/documents/scene', undefined, headers)).status

const newToken = async () => {
  const { token } = (await change('POST', '/gsql/v1/tokens', {})).body
  const headers = { authorization: `Bearer ${token}` }
  expect(await statusOf(headers)).toBe(200)
  return { token, headers }
}

const cases: Readonly<Record<string, () => Promise<void>>> = {
  users: async () => {
    await change('POST', '/gsql/v1/users', { username: 'ada', password: 'first first' })
    expect(await statusOf(basic('ada', 'first first'))).toBe(200)
    await change('PUT', '/gsql/v1/users', { name: 'ada', password: 'next next' })
    expect(await statusOf(basic('ada', 'first first'))).toBe(401)
    expect(await statusOf(basic('ada', 'next next'))).toBe(200)
    await change('DELETE', '/gsql/v1/users/ada')
    expect(await statusOf(basic('ada', 'next next'))).toBe(401)
  },
  secrets: async () => {
    const { value } = (await change('POST', '/gsql/v1/secrets?alias=ci')).body.results
    const headers = { authorization: `GSQL-Secret ${value}` }
    expect(await statusOf(headers)).toBe(200)
    await change('DELETE', '/gsql/v1/secrets/ci')
    expect(await statusOf(headers)).toBe(401)
  },
  roles: async () => {
    await change('POST', '/gsql/v1/users', { username: 'bo', password: 'bo bo bo bo' })
    const effective = async () => {
      const url = '/quiver/v1/access/effective?user=bo&graph=acme'
      const { privileges } = (await read(url)) as { privileges: { granted: boolean }[] }
      return privileges.filter(({ granted }) => granted).length
    }
    await change('POST', '/gsql/v1/roles?graph=acme', { roles: ['reader'] })
    await change('POST', '/gsql/v1/roles/grant?graph=acme', { roles: ['reader'], users: ['bo'] })
    expect(await effective()).toBe(0)
    const grant = { privileges: ['READ_DATA'], roles: ['reader'] }
    await change('POST', '/gsql/v1/privileges/grant?graph=acme', grant)
    expect(await effective()).toBe(1)
    await change('DELETE', '/gsql/v1/roles/reader?graph=acme')
    expect(await effective()).toBe(0)
  },
  // The key of the tokens.
  auth: async () => void (await newToken()),
  'issued-tokens': async () => {
    const { headers } = await newToken()
    const [{ id }] = (await read('/quiver/v1/tokens')) as [{ id: string }]
    await change('DELETE', `/quiver/v1/tokens/${id}`)
    expect(await statusOf(headers)).toBe(401)
  },
  'blocked-tokens': async () => {
    const { token, headers } = await newToken()
    await change('DELETE', '/gsql/v1/tokens', { tokens: token })
    expect(await statusOf(headers)).toBe(401)
    await change('DELETE', '/gsql/v1/tokens?clear=true')
    expect(await statusOf(headers)).toBe(200)
  },
  sessions: async () => {
    const login = { user: 'tigergraph', password: 'right right' }
    const answer = await change('POST', '/quiver/v1/session', login, {})
    const cookie = { cookie: String(answer.headers['set-cookie']).split(';')[0]! }
    expect(await statusOf(cookie)).toBe(200)
    await change('DELETE', '/quiver/v1/session', undefined, cookie)
    expect(await statusOf(cookie)).toBe(401)
  },
  queries: async () => {
    const create = (value: number) => {
      const text = `CREATE OR REPLACE QUERY q() FOR GRAPH acme { PRINT ${value} AS v; }`
      return change('POST', '/gsql/v1/queries?graph=acme', text)
    }
    const run = () => read('/restpp/query/acme/q')
    await create(1)
    await change('POST', '/gsql/v1/queries/install?graph=acme&queries=q')
    expect(await run()).toEqual([{ v: 1 }])
    await create(2)
    await change('POST', '/gsql/v1/queries/install?graph=acme&queries=q')
    expect(await run()).toEqual([{ v: 2 }])
    await change('DELETE', '/gsql/v1/queries?graph=acme&query=q')
    expect(JSON.stringify(await run())).not.toContain('"v":')
  },
  packages: async () => {
    await change('POST', '/gsql/v1/packages/tools')
    expect(await read('/gsql/v1/packages')).toContain('tools')
    await change('DELETE', '/gsql/v1/packages/tools')
    expect(await read('/gsql/v1/packages')).not.toContain('tools')
  },
  'gsql-jobs': async () => {
    const url = '/gsql/v1/loading-jobs?graph=acme'
    const job =
      'CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, $1); }'
    await change('POST', '/gsql/v1/statements?graph=acme', job)
    expect(JSON.stringify(await read(url))).toContain('"j"')
    await change('POST', '/gsql/v1/statements?graph=acme', 'DROP JOB j')
    expect(JSON.stringify(await read(url))).not.toContain('"j"')
  },
  'data-sources': async () => {
    const url = '/gsql/v1/data-sources?graph=acme'
    await change('POST', url, { name: 'aws', config: { type: 's3' } })
    expect(JSON.stringify(await read(url))).toContain('aws')
    await change('DELETE', '/gsql/v1/data-sources/aws?graph=acme')
    expect(JSON.stringify(await read(url))).not.toContain('aws')
  },
  'planner-statistics': async () => {
    const url = '/gsql/v1/stats/cardinality?graph=acme'
    const count = async () =>
      ((await read(`${url}&vertex=Person`)) as { vertex_counts: [{ count: number }] })
        .vertex_counts[0].count
    await change('POST', url, { vertex_counts: [{ type: 'Person', count: 77 }] })
    expect(await count()).toBe(77)
    await change('DELETE', url)
    expect(await count()).toBe(0)
  },
  'user/': async () => {
    const url = '/quiver/v1/documents/scene'
    expect(await read(url)).toEqual([])
    await change('PUT', `${url}/one`, { x: 1 })
    expect(await read(url)).toMatchObject([{ key: 'one' }])
    expect(await read(`${url}/one`)).toMatchObject({ value: { x: 1 } })
    await change('DELETE', `${url}/one`)
    expect(await read(url)).toEqual([])
  },

  // What only the writer reads: the keepers themselves.
  'role-renames': async () => {
    const { image, open } = keepers((documents) => RoleStore.open(documents))
    const [first, second] = await open()
    const read = { privileges: ['READ_DATA'] } as const
    const privileges = { g: { privileges: [], childPermissions: { Person: read } } }
    await first.keeper.put({ name: 'r', graph: 'g', privileges })
    const renames = { version: 2, types: [{ graph: null, from: 'Person', to: 'Human' }] }
    await first.keeper.follow(renames)
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.require('r')).toEqual(first.keeper.require('r'))
    expect(second.keeper.require('r').privileges['g']?.childPermissions).toEqual({ Human: read })
    const { end } = image
    await second.store.takeOver()
    // It has followed: nothing is written again.
    await second.keeper.follow(renames)
    expect(image.end - end).toBe(1)
  },
  imports: async () => {
    const { image, open } = keepers((documents) => ImportMarks.open(documents))
    const [first, second] = await open()
    const place = { file: 0, lines: 1, count: 1 }
    const mark = { sha256: 'x', id: 'i', path: 'p', startMs: 1, place, failure: null }
    await first.keeper.put(mark)
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.list()).toEqual([mark])
    await first.keeper.delete('x')
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.list()).toEqual([])
  },
  'detached-scripts': async () => {
    const caller = { name: 'ada', graph: null }
    const { image, open } = keepers((documents) => DetachedScripts.open(documents, testClock()))
    const [first, second] = await open()
    const never = new Promise<string>(() => undefined)
    await first.keeper.start({ id: '1', caller }, async () => 'done\n')
    await first.keeper.start({ id: '2', caller }, () => never)
    await expect.poll(() => first.keeper.require('1', caller).endMs).not.toBe(null)
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.require('1', caller)).toMatchObject({ text: 'done\n', failed: false })
    expect(second.keeper.require('2', caller).endMs).toBe(null)
    await second.store.takeOver()
    await second.documents.stepsDone
    expect(second.keeper.require('2', caller)).toMatchObject({ failed: true })
    expect(second.keeper.require('2', caller).text).toContain('The server ended')
  },
  'loading-runs': async () => {
    const positions = { runs: [], of: () => new Map(), forget: () => undefined }
    const { image, open } = keepers(async (documents) => {
      const store = await LoadRunStore.open(documents)
      const runs = new LoadRuns({
        clock: testClock(),
        runs: store,
        positions,
        ordinal: () => 1,
        after: () => () => {},
      })
      return { store, runs }
    })
    const [first, second] = await open()
    const request = { files: [], lines: null, isDryRun: false, dataRoot: null, errorLimits: null }
    const run = await first.keeper.runs.add(
      { graph: 'g', job: 'j', user: null },
      { ...request, choosesFiles: false },
    )
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.runs.require(run.id, 'g').state).toBe('INTERRUPTED')
    run.end(null)
    await first.keeper.runs.save(run)
    await documentsCaughtUp(second.store, image)
    expect(second.keeper.runs.require(run.id, 'g').state).toBe('FINISHED')
    // One that another instance has gone on with takes the place of the own one.
    await second.store.takeOver()
    const stored: StoredLoadRun = { ...run.record()!, state: 'FAILED', failure: 'no' }
    await second.keeper.store.put(stored)
    await documentsCaughtUp(first.store, image)
    expect(first.keeper.runs.require(run.id, 'g').state).toBe('FAILED')
  },
}

/** Two keepers over the documents of two instances; the first is the writer. */
function keepers<Keeper>(
  openKeeper: (documents: ReturnType<typeof joinDocuments>['documents']) => Promise<Keeper>,
) {
  const image = new SharedImage()
  const open = async () => {
    const join = async (name: string) => {
      const instance = joinDocuments(image, name)
      const keeper = await openKeeper(instance.documents)
      await instance.follow()
      return { ...instance, keeper }
    }
    const first = await join('a')
    await first.documents.stepsDone
    return [first, await join('b')] as const
  }
  return { image, open }
}

describe('a change at one server is seen at the other:', () => {
  for (const [collection, test] of Object.entries(cases)) it(collection, test)

  it('and each collection has a case', () => {
    expect([...follower.sharedDocuments!.opened].toSorted()).toEqual(Object.keys(cases).toSorted())
  })
})

describe('what is refused at a follower', () => {
  it('changes nothing there', async () => {
    const { headers } = await newToken()
    const [{ id }] = (await read('/quiver/v1/tokens')) as [{ id: string }]
    const { end } = image
    const caller = (await follower.auth.logIn('tigergraph', 'right right'))!
    const refused = { code: 'NOT_WRITER' }
    await expect(follower.auth.revokeToken(caller, id)).rejects.toMatchObject(refused)
    await expect(follower.auth.users.create('eve', 'x')).rejects.toMatchObject(refused)
    await expect(follower.auth.startSession('tigergraph')).rejects.toMatchObject(refused)
    await expect(follower.auth.createToken(caller, {})).rejects.toMatchObject(refused)
    expect(await statusOf(headers)).toBe(200)
    expect(follower.auth.users.find('eve')).toBe(undefined)
    expect(image.end).toBe(end)
  })
})

describe('a server that starts', () => {
  it('as a follower writes nothing, and waits for the first user', async () => {
    const shared = new SharedImage()
    const late = startShared(shared, { name: 'b', takesOver: false }, { queryWorkerCount: 0 })
    let hasStarted = false
    void late.then(() => {
      hasStarted = true
    })
    const first = await startShared(
      shared,
      { name: 'a' },
      { queryWorkerCount: 0, firstPassword: 'given given' },
    )
    const second = await late
    expect(hasStarted).toBe(true)
    const secrets = (headers: Headers) =>
      second.request('GET', '/gsql/v1/secrets', undefined, headers)
    expect((await secrets(basic('tigergraph', 'given given'))).status).toBe(200)
    expect((await secrets({})).status).toBe(401)
    await second.close()
    await first.close()
  })

  it('takes the place of a writer that is gone, and goes on with its users', async () => {
    const shared = new SharedImage()
    const first = await startShared(shared, { name: 'a' }, { queryWorkerCount: 0 })
    const second = await startShared(shared, { name: 'b' }, { queryWorkerCount: 0 })
    await first.auth.users.create('ada', 'ada ada ada')
    await caughtUp(second, shared)
    first.store.kill()
    await second.store.takeOver()
    await second.auth.users.changeRoles('ada', () => ({ '1': ['superuser'] }))
    expect(second.auth.isSuperUser('ada')).toBe(true)
    await second.close()
    await first.close()
  })
})

describe('a user whose roles are changed elsewhere', () => {
  it('is still believed his password', async () => {
    const shared = new SharedImage()
    const [a, b] = [joinDocuments(shared, 'a'), joinDocuments(shared, 'b')]
    const first = await UserStore.open(a.documents, { cost: 2 ** 4 })
    await a.follow()
    await a.documents.stepsDone
    const second = await UserStore.open(b.documents, { cost: 2 ** 4 })
    await b.follow()
    await first.create('ada', 'ada ada ada')
    await documentsCaughtUp(b.store, shared)
    const { password } = second.require('ada')
    await first.changeRoles('ada', () => ({ '1': ['superuser'] }))
    await documentsCaughtUp(b.store, shared)
    expect(second.require('ada').roles).toEqual({ '1': ['superuser'] })
    expect(second.require('ada').password).toBe(password)
  })
})

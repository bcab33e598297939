import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccessServer, type Method, startAccess } from '../fixtures/access.ts'
import { startServer } from '../fixtures/server.ts'

let access: AccessServer
beforeEach(async () => {
  access = await startAccess()
})
afterEach(() => access.server.close())

const request: AccessServer['request'] = (...call) => access.request(...call)
const makeUser = (name: string) => access.makeUser(name)
const grant: AccessServer['grant'] = (...call) => access.grant(...call)

describe('roles', () => {
  it('are listed, made, granted, taken and dropped in the words of the contract', async () => {
    await makeUser('ada')
    const made = await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['r2'] })
    expect(made.body.results).toBe("Successfully created local roles on graph 'acme': [r2].")
    expect((await request('POST', '/gsql/v1/roles', { roles: ['r1'] })).body.error).toBe(false)
    const taken = await request('POST', '/gsql/v1/roles', { roles: ['observer'] })
    expect(taken.body.code).toBe('NAME_TAKEN')
    expect((await request('GET', '/gsql/v1/roles')).body.results).toEqual({
      builtIn: {
        global: ['globalobserver', 'globaldesigner', 'superuser'],
        local: ['observer', 'queryreader', 'querywriter', 'designer', 'admin'],
      },
      userDefinedRoles: { '1': ['r1'], acme: ['r2'] },
    })
    expect((await grant('r2', 'ada', 'acme')).body.results).toBe(
      "Successfully granted roles [r2] on graph 'acme' to users [ada].",
    )
    const user = (await request('GET', '/gsql/v1/users/ada')).body.results
    expect(user.roles).toEqual({ acme: ['r2'] })
    const revoked = await request('POST', '/gsql/v1/roles/revoke?graph=acme', {
      roles: ['r2'],
      users: ['ada'],
    })
    expect(revoked.body.results).toBe(
      "Successfully revoked roles [r2] on graph 'acme' from users [ada].",
    )
    await grant('r2', 'ada', 'acme')
    expect((await request('DELETE', '/gsql/v1/roles/r2')).body.results).toBe(
      'Successfully dropped roles: [r2].',
    )
    expect((await request('GET', '/gsql/v1/users/ada')).body.results.roles).toEqual({})
    expect((await request('DELETE', '/gsql/v1/roles/observer')).body.message).toContain('built-in')
  })

  it('are granted on graphs that are named like parts of every object', async () => {
    await makeUser('ada')
    for (const graph of ['constructor', 'toString']) {
      await access.gsql(`CREATE GRAPH ${graph}()`)
      const before = (await request('GET', `/gsql/v1/users?graph=${graph}`)).body.results
      expect(JSON.stringify(before)).not.toContain('"ada"')
      expect((await grant('observer', 'ada', graph)).body).toMatchObject({ error: false })
      const after = (await request('GET', `/gsql/v1/users?graph=${graph}`)).body.results
      expect(JSON.stringify(after)).toContain('"ada"')
    }
    const { roles } = (await request('GET', '/gsql/v1/users/ada')).body.results
    expect(roles).toEqual({ constructor: ['observer'], toString: ['observer'] })
  })

  it('are granted where they belong: global ones globally, those of a graph on it', async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/schema/graphs?graphName=other', {})
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['mine'] })
    for (const [role, graph] of [
      ['observer', undefined],
      ['superuser', 'acme'],
      ['mine', 'other'],
      ['ghost', 'acme'],
    ] as const) {
      expect((await grant(role, 'ada', graph)).body, role).toMatchObject({ error: true })
    }
    expect((await grant('observer', 'ghost', 'acme')).body.message).toContain('does not exist')
    expect((await grant('observer', 'ada', 'nowhere')).body.error).toBe(true)
    expect((await request('GET', '/gsql/v1/users/ada')).body.results.roles).toEqual({})
  })

  it('give what is granted to them, on the graph it is granted on', async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['reader'] })
    await grant('reader', 'ada', 'acme')
    const list = () => request('GET', '/restpp/graph/acme/vertices/Person', undefined, 'ada')
    expect((await list()).status).toBe(403)
    const granted = await request('POST', '/gsql/v1/privileges/grant?graph=acme', {
      privileges: ['READ_DATA'],
      roles: ['reader'],
    })
    expect(granted.body).toEqual({
      error: false,
      message: "Successfully granted privileges [READ_DATA] on graph 'acme' to role reader.",
      results: [{ role: 'reader', privileges: { acme: { privileges: ['READ_DATA'] } } }],
    })
    expect((await list()).status).toBe(200)
    await request('POST', '/gsql/v1/privileges/revoke?graph=acme', {
      privileges: ['READ_DATA'],
      roles: ['reader'],
    })
    expect((await list()).status).toBe(403)
    for (const [url, body] of [
      ['?graph=acme', { privileges: ['WRITE_USER'], roles: ['reader'] }],
      ['?graph=acme', { privileges: ['FLY'], roles: ['reader'] }],
      ['?graph=acme', { privileges: ['READ_DATA'], roles: ['observer'] }],
      ['?graph=acme', { privileges: ['READ_SCHEMA'], roles: ['reader'], vertexName: 'Person' }],
      ['?graph=acme', { privileges: ['READ_DATA'], roles: ['reader'], vertexName: 'Ghost' }],
      ['', { privileges: ['READ_DATA'], roles: ['reader'] }],
    ] as const) {
      const refused = await request('POST', `/gsql/v1/privileges/grant${url}`, body)
      expect(refused.body, JSON.stringify(body)).toMatchObject({ error: true })
    }
  })

  it('go with their graph: one of the same name starts bare', async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/roles', { roles: ['wide'] })
    await request('POST', '/gsql/v1/privileges/grant?graph=acme', {
      privileges: ['READ_SCHEMA'],
      roles: ['wide'],
    })
    await grant('wide', 'ada')
    await grant('designer', 'ada', 'acme')
    const read = () => request('GET', '/gsql/v1/schema/graphs/acme', undefined, 'ada')
    expect((await read()).status).toBe(200)
    await request('DELETE', '/gsql/v1/schema/graphs/acme?cascade=true')
    await request('POST', '/gsql/v1/schema/graphs?graphName=acme', {})
    expect((await read()).status).toBe(403)
    expect((await request('GET', '/gsql/v1/users/ada')).body.results.roles).toEqual({ 1: ['wide'] })
  })

  it('survive a restart, with the rights that they give', async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['reader'] })
    await request('POST', '/gsql/v1/privileges/grant?graph=acme', {
      privileges: ['READ_DATA'],
      roles: ['reader'],
      vertexName: 'Person',
    })
    await grant('reader', 'ada', 'acme')
    await access.server.close()
    access.server = await startServer({ image: access.server.image })
    const list = (type: string) =>
      request('GET', `/restpp/graph/acme/vertices/${type}`, undefined, 'ada')
    expect((await list('Person')).status).toBe(200)
    expect((await list('Company')).status).toBe(403)
  })
})

describe('nobody hands out what he does not have', () => {
  beforeEach(async () => {
    for (const name of ['ada', 'eve']) await makeUser(name)
    await grant('admin', 'ada', 'acme')
  })

  it('an administrator of a graph grants on it, and nothing beyond', async () => {
    const as = (method: Method, url: string, body?: unknown) => request(method, url, body, 'ada')
    const eve = { users: ['eve'] }
    const here = '/gsql/v1/roles/grant?graph=acme'
    expect((await as('POST', here, { ...eve, roles: ['admin'] })).body.error).toBe(false)
    const superuser = { ...eve, roles: ['superuser'] }
    expect((await as('POST', '/gsql/v1/roles/grant', superuser)).status).toBe(403)
    const reset = { name: 'tigergraph', password: 'mine now' }
    expect((await as('PUT', '/gsql/v1/users', reset)).status).toBe(403)
    expect((await as('POST', '/gsql/v1/schema/graphs?graphName=more', {})).status).toBe(403)
    expect((await as('GET', '/gsql/v1/users')).status).toBe(403)
    const listed = (await as('GET', '/gsql/v1/users?graph=acme')).body.results
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['ada', 'eve', 'tigergraph'])
    const job = '/gsql/v1/schema/jobs/j?graph=acme&type=global'
    expect((await as('POST', job, { dropVertexTypes: ['Company'] })).status).toBe(403)
  })

  it('who may write roles does not make himself more than he is', async () => {
    await request('POST', '/gsql/v1/roles', { roles: ['keeper', 'big'] })
    const privileges = ['READ_ROLE', 'WRITE_ROLE', 'WRITE_USER', 'READ_USER']
    await request('POST', '/gsql/v1/privileges/grant', { privileges, roles: ['keeper'] })
    await request('POST', '/gsql/v1/privileges/grant', { privileges: ['DROP_ALL'], roles: ['big'] })
    await grant('keeper', 'eve')
    const as = (url: string, body: unknown) => request('POST', url, body, 'eve')
    for (const [url, body] of [
      ['/gsql/v1/roles/grant', { roles: ['superuser'], users: ['eve'] }],
      ['/gsql/v1/roles/grant', { roles: ['big'], users: ['eve'] }],
      ['/gsql/v1/privileges/grant', { privileges: ['DROP_ALL'], roles: ['keeper'] }],
      ['/gsql/v1/privileges/grant?graph=acme', { privileges: ['READ_DATA'], roles: ['keeper'] }],
      ['/gsql/v1/roles/revoke', { roles: ['superuser'], users: ['tigergraph'] }],
      ['/gsql/v1/users?action=delete', { userNames: ['tigergraph'] }],
    ] as const) {
      const { status, text } = await as(url, body)
      expect(status, `${url} ${text}`).toBe(403)
    }
    const reset = { name: 'tigergraph', password: 'mine now' }
    expect((await request('PUT', '/gsql/v1/users', reset, 'eve')).status).toBe(403)
    await makeUser('bob')
    const other = { name: 'bob', password: 'password of bob' }
    expect((await request('PUT', '/gsql/v1/users', other, 'eve')).status).toBe(200)
    expect((await as('/gsql/v1/roles/grant', { roles: ['keeper'], users: ['ada'] })).status).toBe(
      200,
    )
  })

  it('who may write users takes over nobody who may do more', async () => {
    await request('POST', '/gsql/v1/roles', { roles: ['desk'] })
    const privileges = ['WRITE_USER', 'READ_USER']
    await request('POST', '/gsql/v1/privileges/grant', { privileges, roles: ['desk'] })
    await grant('desk', 'eve')
    const reset = { name: 'ada', password: 'password of ada' }
    const refused = await request('PUT', '/gsql/v1/users', reset, 'eve')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'The user ada has privileges that the user eve does not have.',
    ])
    expect((await request('DELETE', '/gsql/v1/users/ada', undefined, 'eve')).status).toBe(403)
    const taken = { roles: ['admin'], users: ['ada'] }
    await request('POST', '/gsql/v1/roles/revoke?graph=acme', taken)
    expect((await request('PUT', '/gsql/v1/users', reset, 'eve')).status).toBe(200)
  })

  it('a token of one graph makes none of all, nor a secret, nor a new password', async () => {
    const { token } = (await request('POST', '/gsql/v1/tokens', { graph: 'acme' })).body
    const headers = { authorization: `Bearer ${token}` }
    const send = (method: Method, url: string, body?: unknown) =>
      access.server.request(method, url, body, headers)
    const wider = (await send('POST', '/gsql/v1/tokens', {})).body.token
    const claims = JSON.parse(Buffer.from(wider.split('.')[1], 'base64url').toString())
    expect(claims.graph).toBe('acme')
    expect((await send('POST', '/gsql/v1/secrets')).status).toBe(403)
    expect((await send('GET', '/gsql/v1/secrets')).status).toBe(403)
    const reset = { name: 'tigergraph', password: 'x' }
    expect((await send('PUT', '/gsql/v1/users', reset)).status).toBe(403)
    const roles = { roles: ['globaldesigner'], users: ['eve'] }
    expect((await send('POST', '/gsql/v1/roles/grant', roles)).status).toBe(403)
  })

  it('a name that was dropped and taken again is another user', async () => {
    const { token } = (await request('POST', '/gsql/v1/tokens', {}, 'ada')).body
    const asAda = { authorization: `Bearer ${token}` }
    const login = () => access.server.request('GET', '/gsql/v1/auth/simple', undefined, asAda)
    expect((await login()).status).toBe(200)
    await request('DELETE', '/gsql/v1/users/ada')
    await makeUser('ada')
    expect((await login()).status).toBe(401)
    const roles = (await request('GET', '/gsql/v1/users/ada')).body.results.roles
    expect(roles).toEqual({})
  })
})

describe('who may read one graph', () => {
  it('is told of its maintenance, and of no other', async () => {
    await request('POST', '/gsql/v1/schema/graphs?graphName=hidden', {})
    await makeUser('ada')
    await grant('observer', 'ada', 'acme')
    for (const graph of ['hidden', 'acme']) await request('GET', `/restpp/rebuildnow/${graph}`)
    const graphs = async (user?: string) =>
      (await request('GET', '/quiver/v1/maintenance/runs', undefined, user)).body.results.map(
        (run: { graph: string }) => run.graph,
      )
    expect(await graphs()).toEqual(['acme', 'hidden'])
    expect(await graphs('ada')).toEqual(['acme'])
  })
})

describe('effective privileges', () => {
  it('say what is granted, on what, and through which role', async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['part'] })
    await request('POST', '/gsql/v1/privileges/grant?graph=acme', {
      privileges: ['DELETE_DATA'],
      roles: ['part'],
      vertexName: 'Person',
    })
    await grant('part', 'ada', 'acme')
    await grant('queryreader', 'ada', 'acme')
    const url = '/quiver/v1/access/effective?graph=acme'
    const { results } = (await request('GET', url, undefined, 'ada')).body
    expect(results).toMatchObject({ user: 'ada', graph: 'acme', isSuperUser: false })
    const one = (name: string) =>
      results.privileges.find(({ privilege }: { privilege: string }) => privilege === name)
    expect(one('READ_DATA')).toEqual({
      privilege: 'READ_DATA',
      privilegeType: 'GRAPH',
      granted: true,
      types: [],
      through: [{ role: 'queryreader', scope: 'acme' }],
    })
    expect(one('DELETE_DATA')).toMatchObject({
      granted: false,
      types: ['Person'],
      through: [{ role: 'part', scope: 'acme' }],
    })
    expect(one('WRITE_USER')).toMatchObject({ granted: false, through: [] })
    expect((await request('GET', `${url}&user=tigergraph`, undefined, 'ada')).status).toBe(403)
    expect((await request('GET', `${url}&user=ada`)).body.results.user).toBe('ada')
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccessServer, startAccess } from '../fixtures/access.ts'

let access: AccessServer
beforeEach(async () => {
  access = await startAccess()
})
afterEach(() => access.server.close())

const request: AccessServer['request'] = (...call) => access.request(...call)
const makeUser = (name: string) => access.makeUser(name)
const gsql = (text: string, user?: string) => access.gsql(text, user)
const grant: AccessServer['grant'] = (...call) => access.grant(...call)

describe('access by script', () => {
  it('makes users and roles, grants and shows them', async () => {
    const told = await gsql(`
      CREATE USER ada WITH PASSWORD "password of ada"
      USE GRAPH acme
      CREATE ROLE reader, other
      CREATE ROLE wide ON GLOBAL
      GRANT PRIVILEGE READ_DATA, EXECUTE_QUERY ON GRAPH acme TO reader
      GRANT CREATE_DATA ON VERTEX Person IN GRAPH acme TO reader
      GRANT ROLE reader, observer ON GRAPH acme TO ada
      GRANT ROLE globalobserver TO ada
      SHOW ROLE
      SHOW PRIVILEGE ON ROLE reader, wide
      SHOW USER
    `)
    for (const line of [
      'Successfully created user ada',
      "Successfully created local roles on graph 'acme': [reader, other].",
      'Successfully created global roles: [wide].',
      "Successfully granted privileges [READ_DATA, EXECUTE_QUERY] on graph 'acme' to role reader.",
      "Successfully granted privileges [CREATE_DATA] on vertex Person on graph 'acme' to role reader.",
      "Successfully granted roles [reader, observer] on graph 'acme' to users [ada].",
      'Successfully granted roles [globalobserver] to users [ada].',
      'Role: "reader"',
      "  - Graph 'acme' Type 'Person' Privileges:",
      '  This role has no privilege.',
      "    - Graph 'acme' Roles: reader, observer",
      '    - Global Roles: globalobserver',
    ]) {
      expect(told.split('\n')).toContain(line)
    }
    expect(told).not.toContain('password of ada')
    expect(await gsql('SHOW PRIVILEGE', 'ada')).toContain('User: "ada"')
    const taken = await gsql(`
      REVOKE CREATE_DATA ON VERTEX Person IN GRAPH acme FROM reader
      REVOKE ROLE reader ON GRAPH acme FROM ada
      ALTER USER ada WITH PASSWORD "a new one"
      DROP ROLE reader, wide
      DROP USER ada`)
    expect(taken.match(/Success/g)).toHaveLength(5)
    expect((await request('GET', '/gsql/v1/users/ada')).body.error).toBe(true)
  })

  it('asks for the privilege to write functions before a package is made or dropped', async () => {
    await makeUser('ada')
    await grant('queryreader', 'ada', 'acme')
    const near = 'CREATE TEMPLATE QUERY mine.near(STRING type) { S = {type}; PRINT S.size(); }'
    expect(await gsql(`CREATE PACKAGE mine CREATE PACKAGE empty ${near}`)).toContain('[empty]')
    const packages = async () => (await request('GET', '/gsql/v1/packages')).body.results
    const before = await packages()
    expect(before).toEqual(['empty', 'gds', 'mine'])
    for (const command of [
      'CREATE PACKAGE own',
      'DROP PACKAGE empty',
      'DROP PACKAGE empty, mine',
    ]) {
      expect(await gsql(command, 'ada'), command).toMatch(/WRITE_FUNCTION/)
    }
    for (const [method, url] of [
      ['POST', '/gsql/v1/package/own'],
      ['DELETE', '/gsql/v1/package/empty'],
    ] as const) {
      expect((await request(method, url, undefined, 'ada')).status, url).toBe(403)
    }
    expect(await packages()).toEqual(before)
    // What is in a package is for those who may use functions on some graph.
    expect(await gsql('SHOW PACKAGE mine', 'ada')).toContain('mine.near')
    await makeUser('eve')
    expect(await gsql('SHOW PACKAGE mine', 'eve')).toMatch(/USE_FUNCTION/)
    expect((await request('GET', '/gsql/v1/packages/mine', undefined, 'eve')).status).toBe(403)
    await grant('globaldesigner', 'ada')
    expect(await gsql('CREATE PACKAGE own DROP PACKAGE empty', 'ada')).toBe(
      'Successfully created package: [own].\nSuccessfully dropped package: [empty].\n',
    )
  })

  it('asks for the same privileges as the routes do', async () => {
    await makeUser('ada')
    await grant('designer', 'ada', 'acme')
    for (const command of [
      'CREATE USER eve WITH PASSWORD "x"',
      'DROP USER tigergraph',
      'ALTER USER tigergraph WITH PASSWORD "x"',
      'CREATE ROLE r ON GRAPH acme',
      'CREATE ROLE r ON GLOBAL',
      'GRANT ROLE superuser TO ada',
      'GRANT ROLE admin ON GRAPH acme TO ada',
      'SHOW USER',
      'SHOW ROLE',
      'SHOW PRIVILEGE ON USER tigergraph',
      'DROP ALL',
      'CREATE GRAPH more()',
      'USE GRAPH acme CREATE GLOBAL SCHEMA_CHANGE JOB j { DROP VERTEX Company; }',
    ]) {
      expect(await gsql(command, 'ada'), command).toMatch(/privilege|superuser/)
    }
    expect((await request('GET', '/gsql/v1/users')).body.results).toHaveLength(2)
  })
})

describe('a script', () => {
  const may = async (privileges: string[], user: string) => {
    await makeUser(user)
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: [`of_${user}`] })
    const body = { privileges, roles: [`of_${user}`] }
    await request('POST', '/gsql/v1/privileges/grant?graph=acme', body)
    await grant(`of_${user}`, user, 'acme')
  }

  it('makes vertices by UPSERT for who may make and change them alone', async () => {
    await may(['UPDATE_DATA'], 'ada')
    await may(['UPDATE_DATA', 'CREATE_DATA'], 'eve')
    const upsert = 'USE GRAPH acme UPSERT Person VALUES ("77")'
    expect(await gsql(upsert, 'ada')).toContain('does not have the privilege CREATE_DATA')
    expect(await gsql(upsert, 'eve')).toContain('Successfully upserted 1 vertex')
  })

  it('names no graph that its caller may not read', async () => {
    await gsql('CREATE GRAPH hidden()')
    await may(['READ_SCHEMA'], 'ada')
    const shown = await gsql('USE GRAPH acme SHOW GRAPH', 'ada')
    expect(shown).toContain('acme')
    expect(shown).not.toContain('hidden')
    expect(await gsql('USE GRAPH acme SHOW GRAPH')).toContain('hidden')
  })
})

describe('the audit log', () => {
  it('tells who did what and who was refused, and no credentials', async () => {
    await makeUser('ada')
    await grant('observer', 'ada', 'acme')
    await request('GET', '/restpp/graph/acme/vertices/Person', undefined, 'ada')
    await request('GET', '/gsql/v1/schema/graphs', undefined, 'ada')
    const wrong = { authorization: `Basic ${Buffer.from('ada:guess-42').toString('base64')}` }
    await access.server.request('GET', '/gsql/v1/schema/graphs', undefined, wrong)
    const typo = Buffer.from('my-secret-password:').toString('base64')
    await access.server.request('GET', '/gsql/v1/schema/graphs', undefined, {
      authorization: `Basic ${typo}`,
    })
    const { value } = (await request('POST', '/gsql/v1/secrets?alias=ci&value=abcdefgh12345678'))
      .body.results
    await request('DELETE', `/gsql/v1/secrets/${value}`)
    const { token } = (await request('POST', '/gsql/v1/tokens', {})).body
    await request('DELETE', '/gsql/v1/tokens', { tokens: token })
    await gsql('CREATE USER eve WITH PASSWORD "hidden-word" GRANT ROLE globalobserver TO eve')
    const session = { user: 'ada', password: 'password of ada' }
    await request('POST', '/quiver/v1/session', session)
    await request('POST', '/quiver/v1/session', { ...session, password: 'guess-43' })
    const { body, text } = await request('GET', '/quiver/v1/audit?limit=1000')
    const told = (
      body.results as { user: string; action: string; target?: string; outcome: string }[]
    )
      .reverse()
      .map(({ user, action, target, outcome }) => [user, action, target, outcome])
    for (const entry of [
      ['tigergraph', 'POST /gsql/v1/users', 'ada', 'done'],
      ['tigergraph', 'POST /gsql/v1/roles/grant', 'observer: ada', 'done'],
      ['ada', 'GET /restpp/graph/{graph}/vertices/{vertex_type}', 'Person', 'denied'],
      ['ada', 'GET /gsql/v1/schema/graphs', undefined, 'denied'],
      [null, 'GET /gsql/v1/schema/graphs', undefined, 'denied'],
      ['tigergraph', 'POST /gsql/v1/secrets', undefined, 'done'],
      ['tigergraph', 'DELETE /gsql/v1/tokens', undefined, 'done'],
      ['tigergraph', 'CREATE USER', 'eve', 'done'],
      ['tigergraph', 'POST /quiver/v1/session', 'ada', 'done'],
      ['ada', 'POST /quiver/v1/session', undefined, 'denied'],
      ['tigergraph', 'GRANT ROLE', 'globalobserver: eve', 'done'],
    ]) {
      expect(told, JSON.stringify(entry)).toContainEqual(entry)
    }
    // A read that was allowed is none of its business.
    expect(told).not.toContainEqual(['ada', 'GET /gsql/v1/schema/graphs', undefined, 'done'])
    for (const hidden of [
      'password of',
      'guess-42',
      'guess-43',
      'my-secret',
      value,
      token,
      'hidden-word',
    ]) {
      expect(text).not.toContain(hidden)
    }
    const page = (await request('GET', '/quiver/v1/audit?limit=2')).body.results
    const next = await request('GET', `/quiver/v1/audit?limit=2&before=${page[1].number}`)
    expect(next.body.results[0].number).toBe(page[1].number - 1)
    expect((await request('GET', '/quiver/v1/audit', undefined, 'ada')).status).toBe(403)
  })
})

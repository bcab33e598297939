import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccessServer, type Method, startAccess } from '../fixtures/access.ts'

let access: AccessServer
beforeEach(async () => {
  access = await startAccess()
})
afterEach(() => access.server.close())

const request: AccessServer['request'] = (...call) => access.request(...call)
const makeUser = (name: string) => access.makeUser(name)
const grant: AccessServer['grant'] = (...call) => access.grant(...call)

describe('privileges on types', () => {
  beforeEach(async () => {
    await makeUser('ada')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['part'] })
    await grant('part', 'ada', 'acme')
  })
  const give = async (privileges: string[], where: object = {}) => {
    const body = { privileges, roles: ['part'], ...where }
    const { body: answer } = await request('POST', '/gsql/v1/privileges/grant?graph=acme', body)
    expect(answer.error, answer.message).toBe(false)
  }
  const as = (method: Method, url: string, body?: unknown) => request(method, url, body, 'ada')

  it('open reads and deletes of those types alone', async () => {
    await give(['READ_DATA', 'DELETE_DATA'], { vertexName: 'Person' })
    const vertices = '/restpp/graph/acme/vertices'
    expect((await as('GET', `${vertices}/Person`)).body.results).toHaveLength(2)
    expect((await as('GET', `${vertices}/Person/1`)).status).toBe(200)
    expect((await as('GET', `${vertices}/Company`)).status).toBe(403)
    expect((await as('DELETE', `${vertices}/Company/c`)).status).toBe(403)
    const edges = '/restpp/graph/acme/edges/Person/1'
    expect((await as('GET', `${edges}/Knows`)).status).toBe(403)
    await give(['READ_DATA'], { edgeName: 'Knows' })
    expect((await as('GET', `${edges}/Knows`)).body.results).toHaveLength(1)
    for (const open of ['', '/_', '/Works_At']) {
      expect((await as('GET', `${edges}${open}`)).status, open).toBe(403)
    }
    await give(['READ_DATA'], { edgeName: 'Works_At' })
    for (const other of ['', '/Company', '/_']) {
      const answer = await as('GET', `${edges}/Works_At${other}`)
      expect(answer.body.message, other).toContain('READ_DATA on type Company')
    }
    const count = { function: 'stat_vertex_number', type: '*' }
    expect((await as('POST', '/restpp/builtins/acme', count)).status).toBe(403)
    expect((await as('GET', '/quiver/v1/graphs/acme/counts')).status).toBe(403)
    expect((await as('DELETE', `${vertices}/Person/2`)).body.results.deleted_vertices).toBe(1)
  })

  it('open upserts of those types, whole payloads or nothing', async () => {
    await give(['CREATE_DATA', 'UPDATE_DATA'], { vertexName: 'Person' })
    const upsert = (body: unknown, query = '') => as('POST', `/restpp/graph/acme${query}`, body)
    expect((await upsert({ vertices: { Person: { 3: {} } } })).body.results[0]).toMatchObject({
      accepted_vertices: 1,
    })
    const both = { vertices: { Person: { 4: {} }, Company: { d: {} } } }
    expect((await upsert(both)).body.message).toContain('UPDATE_DATA on type Company')
    const count = await request('GET', '/restpp/graph/acme/vertices/Person?count_only=true')
    expect(count.body.results[0].count).toBe(3)
    const edge = { edges: { Person: { 1: { Knows: { Person: { 3: {} } } } } } }
    expect((await upsert(edge)).status).toBe(403)
    await give(['CREATE_DATA', 'UPDATE_DATA'], { edgeName: 'Knows' })
    expect((await upsert(edge)).body.results[0].accepted_edges).toBe(1)
  })

  it('open queries over those types, and none that changes the graph', async () => {
    await give(['EXECUTE_QUERY'])
    await give(['READ_DATA'], { vertexName: 'Person' })
    const run = (body: string) =>
      as('POST', '/gsql/v1/queries/interpret?graph=acme', `INTERPRET QUERY () { ${body} }`)
    const people = await run('S = {Person.*}; PRINT S.size();')
    expect(people.body.results, people.text).toEqual([{ 'S.size()': 2 }])
    for (const body of [
      'S = {Company.*}; PRINT S;',
      'S = {ANY}; PRINT S.size();',
      'S = {Person.*}; T = SELECT t FROM S:s -(Knows:e)- Person:t; PRINT T;',
      'S = {Person.*}; T = SELECT t FROM S:s -(:e)- :t; PRINT T;',
    ]) {
      const answer = await run(body)
      expect([answer.status, answer.body.message], body).toEqual([
        403,
        expect.stringContaining('READ_DATA'),
      ])
    }
    await give(['READ_DATA'], { edgeName: 'Knows' })
    const known = await run(
      'S = {Person.*}; T = SELECT t FROM S:s -(Knows:e)- Person:t; PRINT T.size();',
    )
    expect(known.status, known.text).toBe(200)
    await give(['UPDATE_DATA', 'CREATE_DATA'], { vertexName: 'Person' })
    const insert = await run('INSERT INTO Person VALUES (9); PRINT 1;')
    expect(insert.status, insert.text).toBe(403)
  })

  it('are not asked for types behind a name that no type has', async () => {
    await give(['EXECUTE_QUERY'])
    await give(['READ_DATA'], { vertexName: 'Person' })
    const run = (body: string, values: string) =>
      as(
        'POST',
        `/gsql/v1/queries/interpret?graph=acme&${values}`,
        `INTERPRET QUERY (BOOL b, STRING et, STRING vt) { ${body} }`,
      )
    const bodies = [
      'S = {Person.*}; IF b THEN S = SELECT t FROM S:s -(et:e)- :t WHERE t != s; END; PRINT S.size();',
      'S = {Person.*}; IF b THEN S = SELECT t FROM S:s -(et:e)- :t -(et)- :u; END; PRINT S.size();',
      'S = {Person.*}; IF b THEN T = {vt}; T = SELECT t FROM T:t; PRINT T; END; PRINT S.size();',
      'S = {Person.*}; T = SELECT s FROM S:s WHERE b AND s.outdegree(et) > 0; PRINT S.size();',
      'S = {Person.*}; IF b THEN INSERT INTO VERTEX vt VALUES (7); END; PRINT S.size();',
    ]
    for (const body of bodies) {
      const unknown = await run(body, 'b=false&et=None&vt=None')
      expect(unknown.body.results, unknown.text).toEqual([{ 'S.size()': 2 }])
      const reached = await run(body, 'b=true&et=None&vt=None')
      expect(reached.body.message).toMatch(/"None" is not a valid (edge|vertex) type\./)
      const forbidden = await run(body, 'b=false&et=Knows&vt=Company')
      expect([forbidden.status, forbidden.body.message], body).toEqual([
        403,
        expect.stringMatching(/READ_DATA|CREATE_DATA/),
      ])
    }
  })
})

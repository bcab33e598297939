/** Renames and widenings over HTTP: the data stays, and everything that goes by names follows or says why not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccessServer, startAccess } from '../fixtures/access.ts'
import { directoriesIn, startServer } from '../fixtures/server.ts'

let access: AccessServer
beforeEach(async () => {
  access = await startAccess()
  const data = {
    vertices: {
      Person: { 1: value({ name: 'Ada', age: 36 }), 2: value({ name: 'Bo', age: 7 }) },
      Company: { c: value({ founded: 1900 }) },
    },
    edges: { Person: { 1: { Works_At: { Company: { c: value({ pay: 1.5 }) } } } } },
  }
  await ok('POST', '/restpp/graph/acme', data)
})
afterEach(() => access.server.close())

const value = (attributes: object) =>
  Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, { value: one }]))
const request: AccessServer['request'] = (...call) => access.request(...call)

async function ok(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) {
  const answer = await request(method, url, body)
  expect(answer.body.error, answer.text).toBe(false)
  return answer.body
}

const change = (body: object) => ok('POST', '/gsql/v1/schema/change?graph=acme', body)
const refused = (body: object) => request('POST', '/gsql/v1/schema/change?graph=acme', body)
const impact = async (body: object) =>
  (await ok('POST', '/quiver/v1/schema/impact?graph=acme', body)).results
const rows = async (path: string) => (await ok('GET', `/restpp/graph/acme/${path}`)).results
const named = (name: string, newName: string) => ({ alterVertexTypes: [{ name, newName }] })
const widened = (name: string, attribute: string, Name: string) => ({
  alterVertexTypes: [{ name, changeAttributes: [{ name: attribute, AttributeType: { Name } }] }],
})

const query = `CREATE QUERY ages() FOR GRAPH acme { S = {Person.*};
  T = SELECT s FROM S:s WHERE s.age > 10; PRINT T[T.age]; }`

describe('a rename', () => {
  it('keeps vertices, edges, indexes and their use, also after a restart', async () => {
    await change({
      alterVertexTypes: [
        { name: 'Person', addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }] },
      ],
    })
    await rows('vertices/Person?filter=age=36')
    await change({
      alterVertexTypes: [
        { name: 'Person', newName: 'Human', changeAttributes: [{ name: 'age', newName: 'years' }] },
      ],
      alterEdgeTypes: [
        {
          ...{ name: 'Works_At', newName: 'Job', newReverseName: 'Staff' },
          changeAttributes: [{ name: 'pay', newName: 'wage' }],
        },
      ],
    })
    const look = async () => {
      expect(await rows('vertices/Human?select=name,years&sort=years')).toMatchObject([
        { v_id: '2', v_type: 'Human', attributes: { name: 'Bo', years: 7 } },
        { v_id: '1', attributes: { name: 'Ada', years: 36 } },
      ])
      expect(await rows('vertices/Human?filter=years=36')).toHaveLength(1)
      expect(await rows('edges/Human/1/Job')).toMatchObject([
        { e_type: 'Job', from_type: 'Human', to_id: 'c', attributes: { wage: 1.5 } },
      ])
      expect(await rows('edges/Company/c/Staff')).toMatchObject([{ e_type: 'Staff', to_id: '1' }])
      expect(await rows('edges/Human/1/Knows')).toHaveLength(1)
    }
    await look()
    const usage = await ok('GET', '/quiver/v1/indexes/usage?graph=acme')
    expect(usage.results.indexes).toMatchObject([
      { vertex: 'Human', index: 'by_age', attribute: 'years', uses: 2 },
    ])
    const gone = await request('GET', '/restpp/graph/acme/vertices/Person')
    expect(gone.body.message).toContain('It was renamed to Human.')
    const old = { vertices: { Person: { 3: {} } } }
    const sent = await request('POST', '/restpp/graph/acme', old)
    expect(sent.body.message).toBe(
      'Invalid vertex type Person in graph acme. It was renamed to Human.',
    )
    await ok('GET', '/restpp/rebuildnow/acme')
    const { image } = access.server
    await access.server.close()
    access.server = await startServer({ image })
    await look()
  })

  it('disables queries that use the old name, which say what it is now', async () => {
    const install = async () =>
      (await request('POST', '/gsql/v1/statements', 'USE GRAPH acme\nINSTALL QUERY ages')).text
    await request('POST', '/gsql/v1/statements', `USE GRAPH acme\n${query}\nINSTALL QUERY ages`)
    expect((await ok('GET', '/restpp/query/acme/ages')).results[0].T).toHaveLength(1)
    const told = await impact(named('Person', 'Human'))
    expect(told).toMatchObject({
      problem: null,
      operations: [
        {
          ...{ operation: 'alterVertexTypes', name: 'Person', class: 'rewrites' },
          ...{ change: 'rename', to: 'Human', vertices: 2, edges: 0, jobs: [] },
          ...{ edgeTypes: ['Works_At', 'Knows', 'Pays'], queries: ['ages'] },
          text: 'Renames the vertex type Person to Human; its 2 vertices stay as they are.',
        },
      ],
    })
    await change(named('Person', 'Human'))
    const { results } = await ok('GET', '/gsql/v1/queries/info?graph=acme&query=ages')
    expect(results[0]).toMatchObject({ installed: true, enabled: false })
    expect((await request('GET', '/restpp/query/acme/ages')).status).toBe(404)
    expect(await install()).toContain('"Person"; it was renamed to "Human"')
    await change({
      alterVertexTypes: [
        { name: 'Human', newName: 'Person', changeAttributes: [{ name: 'age', newName: 'years' }] },
      ],
    })
    expect(await install()).toContain('no attribute "age" on Person; it was renamed to "years"')
    await change({
      alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'years', newName: 'age' }] }],
    })
    expect((await ok('GET', '/restpp/query/acme/ages')).results[0].T).toHaveLength(1)
  })

  it('stops loading jobs that name the type, and says so before', async () => {
    const job = `USE GRAPH acme
      CREATE LOADING JOB people FOR GRAPH acme {
        DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, $1, _, _, _, _, _, _, _, _); }`
    const made = await request('POST', '/gsql/v1/statements', job)
    expect(made.text).toContain('Successfully created')
    const told = await impact(named('Person', 'Human'))
    expect(told.operations[0].jobs).toEqual(['people'])
    await change(named('Person', 'Human'))
    const load = () => request('POST', '/restpp/ddl/acme?tag=people&filename=f', '9,Cy\n')
    expect((await load()).text).toContain('It was renamed to Human.')
    await change(named('Human', 'Person'))
    expect((await load()).body.error).toBe(false)
    expect(await rows('vertices/Person')).toHaveLength(3)
  })

  it('takes rights on the type along, and gives none that were left of another', async () => {
    await access.makeUser('eve')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['part'] })
    await access.grant('part', 'eve', 'acme')
    const give = (vertexName: string) =>
      ok('POST', '/gsql/v1/privileges/grant?graph=acme', {
        ...{ privileges: ['READ_DATA'], roles: ['part'] },
        vertexName,
      })
    const reads = async (type: string) =>
      (await request('GET', `/restpp/graph/acme/vertices/${type}`, undefined, 'eve')).status
    await give('Person')
    expect([await reads('Person'), await reads('Company')]).toEqual([200, 403])
    await change(named('Person', 'Human'))
    expect(await reads('Human')).toBe(200)
    await change({
      alterVertexTypes: [
        { name: 'Human', newName: 'Company' },
        { name: 'Company', newName: 'Human' },
      ],
    })
    expect([await reads('Company'), await reads('Human')]).toEqual([200, 403])
  })

  it('is in exports, which bring everything back under the new names', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-renamed-'))
    const source = await startServer({ ...directoriesIn(directory), image: access.server.image })
    const target = await startServer({ ...directoriesIn(directory) })
    try {
      const at = (server: typeof source, url: string, body: object) =>
        server.request('POST', url, body)
      const both = {
        ...named('Person', 'Human'),
        ...{ alterEdgeTypes: [{ name: 'Pays', newName: 'Paid' }] },
      }
      await at(source, '/gsql/v1/schema/change?graph=acme', both)
      await at(source, '/gsql/v1/schema/change?graph=acme', widened('Human', 'age', 'STRING'))
      const told = await at(source, '/gsql/v1/db-export', { path: 'out', graphNames: ['*'] })
      expect(told.body.error, told.text).toBe(false)
      const read = await at(target, '/gsql/v1/db-import', { path: 'out', graphNames: ['*'] })
      expect(read.body.error, read.text).toBe(false)
      const { body } = await target.request('GET', '/restpp/graph/acme/vertices/Human?select=age')
      expect(body.results.map((one: { attributes: object }) => one.attributes)).toEqual([
        { age: '36' },
        { age: '7' },
      ])
    } finally {
      await source.close()
      await target.close()
      rmSync(directory, { recursive: true })
    }
  })

  it('is no GSQL: the script and the text of a job say so', async () => {
    const both = {
      alterVertexTypes: [
        { name: 'Person', newName: 'Human', ...widened('', 'age', 'STRING').alterVertexTypes[0] },
      ],
    }
    const body = { alterVertexTypes: [{ ...both.alterVertexTypes[0], name: 'Person' }] }
    const { gsql } = await impact(body)
    expect(gsql).toBe(
      [
        '# GSQL cannot make this change: it has no words for',
        '#   VERTEX Person becomes Human',
        '#   VERTEX Person: age becomes age STRING',
        '# Send it as JSON to POST /gsql/v1/schema/change.',
        '',
      ].join('\n'),
    )
    await ok('POST', '/gsql/v1/schema/jobs/j?graph=acme', body)
    const job = await ok('GET', '/gsql/v1/schema/jobs/j?graph=acme')
    expect(job.results.j).toContain('/* not GSQL: VERTEX Person becomes Human */')
    await ok('PUT', '/gsql/v1/schema/jobs/j?graph=acme')
    expect(await rows('vertices/Human/1?select=age')).toMatchObject([{ attributes: { age: '36' } }])
  })
})

describe('a wider type', () => {
  it('keeps the values, the index and its use; the dry run tells its rows', async () => {
    await change({
      alterVertexTypes: [
        { name: 'Person', addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }] },
      ],
    })
    expect(await rows('vertices/Person?filter=age=36')).toHaveLength(1)
    const told = await impact(widened('Person', 'age', 'INT'))
    expect(told).toMatchObject({
      problem: null,
      operations: [
        {
          ...{ name: 'Person', detail: 'age', class: 'rewrites', change: 'retype', to: 'INT' },
          ...{ vertices: 2, indexes: ['by_age'], queries: [] },
          text: 'Rewrites Person.age from UINT to INT on 2 vertices.',
        },
      ],
    })
    const usageOf = async () => {
      const { results } = await ok('GET', '/quiver/v1/indexes/usage?graph=acme')
      return results.indexes[0]
    }
    const before = await usageOf()
    await change(widened('Person', 'age', 'INT'))
    expect(await usageOf()).toEqual(before)
    expect(await rows('vertices/Person?filter=age=36')).toHaveLength(1)
    expect((await usageOf()).uses).toBe(before.uses + 1)
    await ok('POST', '/restpp/graph/acme', { vertices: { Person: { 3: value({ age: -4 }) } } })
    await ok('PUT', '/gsql/v1/schema/vertices/Person?graph=acme', {
      changeAttributes: [{ name: 'age', newName: 'years', AttributeType: { Name: 'STRING' } }],
    })
    expect(await rows('vertices/Person?select=years&sort=years')).toMatchObject([
      { attributes: { years: '-4' } },
      { attributes: { years: '36' } },
      { attributes: { years: '7' } },
    ])
  })

  it('is refused for values that would not survive: with their ids, and before', async () => {
    const large = '9007199254740993'
    const upsert = `{"vertices":{"Company":{"d":{"founded":{"value":${large}}}}}}`
    const { body } = await access.server.request('POST', '/restpp/graph/acme', upsert)
    expect(body.error).toBe(false)
    const body2 = widened('Company', 'founded', 'DOUBLE')
    const told = await impact(body2)
    const place = { operation: 'alterVertexTypes', index: 0, name: 'Company', detail: 'founded' }
    const message = `Semantic Check Fails: The value ${large} of Company.founded ('d') cannot be kept as DOUBLE; 1 value cannot.`
    expect(told).toMatchObject({
      problem: { code: 'SCHEMA_RULE', message, place },
      operations: [{ unkept: { count: 1, ids: ['d'] } }],
    })
    const answer = await refused(body2)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: true, message, errors: [{ ...place, message }] })
    expect(await rows('vertices/Company/c?select=founded')).toMatchObject([
      { attributes: { founded: 1900 } },
    ])
    // Who may change the schema and not read the data is told how many.
    await access.makeUser('eve')
    await request('POST', '/gsql/v1/roles?graph=acme', { roles: ['drawer'] })
    await access.grant('drawer', 'eve', 'acme')
    const privileges = ['READ_SCHEMA', 'WRITE_SCHEMA']
    await ok('POST', '/gsql/v1/privileges/grant?graph=acme', { privileges, roles: ['drawer'] })
    const as = (url: string) => request('POST', `${url}?graph=acme`, body2, 'eve')
    const plain = 'Semantic Check Fails: 1 value of Company.founded cannot be kept as DOUBLE.'
    const looked = (await as('/quiver/v1/schema/impact')).body.results
    expect(looked.problem).toEqual({ code: 'SCHEMA_RULE', message: plain, place })
    expect(looked.operations[0].unkept).toEqual({ count: 1, ids: [] })
    const tried = await as('/gsql/v1/schema/change')
    expect(tried.body.errors).toEqual([{ ...place, message: plain }])
    expect(tried.text).not.toContain(large)
  })

  it('with another part of the change refused, changes nothing', async () => {
    const answer = await refused({
      ...widened('Person', 'age', 'STRING'),
      dropEdgeTypes: ['Ghost'],
    })
    expect(answer.body.errors).toMatchObject([
      { operation: 'dropEdgeTypes', index: 0, name: 'Ghost' },
    ])
    expect(await rows('vertices/Person/1?select=age')).toMatchObject([{ attributes: { age: 36 } }])
  })

  it('lets upserts that were read before it through under the new type', async () => {
    const lines = Array.from({ length: 3_000 }, (_, id) => [id + 10, value({ age: id })])
    const upsert = ok('POST', '/restpp/graph/acme', {
      vertices: { Person: Object.fromEntries(lines) },
    })
    const changed = change(widened('Person', 'age', 'INT'))
    const [{ results }] = await Promise.all([upsert, changed])
    expect(results[0]).toMatchObject({ accepted_vertices: 3_000 })
    const sum = await rows('vertices/Person?select=age&filter=age>=2999')
    expect(sum).toHaveLength(1)
  })

  it('that it has already is told to change nothing', async () => {
    const told = await impact(widened('Person', 'name', 'STRING COMPRESS'))
    expect(told.operations).toMatchObject([{ class: 'safe', vertices: 0, to: 'STRING' }])
    await change(widened('Person', 'name', 'STRING COMPRESS'))
  })

  it('reaches queries that wait for a thread: they are bound anew, or say what has changed', async () => {
    const interpret = (body: string) =>
      request('POST', '/gsql/v1/queries/interpret', `INTERPRET QUERY () FOR GRAPH acme { ${body} }`)
    const sum = (type: string, attribute: string) =>
      interpret(`SumAccum<INT> @@sum; S = {${type}.*};
        S = SELECT s FROM S:s ACCUM @@sum += s.${attribute}; PRINT @@sum;`)
    const running = async (): Promise<readonly { readonly requestid: string }[]> => {
      await new Promise((resolve) => setImmediate(resolve))
      return (await ok('GET', '/gsql/v1/queries/running')).results
    }
    // The one thread is busy until it is told to stop.
    const busy = interpret(
      'INT i = 0; WHILE i >= 0 LIMIT 2000000000 DO i = (i + 1) % 7; END; PRINT i;',
    )
    while ((await running()).length === 0);
    const [first] = await running()
    const [ages, founded] = [sum('Person', 'age'), sum('Company', 'founded')]
    // Runs that wait for the thread are listed beside the one that has it.
    while ((await running()).length < 3);
    await change(widened('Person', 'age', 'INT'))
    await change(named('Company', 'Firm'))
    await access.server.request('DELETE', `/gsql/v1/queries/running/${first?.requestid}`)
    expect((await ages).body.results).toEqual([{ '@@sum': 43 }])
    expect((await founded).body.message).toContain('it was renamed to "Firm"')
    expect((await busy).body.error).toBe(true)
  })
})

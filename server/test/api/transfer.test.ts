/** Exports and imports: everything comes back, and nothing is written or read elsewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillRichGraph } from '../fixtures/rich-graph.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

let directory: string
let files: string
let server: TestServer

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-transfer-'))
  files = join(directory, 'files')
  server = await startServer({ exportsDirectory: files })
  await fillRichGraph(server)
  const script = `TYPEDEF SumAccum<INT> Total
    CREATE TEMPLATE QUERY my.sums.one(INT n) { Total @@t; @@t += n; PRINT @@t; }`
  const made = await post(server, '/gsql/v1/statements', script)
  expect(made.text).not.toMatch(/fail|error/i)
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const post = (at: TestServer, url: string, body: unknown) => at.request('POST', url, body)
const exportTo = (path: string, more: object = {}) =>
  post(server, '/gsql/v1/db-export', { path, graphNames: ['*'], ...more })
const importFrom = (at: TestServer, path: string, more: object = {}) =>
  post(at, '/gsql/v1/db-import', { path, graphNames: ['*'], ...more })

/** By the names of types: their numbers differ from server to server. */
function contentOf({ engine }: TestServer): string[] {
  return dump(engine.view(), engine.catalog).sort()
}

async function restOf(at: TestServer) {
  const urls = [
    '/gsql/v1/schema/graphs',
    '/gsql/v1/schema/graphs/acme',
    '/gsql/v1/schema/graphs/other',
    '/gsql/v1/schema/vertices/Alone',
    '/gsql/v1/schema/indexes?graph=acme',
    '/gsql/v1/udt/tuples',
    '/gsql/v1/udt/accum/Total',
    '/gsql/v1/library/my.sums.one',
    '/gsql/v1/queries/info?graph=acme',
    '/gsql/v1/description?graph=acme',
    '/gsql/v1/loading-jobs?graph=acme',
    '/gsql/v1/schema/jobs?graph=acme',
    '/gsql/v1/schema/jobs',
    '/gsql/v1/data-sources?graph=acme',
    '/restpp/graph/acme/vertices/Person',
    '/restpp/query/acme/adults?least=0',
  ]
  const answers = await Promise.all(urls.map((url) => at.request('GET', url)))
  return answers.map(({ body }, index) => {
    expect(body, urls[index]).toMatchObject({ error: false })
    const { version: _, ...rest } = body
    return [urls[index], rest]
  })
}

async function withSecond(work: (second: TestServer) => Promise<void>): Promise<void> {
  const second = await startServer({ exportsDirectory: files })
  try {
    await work(second)
  } finally {
    await second.close()
  }
}

describe('a database', () => {
  it('leaves queries of users who stay behind to nobody', async () => {
    await post(server, '/gsql/v1/users', { username: 'owner', password: 'a long password' })
    const give = (user: string) => `USE GRAPH acme GRANT OWNERSHIP ON QUERY adults TO ${user}`
    await post(server, '/gsql/v1/statements', give('owner'))
    await exportTo('owned')
    await post(server, '/gsql/v1/statements', give('tigergraph'))
    await server.request('DELETE', '/gsql/v1/users/owner')
    await withSecond(async (second) => {
      expect((await importFrom(second, 'owned')).body.error).toBe(false)
      const { body } = await second.request('GET', '/gsql/v1/queries/info?graph=acme')
      const owners = body.results.map((one: { owner?: string }) => one.owner)
      expect(owners).toEqual([undefined, 'tigergraph', 'tigergraph'])
    })
  })

  it('comes back whole in an empty server', async () => {
    const { body } = await exportTo('all')
    expect(body).toMatchObject({ error: false, message: 'Successfully exported database.' })
    expect(body.results.path).toBe(join(files, 'all'))
    const template = JSON.parse(readFileSync(join(files, 'all/template.json'), 'utf8'))
    const namesOf = (part: string) => template[part].map(({ name }: { name: string }) => name)
    expect(namesOf('queries')).toEqual(['my.sums.one', 'adults', 'broken', 'odd'])
    expect(namesOf('jobs').sort()).toEqual(['load_people', 'local', 'local', 'more'])
    expect(namesOf('dataSources')).toEqual(['far'])
    expect(body.results.files).toContainEqual(
      expect.objectContaining({ file: 'vertices-Person.ndjson', type: 'Person', count: 4 }),
    )
    await withSecond(async (second) => {
      const imported = await importFrom(second, 'all')
      expect(imported.body).toEqual({ error: false, message: 'Successfully imported database.' })
      const content = contentOf(second)
      expect(content.length).toBeGreaterThan(15)
      expect(content).toEqual(contentOf(server))
      expect(await restOf(second)).toEqual(await restOf(server))
    })
  })

  it('keeps every bit of numbers', async () => {
    await exportTo('bits')
    const line = readFileSync(join(files, 'bits/vertices-Person.ndjson'), 'utf8')
    for (const text of [
      '18446744073709551615',
      '-9223372036854775807',
      '"score":{"value":"-inf"}',
      '"score":{"value":-0}',
      '"score":{"value":5e-324}',
    ]) {
      expect(line).toContain(text)
    }
    await withSecond(async (second) => {
      await importFrom(second, 'bits')
      const person = second.engine.view().vertexTables.find(({ typeName }) => typeName === 'Person')
      const scores = person!.columns.find(({ name }) => name === 'score')!.data
      expect([...scores].some((score) => Object.is(score, -0))).toBe(true)
      expect([...scores]).toContain(Number.NEGATIVE_INFINITY)
    })
  })

  it('goes through scripts as well, without what was not asked for', async () => {
    const gsql = async (at: TestServer, text: string) =>
      (await post(at, '/gsql/v1/statements', text)).text
    expect(await gsql(server, 'EXPORT GRAPH ALL -S TO "plain"')).toBe(
      'Successfully exported database.\n',
    )
    expect(readdirSync(join(files, 'plain')).sort()).toEqual(['quiver-export.json', 'schema.json'])
    expect(await gsql(server, 'EXPORT GRAPH acme --TEMPLATE --DATA TO "acme"')).toContain('Success')
    await withSecond(async (second) => {
      expect(await gsql(second, 'IMPORT GRAPH other FROM "acme"')).toContain(
        'The export holds the graphs acme and is imported whole',
      )
      expect(await gsql(second, 'IMPORT GRAPH acme FROM "acme"')).toBe(
        'Successfully imported database.\n',
      )
      expect(second.engine.catalog.graphs.map(({ name }) => name)).toEqual(['acme'])
      const wanted = contentOf(server).filter((one) => !/^(Note\|5\||Alone)/.test(one))
      expect(contentOf(second)).toEqual(wanted)
      expect(await gsql(second, 'IMPORT GRAPH ALL FROM "acme"')).toContain('already exists')
      expect(contentOf(second)).toEqual(wanted)
    })
  })

  it('imports data alone into a schema that is there', async () => {
    await exportTo('schema', { schema: true })
    await exportTo('data', { data: true })
    expect(existsSync(join(files, 'data/schema.json'))).toBe(false)
    await withSecond(async (second) => {
      expect((await importFrom(second, 'data')).body.message).toContain("'acme'")
      expect((await importFrom(second, 'schema')).body.error).toBe(false)
      expect(contentOf(second)).toEqual([])
      expect((await importFrom(second, 'data')).body.error).toBe(false)
      expect(contentOf(second)).toEqual(contentOf(server))
    })
  })

  it('is found damaged before anything is changed', async () => {
    await exportTo('damaged')
    const file = join(files, 'damaged/edges-Knows-Person-Person.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('0.3', '0.4'))
    await withSecond(async (second) => {
      const { body } = await importFrom(second, 'damaged')
      expect(body.message).toContain('damaged: edges-Knows-Person-Person.ndjson')
      rmSync(file)
      expect((await importFrom(second, 'damaged')).body).toMatchObject({
        error: true,
        code: 'INVALID_PARAMETER',
      })
      expect(second.engine.catalog.graphs).toEqual([])
    })
  })

  it('of a later release is refused, and so is what is no export', async () => {
    await exportTo('later', { schema: true })
    const file = join(files, 'later/quiver-export.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    const put = (changed: object) =>
      writeFileSync(file, JSON.stringify({ ...manifest, ...changed }))
    const refused = async () => (await importFrom(server, 'later')).body
    put({ format: 2 })
    expect(await refused()).toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
    expect((await refused()).message).toContain('has format 2, this release reads up to 1')
    put({ schema: { ...manifest.schema, file: '../schema.json' } })
    expect((await refused()).message).toContain('quiver-export.json cannot be read: schema.file')
    writeFileSync(file, '[')
    expect((await refused()).message).toBe('quiver-export.json is not JSON.')
    rmSync(file)
    expect((await refused()).message).toContain('holds no export')
  })
})

describe('a graph for other programs', () => {
  const exportGraph = (path: string, format: string) =>
    post(server, '/quiver/v1/graphs/acme/export', { path, format })

  it('is CSV with a header and exact values', async () => {
    const { body } = await exportGraph('csv', 'csv')
    expect(body.message).toBe('Successfully exported graph acme.')
    const people = readFileSync(join(files, 'csv/vertices-Person.csv'), 'utf8').split('\n')
    expect(people[0]).toBe('v_id,name,age,score,ratio,active,joined,langs,tags,phones,home,homes')
    const text = people.join('\n')
    expect(text).toContain('"Ada ""the"" \\ \u0001 é😀\n,",0,0.1,0.1,false,1970-01-01 00:00:00,[]')
    expect(text).toContain('-9223372036854775808,odd,18446744073709551615,-inf,3.4e+38,')
    expect(text).toContain('1999-12-31 23:59:59,"[""en"","""",""a,b""]"')
    const pays = readFileSync(join(files, 'csv/edges-Pays-Company-Person.csv'), 'utf8')
    expect(pays).toBe(
      'from_id,to_id,month,no,amount\nc2,7,2024-01,1,1\nc2,7,2024-01,2,2\nc2,7,"a,b\\c",1,3\n',
    )
    expect(readFileSync(join(files, 'csv/vertices-Visit.csv'), 'utf8')).toBe(
      'v_id,day,who,note\n"Bo,2024-01-02 03:04:05",2024-01-02 03:04:05,Bo,x\n',
    )
  })

  it('is lines of JSON in the shape of the reads', async () => {
    const { body } = await exportGraph('json', 'json')
    const rows = (file: string) =>
      readFileSync(join(files, 'json', file), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    for (const { file, count } of body.results.files) expect(rows(file), file).toHaveLength(count)
    const read = await server.request(
      'GET',
      '/restpp/graph/acme/vertices/Company?select=cid,sector',
    )
    const exported = rows('vertices-Company.ndjson')
    expect(exported.map((row) => row.v_id)).toEqual(
      read.body.results.map((row: { v_id: string }) => row.v_id),
    )
    expect(exported[2]).toEqual({
      v_id: 'c3',
      v_type: 'Company',
      attributes: { cid: 'c3', sector: 'tech', code: 'Bytes 0 0 0 0', emb: [1, 2, 3] },
    })
    expect(rows('edges-Knows-Person-Person.ndjson')).toContainEqual({
      e_type: 'Knows',
      directed: false,
      from_id: '7',
      from_type: 'Person',
      to_id: '8',
      to_type: 'Person',
      attributes: { weight: 0.3 },
    })
  })

  it('needs a graph and a format that there are', async () => {
    expect((await exportGraph('x', 'xml')).status).toBe(400)
    const unknown = await post(server, '/quiver/v1/graphs/ghost/export', {
      path: 'x',
      format: 'csv',
    })
    expect(unknown.body.code).toBe('GRAPH_NOT_FOUND')
    expect(existsSync(join(files, 'x'))).toBe(false)
  })
})

describe('a large export', () => {
  it('is cut into payloads of a bounded size, also at one vertex of many edges', async () => {
    const count = 6_000
    const ids = Array.from({ length: count }, (_, index) => `c${index}-${'x'.repeat(60)}`)
    const edges = Object.fromEntries(ids.map((id) => [id, { pay: { value: 0.5 } }]))
    const hub = { c2: { Works_At: { Company: edges } } }
    const put = await post(server, '/restpp/graph/acme', { edges: { Company: hub } })
    expect(put.body.results[0].accepted_edges).toBe(count)
    await exportTo('long')
    for (const file of ['vertices-Company.ndjson', 'edges-Works_At-Company-Company.ndjson']) {
      const lines = readFileSync(join(files, 'long', file), 'utf8')
        .trim()
        .split('\n')
      expect(lines.length, file).toBeGreaterThan(2)
      for (const line of lines) expect(line.length).toBeLessThan(210_000)
    }
    await withSecond(async (second) => {
      expect((await importFrom(second, 'long')).body.error).toBe(false)
      expect(contentOf(second)).toEqual(contentOf(server))
    })
  })
})

/** Data sources, the files behind them, and scripts in files (docs/reference/gsql/commands.md, docs/reference/gsql/loading.md). */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-files-'))
  await mkdir(join(files, 'in', 'deep'), { recursive: true })
  await writeFile(join(files, 'in', 'people'), '1,Ada\n2,Bo\n')
  await writeFile(join(files, 'secret'), '9,Eve\n')
  server = await startServer({ filesDirectory: files, queryWorkerCount: 0 })
  await createAcme(server)
})
afterEach(async () => {
  await server.close()
  await rm(files, { recursive: true })
})

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=acme', script)).text
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  server.request(method, `/gsql/v1/${path}`, body)
const create = (name: string, config: object, query = '?graph=acme') =>
  call('POST', `data-sources${query}`, { name, config })
const job = (path: string) =>
  gsql(`DROP JOB j
    CREATE LOADING JOB j { DEFINE FILENAME f = "${path}"; LOAD f TO VERTEX Person VALUES ($0, $1); }
    RUN LOADING JOB j`)

describe('a data source', () => {
  it('is created, listed, read, replaced, dropped, and stays over a restart', async () => {
    expect((await create('s1', { type: 'file', path: 'in' })).body).toEqual({
      error: false,
      message: 'Data source s1 is created',
    })
    expect((await create('s1', { type: 'file' })).body).toMatchObject({ code: 'NAME_TAKEN' })
    const secrets = { 'access.key': 'A', 'secret.key': 'B', nested: { password: 'C', region: 'x' } }
    const aws = { type: 's3', ...secrets }
    expect((await create('aws', aws, '')).body.message).toBe('Data source aws is created')
    await server.close()
    server = await startServer({ image: server.image, filesDirectory: files, queryWorkerCount: 0 })
    const content = {
      type: 's3',
      'access.key': '',
      'secret.key': '',
      nested: { password: '', region: 'x' },
    }
    expect((await call('GET', 'data-sources?graph=acme')).body.results).toEqual([
      { name: 'aws', type: 'S3', content, isLocal: false },
      {
        ...{ name: 's1', type: 'FILE', content: { type: 'file', path: 'in' } },
        ...{ isLocal: true, belongTo: 'acme' },
      },
    ])
    const changed = { config: { type: 'file', path: 'in/deep' } }
    expect((await call('PUT', 'data-sources/s1?graph=acme', changed)).body.error).toBe(false)
    const read = await call('GET', 'data-sources/s1?graph=acme')
    expect(read.body.results).toEqual({ name: 's1', type: 'FILE', content: changed.config })
    const everywhere = (await call('GET', 'data-sources')).body.results
    expect(everywhere.map(({ name }: { name: string }) => name)).toEqual(['aws', 's1'])
    expect((await call('GET', 'data-sources/s1')).body.results).toEqual(read.body.results)
    expect((await call('GET', 'data-sources/aws')).body.results).toMatchObject({ type: 'S3' })
    expect((await call('GET', 'data-sources/ghost')).body.code).toBe('REQUEST_NOT_FOUND')
    const dropped = await call('DELETE', 'data-sources/s1?graph=acme')
    expect(dropped.body.message).toBe('Data source s1 is dropped.')
    expect((await call('GET', 'data-sources/s1?graph=acme')).body.code).toBe('REQUEST_NOT_FOUND')
    const all = await call('DELETE', 'data-sources/dropAll')
    expect(all.body.message).toBe('All data sources is dropped successfully.')
    expect((await call('GET', 'data-sources?graph=acme')).body.results).toEqual([])
  })

  it.each([
    ['a type that is not known', 's', { type: 'tape' }, 'must name one of the types file, s3'],
    ['a folder outside', 's', { type: 'file', path: '..' }, "The folder '..' does not exist"],
    ['a file for a folder', 's', { type: 'file', path: 'secret' }, "The folder 'secret'"],
    ['a name that is none', 'a-b', { type: 'file' }, 'is not a valid name'],
  ])('is refused with %s', async (_what, name, config, text) => {
    const { status, body } = await create(name, config)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: true, message: expect.stringContaining(text) })
  })

  it('gives loading jobs its files, and no others', async () => {
    await create('s1', { type: 'file', path: 'in' })
    await symlink(join(files, 'secret'), join(files, 'in', 'link'))
    expect(await job('$s1:people')).toContain('Person: 2 loaded')
    expect(await job('$s1:{\\"file.uris\\": \\"people\\"}')).toContain('Person: 2 loaded')
    for (const path of ['../secret', 'link', `${files}/secret`, '']) {
      expect(await job(`$s1:${path}`), path).not.toContain('LOAD SUCCESSFUL')
    }
    expect(await job('$ghost:people')).toContain('The data source ghost does not exist.')
    await create('aws', { type: 's3' })
    expect(await job('$aws:s3://bucket/people')).toContain('this server loads from files only')
    const request = { name: 'j', dataSources: [{ filename: 'f', name: 's1', path: 'people' }] }
    expect((await call('POST', 'loading-jobs/run?graph=acme', request)).body.error).toBe(false)
  })

  it('is granted to other graphs and taken back, and goes with its graph', async () => {
    await call('POST', 'schema/graphs?graphName=other', {})
    await create('s1', { type: 'file', path: 'in' })
    const namesOf = async (graph: string) =>
      (await call('GET', `data-sources?graph=${graph}`)).body.results.map(
        ({ name }: { name: string }) => name,
      )
    const share = { graphs: ['other'], datasource: 's1' }
    expect((await call('POST', 'data-sources/grant', share)).body.message).toBe(
      'Successfully grant datasource s1 to the graph(s) [other]',
    )
    expect(await namesOf('other')).toEqual(['s1'])
    expect((await call('DELETE', 'data-sources/s1?graph=other')).body.error).toBe(true)
    expect((await call('POST', 'data-sources/revoke', share)).body.message).toBe(
      'Successfully revoke datasource s1 from graph(s) [other]',
    )
    expect((await call('POST', 'data-sources/revoke', share)).body.error).toBe(true)
    expect(await namesOf('other')).toEqual([])
    expect(await gsql('GRANT DATA_SOURCE s1 TO GRAPH other')).toContain('Successfully grant')
    await call('DELETE', 'schema/graphs/acme?cascade=true')
    expect(await namesOf('other')).toEqual([])
  })

  it('is made by scripts, from JSON or from a file of it', async () => {
    await writeFile(join(files, 'source.json'), '{"type": "file", "path": "in"}')
    expect(await gsql('CREATE DATA_SOURCE s1 = "{\\"type\\":\\"file\\"}" FOR GRAPH acme')).toBe(
      'Successfully created local data sources: [s1].\n',
    )
    expect(await gsql('CREATE DATA_SOURCE FILE s2 = "@source.json"')).toContain('[s2]')
    expect(await gsql('USE GLOBAL CREATE DATA_SOURCE S3 aws')).toContain(
      'Successfully created data sources: [aws].',
    )
    expect(await gsql('SHOW DATA_SOURCE')).toContain(
      'FILE s2 (graph acme): {"type":"file","path":"in"}',
    )
    expect(await job('$s2:people')).toContain('Person: 2 loaded')
    expect(await gsql('CREATE DATA_SOURCE s3 = "nothing"')).toContain("The file 'nothing'")
    expect(await gsql('DROP DATA_SOURCE s1, s2')).toContain(
      'Successfully dropped data sources: [s1, s2]',
    )
    expect(await gsql('DROP DATA_SOURCE s1')).toContain('does not exist')
  })
})

describe('a look at files', () => {
  it('lists a folder of a source', async () => {
    await create('s1', { type: 'file', path: 'in' })
    const list = (path: string) => call('GET', `list-files/s1?graph=acme&path=${path}`)
    expect((await list('')).body.results).toEqual({ folders: ['deep'], files: ['people'] })
    expect((await list('deep')).body.results).toEqual({ folders: [], files: [] })
    expect((await list('..')).body.error).toBe(true)
  })

  it('shows the first rows as a job would read them', async () => {
    await writeFile(join(files, 'h.csv'), 'id|name\n1|"a|b"\n2|c\n3|d\n')
    const parsing = { separator: '|', header: 'true', quote: 'double' }
    const look = (more: object) =>
      call('POST', 'sample-data', { graphName: 'acme', path: 'h.csv', size: 2, ...more })
    expect((await look({ parsing })).body.results).toEqual({
      ...{ header: ['id', 'name'], json: false },
      data: [
        ['1', 'a|b'],
        ['2', 'c'],
      ],
    })
    await writeFile(join(files, 'l.json'), '{"a":1}\n{"a":2}\n')
    const json = await look({ path: 'l.json', parsing: { fileFormat: 'json' } })
    expect(json.body.results).toEqual({ header: [], json: true, data: [['{"a":1}'], ['{"a":2}']] })
    expect((await look({ path: '../x' })).body.error).toBe(true)
    const damaged = await look({ path: 'l.json', parsing: { separator: '":', quote: 'single' } })
    expect(damaged.body.results.data[0]).toEqual(['{"a', '1}'])
    expect((await look({ parsing: { separator: '\n' } })).body.error).toBe(true)
  })
})

describe('a script in a file', () => {
  it('runs where its name stands alone on a line, with the graph in use', async () => {
    await writeFile(join(files, 'in', 'a.gsql'), 'CREATE SECRET fromfile\n@in/b.gsql\n')
    await writeFile(join(files, 'in', 'b.gsql'), 'UPSERT Person VALUES (5, "Eve")')
    const told = await gsql('USE GRAPH acme\n@in/a.gsql\nSHOW SECRET')
    expect(told).toMatch(
      /^Using graph 'acme'\nThe secret: \w+ .*\nSuccessfully upserted 1 vertex.\n- Secret/,
    )
  })

  it('ends the script when it is not there or never ends', async () => {
    await writeFile(join(files, 'loop.gsql'), '@loop.gsql')
    expect(await gsql('@loop.gsql')).toBe(
      'Scripts call each other more than 8 deep at @loop.gsql.\n',
    )
    expect(await gsql('@../x.gsql\nSHOW SECRET')).toBe(
      `The file '../x.gsql' does not exist in the directory for loading (--files ${files}).\n`,
    )
  })
})

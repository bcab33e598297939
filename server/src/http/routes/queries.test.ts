import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUERY_TEXT_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { type Answer, type QueryApp, queryApp } from '../../../test/fixtures/query-app.ts'

let app: QueryApp
const call: QueryApp['call'] = (...given) => app.call(...given)
const create: QueryApp['create'] = (...given) => app.create(...given)

beforeAll(async () => {
  app = await queryApp()
})

afterAll(async () => {
  await app.close()
})

const olderThan = `CREATE OR REPLACE QUERY older_than(INT age = 25) FOR GRAPH social {
  S = SELECT s FROM Person:s WHERE s.age > age ORDER BY s.age;
  PRINT S[S.name, S.age AS years];
}`

describe('the life of a query', () => {
  it('begins with one call that creates and installs', async () => {
    expect(await create(olderThan)).toEqual({
      status: 200,
      error: false,
      message: 'Successfully created queries: [older_than].\n',
    })
    const names = await call('GET', '/gsql/v1/queries?graph=social')
    expect(names['results']).toEqual(['older_than'])
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&query=older_than')
    expect(results[0]).toMatchObject({ status: 'VALID', installed: true, enabled: true })
    expect(await call('GET', '/gsql/v1/queries/older_than?graph=social')).toMatchObject({
      name: 'older_than',
      syntax: 'GSQL v2',
      status: 'VALID',
    })
  })

  it('runs with its default, from a URL and from a body', async () => {
    const rows = (answer: Answer) =>
      (answer['results'][0]['S'] as { attributes: Record<string, unknown> }[]).map(
        ({ attributes }) => attributes['S.name'],
      )
    expect(rows(await call('GET', '/restpp/query/social/older_than'))).toEqual(['Ada', 'Cy', 'Di'])
    expect(rows(await call('GET', '/query/social/older_than?age=30'))).toEqual(['Cy', 'Di'])
    expect(rows(await call('POST', '/query/social/older_than', { age: 40 }))).toEqual(['Di'])
    expect(rows(await call('GET', '/query/older_than?age=45'))).toEqual(['Di'])
    expect(app.samples.at(-1)).toMatchObject({
      key: 'GET /query/social/older_than',
      graph: 'social',
    })
  })

  it('refuses arguments of another type with the contract’s text', async () => {
    expect(await call('GET', '/query/social/older_than?age=a')).toMatchObject({
      status: 400,
      code: 'REST-30000',
      message: 'Values of parameter age must be INT64 type, invalid value [a] provided.',
    })
  })

  it('refuses a taken name without OR REPLACE, and keeps the old text after a bad replacement', async () => {
    const taken = await create(olderThan.replace('OR REPLACE ', ''))
    expect(taken).toMatchObject({ status: 400, error: true })
    expect(taken['message']).toContain('already exists')
    const bad = await create(olderThan.replace('s.age > age', 's.agee > age'))
    expect(bad['message']).toContain(
      'Type Check Error in query older_than (TYP-158): line 2, col 38',
    )
    expect(await call('GET', '/query/social/older_than?age=45')).toMatchObject({ error: false })
  })

  it('saves a text with errors as a draft that has no endpoint', async () => {
    const draft = await create('CREATE QUERY broken() { PRINT nothing; }')
    expect(draft['message']).toContain('Saved as draft query with type/semantic error: [broken].')
    expect(await call('GET', '/query/social/broken')).toMatchObject({
      status: 404,
      code: 'REST-1000',
    })
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&status=DRAFT')
    expect(results).toMatchObject([{ name: 'broken', installed: false, enabled: false }])
  })

  it('can be saved without installing and installed later', async () => {
    await create('CREATE QUERY later() { PRINT 1 AS one; }', '&install=false')
    expect(await call('GET', '/query/social/later')).toMatchObject({ status: 404 })
    const installed = await call('GET', '/gsql/v1/queries/install?graph=social&queries=later')
    expect(installed).toMatchObject({
      error: false,
      message: 'Query installation finished: SUCCESS',
    })
    expect((await call('GET', '/query/social/later'))['results']).toEqual([{ one: 1 }])
  })

  it('is installed behind the answer when that is asked for, and polled until it is done', async () => {
    await create('CREATE QUERY later() { PRINT 1 AS one; }', '&install=false')
    await create('CREATE QUERY wrong() { PRINT ghost; }', '&install=false')
    const install = (name: string) =>
      call('GET', `/gsql/v1/queries/install?graph=social&async=true&queries=${name}`)
    const receipt = await install('later')
    expect(receipt).toMatchObject({ error: false, message: 'Successfully submitted request' })
    const read = (id: unknown) => call('GET', `/gsql/v1/queries/install/${String(id)}`)
    const id = receipt['requestId']
    expect(await read(id)).toMatchObject({
      ...{ error: false, message: `Request ${id} is finished with status SUCCESS`, requestId: id },
      ...{ state: 'SUCCESS', graph: 'social', queries: [{ name: 'later', state: 'SUCCESS' }] },
    })
    expect((await call('GET', '/query/social/later'))['results']).toEqual([{ one: 1 }])
    const failed = await read((await install('wrong'))['requestId'])
    expect(failed).toMatchObject({ state: 'FAILED', results: expect.stringContaining('draft') })
    expect(failed['message']).toContain('is finished with status FAILED')
    expect(await install('ghost')).toMatchObject({ error: true, status: 400 })
    expect(await read('1')).toMatchObject({ error: true, code: 'REQUEST_NOT_FOUND' })
  })

  it('takes a text at the limit of its length and refuses one past it', async () => {
    const text = 'CREATE OR REPLACE QUERY long() { PRINT 1 AS one; }'
    const padded = text.padEnd(QUERY_TEXT_SIZE_CHARS_MAX)
    expect(await create(padded)).toMatchObject({ error: false })
    expect(await create(`${padded} `)).toMatchObject({ status: 413, error: true })
    await call('DELETE', '/gsql/v1/queries/long?graph=social')
  })

  it('survives a restart', async () => {
    await app.restart()
    expect((await call('GET', '/query/social/later'))['results']).toEqual([{ one: 1 }])
  })

  it('tells its signature', async () => {
    expect(
      await call('POST', '/gsql/v1/queries/signature?graph=social&queryName=older_than'),
    ).toMatchObject({
      queryname: 'older_than',
      input: [{ age: 'int' }],
      output: [{ S: [{ v_type: 'Person', attributes: { 'S.name': 'STRING', years: 'INT' } }] }],
    })
  })

  it('is checked without being saved', async () => {
    const code = 'CREATE QUERY x() { PRINT y; }'
    expect(
      await call('POST', '/gsql/v1/internal/check/query?graph=social', { code }),
    ).toMatchObject({
      warnings: [],
      errors: [{ code: 'SEM-9001', line: 1, column: 26, endLine: 1, endColumn: 27 }],
    })
  })

  it('is disabled while the schema lacks what it uses, and comes back with it', async () => {
    const whole = app.engine.catalog
    await app.engine.changeCatalog((catalog) => ({
      ...catalog,
      vertexTypes: catalog.vertexTypes.map((type) =>
        type.name === 'Post'
          ? { ...type, attributes: type.attributes.filter(({ name }) => name !== 'length') }
          : type,
      ),
    }))
    const made = await create('CREATE QUERY posts() { S = {Post.*}; PRINT S[S.title]; }')
    expect(made['error']).toBe(false)
    await app.engine.changeCatalog((catalog) => ({
      ...catalog,
      vertexTypes: catalog.vertexTypes.map((type) =>
        type.name === 'Post' ? { ...type, attributes: [] } : type,
      ),
    }))
    expect(await call('GET', '/query/social/posts')).toMatchObject({ status: 404 })
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&query=posts')
    expect(results).toMatchObject([{ installed: true, enabled: false }])
    await app.engine.changeCatalog(() => whole)
  })

  it('ends with a drop, which names what it could not find', async () => {
    expect(await call('DELETE', '/gsql/v1/queries/later?graph=social')).toMatchObject({
      error: false,
      dropped: ['later'],
      failedToDrop: [],
    })
    expect(await call('DELETE', '/gsql/v1/queries/later?graph=social')).toMatchObject({
      status: 404,
      error: true,
      failedToDrop: ['later'],
    })
  })
})

describe('descriptions', () => {
  const read = async () =>
    (await call('GET', '/gsql/v1/description?graph=social&query=described'))['results'][
      'queries'
    ][0]

  it('are absent, written, and forgotten', async () => {
    await create('CREATE OR REPLACE QUERY described(INT k) { PRINT k; }')
    expect(await read()).toEqual({ queryName: 'described', parameters: [] })
    const parameters = [{ paramName: 'k', description: 'how many' }]
    const queries = [{ queryName: 'described', description: 'prints', parameters }]
    await call('PUT', '/gsql/v1/description?graph=social', { queries })
    expect(await read()).toEqual({ queryName: 'described', description: 'prints', parameters })
    const forgotten = { queries: ['described'], queryParameters: ['described.*'] }
    await call('DELETE', '/gsql/v1/description?graph=social', forgotten)
    expect(await read()).toEqual({ queryName: 'described', parameters: [] })
  })

  it('of parameters that the query does not have are refused', async () => {
    await create('CREATE OR REPLACE QUERY described(INT k) { PRINT k; }')
    const parameters = [{ paramName: 'q', description: 'nobody' }]
    const queries = [{ queryName: 'described', description: 'prints', parameters }]
    expect(await call('PUT', '/gsql/v1/description?graph=social', { queries })).toMatchObject({
      error: true,
      message: "The query 'described' has no parameter 'q'.",
    })
    expect(await read()).toEqual({ queryName: 'described', parameters: [] })
  })
})

/** Vector attributes from their definition to a search, as a client meets them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=g', script)).text

const setup = `
  IMPORT PACKAGE gds
  INSTALL FUNCTION gds.**
  CREATE VERTEX Doc (name STRING PRIMARY KEY, pages INT)
  CREATE DIRECTED EDGE Cites (FROM Doc, TO Doc)
  CREATE GLOBAL SCHEMA_CHANGE JOB add_vectors {
    ALTER VERTEX Doc ADD VECTOR ATTRIBUTE emb(dimension=3);
    ALTER VERTEX Doc ADD VECTOR ATTRIBUTE flat(DIMENSION=2, METRIC="L2", INDEXTYPE="HNSW", DATATYPE="FLOAT");
  }
  RUN GLOBAL SCHEMA_CHANGE JOB add_vectors
  CREATE GRAPH g (*)`

const upsert = (vertices: object) => server.request('POST', '/restpp/graph/g', { vertices })
const doc = async (id: string, select = '') =>
  (await server.request('GET', `/restpp/graph/g/vertices/Doc/${id}${select}`)).body.results?.[0]
    ?.attributes

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-vectors-'))
  server = await startServer({ ...directoriesIn(files) })
  const { text } = await server.request('POST', '/gsql/v1/statements', setup)
  expect(text).toContain('Global schema change succeeded.')
  expect(text).toContain('The graph g is created.')
})
afterEach(async () => {
  await server.close()
  await rm(files, { recursive: true })
})

describe('the definition', () => {
  it('shows in the schema, apart from the attributes', async () => {
    const { body } = await server.request('GET', '/gsql/v1/schema/graphs/g')
    const [type] = body.results.VertexTypes
    expect(type.Attributes.map((one: { AttributeName: string }) => one.AttributeName)).toEqual([
      'name',
      'pages',
    ])
    expect(type.EmbeddingAttributes).toEqual([
      { Name: 'emb', Dimension: 3, IndexType: 'HNSW', DataType: 'FLOAT', Metric: 'COSINE' },
      { Name: 'flat', Dimension: 2, IndexType: 'HNSW', DataType: 'FLOAT', Metric: 'L2' },
    ])
    expect(await gsql('LS')).toContain(
      'Vector Embeddings:\n  - Doc:\n    - emb(Dimension=3, IndexType="HNSW", DataType="FLOAT", Metric="COSINE")\n',
    )
  })

  it('changes through JSON as well', async () => {
    const url = '/gsql/v1/schema/vertices/Doc'
    const added = await server.request('PUT', url, {
      addEmbeddingAttributes: [{ Name: 'more', Dimension: 5, Metric: 'IP' }],
      dropEmbeddingAttributes: ['flat'],
    })
    expect(added.body).toMatchObject({ error: false })
    const { body } = await server.request('GET', '/gsql/v1/schema/vertices/Doc')
    expect(body.results.EmbeddingAttributes.map((one: { Name: string }) => one.Name)).toEqual([
      'emb',
      'more',
    ])
    const refused = await server.request('PUT', url, {
      addEmbeddingAttributes: [{ Name: 'emb', Dimension: 5 }],
    })
    expect(refused.body).toMatchObject({ error: true })
    expect(refused.body.message).toContain('already exists')
  })

  it('is dropped by GSQL; a query that used it says so', async () => {
    await gsql(`CREATE QUERY near(LIST<FLOAT> q) FOR GRAPH g SYNTAX v3 {
      S = vectorSearch({Doc.flat}, q, 1); PRINT S; }
      INSTALL QUERY near`)
    expect((await server.request('GET', '/restpp/query/g/near?q=1&q=2')).body.error).toBe(false)
    const dropped = await server.request(
      'POST',
      '/gsql/v1/statements',
      'USE GLOBAL\nCREATE GLOBAL SCHEMA_CHANGE JOB d { ALTER VERTEX Doc DROP VECTOR ATTRIBUTE flat; }\nRUN GLOBAL SCHEMA_CHANGE JOB d',
    )
    expect(dropped.text).toContain('Global schema change succeeded.')
    const { body } = await server.request('GET', '/restpp/query/g/near?q=1&q=2')
    expect(body.error).toBe(true)
  })

  it('gets other names with its values and its index, and so does the key, over a restart', async () => {
    await gsql(`CREATE QUERY near(LIST<FLOAT> q) FOR GRAPH g SYNTAX v3 {
      S = vectorSearch({Doc.flat}, q, 1); PRINT S[S.name]; }
      INSTALL QUERY near`)
    await upsert({ Doc: { a: { flat: { value: [1, 2] } }, b: { flat: { value: [9, 9] } } } })
    const names = [
      { name: 'flat', newName: 'meaning' },
      { name: 'name', newName: 'title' },
    ]
    const body = { alterVertexTypes: [{ name: 'Doc', changeAttributes: names }] }
    const told = await server.request('POST', '/quiver/v1/schema/impact', body)
    const line = { class: 'rewrites', change: 'rename', vertices: 2, queries: ['near'] }
    expect(told.body.results).toMatchObject({
      ...{ problem: null, destroyedVertices: 0 },
      operations: [
        { ...line, detail: 'flat', to: 'meaning' },
        { ...line, detail: 'name', to: 'title' },
      ],
    })
    const done = await server.request('POST', '/gsql/v1/schema/change', body)
    expect(done.body.error, done.text).toBe(false)
    const check = async () => {
      expect(await doc('a', '?select=title,meaning')).toEqual({ title: 'a', meaning: [1, 2] })
      const found = await server.request('POST', '/gsql/v1/queries/interpret?graph=g', {
        text: 'INTERPRET QUERY () FOR GRAPH g SYNTAX v3 { S = vectorSearch({Doc.meaning}, [8.0, 8.0], 1); PRINT S[S.title]; }',
      })
      expect(found.body.results?.[0]?.S).toMatchObject([
        { v_id: 'b', attributes: { 'S.title': 'b' } },
      ])
    }
    await check()
    await server.close()
    server = await startServer({ image: server.image, ...directoriesIn(files) })
    await check()
    expect((await server.request('GET', '/restpp/query/g/near?q=1&q=2')).body.error).toBe(true)
    expect(await gsql('INSTALL QUERY near')).toContain('it was renamed to "meaning"')
  })

  it('tells what is wrong with a declaration', async () => {
    let count = 0
    const tried = (options: string) =>
      server.request(
        'POST',
        '/gsql/v1/statements',
        `USE GLOBAL\nCREATE GLOBAL SCHEMA_CHANGE JOB j${++count} { ALTER VERTEX Doc ADD VECTOR ATTRIBUTE v${options}; }\nRUN GLOBAL SCHEMA_CHANGE JOB j${count}`,
      )
    expect((await tried('')).text).toContain('needs a DIMENSION')
    expect((await tried('(METRIC="L2")')).text).toContain('needs a DIMENSION')
    expect((await tried('(DIMENSION=3, METRIC="L7")')).text).toContain("not 'L7'")
    expect((await tried('(DIMENSION=3, SPEED=9)')).text).toContain('not SPEED')
  })
})

describe('values', () => {
  it('are written by upsert, read on request, and kept over a restart and a rebuild', async () => {
    const vertices = {
      Doc: {
        a: { pages: { value: 1 }, emb: { value: [1, 0.5, -2e-3] } },
        b: { emb: { value: [0, 0, 0] }, flat: { value: [1, 2] } },
        c: {},
      },
    }
    expect((await upsert(vertices)).body).toMatchObject({ error: false })
    const check = async () => {
      expect(await doc('a')).toEqual({ name: 'a', pages: 1 })
      expect(await doc('a', '?select=emb')).toEqual({ emb: [1, 0.5, -0.002] })
      expect(await doc('b', '?select=name,emb,flat')).toEqual({
        name: 'b',
        emb: [0, 0, 0],
        flat: [1, 2],
      })
      expect(await doc('c', '?select=emb')).toEqual({ emb: [] })
    }
    await check()
    await server.close()
    server = await startServer({ image: server.image, ...directoriesIn(files) })
    await check()
    expect((await server.request('GET', '/restpp/rebuildnow/g?force=true')).body.error).toBe(false)
    await check()
    await server.close()
    server = await startServer({ image: server.image, ...directoriesIn(files) })
    await check()
  })

  it.each([
    [[1, 2], 'it has 2 numbers'],
    [[1, 2, 3, 4], 'it has more numbers'],
    [[], 'it has 0 numbers'],
    [[1, 'x', 3], 'cannot be converted to FLOAT'],
    [[1, 1e39, 3], 'cannot be converted to FLOAT'],
    [5, 'cannot be converted to VECTOR(3)'],
    ['1,2,3', 'cannot be converted to VECTOR(3)'],
  ])('are refused: %o', async (value, message) => {
    const { body } = await upsert({ Doc: { a: { emb: { value } } } })
    expect(body.error).toBe(true)
    expect(body.message).toContain(message)
    expect(await doc('a')).toBeUndefined()
  })

  it('take no operation but ignore_if_exists', async () => {
    const given = (op: string) => ({ Doc: { a: { emb: { value: [1, 2, 3], op } } } })
    expect((await upsert(given('+'))).body.message).toContain('does not fit the type VECTOR')
    expect((await upsert(given('~'))).body.error).toBe(false)
    expect((await upsert({ Doc: { a: { emb: { value: [4, 5, 6], op: '~' } } } })).body.error).toBe(
      false,
    )
    expect(await doc('a', '?select=emb')).toEqual({ emb: [1, 2, 3] })
  })

  it('are no attributes to filter and sort by', async () => {
    await upsert({ Doc: { a: { emb: { value: [1, 2, 3] } } } })
    for (const query of ['filter=emb=1', 'sort=emb&limit=1']) {
      const { body } = await server.request('GET', `/restpp/graph/g/vertices/Doc?${query}`)
      expect(body.error).toBe(true)
    }
  })

  it('come from loading jobs: split tokens, JSON lists, and lines that do not fit', async () => {
    await writeFile(
      join(files, 'emb.csv'),
      'id | emb\na|1,2,3\nb|0.5, -1e-2 ,.25\nc|1,2\nd|1,x,3\n|1,2,3\n',
    )
    await writeFile(join(files, 'emb.json'), '{"id":"e","v":[1,2]}\n{"id":"f","v":[3.5,-1]}\n')
    await gsql('UPSERT Doc VALUES ("a", 7)')
    const made = await gsql(`CREATE LOADING JOB load FOR GRAPH g {
      DEFINE FILENAME f; DEFINE FILENAME j;
      LOAD f TO VECTOR ATTRIBUTE emb ON VERTEX Doc VALUES ($"id", SPLIT($"emb", ","))
        USING SEPARATOR="|", HEADER="true";
      LOAD j TO VECTOR ATTRIBUTE flat ON VERTEX Doc VALUES ($"id", $"v") USING JSON_FILE="true";
    }`)
    expect(made).toBe('Successfully created loading jobs: [load].\n')
    await gsql('RUN LOADING JOB load USING f="emb.csv", j="emb.json"')
    expect(await doc('a', '?select=pages,emb')).toEqual({ pages: 7, emb: [1, 2, 3] })
    expect(await doc('b', '?select=emb')).toEqual({ emb: [0.5, -0.01, 0.25] })
    expect(await doc('c')).toBeUndefined()
    expect(await doc('d')).toBeUndefined()
    expect(await doc('f', '?select=flat,emb')).toEqual({ flat: [3.5, -1], emb: [] })
    const wrong = await gsql(`CREATE LOADING JOB wrong FOR GRAPH g {
      LOAD "x.csv" TO VECTOR ATTRIBUTE pages ON VERTEX Doc VALUES ($0, SPLIT($1, ",")); }`)
    expect(wrong).toContain('The attribute pages of type Doc does not exist.')
  })
})

describe('searches', () => {
  it('run as installed queries, with lists in the URL and in the body', async () => {
    const given: Record<string, object> = {}
    for (let i = 0; i < 50; i++) given[`d${i}`] = { emb: { value: [1, i / 10, 0] } }
    await upsert({ Doc: given })
    const made =
      await gsql(`CREATE OR REPLACE QUERY near (LIST<FLOAT> q, INT k) FOR GRAPH g SYNTAX v3 {
      MapAccum<VERTEX, FLOAT> @@distances;
      v = vectorSearch({Doc.emb}, q, k, {distance_map: @@distances});
      PRINT v WITH VECTOR;
      PRINT @@distances;
    }
    INSTALL QUERY near`)
    expect(made).not.toContain('rror')
    const byUrl = await server.request('GET', '/restpp/query/g/near?q=1&q=0&q=0&k=2')
    expect(byUrl.body.results).toEqual([
      {
        v: [
          {
            v_id: 'd0',
            v_type: 'Doc',
            attributes: { name: 'd0', pages: 0 },
            Embeddings: { emb: [1, 0, 0], flat: [] },
          },
          {
            v_id: 'd1',
            v_type: 'Doc',
            attributes: { name: 'd1', pages: 0 },
            Embeddings: { emb: [1, 0.1, 0], flat: [] },
          },
        ],
      },
      { '@@distances': { d0: 0, d1: expect.closeTo(1 - 1 / Math.sqrt(1.01), 6) } },
    ])
    const byBody = await server.request('POST', '/restpp/query/g/near', { q: [1, 0, 0], k: 2 })
    expect(byBody.body.results).toEqual(byUrl.body.results)
    const run = await gsql('RUN QUERY near([0, 1, 0], 1)')
    expect(run).toContain('"v_id":"d49"')
    const short = await server.request('POST', '/restpp/query/g/near', { q: [1, 0], k: 2 })
    expect(short.body).toMatchObject({ error: true, code: 'GSQL-90000' })
    expect(short.body.message).toContain('2 and 3 elements')
  })
})

describe('the status of indexes', () => {
  it('is always ready', async () => {
    for (const place of ['', '/', '/g', '/g/', '/g/Doc', '/g/Doc/', '/g/Doc/emb', '/g/Doc/emb/']) {
      const { body } = await server.request('GET', `/restpp/vector/status${place}`)
      expect(body).toMatchObject({
        error: false,
        code: 'REST-0000',
        message: 'fetched status success',
        results: { NeedRebuildServers: [] },
      })
    }
    for (const place of ['/h', '/g/Dog', '/g/Doc/pages']) {
      const { body } = await server.request('GET', `/restpp/vector/status${place}?verbose=true`)
      expect(body.error).toBe(true)
    }
  })

  it('and the functions are listed as a package', async () => {
    expect(await gsql('SHOW PACKAGE gds.vector')).toContain(
      'gds.vector.cosine_distance(list<double> list1, list<double> list2) RETURNS (float) (installed)',
    )
    expect(await gsql('SHOW PACKAGE other')).not.toContain('gds')
  })
})

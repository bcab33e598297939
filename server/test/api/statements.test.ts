/** GSQL scripts over HTTP: what they do, and the texts that clients look for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const gsql = async (script: string, query = '', headers: Record<string, string> = {}) => {
  const url = `/gsql/v1/statements${query}`
  const answer = await server.request('POST', url, script, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer.text
}

/** What clients take for a failure, whatever else the text says. */
const failure =
  /Encountered "|SEMANTIC ERROR|Syntax Error|Failed to create|does not exist|is not a valid|already exists|Invalid syntax/

const schema = `
SET exit_on_error = FALSE
DROP GRAPH tests CASCADE
CREATE GRAPH tests()
BEGIN
TYPEDEF TUPLE < field1 INT, field2 STRING(10), field3 DATETIME > tuple2_simple
END
BEGIN
CREATE SCHEMA_CHANGE JOB setup {
  ADD VERTEX v1 (PRIMARY_ID id STRING, b FIXED_BINARY(10), u tuple2_simple, l LIST<tuple2_simple>,
    // , skipped STRING COMPRESS
    m MAP<DATETIME, INT>);
  ADD VERTEX v2 (id INT PRIMARY KEY, a01 STRING, a02 DATETIME);
  ADD VERTEX v3 (a01 INT, a02 STRING, PRIMARY KEY (a01, a02));
  ADD VERTEX v4 (PRIMARY_ID id INT, a01 INT DEFAULT 7);
  ADD UNDIRECTED EDGE e1 (FROM v4, TO v2, a01 INT);
  ADD DIRECTED EDGE e3 (FROM v4, TO v2 | FROM v4, TO v4, a01 INT) WITH REVERSE_EDGE="e3_back";
  ADD DIRECTED EDGE e5 (FROM *, TO *);
}
END
RUN SCHEMA_CHANGE JOB setup
DROP JOB setup`

describe('scripts that define', () => {
  it('make a graph with local types, through a failing statement', async () => {
    const text = await gsql(schema)
    expect(text).toContain("Graph 'tests' does not exist.")
    expect(text).toContain('The graph tests is created.')
    expect(text).toContain('Successfully created tuples: [tuple2_simple].')
    expect(text).toContain('Successfully created schema change jobs: [setup].')
    expect(text).toContain('Graph tests updated to new version 1')
    expect(text).toContain('Local schema change succeeded.')
    expect(text).toContain("Successfully dropped jobs on the graph 'tests': [setup].")
    const { body } = await server.request('GET', '/gsql/v1/schema/graphs/tests')
    const { VertexTypes, EdgeTypes } = body.results
    expect(VertexTypes).toMatchObject([
      { Name: 'v1', IsLocal: true, Attributes: [{}, { AttributeType: { Name: 'UDT' } }, {}, {}] },
      { Name: 'v2', PrimaryId: { AttributeName: 'id', IsPrimaryKey: true } },
      { Name: 'v3', PrimaryId: { AttributeName: 'a01,a02' } },
      { Name: 'v4', Attributes: [{ AttributeName: 'a01', DefaultValue: '7' }] },
    ])
    expect(EdgeTypes).toMatchObject([
      { Name: 'e1', IsDirected: false },
      { Name: 'e3', Config: { REVERSE_EDGE: 'e3_back' } },
      { Name: 'e5' },
    ])
    expect(EdgeTypes[1].EdgePairs).toHaveLength(2)
    expect(EdgeTypes[2].EdgePairs).toHaveLength(16)
  })

  it('make global types and graphs of them, and say so without words of failure', async () => {
    const text = await gsql(`CREATE VERTEX Person (PRIMARY_ID id UINT, name STRING)
      WITH primary_id_as_attribute="true" CREATE UNDIRECTED EDGE Knows (FROM Person, TO Person)
      CREATE GRAPH acme(Person, Knows) USE GLOBAL CREATE GRAPH all_of_it(*)`)
    expect(text.split('\n')).toEqual([
      'Successfully created vertex types: [Person].',
      'Successfully created edge types: [Knows].',
      'The graph acme is created.',
      'The graph all_of_it is created.',
      '',
    ])
    expect(text).not.toMatch(failure)
  })

  it('write single objects', async () => {
    await gsql(`${schema}
      UPSERT v4 VALUES (1, 5) UPSERT v4 VALUES (2) UPSERT v2 VALUES (7, "x", "2024-01-02")
      UPSERT v4 -(e1)-> v2 VALUES (1, 7, 3) UPSERT v4 -(e3)-> v4 VALUES (1, 2)`)
    const { body } = await server.request('GET', '/graph/tests/vertices/v4')
    expect(body.results.map((row: { attributes: unknown }) => row.attributes)).toEqual([
      { a01: 5 },
      { a01: 7 },
    ])
    const edges = await server.request('GET', '/graph/tests/edges/v4/1')
    expect(edges.body.results).toMatchObject([
      { e_type: 'e1', to_id: '7', attributes: { a01: 3 } },
      { e_type: 'e3', to_id: '2', attributes: { a01: 0 } },
    ])
    expect(await gsql('USE GRAPH tests UPSERT v4 VALUES ("x")')).toMatch(failure)
  })

  it('stop at the first failure, with the words that clients look for', async () => {
    await gsql('CREATE VERTEX V (PRIMARY_ID id INT)')
    const again = await gsql('CREATE VERTEX V (PRIMARY_ID id INT) CREATE GRAPH g(V)')
    expect(again).toBe(
      'Semantic Check Fails: The vertex name V is used by another object! Please use a different name.\nFailed to create vertex types: [V].\n',
    )
    expect(await gsql('CREATE DIRECTED EDGE E (FROM Nobody, TO V)')).toContain(
      'Failed to create edge types: [E].',
    )
    const graph = await gsql('CREATE GRAPH g(Nobody)')
    expect(graph).toContain('The graph g could not be created!')
    expect(await gsql('USE GRAPH ghost LS')).toBe("Graph 'ghost' does not exist.\n")
    expect(await gsql('RUN GLOBAL SCHEMA_CHANGE JOB ghost')).toContain('does not exist')
  })

  it('go on after a DROP of what is not there', async () => {
    const text = await gsql(`CREATE VERTEX V (PRIMARY_ID id INT) CREATE GRAPH g(V)
      DROP JOB j DROP QUERY q DROP QUERY ALL DROP DATA_SOURCE s DROP GRAPH h
      SHOW VERTEX *`)
    for (const name of ['The job j', "graph 'g': q", 'The data source s', "Graph 'h'"]) {
      expect(text).toContain(name)
    }
    expect(text.match(/does not exist/g)).toHaveLength(4)
    expect(text).toContain('- VERTEX V(')
    expect(await gsql('CREATE VERTEX W (PRIMARY_ID id INT) DROP VERTEX V LS')).not.toContain('----')
  })

  it('refuse a source of data that nobody knows', async () => {
    const text = await gsql(`CREATE GRAPH g()
      CREATE DATA_SOURCE s = "{\\"type\\": \\"tape\\"}" FOR GRAPH g LS`)
    expect(text).toContain('Failed to create data source: s.')
    expect(text).not.toContain('----')
  })

  it('take words said for other programs', async () => {
    const text = await gsql(`IMPORT PACKAGE gds INSTALL FUNCTION gds.** CREATE GRAPH g()
      EXPORT SCHEMA g`)
    expect(text).toBe('The graph g is created.\n')
  })

  it.each([
    ['IMPORT PACKAGE NONSENSE', "There is no package or function 'NONSENSE'."],
    ['IMPORT PACKAGE gds.nonsense', "There is no package or function 'gds.nonsense'."],
    ['INSTALL FUNCTION nope.**', "There is no package or function 'nope.**'."],
    ['INSTALL FUNCTION gds.vector.nope', "There is no package or function 'gds.vector.nope'."],
    ['SHOW PACKAGE NONSENSE', "There is no package 'NONSENSE'."],
  ])('refuse a package that does not exist: %s', async (command, message) => {
    expect(await gsql(command)).toContain(message)
  })

  it('take a package by each of its names', async () => {
    const names = ['gds', 'gds.*', 'gds.**', 'gds.vector', 'gds.vector.dimension_count']
    expect(await gsql(names.map((name) => `INSTALL FUNCTION ${name}`).join('\n'))).toBe('')
  })

  it('always stop at what they cannot read; what stands before is done', async () => {
    const text = await gsql(
      'SET exit_on_error = false CREATE VERTEX V (PRIMARY_ID id INT)\nCREATE NONSENSE',
    )
    expect(text).toContain('Successfully created vertex types: [V].')
    expect(text).toMatch(/Encountered "NONSENSE" at line 2, column 8\.\nSyntax Error: line 2:8 /)
  })

  it('change and drop what is there', async () => {
    await gsql('CREATE VERTEX V (PRIMARY_ID id INT) CREATE VERTEX W (PRIMARY_ID id INT)')
    await gsql('CREATE UNDIRECTED EDGE E (FROM V, TO V) CREATE GRAPH g(V, E)')
    const text = await gsql(`USE GLOBAL
      CREATE GLOBAL SCHEMA_CHANGE JOB j {
        ALTER VERTEX V ADD ATTRIBUTE (x DOUBLE DEFAULT 1.5, y STRING);
        ALTER VERTEX V ADD INDEX ix ON (y);
        ALTER EDGE E ADD PAIR (FROM V, TO W);
        ADD VERTEX W TO GRAPH g;
      }
      RUN GLOBAL SCHEMA_CHANGE JOB j
      DROP JOB ALL`)
    expect(text).toContain('Graph g updated to new version 1')
    expect(text).toContain('Global schema change succeeded.')
    const shown = await gsql('USE GRAPH g SHOW VERTEX V SHOW EDGE * SHOW GRAPH *')
    expect(shown.split('\n').slice(1)).toEqual([
      '  - VERTEX V(PRIMARY_ID id INT, x DOUBLE DEFAULT "1.5", y STRING) WITH STATS="OUTDEGREE_BY_EDGETYPE"',
      '  - UNDIRECTED EDGE E(FROM V, TO V | FROM V, TO W)',
      '  - Graph g(V:v, W:v, E:e)',
      '',
    ])
    expect(await gsql('DROP VERTEX V')).toContain('still used')
    expect(await gsql('DROP ALL LS')).toContain('Everything is dropped.')
    expect((await server.request('GET', '/gsql/v1/schema/graphs')).body.graphs).toEqual([])
  })

  it('list the catalogue', async () => {
    await gsql(schema)
    await gsql('USE GRAPH tests CREATE QUERY q(VERTEX<v4> p) { PRINT p; } INSTALL QUERY q')
    const lines = (await gsql('LS', '?graph=tests')).split('\n')
    expect(lines[0]).toBe('---- Graph tests')
    expect(lines).toContain('Vertex Types:')
    expect(lines).toContain(
      '  - VERTEX v3(a01 INT, a02 STRING, PRIMARY KEY (a01, a02)) WITH STATS="OUTDEGREE_BY_EDGETYPE"',
    )
    expect(lines).toContain('  - q(vertex<v4> p) (installed v2)')
    expect(lines.slice(-3)).toEqual(['JSON API version: v2', 'Syntax version: v2', ''])
    const globally = await gsql('ls')
    expect(globally.split('\n')[0]).toBe('---- Global vertices, edges, and all graphs')
    expect(await gsql('help')).toMatch(/^GSQL Help: Summary of TigerGraph GSQL Shell commands\./)
  })
})

describe('scripts with queries', () => {
  beforeEach(() => gsql('CREATE VERTEX V (PRIMARY_ID id INT, n INT) CREATE GRAPH g(V)'))

  it('create, install, show, run and drop them', async () => {
    await server.request('POST', '/graph/g', { vertices: { V: { 7: { n: { value: 3 } } } } })
    const text = 'CREATE QUERY q(VERTEX<V> v, INT n, SET<INT> s) FOR GRAPH g {\n  PRINT v, n, s;\n}'
    expect(await gsql(`USE GRAPH g\n${text}`)).toBe(
      "Using graph 'g'\nSuccessfully created queries: [q].\n",
    )
    expect((await server.request('GET', '/query/g/q?v=7')).status).toBe(404)
    expect(await gsql('USE GRAPH g SHOW QUERY q')).toBe(`Using graph 'g'\n${text}\n`)
    const installed = await gsql('USE GRAPH g INSTALL QUERY q')
    expect(installed).toContain('/restpp/query/g/q?v=VALUE&n=VALUE&s=VALUE')
    expect(installed).toContain('Query installation finished.')
    expect(installed).not.toMatch(failure)
    const [, status, ...code] = (await gsql('USE GRAPH g SHOW QUERY q')).split('\n')
    expect(status).toBe('# installed v2')
    expect(code.join('\n')).toBe(`${text}\n`)
    const answer = await gsql('RUN QUERY q("7", 9007199254740993, [1, 2])', '?graph=g')
    expect(answer).toContain('"results": [{"v":"7","n":9007199254740993,"s":[1,2]}]')
    expect(JSON.parse(answer)).toMatchObject({ error: false, version: { edition: 'enterprise' } })
    const named = await gsql('RUN QUERY q({"v": {"id": 7}, "s": [5]})', '?graph=g')
    expect(JSON.parse(named).results).toEqual([{ v: '7', n: 0, s: [5] }])
    expect(await gsql('RUN QUERY q(1, 2, [], 4)', '?graph=g')).toContain(
      'takes 3 parameters, not 4',
    )
    expect(await gsql('DROP QUERY q', '?graph=g')).toBe(
      "Successfully dropped queries on the graph 'g': [q].\n",
    )
    expect(await gsql('DROP QUERY q', '?graph=g')).toMatch(failure)
  })

  it('take the only graph there is where none was chosen', async () => {
    expect(await gsql('CREATE QUERY q() { PRINT 1; } INSTALL QUERY q')).not.toMatch(failure)
    expect(JSON.parse(await gsql('RUN QUERY q()')).results).toEqual([{ 1: 1 }])
    await gsql('CREATE GRAPH other()')
    expect(await gsql('RUN QUERY q()')).toContain('no graph is in use')
    expect(await gsql('CREATE QUERY r() { PRINT 1; }')).toContain('no graph is in use')
  })

  it('tell errors and keep drafts', async () => {
    const text = await gsql('USE GRAPH g CREATE QUERY bad() { PRINT nobody; }')
    expect(text).toContain('Saved as draft query with type/semantic error: [bad].')
    expect(await gsql('USE GRAPH g SHOW QUERY bad')).toContain('# draft')
    expect(await gsql('USE GRAPH g INSTALL QUERY bad')).toContain('draft')
  })

  it('interpret texts', async () => {
    const text = await gsql('INTERPRET QUERY () FOR GRAPH g { PRINT 1 + 1 AS two; }')
    expect(JSON.parse(text).results).toEqual([{ two: 2 }])
    const failed = await gsql('USE GRAPH g INTERPRET QUERY () { PRINT 1 / 0; } LS')
    expect(failed).toContain('divider is zero')
    expect(failed).not.toContain('----')
  })
})

describe('scripts as a client sends them', () => {
  it('make secrets as the Python client reads them', async () => {
    const made = await gsql('USE GLOBAL CREATE SECRET ci')
    const secret = made.split('The secret: ')[1]?.split(' ')[0] ?? ''
    expect(secret).toMatch(/^[a-z0-9]{32}$/)
    expect(await gsql('CREATE SECRET ci')).toContain('already exists')
    expect(await gsql('SHOW SECRET')).toBe(
      `- Secret: ${secret.slice(0, 3)}****${secret.slice(-3)}\n- Alias: ci\n`,
    )
    expect(await gsql('DROP SECRET ghost')).toContain('Failed to drop secrets')
    await gsql('DROP SECRET ci')
    expect(await gsql('SHOW SECRET')).toBe('')
  })

  it('arrive quoted from clients of version 3, and run without waiting', async () => {
    const quoted = encodeURIComponent('CREATE VERTEX V (PRIMARY_ID id INT)').replaceAll('%20', '+')
    const old = await server.request('POST', '/gsqlserver/gsql/file', quoted)
    expect(old.text).toContain('Successfully created vertex types: [V].')
    const { body } = await server.request('POST', '/gsql/v1/statements?async=true', 'SHOW VERTEX V')
    expect(body).toMatchObject({ error: false, requestId: expect.any(String) })
    const url = `/gsql/v1/statements/${encodeURIComponent(body.requestId)}`
    await expect
      .poll(async () => (await server.request('GET', url)).body.message)
      .toContain('finished with status SUCCESS')
    expect((await server.request('GET', url)).body.results).toContain('VERTEX V(')
    expect((await server.request('PUT', `${url}/cancel`)).body).toMatchObject({
      ...{ error: true, code: 'REQUEST_NOT_FOUND' },
      message: expect.stringContaining('has finished: there is nothing to cancel'),
    })
    expect((await server.request('GET', '/gsql/v1/statements/1')).body.error).toBe(true)
  })

  it('are cancelled while they run, the query of their command too', async () => {
    await gsql('CREATE GRAPH g()')
    const text = 'INTERPRET QUERY () FOR GRAPH g { WHILE true DO INT i = 0; END; }\nLS'
    const { body } = await server.request('POST', '/gsql/v1/statements?async=true', text)
    const url = `/gsql/v1/statements/${body.requestId}`
    const cancel = async () => (await server.request('PUT', `${url}/cancel`)).body
    expect((await cancel()).message).toBe(`Successfully aborted request ${body.requestId}`)
    await expect
      .poll(async () => (await server.request('GET', url)).body.message)
      .toContain('finished with status FAILED')
    expect((await server.request('GET', url)).body.results).not.toContain('---- Global')
    expect((await cancel()).code).toBe('REQUEST_NOT_FOUND')
  })

  it('may do only what their user may', async () => {
    await server.request('POST', '/gsql/v1/users', { username: 'eve', password: 'evesecret' })
    const eve = { authorization: `Basic ${Buffer.from('eve:evesecret').toString('base64')}` }
    expect(await gsql('DROP ALL', '', eve)).toContain('does not have the privilege DROP_ALL')
    expect(await gsql('SHOW USER', '', eve)).toContain('READ_USER')
    expect(await gsql('CREATE VERTEX V (PRIMARY_ID id INT)', '', eve)).toContain('WRITE_SCHEMA')
    await gsql('GRANT ROLE globaldesigner TO eve')
    expect(await gsql('CREATE VERTEX V (PRIMARY_ID id INT)', '', eve)).toContain('Successfully')
    const clear = await server.request('GET', '/gsql/v1/clear-store', undefined, eve)
    expect(clear.status).toBe(403)
  })

  it('keep their jobs over a restart, and clear the store', async () => {
    await gsql('CREATE GRAPH g() CREATE SCHEMA_CHANGE JOB j { ADD VERTEX V (PRIMARY_ID id INT); }')
    await server.close()
    server = await startServer({ image: server.image })
    expect(await gsql('USE GRAPH g SHOW JOB *')).toContain('CREATE SCHEMA_CHANGE JOB j')
    expect(await gsql('DROP GRAPH g')).toContain('has the jobs [j]')
    const drop = (query: string) => server.request('DELETE', `/gsql/v1/schema/graphs/g${query}`)
    expect((await drop('')).body.message).toContain('has the jobs [j]')
    expect((await drop('?cascade=true')).body.error).toBe(false)
    expect(await gsql('CREATE GRAPH g() SHOW JOB *')).not.toContain('JOB j')
    await gsql('USE GRAPH g CREATE SCHEMA_CHANGE JOB j { ADD VERTEX V (PRIMARY_ID id INT); }')
    await gsql('USE GRAPH g RUN SCHEMA_CHANGE JOB j')
    await server.request('POST', '/graph/g', { vertices: { V: { 1: {} } } })
    expect(await gsql('CLEAR GRAPH STORE -HARD')).toBe('Successfully cleared graph store.\n')
    const { body } = await server.request('GET', '/graph/g/vertices/V?count_only=true')
    expect(body.results).toEqual([{ v_type: 'V', count: 0 }])
    const all = await server.request('GET', '/gsql/v1/drop-all')
    expect(all.body.message).toBe('Successfully dropped all.')
  })

  it('define types through the schema calls, too', async () => {
    const post = (path: string, gsqlText: unknown) =>
      server.request('POST', `/gsql/v1/schema/${path}`, { gsql: gsqlText })
    const vertices = await post('vertices?gsql=true', [
      'CREATE VERTEX A (PRIMARY_ID id INT)',
      'CREATE VERTEX B (id STRING PRIMARY KEY, n LIST<INT>);',
    ])
    expect(vertices.body).toEqual({
      error: false,
      message: 'Successfully create vertices: [A, B]',
    })
    const edges = await post('edges?gsql=true', ['CREATE DIRECTED EDGE E (FROM A, TO B)'])
    expect(edges.body.message).toBe('Successfully create edges: [E]')
    const graph = await post('graphs?gsql=true&graphName=g', 'CREATE GRAPH g(A, B, E)')
    expect(graph.body.message).toBe('Successfully created graph: [g].')
    const broken = await post('vertices?gsql=true', ['CREATE VERTEX ('])
    expect([broken.status, broken.body.error]).toEqual([400, true])
    expect((await post('edges?gsql=true', ['CREATE VERTEX C (PRIMARY_ID i INT)'])).status).toBe(400)
  })
})

describe('schema-change jobs as resources', () => {
  const jobs = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    server.request(method, `/gsql/v1/schema/jobs${path}`, body)
  const vertex = { Name: 'V', PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'INT' } } }

  it('are made from JSON and from text, read, run and dropped', async () => {
    await gsql('CREATE GRAPH g()')
    const made = await jobs('POST', '/j1?graph=g', { addVertexTypes: [vertex] })
    expect(made.body.message).toBe('Successfully created schema change job: [j1].')
    const text = 'CREATE SCHEMA_CHANGE JOB j2 FOR GRAPH g { ALTER VERTEX V ADD ATTRIBUTE (x INT); }'
    await jobs('POST', '/j2?graph=g&gsql=true', { gsql: text })
    const listed = await jobs('GET', '?graph=g')
    expect(listed.body.results).toEqual([
      { j1: 'CREATE SCHEMA_CHANGE JOB j1 FOR GRAPH g { ADD VERTEX V (PRIMARY_ID id INT); }' },
      { j2: text },
    ])
    const read = await jobs('GET', '/j2?graph=g&json=true')
    expect(read.body.results.j2).toMatchObject({
      ...{ name: 'j2', graph: 'g', addVertexTypes: [], addTags: [] },
      alterVertexTypes: [{ name: 'V', addAttributes: [{ AttributeName: 'x' }] }],
    })
    expect((await jobs('PUT', '/j2?graph=g')).body.error).toBe(true)
    const ran = await jobs('PUT', '/j1?graph=g')
    expect(ran.body.message).toBe('Schema change job run successfully!')
    expect((await jobs('POST', '/j2?graph=g')).body.message).toBe(
      'Schema change job run successfully!',
    )
    expect(await gsql('USE GRAPH g SHOW VERTEX V')).toContain('VERTEX V(PRIMARY_ID id INT, x INT)')
    const dropped = await jobs('DELETE', '?graph=g&jobName=j1,j2')
    expect(dropped.body.message).toBe('Successfully dropped schema change jobs: [j1, j2].')
    expect((await jobs('GET', '/j1?graph=g')).body.error).toBe(true)
    expect((await jobs('DELETE', '?graph=g')).status).toBe(400)
    const global = await jobs('POST', '/g1?type=global', { dropVertexTypes: ['V'] })
    expect(global.body.message).toBe('Successfully created global schema change job: [g1].')
    expect(await gsql('USE GLOBAL LS')).toContain(
      '  - CREATE GLOBAL SCHEMA_CHANGE JOB g1 { DROP VERTEX V; }',
    )
    expect(await gsql('USE GLOBAL SHOW JOB g1')).toContain('SCHEMA_CHANGE JOB g1 {')
  })

  it('stand beside the calls about the whole schema', async () => {
    const post = (path: string) => server.request('POST', `/gsql/v1/schema/${path}`)
    expect((await post('check')).body.message).toBe('Schema Check succeeded.')
    expect((await post('recover')).body.message).toBe('Recover schema succeed!')
    const one = await server.request('GET', '/gsql/v1/udt/files/ExprUtil')
    expect(one.body.results.ExprUtil).toContain('no C++')
    expect(
      Object.keys((await server.request('GET', '/gsql/v1/udt/files')).body.results),
    ).toHaveLength(5)
  })
})

/** Loading jobs: files, given data, JSON lines, temporary tables (docs/reference/gsql/loading.md). */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-files-'))
  server = await startServer({ filesDirectory: files, queryWorkerCount: 0 })
  await createAcme(server)
})
afterEach(async () => {
  await server.close()
  await rm(files, { recursive: true })
})

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=acme', script)).text

const person = async (id: number | string) => {
  const { body } = await server.request('GET', `/graph/acme/vertices/Person/${id}`)
  return body.results?.[0]?.attributes
}

const edges = async (path: string) =>
  (await server.request('GET', `/graph/acme/edges/${path}`)).body.results

const count = async (type: string) =>
  (await server.request('GET', `/graph/acme/vertices/${type}?count_only=true`)).body.results[0]
    .count

describe('the root of data files', () => {
  const load = 'LOAD f TO VERTEX Person VALUES ($0, $1, _, _, _)'
  it('stands in paths for what was set when the job was made, or when it runs', async () => {
    await mkdir(join(files, 'sub'))
    await writeFile(join(files, 'sub', 'p.csv'), '1,Ada\n')
    const made = await gsql(`SET sys.data_root = "./sub/"
      CREATE LOADING JOB j { DEFINE FILENAME f = "$sys.data_root/p.csv"; ${load}; }
      SET sys.data_root = "./elsewhere" RUN LOADING JOB j`)
    expect(made).toContain('Person: 1 loaded')
    const later =
      await gsql(`CREATE LOADING JOB k { DEFINE FILENAME f = "$sys.data_root/p.csv"; ${load}; }
      SET sys.data_root = "sub" RUN LOADING JOB k`)
    expect(later).toContain('Person: 1 loaded')
    expect(await gsql('RUN LOADING JOB k')).toContain("'$sys.data_root/p.csv' does not exist")
  })

  it('leaves jobs of the only graph to be dropped without USE GRAPH', async () => {
    await gsql(`CREATE LOADING JOB j { DEFINE FILENAME f; ${load}; }`)
    const { text } = await server.request('POST', '/gsql/v1/statements', 'DROP JOB j SHOW JOB *')
    expect(text).toBe("Successfully dropped jobs on the graph 'acme': [j].\n")
  })
})

describe('lists of files with the machines that hold them', () => {
  it('are read in their order, each file once, by the one machine', async () => {
    await writeFile(join(files, 'a.csv'), 'id,name\n1,Ada\n2,Bo\n')
    await writeFile(join(files, 'b, c.csv'), 'id,name\n2,Bob\n3,Cy\n')
    const load = 'LOAD f TO VERTEX Person VALUES ($0, $1, _, _, _) USING HEADER="true"'
    const said = await gsql(`CREATE LOADING JOB j {
        DEFINE FILENAME f = "m1|m2:${files}/a.csv, m3:b, c.csv,m4:a.csv"; ${load}; }
      RUN LOADING JOB j`)
    const reports = said.split('\n').filter((line) => line.includes(' lines, '))
    expect(reports).toEqual([
      expect.stringMatching(/a\.csv: 2 lines, 0 rejected$/),
      expect.stringMatching(/b, c\.csv: 2 lines, 0 rejected$/),
    ])
    expect([await person(1), await person(2), await person(3)]).toMatchObject([
      { name: 'Ada' },
      { name: 'Bob' },
      { name: 'Cy' },
    ])
    expect(await gsql('RUN LOADING JOB j USING f="ALL:a.csv, ANY:none.csv"')).toContain(
      "'none.csv' does not exist",
    )
  })
})

describe('jobs that delete', () => {
  beforeEach(async () => {
    const people = Object.fromEntries([1, 2, 3, 4].map((id) => [id, { age: { value: id } }]))
    const knows = Object.fromEntries([2, 3, 4].map((id) => [id, {}]))
    const works = { Works_At: { Company: { c: {}, d: {} } } }
    const { body } = await server.request('POST', '/restpp/graph/acme', {
      vertices: { Person: people },
      edges: { Person: { 1: { Knows: { Person: knows }, ...works } } },
    })
    expect(body.results[0].accepted_edges).toBe(5)
  })
  const job = async (statement: string, lines: string) => {
    await gsql('DROP JOB d')
    await writeFile(join(files, 'd'), lines)
    const made = await gsql(`CREATE LOADING JOB d { DEFINE FILENAME f; ${statement}; }`)
    expect(made).toContain('Successfully created')
    return await gsql('RUN LOADING JOB d USING f="d"')
  }

  it('take vertices away by id, with their edges, where a condition holds', async () => {
    const told = await job(
      'DELETE VERTEX Person (PRIMARY_ID $0) FROM f WHERE to_int($1) > 1',
      '2,5\n3,0\n99,5\nx,5\n',
    )
    expect(told).toContain('Person: 2 deleted, 1 invalid')
    expect(await count('Person')).toBe(3)
    expect(await person(2)).toBeUndefined()
    expect(await edges('Person/1/Knows')).toHaveLength(2)
  })

  it('take edges away: one, all to anywhere, or those of every type', async () => {
    await job('DELETE EDGE Knows (FROM $0, TO $1) FROM f', '1,2\n1,99\n88,1\n')
    expect((await edges('Person/1/Knows')).map((edge: { to_id: string }) => edge.to_id)).toEqual([
      '3',
      '4',
    ])
    await job('DELETE EDGE Knows (FROM $0) FROM f', '1\n')
    expect(await edges('Person/1/Knows')).toEqual([])
    expect(await edges('Person/1')).toHaveLength(2)
    await job('DELETE EDGE * (FROM $0 Person) FROM f', '1\n')
    expect(await edges('Person/1')).toEqual([])
    expect(await count('Person')).toBe(4)
  })

  it('are refused beside LOAD, and of types that are not there', async () => {
    const make = (text: string) =>
      gsql(`CREATE LOADING JOB d FOR GRAPH acme { DEFINE FILENAME f; ${text} }`)
    const vertex = 'DELETE VERTEX Person (PRIMARY_ID $0) FROM f;'
    expect(await make(`${vertex} LOAD f TO VERTEX Company VALUES ($0);`)).toContain('one of both')
    expect(await make('DELETE VERTEX Ghost (PRIMARY_ID $0) FROM f;')).toContain('Ghost')
    expect(await make('DELETE EDGE * (FROM $0) FROM f;')).toContain('FROM vertex type must be said')
  })

  it('change nothing when they only try', async () => {
    await job('DELETE VERTEX Person (PRIMARY_ID $0) FROM f', '77\n')
    await writeFile(join(files, 'd'), '1\n2\n')
    await gsql('RUN LOADING JOB -dryrun d USING f="d"')
    expect(await count('Person')).toBe(4)
  })
})

describe('loading jobs over files', () => {
  it('load vertices and edges with headers, quotes, conditions and functions', async () => {
    await writeFile(
      join(files, 'people.csv'),
      'id,name,age,firm\r\n1,"Ada, Countess",36,analytical\r\n2,bob,x,acme\r\n3,"say ""hi""",41,\r\n4,dan\r\n',
    )
    const made = await gsql(`CREATE LOADING JOB people FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO VERTEX Person VALUES ($"id", gsql_upper($"name"), $"age", _, "true"),
             TO EDGE Works_At VALUES ($0, $3, "2024-01-02", 1e3) WHERE gsql_is_not_empty_string($3)
        USING HEADER="true", SEPARATOR=",", QUOTE="double";
    }`)
    expect(made).toBe('Successfully created loading jobs: [people].\n')
    const text = await gsql('RUN LOADING JOB people USING f="people.csv"')
    expect(text).toContain('LOAD SUCCESSFUL for loading jobid: acme.people.')
    expect(text).toContain('3 lines, 1 rejected')
    expect(await person(1)).toMatchObject({ name: 'ADA, COUNTESS', age: 36, active: true })
    expect(await person(3)).toMatchObject({ name: 'SAY "HI"', age: 41 })
    // Its age was no number: the vertex is skipped, the edge made it with defaults.
    expect(await person(2)).toMatchObject({ name: '', age: 0 })
    expect(await person(4)).toBeUndefined()
    expect(await edges('Person/1/Works_At')).toMatchObject([
      { to_id: 'analytical', attributes: { since: '2024-01-02 00:00:00', pay: 1000 } },
    ])
    expect(await count('Company')).toBe(2)
  })

  it('read only files of their directory', async () => {
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f; LOAD f TO VERTEX Company VALUES ($0); }`)
    await symlink('/etc/hostname', join(files, 'link'))
    for (const path of ['/etc/hostname', '../x', 'link', 'nothing', '']) {
      const text = await gsql(`RUN LOADING JOB j USING f="${path}"`)
      expect(text, path).not.toContain('LOAD SUCCESSFUL')
    }
    expect(await gsql('RUN LOADING JOB j')).toContain('No file is given')
    expect(await count('Company')).toBe(0)
  })

  it('load some lines, try without writing, and drop', async () => {
    await writeFile(join(files, 'ids'), Array.from({ length: 20 }, (_, id) => id + 1).join('\n'))
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f = "ANY:ids"; LOAD f TO VERTEX Person VALUES ($0); }`)
    expect(await gsql('RUN LOADING JOB -dryrun j')).toContain('Person: 20 loaded')
    expect(await count('Person')).toBe(0)
    await gsql('RUN LOADING JOB -n 3,5 j')
    expect(await count('Person')).toBe(3)
    expect(await person(3)).toBeDefined()
    expect(await gsql('SHOW JOB j')).toContain('CREATE LOADING JOB j')
    expect(await gsql('DROP JOB j')).toContain('Successfully dropped jobs')
    expect(await gsql('RUN LOADING JOB j')).toContain('does not exist')
  })

  it('load more than one upsert holds', async () => {
    const rows = Array.from({ length: 12_000 }, (_, id) => `${id},n${id},${id % 100}`)
    await writeFile(join(files, 'many.csv'), `${rows.join('\n')}\n`)
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      LOAD "many.csv" TO VERTEX Person VALUES ($0, $1, $2), TO EDGE Knows VALUES ($0, $2); }`)
    await gsql('RUN LOADING JOB j')
    expect(await count('Person')).toBe(12_000)
    expect(await person(11_999)).toMatchObject({ name: 'n11999', age: 99 })
    const builtin = { function: 'stat_edge_number', type: 'Knows' }
    const { body } = await server.request('POST', '/builtins/acme', builtin)
    expect(body.results[0].count).toBe(12_000)
  })
})

describe('data with the request', () => {
  const feed = (job: string, data: string, query = '') =>
    server.request('POST', `/restpp/ddl/acme?tag=${job}&filename=f${query}`, data)

  it('is loaded and counted', async () => {
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f;
      DEFINE INPUT_LINE_FILTER old = to_int($1) > 2000;
      LOAD f TO VERTEX Company VALUES ($0, $2, $1) WHERE $2 != "none" USING REJECT_LINE_RULE="old"; }`)
    const data = 'a|1999|x\nb|2001|x\nc|1990|none\n|1990|x\nd|-5|x\ne\n'
    const { body } = await feed('j', data, '&sep=%7C')
    expect(body).toMatchObject({ error: false, code: 'REST-0000' })
    expect(body.results).toHaveLength(1)
    expect(body.results[0].sourceFileName).toBe('Online_POST')
    expect(body.results[0].statistics).toMatchObject({
      validLine: 4,
      rejectLine: 1,
      failedConditionLine: 1,
      notEnoughToken: 1,
      invalidJson: 0,
      oversizeToken: 0,
      vertex: [{ typeName: 'Company', validObject: 1, noIdFound: 1, invalidAttribute: 1 }],
      edge: [],
    })
    expect(await count('Company')).toBe(1)
    const concise = await feed('j', 'z,1,y', '&concise=true')
    expect(Object.keys(concise.body.results[0].statistics)).toEqual(['vertex', 'edge'])
    expect((await feed('ghost', 'x')).body).toMatchObject({ error: true })
    const url = '/restpp/ddl/acme?tag=j&filename=g'
    expect((await server.request('POST', url, 'x')).body.error).toBe(true)
  })

  it('may be JSON lines, exact to 64 bits', async () => {
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO VERTEX Person VALUES ($"id", $"who":"name", $"n", _, _, _, $"langs", _,
        SPLIT($"m", ":", ";"), Addr($"who":"street", "7")) USING JSON_FILE="true"; }`)
    const lines = [
      '{"id":1,"n":18446744073709551615,"who":{"name":"Ada","street":"Elm"},"langs":["en","fr"],"m":"a:1;b:2"}',
      'no json',
      '{"id":2,"who":{}}',
    ]
    const { body } = await feed('j', lines.join('\n'))
    expect(body.results[0].statistics).toMatchObject({ validLine: 2, invalidJson: 1 })
    const { text } = await server.request('GET', '/graph/acme/vertices/Person/1')
    expect(text).toContain('"age":18446744073709551615')
    expect(await person(1)).toMatchObject({
      name: 'Ada',
      langs: ['en', 'fr'],
      phones: { a: '1', b: '2' },
      home: { street: 'Elm', no: 7 },
    })
    expect(await person(2)).toMatchObject({ name: '', age: 0, langs: [] })
  })

  it('goes through temporary tables, one row per element', async () => {
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO TEMP_TABLE t (who, firm, pay) VALUES ($0, flatten($1, "|", ":", 2));
      LOAD TEMP_TABLE t TO EDGE Works_At VALUES ($"who", $"firm", _, $"pay") WHERE $"firm" IN ("a", "b");
    }`)
    const { body } = await feed('j', '1,a:10|b:20|c:30\n2,b:5\n')
    expect(body.results.map((one: { statistics: unknown }) => one.statistics)).toMatchObject([
      { validLine: 2 },
      { validLine: 4, failedConditionLine: 1, edge: [{ typeName: 'Works_At', validObject: 3 }] },
    ])
    expect(await edges('Person/1/Works_At?sort=pay')).toMatchObject([
      { to_id: 'a', attributes: { pay: 10 } },
      { to_id: 'b', attributes: { pay: 20 } },
    ])
  })

  it('updates as reducers say, lets collections grow, and keeps what it must', async () => {
    await gsql(`CREATE LOADING JOB j FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO VERTEX Person VALUES ($0, _, REDUCE(add($1)), REDUCE(max($1)), _, _, $2); }
      CREATE LOADING JOB fresh FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO VERTEX Person VALUES ($0, $1) USING NEW_VERTEX_ONLY="true"; }
      CREATE LOADING JOB known FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO EDGE Knows VALUES ($0, $1) USING VERTEX_MUST_EXIST="true"; }
      CREATE LOADING JOB months FOR GRAPH acme {
      DEFINE FILENAME f;
      LOAD f TO EDGE Pays VALUES ($0 Company, $1 Person, $2, $3); }`)
    await feed('j', '1,5,en\n1,7,fr\n1,6,\n')
    expect(await person(1)).toMatchObject({ age: 18, score: 7, langs: ['en', 'fr', ''] })
    await feed('fresh', '1,changed\n2,new\n')
    expect(await person(1)).toMatchObject({ name: '' })
    expect(await person(2)).toMatchObject({ name: 'new' })
    await feed('known', '1,2\n1,99\n')
    expect(await edges('Person/1/Knows')).toHaveLength(1)
    expect(await person(99)).toBeUndefined()
    await feed('months', 'c,1,2024-01,10\nc,1,2024-02,20\nc,1,2024-01,11\n')
    expect(await edges('Company/c/Pays?sort=amount')).toMatchObject([
      { discriminator: '2024-01', attributes: { amount: 11 } },
      { discriminator: '2024-02', attributes: { amount: 20 } },
    ])
  })
})

describe('loading jobs as resources', () => {
  const text = 'CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO VERTEX Company VALUES ($0); }'
  const jobs = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: unknown) =>
    server.request(method, `/gsql/v1/loading-jobs${path}?graph=acme`, body)

  it('are created, listed, read, replaced, run and dropped', async () => {
    expect((await jobs('POST', '', text)).body.message).toBe('Successfully created loading job: j')
    expect((await jobs('POST', '', text)).body.error).toBe(true)
    expect((await jobs('GET')).body).toEqual({ error: false, message: '', jobNames: ['j'] })
    expect((await jobs('GET', '/j')).body.results).toEqual({ jobName: 'j', jobContent: text })
    const other = text.replace('$0', 'gsql_lower($0)')
    expect((await jobs('PUT', '', other)).body.error).toBe(false)
    await writeFile(join(files, 'c'), 'ABC\n')
    const run = await jobs('POST', '/run', [
      { name: 'j', dataSources: [{ filename: 'f', name: 'file', path: './c' }] },
    ])
    expect(run.body.message).toBe('Successfully ran loading job(s): [j]')
    const status = `/gsql/v1/loading-jobs/status?graph=acme&jobId=${run.body.jobIds[0]}`
    const { body } = await server.request('GET', status)
    expect(body.results[0].overall).toMatchObject({ id: run.body.jobIds[0], progress: 1, size: 1 })
    const read = await server.request('GET', '/graph/acme/vertices/Company')
    expect(read.body.results[0].v_id).toBe('abc')
    const [id] = run.body.jobIds
    for (const wanted of [id, `"${id}"`, 'ALL']) {
      expect(await gsql(`SHOW LOADING STATUS ${wanted} LS`), wanted).toContain(`[FINISHED] ${id} (`)
    }
    expect(await gsql('SHOW LOADING STATUS acme.ghost.file.m1.1')).toContain('does not exist')
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=other', {})
    const elsewhere = `/gsql/v1/loading-jobs/status?graph=other&jobId=${id}`
    expect((await server.request('GET', elsewhere)).body.error).toBe(true)
    expect((await jobs('DELETE', '/j')).body.message).toBe("Successfully drop loading job 'j'.")
    expect((await jobs('GET', '/j')).body.error).toBe(true)
  })

  it.each([
    ['LOAD g TO VERTEX Company VALUES ($0)', 'file variable g does not exist'],
    ['LOAD f TO VERTEX Nope VALUES ($0)', 'Nope'],
    ['LOAD f TO EDGE Nope VALUES ($0, $1)', 'Nope'],
    ['LOAD f TO VERTEX Company VALUES (shout($0))', 'token function shout does not exist'],
    ['LOAD f TO VERTEX Company VALUES ($0, $1, $2, $3)', 'more VALUES'],
    ['LOAD f TO VERTEX Company VALUES ($0) USING QUOTE="triple"', 'QUOTE'],
    ['LOAD f TO VERTEX Company VALUES ($0) USING SEPARATOR=""', 'SEPARATOR must have'],
    [
      'LOAD f TO VERTEX Company VALUES ($0) USING SEPARATOR="\\n"',
      'SEPARATOR must differ from EOL.',
    ],
    [
      `LOAD f TO VERTEX Company VALUES ($0) USING SEPARATOR="'", QUOTE="single"`,
      'SEPARATOR must not contain the quote.',
    ],
    ['LOAD f TO VERTEX Company VALUES ($0) USING REJECT_LINE_RULE="r"', 'line filter r'],
    ['LOAD TEMP_TABLE t TO VERTEX Company VALUES ($0)', 'temporary table t'],
    ['LOAD f TO VERTEX Company', 'Syntax Error'],
  ])('are refused with %s', async (load, reason) => {
    const made = await gsql(`CREATE LOADING JOB j { DEFINE FILENAME f; ${load}; }`)
    expect(made).toContain(reason)
    expect((await jobs('GET')).body.jobNames).toEqual([])
  })
})

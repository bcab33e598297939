/** What loading jobs make of inputs that are not as most are, and of definitions that cannot be meant (docs/reference/gsql/loading.md). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string

const gsql = async (script: string, graph = '?graph=g') =>
  (await server.request('POST', `/gsql/v1/statements${graph}`, script)).text

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-inputs-'))
  server = await startServer({ filesDirectory: files, queryWorkerCount: 0 })
  const made = await gsql(
    `CREATE VERTEX V (PRIMARY_ID id STRING, s STRING, n INT, list LIST<INT>, m MAP<STRING, INT>)
    CREATE VERTEX K (a STRING, n INT, x DOUBLE, PRIMARY KEY (a, n))
    CREATE DIRECTED EDGE E (FROM V, TO K)
    CREATE GRAPH g (*)`,
    '',
  )
  expect(made).toContain('The graph g is created.')
})
afterAll(async () => {
  await server.close()
  await rm(files, { recursive: true })
})
afterEach(async () => {
  await gsql('DROP JOB j')
  for (const type of ['V', 'K']) await server.request('DELETE', `/graph/g/vertices/${type}`)
})

const make = (body: string) =>
  gsql(`CREATE LOADING JOB j FOR GRAPH g { DEFINE FILENAME f = "in"; ${body} }`)

async function load(body: string, data: string | Buffer, run = 'RUN LOADING JOB j') {
  await writeFile(join(files, 'in'), data)
  expect(await make(body)).toContain('Successfully created loading jobs: [j].')
  return await gsql(run)
}

async function vertices(type = 'V') {
  const { body } = await server.request('GET', `/graph/g/vertices/${type}`)
  const rows: { v_id: string; attributes: object }[] = body.results
  return Object.fromEntries(rows.map(({ v_id, attributes }) => [v_id, attributes]))
}

const ten = Array.from({ length: 10 }, (_, i) => `v${i + 1},${i + 1}`).join('\n')

describe('files', () => {
  it('may begin with a byte order mark', async () => {
    await load('LOAD f TO VERTEX V VALUES ($0, $1);', '\ufeffa,\ufeff1\nb,2\n')
    expect(await vertices()).toMatchObject({ a: { s: '\ufeff1' }, b: { s: '2' } })
  })

  it('are refused as UTF-16, of which every text would be wrong', async () => {
    const text = '\ufeffid,s\na,b\n'
    const big = Buffer.from(text, 'utf16le').swap16()
    const body = 'LOAD f TO VERTEX V VALUES ($0, $1);'
    const refused = 'is UTF-16; convert it to UTF-8 before it is loaded.'
    expect(await load(body, Buffer.from(text, 'utf16le'))).toContain(refused)
    await gsql('DROP JOB j')
    expect(await load(body, big)).toContain(refused)
    expect(await vertices()).toEqual({})
  })

  it('may be packed by gzip', async () => {
    const body = 'DEFINE FILENAME z; LOAD z TO VERTEX V VALUES ($"id", $"s") USING HEADER="true";'
    await writeFile(join(files, 'z.csv.gz'), gzipSync('id,s\na,é\nb,2\n'))
    await load(body, '', 'RUN LOADING JOB j USING z="z.csv.gz"')
    expect(await vertices()).toMatchObject({ a: { s: 'é' }, b: { s: '2' } })
    await writeFile(join(files, 'z.csv.gz'), 'id,s\nc,3\n')
    const told = await gsql('RUN LOADING JOB j USING z="z.csv.gz"')
    expect(told).toContain("The file 'z.csv.gz' cannot be unpacked: incorrect header check.")
    expect(Object.keys(await vertices())).toHaveLength(2)
  })

  it('lose only the lines whose composite keys do not fit', async () => {
    const targets = 'TO VERTEX K VALUES ($0, $1, $2), TO EDGE E VALUES ($3, ($0, $1))'
    const told = await load(`LOAD f ${targets};`, 'p,1,0.5,a\np,x,1,b\nq,-2,,c\n')
    expect(told).toContain('K: 2 loaded, 1 invalid')
    expect(told).toContain('E: 2 loaded, 1 invalid')
    expect(Object.keys(await vertices('K'))).toEqual(['p,1', 'q,-2'])
    const errors = await gsql('SHOW LOADING ERROR ALL')
    expect(errors).toContain("line 2: K: 'p,x' is no id of the parts a STRING, n INT")
  })

  it('keep collections as they are where a line has nothing for them', async () => {
    const values = '$0, _, _, $1, ($2 -> $3)'
    const told = await load(`LOAD f TO VERTEX V VALUES (${values});`, 'a,1,k,5\na,,k,2\na,3,k,7\n')
    expect(told).toContain('V: 3 loaded, 0 invalid')
    expect(await vertices()).toMatchObject({ a: { list: [1, 3], m: { k: 7 } } })
  })
})

describe('temporary tables', () => {
  it('are filled before they are read, wherever the statements stand', async () => {
    await load(
      `LOAD TEMP_TABLE u TO VERTEX V VALUES ($"b", $"a");
       LOAD TEMP_TABLE t TO TEMP_TABLE u (a, b) VALUES ($"y", flatten($"x", ";", 1));
       LOAD f TO TEMP_TABLE t (x, y) VALUES ($0, $1);`,
      'a;b,1\nc,2\n',
    )
    expect(await vertices()).toMatchObject({ a: { s: '1' }, b: { s: '1' }, c: { s: '2' } })
  })

  it.each([
    [
      'LOAD f TO TEMP_TABLE t (g, n) VALUES ($0, flatten($1, ";", ",", 2)); LOAD TEMP_TABLE t TO VERTEX V VALUES ($"g");',
      'the temporary table t has 2 columns, its VALUES 3.',
    ],
    [
      'LOAD f TO TEMP_TABLE t (g, name) VALUES ($0, $1); LOAD TEMP_TABLE t TO VERTEX V VALUES ($"g") WHERE $"nmae" != "";',
      'the temporary table t has no column nmae; did you mean "name"?',
    ],
    [
      'LOAD f TO TEMP_TABLE t (a) VALUES ($0); LOAD f TO TEMP_TABLE t (b) VALUES ($0);',
      'the temporary table t is filled with different columns.',
    ],
    [
      'LOAD TEMP_TABLE t TO TEMP_TABLE u (a) VALUES ($"a"); LOAD TEMP_TABLE u TO TEMP_TABLE t (a) VALUES ($"a");',
      'the temporary tables u, t fill each other.',
    ],
  ])('are refused: %s', async (body, message) => {
    expect(await make(body)).toContain(`Semantic Check Fails: ${message}`)
  })
})

describe('options', () => {
  it.each([
    ['SEPERATOR="|"', 'USING has no option SEPERATOR; did you mean "SEPARATOR"?'],
    ['HEADER="yes"', `HEADER must be "true" or "false", not 'yes'.`],
  ])('are refused: %s', async (option, message) => {
    const told = await make(`LOAD f TO VERTEX V VALUES ($0) USING ${option};`)
    expect(told).toContain(`Semantic Check Fails: ${message}`)
  })

  it('of a source hold for all statements that read it, and must not differ', async () => {
    const first = 'LOAD f TO VERTEX V VALUES ($"id", $"s") USING HEADER="true", SEPARATOR="|";'
    await load(`${first} LOAD f TO VERTEX K VALUES ($"s", 7);`, 'id|s\na|x\n')
    expect(Object.keys(await vertices('K'))).toEqual(['x,7'])
    await gsql('DROP JOB j')
    const other = 'LOAD f TO VERTEX K VALUES ($1, 7) USING SEPARATOR=",", HEADER="TRUE";'
    expect(await make(`${first} ${other}`)).toContain(
      'the statements that read f must have the same SEPARATOR.',
    )
  })

  it('are known without their underscores, as real jobs write them', async () => {
    const body = 'LOAD f TO EDGE E VALUES ($0, ($1, "2")) USING vertexmustexist="true";'
    await load(body, 'a,p\n')
    expect(await vertices()).toEqual({})
  })

  it('of runs stand before the name and behind it', async () => {
    const body = 'LOAD f TO VERTEX V VALUES ($0, _, $1);'
    const lines = async (run: string) => {
      const told = await gsql(run)
      return /V: (\d+) loaded/.exec(told)?.[1] ?? told
    }
    await load(body, ten, 'RUN LOADING JOB -dryrun j')
    expect(await lines('RUN LOADING JOB -n 8,$ j')).toBe('3')
    expect(await lines('RUN LOADING JOB j -n 2 -max_percent_error 0.5 USING f')).toBe('2')
    expect(await lines('RUN LOADING JOB -dryrun j -n 5')).toBe('5')
    expect(await lines('RUN LOADING JOB -n -1 j')).toContain("mismatched input '-' expecting")
  })
})

describe('definitions', () => {
  it.each([
    ['DEFINE FILENAME f; LOAD f TO VERTEX V VALUES ($0);', 'f is defined twice'],
    [
      'LOAD f TO VERTEX V VALUES (gsql_regex_replace($0, "[", "x"));',
      "'[' is no expression that can be used.",
    ],
  ])('are refused: %s', async (body, message) => {
    expect(await make(body)).toContain(message)
  })
})

/** What loading jobs count beside their lines: values that were defaulted, and ends that edges made. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer, testClock } from '../fixtures/server.ts'

let server: TestServer
let files: string

const timers = () => ({
  after: (_ms: number, call: () => void) => {
    const timer = setTimeout(call, 10)
    return () => clearTimeout(timer)
  },
  every: () => () => undefined,
})
const options = () => ({ filesDirectory: files, queryWorkerCount: 0, timers: timers() })

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-effects-'))
  const clock = { ...testClock(), monotonicMs: () => performance.now() }
  server = await startServer({ ...options(), clock })
  const created = await server.request(
    'POST',
    '/gsql/v1/statements',
    `CREATE VERTEX V (PRIMARY_ID id STRING, name STRING, n INT, x DOUBLE, at DATETIME, tags LIST<INT>)
     CREATE DIRECTED EDGE E (FROM V, TO V, w INT)
     CREATE GRAPH g (V, E)`,
  )
  expect(created.text).toContain('The graph g is created')
})
afterEach(async () => {
  await server.close()
  await rm(files, { recursive: true })
})

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=g', script)).text

/** A job `j` of these statements, fed with these lines. @returns the results of the answer */
async function fed(statements: string, lines: readonly string[]) {
  await gsql(`CREATE LOADING JOB j { DEFINE FILENAME f; ${statements} }`)
  const path = '/restpp/ddl/g?tag=j&filename=f'
  const { body } = await server.request('POST', path, lines.join('\n'))
  await gsql('DROP JOB j')
  expect(body.error).toBe(false)
  return body.results
}

const attributes = async (id: string) =>
  (await server.request('GET', `/graph/g/vertices/V/${id}`)).body.results[0].attributes

const count = async () =>
  (await server.request('GET', '/graph/g/vertices/V?count_only=true')).body.results[0].count

const defaultsOf = (counts: Record<string, number>) =>
  Object.entries(counts).map(([attribute, n]) => ({ typeName: 'V', attribute, count: n }))

describe('values that lines lack', () => {
  it('are counted by attribute, beside the statistics', async () => {
    const [result, ...more] = await fed('LOAD f TO VERTEX V VALUES ($0, $1, $2, $3, $4, $5);', [
      'a,,1,,2024-01-02,5',
      'b,Bo,,2.5,,',
      'c,,,,,',
      // What is left out is not loaded with a default.
      'd,,one,,,',
      ',,,,,',
      'b,Bo',
    ])
    expect(more).toEqual([])
    // A client takes any count in here but these for lines that did not fit.
    expect(result.statistics).toEqual({
      ...{ validLine: 5, rejectLine: 0, failedConditionLine: 0, notEnoughToken: 1 },
      ...{ invalidJson: 0, oversizeToken: 0, invalidQuote: 0 },
      vertex: [
        {
          ...{ typeName: 'V', validObject: 3, noIdFound: 1, invalidAttribute: 1 },
          ...{ invalidPrimaryId: 0, invalidSecondaryId: 0, incorrectFixedBinaryLength: 0 },
        },
      ],
      ...{ edge: [], deleteVertex: [], deleteEdge: [] },
    })
    // An empty text is a text of its own.
    expect(result.quiver).toEqual({
      defaultedValues: 8,
      defaulted: defaultsOf({ n: 2, x: 2, at: 2, tags: 2 }),
      createdEndpoints: 0,
    })
  })

  it('are counted where the vertex is left as it was, and where a key of JSON is missing', async () => {
    await gsql('UPSERT V VALUES ("a", "Ann", 7, 1.5)')
    const [result] = await fed(
      'LOAD f TO VERTEX V VALUES ($"id", $"name", $"n", REDUCE(max($"x"))) USING JSON_FILE="true";',
      ['{"id":"a"}', '{"id":"b","name":null,"n":"","x":1}', '{"id":"c","name":"","n":0,"x":2}'],
    )
    expect(result.quiver).toMatchObject({
      defaultedValues: 5,
      defaulted: defaultsOf({ name: 2, n: 2, x: 1 }),
    })
    expect(await attributes('a')).toMatchObject({ name: 'Ann', n: 7, x: 1.5 })
  })

  it('are not what the job leaves out', async () => {
    const [result] = await fed('LOAD f TO VERTEX V VALUES ($0, _, "", REDUCE(add(_)));', ['a', 'b'])
    expect(result.quiver).toEqual({ defaultedValues: 0, defaulted: [], createdEndpoints: 0 })
  })

  it('are counted behind temporary tables, for edges and for several destinations', async () => {
    const [first, second] = await fed(
      `LOAD f TO TEMP_TABLE t (a, b, w) VALUES ($0, $1, flatten($2, "|", 1));
       LOAD t TO EDGE E VALUES ($"a", $"b", $"w"), TO VERTEX V VALUES ($"a", _, $"w"),
         TO VERTEX V VALUES ($"b", _, $"w");`.replace('LOAD t', 'LOAD TEMP_TABLE t'),
      ['a,b,1||3', 'c,d,'],
    )
    expect(first.quiver).toEqual({ defaultedValues: 0, defaulted: [], createdEndpoints: 0 })
    expect(second.quiver).toMatchObject({
      defaultedValues: 3,
      defaulted: [{ typeName: 'E', attribute: 'w', count: 1 }, ...defaultsOf({ n: 2 })],
    })
  })
})

describe('functions that find no number and no time', () => {
  it.each([
    ['gsql_to_int($1)', ['7.9', '7']],
    ['gsql_to_uint($1)', ['7.9', '7']],
    ['to_int($1)', ['-7.9', '-7']],
    ['to_float($1)', ['7', '7']],
    ['gsql_ts_to_epoch_seconds($1)', ['1970-01-02 00:00:00', '86400']],
    ['gsql_year($1)', ['1971-02-03', '1971']],
    ['gsql_month($1)', ['1971-02-03', '2']],
    ['gsql_day($1)', ['1971-02-03', '3']],
    ['gsql_year_epoch($1)', ['86400', '1970']],
    ['gsql_month_epoch($1)', ['86400', '1']],
    ['gsql_day_epoch($1)', ['86400', '2']],
  ])(
    '%s gives no default for a word, and a counted one for nothing',
    async (value, [given, made]) => {
      const lines = ['word,abc', `good,${given}`, 'none,']
      const [result] = await fed(`LOAD f TO VERTEX V VALUES ($0, _, ${value});`, lines)
      expect(result.statistics.vertex).toMatchObject([{ validObject: 2, invalidAttribute: 1 }])
      expect(result.quiver).toMatchObject({ defaultedValues: 1, defaulted: defaultsOf({ n: 1 }) })
      expect(String((await attributes('good')).n)).toBe(made)
      expect((await attributes('none')).n).toBe(0)
      expect(await count()).toBe(2)
    },
  )
})

describe('vertices that edges make', () => {
  const lines = ['a,b,1', 'b,c,', 'a,a,2']

  it('are counted once each, by source', async () => {
    const statements = 'LOAD f TO EDGE E VALUES ($0, $1, $2);'
    await gsql('UPSERT V VALUES ("a")')
    const [result] = await fed(statements, lines)
    expect(result.quiver).toEqual({
      defaultedValues: 1,
      defaulted: [{ typeName: 'E', attribute: 'w', count: 1 }],
      createdEndpoints: 2,
    })
    const [again] = await fed(statements, lines)
    expect(again.quiver.createdEndpoints).toBe(0)
    const mustExist = statements.replace(';', ' USING VERTEX_MUST_EXIST="true";')
    const [refused] = await fed(mustExist, ['x,y,1'])
    expect(refused.quiver.createdEndpoints).toBe(0)
    const [own] = await fed('LOAD f TO VERTEX V VALUES ($0), TO EDGE E VALUES ($0, $1, 1);', [
      'p,q',
    ])
    expect(own.quiver.createdEndpoints).toBe(1)
  })

  it('are shown with the status of a run, also after a restart', async () => {
    await writeFile(join(files, 'edges'), lines.join('\n'))
    await gsql('CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO EDGE E VALUES ($0, $1, $2); }')
    const told = [
      '  E: 3 loaded, 0 invalid',
      '  E.w: 1 value defaulted',
      '3 vertices were created as ends of edges',
    ]
    const dry = await gsql('RUN LOADING JOB -dryrun j USING f="edges"')
    expect(dry).toContain('  E.w: 1 value defaulted')
    expect(dry).not.toContain('ends of edges')
    expect(await gsql('RUN LOADING JOB j USING f="edges"')).toContain(told.join('\n'))
    expect(await gsql('RUN LOADING JOB j USING f="edges"')).not.toContain('ends of edges')
    const status = async () => {
      const path = '/gsql/v1/loading-jobs/status?graph=g'
      const { body } = await server.request('GET', path)
      return body.results.map((one: { overall: { quiver: unknown } }) => one.overall.quiver)
    }
    const defaulted = [{ typeName: 'E', attribute: 'w', count: 1 }]
    const wanted = [0, 3, 0].map((n) => ({ defaultedValues: 1, defaulted, createdEndpoints: n }))
    expect(await status()).toEqual(wanted)
    const shown = await gsql('SHOW LOADING STATUS ALL')
    expect(shown).toContain(told.join('\n'))
    await server.close()
    server = await startServer({ ...options(), image: server.image })
    expect(await status()).toEqual(wanted)
    expect(await gsql('SHOW LOADING STATUS ALL')).toBe(shown)
  })

  it('are exact when a run was paused, and cut off by crashes, with a checkpoint between', async () => {
    const lineCount = 300_000
    // Read in many pieces, so that the run can be met in the middle.
    const ignored = 'x'.repeat(100)
    const all = Array.from(
      { length: lineCount },
      (_, i) => `${i % 9_999},e${i},${i % 2 ? i : ''},${ignored}`,
    )
    await writeFile(join(files, 'edges'), all.join('\n'))
    await gsql('CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO EDGE E VALUES ($0, $1, $2); }')
    const overall = async () => {
      const { body } = await server.request('GET', '/gsql/v1/loading-jobs/status?graph=g')
      return body.results[0]?.overall
    }
    const dataSources = [{ filename: 'f', path: 'edges' }]
    const run = { name: 'j', dataSources }
    void server.request('POST', '/gsql/v1/loading-jobs/run?graph=g', run)
    const killed: TestServer[] = []
    let cutCount = 0
    for (const share of [0.01, 0.2, 0.4]) {
      while (((await overall())?.progress ?? 0) < share) await new Promise(setImmediate)
      await gsql('PAUSE LOADING JOB ALL')
      // What it has made is written, and told.
      await new Promise((resolve) => setTimeout(resolve, 500))
      await expect
        .poll(async () => (await overall()).quiver.createdEndpoints - (await count()))
        .toBe(0)
      if (share === 0.2) await server.request('GET', '/gsql/v1/rebuildnow')
      // Not closed: as a process that is killed.
      killed.push(server)
      server = await startServer({ ...options(), image: server.image })
      const { status, quiver } = await overall()
      expect(quiver.createdEndpoints).toBe(await count())
      if (status === 'FINISHED') break
      cutCount += 1
      expect(status).toBe('INTERRUPTED')
      expect(await gsql('RESUME LOADING JOB ALL')).toContain('resumed loading job(s): [g.j')
    }
    expect(cutCount).toBeGreaterThan(0)
    await vi.waitFor(async () => expect((await overall()).status).toBe('FINISHED'), {
      timeout: 60_000,
    })
    expect(await count()).toBe(lineCount + 9_999)
    const { quiver } = await overall()
    expect(quiver).toMatchObject({
      defaultedValues: lineCount / 2,
      createdEndpoints: lineCount + 9_999,
    })
    for (const one of killed) await one.close()
  }, 180_000)
})

/** Queries whose WHERE an index answers: the same answers, from fewer rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

const VERTICES = 3_000
/** As a number of a request's text. */
const LARGEST = '18446744073709551615'
const INDEXED = ['n', 'u', 's', 'd', 'b', 't']

/** Conditions of `s`, and whether an index is to be used for them. */
const conditions: readonly (readonly [where: string, isIndexed: boolean])[] = [
  ['s.n == 17', true],
  ['17 == s.n', true],
  ['s.n == wanted', true],
  ['s.n == absent', true],
  ['s.n IN (1, 2, 2, -5, 99999)', true],
  ['s.n IN several', true],
  ['s.n BETWEEN 3 AND 9', true],
  ['s.n < 4', true],
  ['2990 <= s.n AND s.n != 2995', true],
  ['s.n > 10 AND s.n < 20 AND s.s == "text 2"', true],
  ['s.s == "text 3" AND s.n < 40', true],
  ['s.s == "\u00e4"', true],
  ['s.d >= 1.25 AND s.d < 1.5', true],
  ['s.d == 3', true],
  [`s.u == ${LARGEST}`, true],
  ['s.b == TRUE AND s.n < 100', true],
  ['s.t == to_datetime("2024-01-01 00:00:07")', true],
  ['s.t == day', true],
  ['s.n == 17 AND 10 / (s.n - 17 + 1) > 0', true],
  ['s.n == 17 OR s.n == 18', false],
  ['s.n != 17', false],
  ['s.plain == 17', false],
  ['s.n >= 0', false],
  ['10 / s.n > 5 AND s.n == 1', false],
]

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const attribute = (name: string, type: string) => ({
    AttributeName: name,
    AttributeType: { Name: type },
  })
  await post('/gsql/v1/schema/vertices', {
    createVertices: [
      {
        Name: 'P',
        PrimaryId: attribute('id', 'STRING'),
        Attributes: [
          attribute('n', 'INT'),
          attribute('u', 'UINT'),
          attribute('s', 'STRING'),
          attribute('d', 'DOUBLE'),
          attribute('b', 'BOOL'),
          attribute('t', 'DATETIME'),
          attribute('plain', 'INT'),
        ],
      },
    ],
  })
  await post('/gsql/v1/schema/graphs?graphName=g', { VertexTypes: ['P'], EdgeTypes: [] })
  await post('/restpp/graph/g', { vertices: { P: vertices(0, VERTICES) } })
  await server.request('DELETE', '/restpp/graph/g/vertices/P/p17')
  await server.request('DELETE', '/restpp/graph/g/vertices/P/p5')
})
afterAll(() => server.close())

describe('a WHERE over indexed attributes', () => {
  it('answers as without indexes, and looks at fewer rows', async () => {
    const before = await runAll()
    await index(INDEXED)
    const after = await runAll()
    for (const [at, [where, isIndexed]] of conditions.entries()) {
      expect(after[at]!.answer, where).toEqual(before[at]!.answer)
      expect(before[at]!.indexes, where).toEqual([])
      expect(after[at]!.indexes.length > 0, where).toBe(isIndexed || where === 's.n >= 0')
      if (isIndexed) expect(after[at]!.rows, where).toBeLessThan(before[at]!.rows / 10)
      else expect(after[at]!.rows, where).toBe(before[at]!.rows)
    }
  })

  it('follows what is written between two runs', async () => {
    const names = async () => (await run('s.n == 40')).answer
    const count = (await names()).length
    await post('/restpp/graph/g', {
      vertices: { P: { fresh: { n: { value: 40 } }, p40: { n: { value: 41 } } } },
    })
    expect(await names()).toHaveLength(count)
    expect(JSON.stringify(await names())).toContain('fresh')
    await server.request('DELETE', '/restpp/graph/g/vertices/P/fresh')
    expect(await names()).toHaveLength(count - 1)
  })

  it('keeps to the set it starts from, in a loop, too', async () => {
    const text = `INTERPRET QUERY () FOR GRAPH g {
      SumAccum<INT> @@found; INT round = 0;
      Odd = SELECT x FROM P:x WHERE x.n % 2 == 1;
      WHILE round < 3 DO
        Hit = SELECT s FROM Odd:s WHERE s.n IN (100, 101, 102, 103) ACCUM @@found += 1;
        round = round + 1;
      END;
      Hit = Hit MINUS Odd;
      PRINT @@found, Hit.size() AS rest;
    }`
    const { body } = await server.request('POST', '/quiver/v1/queries/profile', text)
    const answer = await server.request('POST', '/gsql/v1/queries/interpret', text)
    expect(answer.body.results).toEqual([{ '@@found': 6, rest: 0 }])
    const hit = body.results.steps.find((step: { result: string }) => step.result === 'Hit')
    expect(hit.select.start).toMatchObject({ source: 'Odd', indexes: ['by_n'] })
    const cost = body.results.run.statements.find((one: { id: number }) => one.id === hit.id)
    expect(cost).toMatchObject({ executions: 3, rows: 6 })
  })

  it('leaves sums of real numbers to a scan, whose parts decide their last bits', async () => {
    const startOf = async (accum: string) => {
      const text = `INTERPRET QUERY () FOR GRAPH g {
        SumAccum<DOUBLE> @@real; SumAccum<INT> @@whole;
        R = SELECT s FROM P:s WHERE s.n == 18 ACCUM ${accum}; PRINT @@real, @@whole;
      }`
      const { body } = await server.request('POST', '/quiver/v1/queries/explain', text)
      const [, , { select }] = body.results.steps
      return select.start.indexes
    }
    expect(await startOf('@@whole += s.n')).toEqual(['by_n'])
    expect(await startOf('@@real += s.d')).toEqual([])
  })

  it('is counted among the look-ups that the metrics tell', async () => {
    const before = await lookups()
    await run('s.n == 17')
    await run('s.n >= 0')
    const after = await lookups()
    // Each is run twice: for its answer, and for what it costs.
    expect([after.indexed - before.indexed, after.scanned - before.scanned]).toEqual([2, 2])
  })

  it('is counted for itself, by queries and by reads with a filter', async () => {
    const uses = async () => {
      const { body } = await server.request('GET', '/quiver/v1/indexes/usage?graph=g')
      expect(body.results.since).toBeLessThanOrEqual(server.clock.nowMs())
      return body.results.indexes
    }
    const before = await uses()
    await run('s.n == 17')
    await server.request('GET', '/restpp/graph/g/vertices/P?filter=n=17')
    const after = await uses()
    const [was, is] = [before, after].map((list) =>
      list.find(({ index }: { index: string }) => index === 'by_n'),
    )
    expect(is).toEqual({
      ...{ vertex: 'P', index: 'by_n', attribute: 'n' },
      ...{ uses: was.uses + 3, lastUsedAt: server.clock.nowMs(), queries: [] },
    })
    const others = (list: { index: string }[]) => list.filter(({ index }) => index !== 'by_n')
    expect(others(after)).toEqual(others(before))
    const ghost = await server.request('GET', '/quiver/v1/indexes/usage?graph=ghost')
    expect(ghost.body.code).toBe('GRAPH_NOT_FOUND')
  })

  it('tells what each takes, and how many values it tells apart', async () => {
    const facts = async () => {
      const { body } = await server.request('GET', '/quiver/v1/indexes?graph=g')
      return body.results.indexes
    }
    await run('s.n == 17')
    await run('s.s == "text 3"')
    const list = await facts()
    expect(list).toHaveLength(INDEXED.length)
    const of = (name: string) => list.find(({ index }: { index: string }) => index === name)
    // Two vertices of 3,000 are gone; of the texts, one is another.
    expect(of('by_n')).toMatchObject({
      ...{
        vertex: 'P',
        attribute: 'n',
        state: 'ready',
        builtShare: 1,
        createdAt: server.clock.nowMs(),
      },
      distinctValues: new Set((await valuesOf('n')).map(String)).size,
    })
    expect(of('by_n').sizeBytes).toBeGreaterThanOrEqual(2_998 * 8)
    expect(of('by_s').distinctValues).toBe(new Set(await valuesOf('s')).size)
    const ghost = await server.request('GET', '/quiver/v1/indexes?graph=ghost')
    expect(ghost.body.code).toBe('GRAPH_NOT_FOUND')
  })

  it('is left aside where a read asks for it: the same answer, not counted as a look-up', async () => {
    const read = async (search: string) => {
      const path = `/restpp/graph/g/vertices/P?filter=n=23${search}`
      return (await server.request('GET', path)).body
    }
    const before = await lookups()
    const plain = await read('&use_index=false')
    expect(plain.results).toHaveLength(1)
    expect(await lookups()).toEqual(before)
    expect((await read('')).results).toEqual(plain.results)
    expect(await lookups()).toEqual({ ...before, indexed: before.indexed + 1 })
    expect((await read('&use_index=maybe')).code).toBe('REST-30000')
  })

  it('names the queries that begin with it, as they are planned', async () => {
    const texts = [
      'by_number(INT x) { R = SELECT s FROM P:s WHERE s.n == x; PRINT R; }',
      'odd() { R = SELECT s FROM P:s WHERE s.n % 2 == 1; PRINT R; }',
      'summed() { SumAccum<DOUBLE> @@d; R = SELECT s FROM P:s WHERE s.n == 1 ACCUM @@d += s.d; PRINT @@d; }',
    ]
    for (const text of texts) {
      const { body } = await server.request(
        'POST',
        '/gsql/v1/queries?graph=g',
        `CREATE QUERY ${text}`,
      )
      expect(body).toMatchObject({ error: false })
    }
    const queriesOf = async (search: string) => {
      const { body } = await server.request('GET', `/quiver/v1/indexes/usage${search}`)
      return body.results.indexes.find(({ index }: { index: string }) => index === 'by_n').queries
    }
    expect(await queriesOf('?graph=g')).toEqual(['by_number'])
    expect(await queriesOf('')).toBeUndefined()
  })
})

function vertices(from: number, to: number): object {
  const entries = Array.from({ length: to - from }, (_unused, at) => {
    const n = from + at
    const values = {
      n,
      u: n % 1_000 === 7 ? LARGEST : n,
      s: n === 9 ? '\u00e4' : `text ${n % 200}`,
      d: n / 8,
      b: n % 50 === 0,
      t: `2024-01-01 00:00:${String(n % 60).padStart(2, '0')}`,
      plain: n,
    }
    const fields = Object.entries(values).map(([name, value]) => [name, { value }])
    return [`p${n}`, Object.fromEntries(fields)]
  })
  return Object.fromEntries(entries)
}

async function valuesOf(attribute: string): Promise<unknown[]> {
  const { body } = await server.request('GET', '/restpp/graph/g/vertices/P')
  return body.results.map((row: { attributes: object }) => Object(row.attributes)[attribute])
}

async function post(url: string, body: object): Promise<void> {
  const text = JSON.stringify(body).replaceAll(`"${LARGEST}"`, LARGEST)
  const answer = await server.request('POST', url, text)
  if (answer.body.error !== false) throw new Error(`${url}: ${answer.text}`)
}

function index(attributes: readonly string[]): Promise<void> {
  const addIndexAttributes = attributes.map((attributeName) => ({
    indexName: `by_${attributeName}`,
    attributeName,
  }))
  return post('/gsql/v1/schema/change?graph=g', {
    alterVertexTypes: [{ name: 'P', addIndexAttributes }],
  })
}

interface Outcome {
  readonly answer: readonly unknown[]
  readonly rows: number
  readonly indexes: readonly string[]
}

async function runAll(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [where] of conditions) outcomes.push(await run(where))
  return outcomes
}

async function run(where: string): Promise<Outcome> {
  const text = `INTERPRET QUERY (INT wanted = 23, INT absent, SET<INT> several, DATETIME day) FOR GRAPH g {
    R = SELECT s FROM P:s WHERE ${where};
    PRINT R[R.n];
  }`
  const query = `?absent=2999&several=4&several=4&several=2000&day=2024-01-01%2000:00:07`
  const answer = await server.request('POST', `/gsql/v1/queries/interpret${query}`, text)
  const { body } = await server.request('POST', `/quiver/v1/queries/profile${query}`, text)
  const failed = answer.body.error === true
  const steps = failed ? [] : body.results.steps
  const select = steps.find((step: { select: unknown }) => step.select !== null)?.select
  return {
    answer: failed ? [answer.body.message] : answer.body.results[0].R,
    rows: failed ? 0 : body.results.run.rows,
    indexes: select?.start.indexes ?? [],
  }
}

async function lookups(): Promise<{ readonly indexed: number; readonly scanned: number }> {
  const { text } = await server.request('GET', '/informant/metrics')
  const value = (kind: string) =>
    Number(new RegExp(`quiver_reads_${kind}_total (\\d+)`).exec(text)?.[1])
  return { indexed: value('indexed'), scanned: value('scanned') }
}

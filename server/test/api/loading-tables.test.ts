/** What temporary tables of loading jobs may hold, together. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

const MEMORY_LIMIT_BYTES = 64 * 2 ** 20
const text = { 'content-type': 'text/plain' }

let server: TestServer
beforeAll(async () => {
  server = await startServer({ memoryLimitBytes: MEMORY_LIMIT_BYTES })
  const script = `
    CREATE VERTEX V (PRIMARY_ID id STRING, n INT)
    CREATE GRAPH g (V)
    USE GRAPH g
    CREATE LOADING JOB parts FOR GRAPH g {
      DEFINE FILENAME x;
      LOAD x TO TEMP_TABLE t (id, part) VALUES ($0, flatten($1, "|", 1)) USING SEPARATOR=",";
      LOAD TEMP_TABLE t TO VERTEX V VALUES ($"part", 1);
    }
  `
  const { text: said } = await server.request('POST', '/gsql/v1/statements', script, text)
  expect(said).toContain('Successfully created loading jobs')
})
afterAll(() => server.close())

async function loaded(lines: readonly string[]) {
  const url = '/restpp/ddl/g?tag=parts&filename=x&sep=,&eol=%0A'
  return (await server.request('POST', url, lines.join('\n'), text)).body
}

/** A line whose cells take some 900 KB. */
const large = (at: number) => `${at},${`part${at}|`.repeat(2 ** 16)}`

it('ends a run that fills them beyond their share of the memory, and gives it back', async () => {
  for (let round = 0; round < 2; round++) {
    const refused = await loaded(Array.from({ length: 12 }, (_, at) => large(at)))
    expect(refused).toMatchObject({ error: true })
    expect(refused.message).toMatch(
      /^Temporary tables of loading jobs hold at most \d+ MB together/,
    )
    const small = await loaded(['1,a|b', '2,c'])
    expect(small).toMatchObject({ error: false })
  }
  const { body } = await server.request('GET', '/restpp/graph/g/vertices/V?count_only=true')
  expect(body.results[0].count).toBe(3)
}, 60_000)

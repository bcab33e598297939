/** How long a line of a loading job may be, and how large what it stores, at the sizes of the limits. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ATTRIBUTES_SIZE_BYTES_MAX, LOAD_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const script = `
    CREATE VERTEX V (PRIMARY_ID id STRING, a STRING, b STRING, l LIST<INT>)
    CREATE GRAPH g (V)
    USE GRAPH g
    CREATE LOADING JOB one { DEFINE FILENAME f; LOAD f TO VERTEX V VALUES ($0, $1); }
    CREATE LOADING JOB two { DEFINE FILENAME f; LOAD f TO VERTEX V VALUES ($0, $1, $1); }
    CREATE LOADING JOB list { DEFINE FILENAME f;
      LOAD f TO VERTEX V VALUES ($0, $1, _, SPLIT($2, ";")); }`
  const { text } = await server.request('POST', '/gsql/v1/statements', script)
  expect(text).toContain('Successfully created loading jobs: [list]')
})
afterAll(() => server.close())

async function fed(job: string, lines: readonly string[]) {
  const path = `/restpp/ddl/g?tag=${job}&filename=f`
  const { body } = await server.request('POST', path, lines.join('\n'))
  expect(body).toMatchObject({ error: false })
  const { validLine, oversizeToken, vertex } = body.results[0].statistics
  return { validLine, oversizeToken, loaded: vertex[0].validObject }
}

it('takes a line of 10,485,760 characters and none that is longer', async () => {
  // The job does not read the last token.
  const line = (sizeChars: number) => 'v,1,'.padEnd(sizeChars, 'x')
  const fits = [line(LOAD_TEXT_CHARS_MAX), 'w,1']
  expect(await fed('one', fits)).toEqual({ validLine: 2, oversizeToken: 0, loaded: 2 })
  const exceeds = [line(LOAD_TEXT_CHARS_MAX + 1), 'w,1']
  expect(await fed('one', exceeds)).toEqual({ validLine: 1, oversizeToken: 1, loaded: 1 })
}, 60_000)

it('stores 10 MB of attributes for a vertex and no more', async () => {
  const half = ATTRIBUTES_SIZE_BYTES_MAX / 2
  const fits = [`v,${'x'.repeat(half - 100)}`, 'w,1']
  expect(await fed('two', fits)).toEqual({ validLine: 2, oversizeToken: 0, loaded: 2 })
  const exceeds = [`v,${'x'.repeat(half)}`, 'w,1']
  expect(await fed('two', exceeds)).toEqual({ validLine: 1, oversizeToken: 1, loaded: 1 })
  // Characters of two bytes.
  const wide = [`v,${'é'.repeat(half / 2)}`, 'w,1']
  expect(await fed('two', wide)).toEqual({ validLine: 1, oversizeToken: 1, loaded: 1 })
}, 60_000)

it('reads characters that lie across the pieces in which a body is read', async () => {
  const values = ['é'.repeat(300_000), `x${'😀'.repeat(200_000)}`]
  const lines = values.map((value, at) => `p${at},${value}`)
  expect(await fed('one', lines)).toEqual({ validLine: 2, oversizeToken: 0, loaded: 2 })
  for (const [at, value] of values.entries()) {
    const { body } = await server.request('GET', `/restpp/graph/g/vertices/V/p${at}`)
    expect(body.results[0].attributes.a === value, `p${at}`).toBe(true)
  }
}, 60_000)

it('counts a number of a list as eight bytes', async () => {
  const list = (count: number, text: string) => [`v,${text},${'1;'.repeat(count - 1)}1`]
  const text = 'x'.repeat(ATTRIBUTES_SIZE_BYTES_MAX / 2)
  expect(await fed('list', list(100_000, text))).toMatchObject({ oversizeToken: 0, loaded: 1 })
  expect(await fed('list', list(900_000, text))).toMatchObject({ oversizeToken: 1, loaded: 0 })
}, 60_000)

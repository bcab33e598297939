/** Every example of docs/api against a live server: by curl, and without it by fetch. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byCurl, byFetch, type CurlAnswer, hasCurl } from '../fixtures/curl.ts'
import { runPage } from '../fixtures/example-run.ts'
import {
  differences,
  type Example,
  type ExpectedAnswer,
  parseCommand,
  pattern,
  readPage,
} from '../fixtures/examples.ts'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'

const folder = new URL('../../../docs/api/', import.meta.url)
const start = 'README.md'
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
const runners = (await hasCurl()) ? { curl: byCurl, fetch: byFetch } : { fetch: byFetch }

let server: TestServer
let directory: string
let variables: Map<string, string>

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quiver-docs-'))
  server = await startServer({ ...directoriesIn(directory) })
  variables = new Map([['QUIVER', await server.listen()]])
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

function mistakes({ status, kind, text }: ExpectedAnswer, came: CurlAnswer): string[] {
  const wrong = came.status === status ? [] : [`the status is ${came.status}, not ${status}`]
  if (kind === 'json') return [...wrong, ...differences(JSON.parse(text), JSON.parse(came.text))]
  const lines = came.text.split('\n')
  const missing = text
    .trimEnd()
    .split('\n')
    .filter((line) => !lines.some((one) => pattern(line).test(one)))
  return [...wrong, ...missing.map((line) => `no line '${line}'`)]
}

describe.each(Object.entries(runners))('the examples of docs/api, by %s', (_name, send) => {
  it.each(pages)('%s', async (name) => {
    const check = ({ place, answer }: Example, came: CurlAnswer) =>
      expect(mistakes(answer, came), `${place}\n${came.text}`).toEqual([])
    for (const page of new Set([start, name])) {
      await runPage(readPage(folder, page), { directory, variables, send, check })
    }
  })
})

describe('the pages of docs/api', () => {
  it('are named by the first of them', () => {
    const text = readFileSync(new URL(start, folder), 'utf8')
    const linked = [...new Set([...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name))]
    expect(linked.sort()).toEqual(pages.filter((name) => name !== start).sort())
  })

  it('are compared for real: a wrong field, a missing one and a wrong status are found', () => {
    const came = { status: 200, text: '{"a":1,"b":["x1","y"],"c":null}' }
    const json = (text: string, status = 200) => mistakes({ status, kind: 'json', text }, came)
    expect(json('{"a":1,"b":["x…","…"]}')).toEqual([])
    expect(json('{"a":"…","c":null}')).toEqual([])
    expect(json('{"a":2}')).toEqual(['answer.a is 1, not 2'])
    expect(json('{"d":"…"}')).toEqual(['answer.d is missing'])
    expect(json('{"b":["x1"]}')).toEqual(['answer.b has 2 elements, not 1'])
    expect(json('{"b":["y…","…"]}')).toEqual(['answer.b[0] is "x1", not "y…"'])
    expect(json('{}', 400)).toEqual(['the status is 200, not 400'])
    const text = (line: string) => mistakes({ status: 200, kind: 'text', text: line }, came)
    expect(text('{"a":1…}\n')).toEqual([])
    expect(text('else\n')).toEqual(["no line 'else'"])
  })

  it('show curl commands only', () => {
    expect(() => parseCommand('rm -r x', new Map())).toThrow('not a curl command')
    expect(() => parseCommand('curl "$X"', new Map())).toThrow('the variable X is not set')
    const { arguments: words, keep } = parseCommand(
      `T=$(curl -d '{"a": 1}' "x$Y\\"z" \\\n  -G | jq -r .a[0].b)`,
      new Map([['Y', 'why']]),
    )
    expect(words).toEqual(['-d', '{"a": 1}', 'xwhy"z', '-G'])
    expect(keep).toEqual({ name: 'T', path: ['a', 0, 'b'] })
  })
})

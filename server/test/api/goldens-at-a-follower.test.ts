/**
 * The golden queries as a client of a follower meets them: by HTTP, what changes the graph carried
 * out by the writer, and the next case reading it where it was sent.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorStatus } from '#http/error-status.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { realClock } from '../fixtures/engine.ts'
import { unusedPort } from '../fixtures/postgres-programs.ts'
import type { Answer, TestClock } from '../fixtures/server.ts'
import { type SharedServer, startShared } from '../fixtures/shared-servers.ts'
import { socialPeople } from '../fixtures/social-data.ts'
import { tinySocial } from '../fixtures/tiny-social.ts'
import { arrayElements, type GoldenCase, parseGolden, queryText } from '../queries/golden.ts'

const folder = join(import.meta.dirname, '../queries')
const files = mkdtempSync(join(tmpdir(), 'quiver-golden-follower-'))
const filesOfGraph = join(files, 'social')
/** What queries read. */
const input = 'id,age,type\nada,3,Person\nbo,4,Person\nRome,5,City\nnobody,6,Person\n,x,\n'

/** What LOG has said at either server in the case that runs. */
const logged: string[] = []
const stream = {
  write: (line: string) => {
    const { msg, method } = JSON.parse(line) as { msg: string; method?: string }
    if (method === undefined) logged.push(msg)
  },
}

const image = new SharedImage()
let writer: SharedServer
let follower: SharedServer
/** The end of the log when the people were as they are. */
let untouchedEnd = -1
/** Requests that the follower has handed on. */
let forwarded = 0

async function open(): Promise<void> {
  const url = `http://127.0.0.1:${await unusedPort()}`
  const options = {
    clock: realClock as TestClock,
    queryFilesDirectory: files,
    // Threads have the heaps that the goldens were made with.
    memoryLimitBytes: 2 ** 31,
    logger: pino({ level: 'info' }, stream),
  }
  writer = await startShared(image, { name: 'a', url }, options)
  await writer.app.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
  follower = await startShared(image, { name: 'b', takesOver: false }, options)
}

async function close(): Promise<void> {
  forwarded += follower?.app.dependencies.sharing?.counts.forwarded ?? 0
  await follower?.close()
  await writer?.close()
  follower?.store.kill()
  writer?.store.kill()
}

async function restart(): Promise<void> {
  await close()
  await open()
}

/** The people as they are, unless nobody has changed them. */
async function begin(): Promise<void> {
  if (image.end === untouchedEnd) return
  const calls = [
    ['DELETE', '/gsql/v1/queries?graph=social&query=all', undefined],
    ['GET', '/gsql/v1/clear-store', undefined],
    ['POST', '/restpp/graph/social', socialPeople()],
  ] as const
  for (const [method, url, body] of calls) {
    const answer = await follower.request(method, url, body)
    expect(answer.body?.error, answer.text).toBe(false)
  }
  untouchedEnd = image.end
}

beforeAll(async () => {
  mkdirSync(filesOfGraph)
  writeFileSync(join(filesOfGraph, 'in.csv'), input)
  await open()
  await writer.engine.changeCatalog(() => tinySocial)
  await begin()
}, 300_000)

afterAll(async () => {
  await close()
  rmSync(files, { recursive: true, force: true })
})

async function answerTo(golden: GoldenCase): Promise<readonly string[]> {
  if (golden.fresh) await begin()
  if (golden.restart) await restart()
  if (golden.query === '') return []
  if (/^CREATE (?!(?:UN)?DIRECTED)|^DROP /.test(golden.query)) return changeQueries(golden.query)
  const { text } = queryText(golden.query)
  const given = new URLSearchParams(golden.arguments)
  const url = `/gsql/v1/queries/interpret?graph=social${given.size > 0 ? `&${given}` : ''}`
  const headers = { 'gsql-timeout': '50000', 'gsql-querylocalmemlimitmb': '256' }
  logged.length = 0
  const answer = await follower.request('POST', url, text, headers)
  const lines = resultOf(answer)
  const notes = logged.splice(0).map((line) => `log ${line}`)
  const [first = ''] = lines
  const at = first.startsWith('message ') ? 1 : 0
  return [...lines.toSpliced(at, 0, ...notes), ...linesOf(golden.file)]
}

async function changeQueries(text: string): Promise<readonly string[]> {
  if (text.startsWith('DROP ')) {
    const url = `/gsql/v1/queries/${text.slice(5)}?graph=social`
    const { body } = await follower.request('DELETE', url)
    return body.error ? body.message.trim().split('\n') : [`dropped ${body.dropped}`]
  }
  const { body } = await follower.request('POST', '/gsql/v1/queries?graph=social', text)
  return body.message.trim().split('\n')
}

/** `failed CODE: message`, or the elements of the results, digit for digit. */
function resultOf({ text, body, status }: Answer): string[] {
  if (body?.error !== false) return `failed ${body?.code}: ${body?.message ?? status}`.split('\n')
  const head = /^\{"version":\{[^}]*\},"error":false,"message":("(?:[^"\\]|\\.)*"),"results":/
  const found = head.exec(text)
  if (found === null) throw new Error(`no answer of a query: ${text}`)
  const message = JSON.parse(found[1]!) as string
  const elements = arrayElements(text.slice(found[0].length, -1))
  return message === '' ? elements : [`message ${message}`, ...elements]
}

function linesOf(file: string): string[] {
  if (file === '') return []
  const lines = readFileSync(join(filesOfGraph, file), 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => `| ${line}`)
}

/** Codes have a spelling of their own in RESTPP; texts of diagnostics are one message there. */
function expectSame(actual: readonly string[], { expected, line }: GoldenCase, file: string): void {
  const what = `${file}:${line}`
  const errors = expected.filter((one) => one.startsWith('error '))
  if (errors.length > 0) {
    const told = actual.join('\n')
    expect(told, what).toMatch(/^failed /)
    for (const one of errors) expect(told, what).toContain(one.replace(/^error \S+ at \S+ /, ''))
    return
  }
  const lines = expected.filter((one) => !one.startsWith('warning '))
  expect(actual.map(onWire), what).toEqual(lines.map(onWire))
}

function onWire(line: string): string {
  return line.replace(/^failed (\w+):/, (all, code: string) => {
    const known = errorStatus[code as ErrorCode]
    return known === undefined ? all : `failed ${known.code}:`
  })
}

/** Here the first user runs them, there nobody does; ids within the engine go on behind deleted ones. */
const differs = ({ query }: GoldenCase) => /current_roles|getvid\(/.test(query)

/** `npm test` asks those that change something or store queries; `npm run test:follower` all. */
const isWhole = (process.env['QUIVER_TEST_THROUGH'] ?? '') !== ''
const changing =
  /^(calls|changes|cypher-rules|dynamic|files|modification|names|table-statements|vectors)\./

const goldenFiles = readdirSync(folder).filter(
  (name) => name.endsWith('.golden') && (isWhole || changing.test(name)),
)

describe('the golden queries', () => {
  it.each(goldenFiles)(
    '%s',
    async (file) => {
      await begin()
      for (const golden of parseGolden(readFileSync(join(folder, file), 'utf8'))) {
        if (!differs(golden)) expectSame(await answerTo(golden), golden, file)
      }
    },
    300_000,
  )

  it('have been run by both servers', () => {
    forwarded += follower.app.dependencies.sharing?.counts.forwarded ?? 0
    expect(forwarded).toBeGreaterThan(50)
  })
})

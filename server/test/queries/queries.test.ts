import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import { QueryPool } from '#query/workers/pool.ts'
import type { PoolOptions } from '#query/workers/pool-options.ts'
import { QueryService } from '#services/queries/query-service.ts'
import { RunService } from '#services/queries/run-service.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { openEngine, realClock } from '../fixtures/engine.ts'
import { socialEngine } from '../fixtures/social-data.ts'
import { difference } from '../oracle/agree.ts'
import { askOracle, type Oracle } from '../oracle/ask.ts'
import {
  arrayElements,
  diagnosticLine,
  formatGolden,
  type GoldenCase,
  likelySource,
  parseGolden,
  queryText,
  withSource,
} from './golden.ts'

const directory = import.meta.dirname
/**
 * `QUIVER_GOLDEN=write` puts the answers into the files, to be reviewed as a diff, and a source where a
 * case has none. Such a run fails at its end: only one that compares can succeed.
 */
const isWriting = process.env['QUIVER_GOLDEN'] === 'write'

/** Where queries write. */
const files = mkdtempSync(join(tmpdir(), 'quiver-golden-'))
const filesOfGraph = join(files, 'social')

let image = createMemoryImage()
let engine: GraphEngine
let pool: QueryPool
let queries: QueryService
let runs: RunService

/** What queries read. */
const input = 'id,age,type\nada,3,Person\nbo,4,Person\nRome,5,City\nnobody,6,Person\n,x,\n'

/** What LOG has said in the case that runs. */
const logged: string[] = []

/** Frames that runs have brought since the people were as they are. */
let changes = 0

/** Cases that read the people as they are: what they answer has to stay. */
interface ReadCase {
  readonly name: string
  readonly text: string
  readonly given: string
  readonly lines: readonly string[]
}

const readCases: ReadCase[] = []

type PoolSettings = Pick<PoolOptions, 'parallelFrom' | 'segmentItems' | 'helpersFirst'>

function startPool(workerCount: number, settings: PoolSettings = {}): Promise<QueryPool> {
  return QueryPool.start({
    ...settings,
    workerCount,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => engine.pin(),
    fileDirectory: files,
  })
}

function runServiceOf(runPool: QueryPool): RunService {
  const view = () => engine.view()
  const commit = (frame: Uint8Array) => {
    changes++
    return engine.commit(frame)
  }
  const memoryLimitBytes = 2 ** 28
  const log = (_fields: object, line: string) => void logged.push(line)
  return new RunService({
    queries,
    pool: runPool,
    clock: realClock,
    memoryLimitBytes,
    view,
    commit,
    log,
  })
}

beforeAll(async () => {
  mkdirSync(filesOfGraph)
  writeFileSync(join(filesOfGraph, 'in.csv'), input)
  await begin()
  pool = await startPool(1)
  queries = await QueryService.open({
    documents: new LocalDocuments(new MemoryStore()),
    catalogue: {
      get catalog() {
        return engine.catalog
      },
    },
  })
  runs = runServiceOf(pool)
})

afterAll(async () => {
  await pool.close()
  rmSync(files, { recursive: true, force: true })
  await engine.close()
})

/** The people as they are, in a store of their own. */
async function begin(): Promise<void> {
  changes = 0
  image = createMemoryImage()
  engine = await socialEngine(new MemoryStore(image))
}

async function beginAnew(): Promise<void> {
  await engine.close()
  await begin()
}

async function restart(): Promise<void> {
  await engine.close()
  engine = await openEngine(new MemoryStore(image))
}

async function answerTo({
  query,
  arguments: given,
  restart: again,
  fresh,
  file,
}: GoldenCase): Promise<string[]> {
  isOracles = false
  if (fresh) await beginAnew()
  if (again) await restart()
  if (query === '') return []
  if (/^CREATE (?!(?:UN)?DIRECTED)|^DROP /.test(query)) return await changeQueries(query)
  const { text, shift } = queryText(query)
  const diagnostics = await queries.check('social', text, { user: null })
  const said = diagnostics.map((diagnostic) => diagnosticLine(diagnostic, shift))
  if (diagnostics.some(({ severity }) => severity === 'error')) return said
  const nowSeconds = Math.floor(realClock.nowMs() / 1000)
  const view = engine.view()
  const url = urlValues(given)
  const question = { queries, view, graph: 'social', text, url, nowSeconds, readFile: textOfFile }
  const oracle = askOracle(question)
  const result = await resultOf(runs, text, given)
  isOracles = comparedWithOracle(oracle, result)
  compareFiles(oracle)
  return [...said, ...result, ...linesOf(file)]
}

/** Cases that the naive interpreter agreed with, and why it did not look at the others. */
const compared = { agreed: 0, skipped: new Map<string, number>() }

/** A limit of the engine, which the naive interpreter does not have. */
const ENGINE_LIMIT = 'GSQL-8001'

/** The naive interpreter has given the same answer to the case that runs. */
let isOracles = false

/** @returns false when there is nothing to compare */
function comparedWithOracle(oracle: Oracle, result: readonly string[]): boolean {
  const failure = result.find((line) => line.startsWith('failed ')) ?? null
  if (oracle.kind === 'unsupported' || failure?.includes(ENGINE_LIMIT)) {
    const what = oracle.kind === 'unsupported' ? oracle.what : ENGINE_LIMIT
    compared.skipped.set(what, (compared.skipped.get(what) ?? 0) + 1)
    return false
  }
  compared.agreed++
  if (oracle.kind === 'failure') {
    expect(result.join('\n')).toContain(oracle.message)
    return true
  }
  expect(failure).toBe(null)
  const printed = result.filter((line) => !/^(message|log) /.test(line))
  expect(difference(oracle.answer, `[${printed.join(',')}]`)).toBe(null)
  return true
}

/** What the query has written is what the naive interpreter would have. */
function compareFiles(oracle: Oracle): void {
  if (oracle.kind !== 'answer' || !isOracles) return
  for (const [name, lines] of oracle.files) {
    expect(textOfFile(name), name).toBe(lines.map((line) => `${line}\n`).join(''))
  }
}

/** Null: there is no such file. */
function textOfFile(name: string): string | null {
  try {
    return readFileSync(join(filesOfGraph, name), 'utf8')
  } catch {
    return null
  }
}

/**
 * Notes what a case answered that has nothing to do with files, with stored queries and with
 * changes, its own or those of the cases before it.
 */
function noteRead(name: string, { query, arguments: given, expected, file }: GoldenCase): void {
  const { text } = queryText(query)
  const lines = expected.filter((line) => !/^(warning|error) /.test(line))
  if (changes > 0 || file !== '' || lines.length === 0 || /println|TO_CSV|LOG\s*\(/i.test(query))
    return
  readCases.push({ name, text, given, lines })
}

async function answersBy(service: RunService, atOnce: number): Promise<Record<string, string[]>> {
  const answers: Record<string, string[]> = {}
  for (let at = 0; at < readCases.length; at += atOnce) {
    const some = readCases.slice(at, at + atOnce)
    const given = await Promise.all(some.map((one) => resultOf(service, one.text, one.given)))
    for (const [index, { name }] of some.entries()) answers[name] = given[index]!
  }
  return answers
}

/** `CREATE … QUERY` stores a query that others may call, `DROP name` takes it away. */
async function changeQueries(text: string): Promise<string[]> {
  try {
    const said = text.startsWith('DROP ')
      ? `dropped ${(await queries.drop('social', [text.slice(5)])).dropped}`
      : await queries.create('social', text, true)
    return said.trim().split('\n')
  } catch (error) {
    if (!isDbError(error)) throw error
    return error.message.trim().split('\n')
  }
}

function linesOf(file: string): string[] {
  if (file === '') return []
  const lines = readFileSync(join(filesOfGraph, file), 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => `| ${line}`)
}

async function resultOf(service: RunService, text: string, given: string): Promise<string[]> {
  try {
    const { json, message } = await service.interpret('social', text, {
      requestId: 'golden',
      url: '/golden',
      user: '',
      timeoutMs: 50_000,
      memoryLimitBytes: undefined,
      responseLimitBytes: undefined,
      source: { url: urlValues(given), body: null },
    })
    const notes = [
      ...(message === '' ? [] : [`message ${message}`]),
      ...logged.splice(0).map((line) => `log ${line}`),
    ]
    return [...notes, ...arrayElements(new TextDecoder().decode(json))]
  } catch (error) {
    if (!isDbError(error)) throw error
    const code = error.details['contractCode'] ?? error.code
    // A golden file holds lines: a message of several stands on several.
    return `failed ${String(code)}: ${error.message}`.split('\n')
  }
}

function urlValues(given: string): Record<string, string[]> {
  const parameters = new URLSearchParams(given)
  return Object.fromEntries([...parameters.keys()].map((key) => [key, parameters.getAll(key)]))
}

const goldenFiles = readdirSync(directory).filter((name) => name.endsWith('.golden'))

describe.each(goldenFiles)('%s', (file) => {
  const path = join(directory, file)
  const cases = parseGolden(readFileSync(path, 'utf8'))
  const actual: (GoldenCase & { readonly actual: readonly string[] })[] = []
  let storesQueries = false

  beforeAll(beginAnew)

  it.each(cases.map((golden) => [golden.line, golden] as const))(
    'line %i',
    async (_line, golden) => {
      const lines = await answerTo(golden)
      const source = golden.source ?? likelySource(golden, isOracles)
      actual.push({ ...withSource(golden, source), actual: lines })
      storesQueries ||= /^CREATE (?!(?:UN)?DIRECTED)|^DROP /.test(golden.query)
      if (!storesQueries) noteRead(`${file}:${golden.line}`, golden)
      if (isWriting) return
      expect(lines).toEqual(golden.expected)
      if (golden.query === '' || golden.source !== 'oracle') return
      expect(isOracles, 'agrees with the oracle').toBe(true)
    },
  )

  it('says where each expectation comes from', () => {
    const without = cases.filter(({ query, source }) => query !== '' && source === null)
    expect(without.map(({ line }) => line)).toEqual([])
  })

  afterAll(() => {
    if (!isWriting || actual.length !== cases.length) return
    writeFileSync(path, formatGolden(actual))
  })
})

/** Cases whose expectation nobody but their program vouches for: fewer each time, never more. */
const REVIEWED_MAX = 251

it('is vouched for by the oracle, the reference or a hand, most of it', () => {
  const all = goldenFiles.flatMap((file) =>
    parseGolden(readFileSync(join(directory, file), 'utf8')),
  )
  const reviewed = all.filter(({ query, source }) => query !== '' && source === 'reviewed')
  expect(reviewed.length).toBeLessThanOrEqual(REVIEWED_MAX)
})

it('counts only as a run that compares', () => {
  expect(isWriting, 'answers were written: look at the diff, then run again').toBe(false)
})

it('agree with the naive interpreter, nearly all of them', () => {
  const skipped = [...compared.skipped.values()].reduce((sum, count) => sum + count, 0)
  expect(compared.agreed).toBeGreaterThan(1_000)
  expect(skipped, JSON.stringify([...compared.skipped])).toBeLessThan(compared.agreed / 5)
})

/** Each pass runs a thousand queries anew, so each shows two things at once. */
describe('the cases that read', () => {
  const expected = () => Object.fromEntries(readCases.map(({ name, lines }) => [name, lines]))
  const patience = 300_000
  /** Segments of two rows: what has more is cut, on one thread and on two alike. */
  const cut = { parallelFrom: 0, segmentItems: 2, helpersFirst: true }

  async function answersOf(
    workerCount: number,
    settings: PoolSettings,
    atOnce: number,
  ): Promise<Record<string, string[]>> {
    const own = await startPool(workerCount, settings)
    try {
      return await answersBy(runServiceOf(own), atOnce)
    } finally {
      await own.close()
    }
  }

  beforeAll(beginAnew)

  it('answer the same after a restart, when loops are cut on one thread', {
    timeout: patience,
  }, async () => {
    await restart()
    expect(await answersOf(1, cut, 1)).toEqual(expected())
  })

  it('answer the same after a rebuild, when loops are divided between two threads', {
    timeout: patience,
  }, async () => {
    await engine.rebuild()
    expect(await answersOf(2, cut, 1)).toEqual(expected())
  })

  it('answer the same beside others, on two threads', { timeout: patience }, async () => {
    expect(await answersOf(2, {}, 8)).toEqual(expected())
  })
})

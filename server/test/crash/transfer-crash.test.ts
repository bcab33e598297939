/**
 * Exports and imports over kill -9, at moments drawn by a seed: after the restart the same request
 * is repeated, and the target has all that the source has.
 *
 * QUIVER_TRANSFER_ROUNDS rounds (2) from QUIVER_TRANSFER_SEED (1).
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom, type Random } from '#kernel/prng.ts'
import { type Answer, type RunningServer, startServer } from './running-server.ts'

const rounds = Number(process.env['QUIVER_TRANSFER_ROUNDS'] ?? 2)
const seed = Number(process.env['QUIVER_TRANSFER_SEED'] ?? 1)
/** More take longer, and are cut at the same places. */
const VERTICES = process.env['QUIVER_SLOW'] === '1' ? 60_000 : 20_000
const PASSWORD = 'for-the-export'

let directory: string
/** Of the source, and what its export holds. */
let sourceData: string
let wanted: readonly string[]
/** How long they take here when nothing kills them: kills are drawn from within. */
let exportMs: number
let importMs: number

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-transfer-crash-'))
  sourceData = join(directory, 'source')
  const server = await startServer(sourceData)
  await fill(server)
  exportMs = await timeOf(() => exportTo(server, 'reference'))
  wanted = contentOf(join(sourceData, 'exports', 'reference'))
  await server.stop()
  const target = join(directory, 'timed')
  copyReference(target)
  const second = await startServer(target)
  importMs = await timeOf(() => importFrom(second, 'reference'))
  await second.stop()
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true }))

async function timeOf(request: () => Promise<Answer>): Promise<number> {
  const start = performance.now()
  expect((await request()).body).toMatchObject({ error: false })
  return Math.ceil(performance.now() - start)
}

/** The exports of a new target are those of the source. */
function copyReference(target: string): string {
  const exports = join(target, 'exports')
  cpSync(join(sourceData, 'exports', 'reference'), join(exports, 'reference'), { recursive: true })
  return exports
}

async function fill(server: RunningServer): Promise<void> {
  const script = `CREATE VERTEX V (PRIMARY_ID id STRING, name STRING, age INT)
CREATE DIRECTED EDGE E (FROM V, TO V, weight DOUBLE)
CREATE GRAPH g (V, E)
USE GRAPH g
CREATE QUERY one(INT least) FOR GRAPH g { R = SELECT v FROM V:v WHERE v.age >= least; PRINT R.size(); }
CREATE QUERY two() FOR GRAPH g { PRINT 2; }
INSTALL QUERY one
CREATE LOADING JOB load FOR GRAPH g { DEFINE FILENAME f; LOAD f TO VERTEX V VALUES ($0, $1, $2); }
CREATE USER ada WITH PASSWORD "a long password"
GRANT ROLE queryreader ON GRAPH g TO ada`
  const made = await fetch(`${server.url}/gsql/v1/statements`, { method: 'POST', body: script })
  expect(await made.text()).not.toMatch(/fail|error|not exist/i)
  for (let from = 0; from < VERTICES; from += 10_000) {
    const ids = Array.from({ length: 10_000 }, (_, index) => from + index)
    const vertices = Object.fromEntries(
      ids.map((id) => [id, { name: { value: `name of ${id}` }, age: { value: id % 90 } }]),
    )
    const edges = Object.fromEntries(
      ids.map((id) => [id, { E: { V: { [id >> 1]: { weight: { value: id / 7 } } } } }]),
    )
    const body = { vertices: { V: vertices }, edges: { V: edges } }
    expect((await server.request('POST', '/restpp/graph/g', body)).status).toBe(200)
  }
}

const exportTo = (server: RunningServer, path: string) => {
  const parts = { schema: true, template: true, data: true, users: true }
  return server.request('POST', '/gsql/v1/db-export', { path, ...parts, password: PASSWORD })
}
const importFrom = (server: RunningServer, path: string) =>
  server.request('POST', '/gsql/v1/db-import', { path, password: PASSWORD })

/** Everything but users, whose encryption differs each time, and when it was made. */
function contentOf(path: string): readonly string[] {
  const files = readdirSync(path).sort()
  return files
    .filter((file) => !/^(users|quiver-export)\.json$/.test(file))
    .map((file) => `${file}\n${readFileSync(join(path, file), 'utf8')}`)
}

/** Kills the server some time after a request has begun. @returns whether it was answered before */
async function killDuring(
  server: RunningServer,
  request: Promise<unknown>,
  afterMs: number,
): Promise<boolean> {
  let isAnswered = false
  const answered = request.then(
    () => {
      isAnswered = true
    },
    () => undefined,
  )
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const wasAnswered = isAnswered
  await server.kill()
  await answered
  return wasAnswered
}

async function exportRound(random: Random, round: number): Promise<void> {
  const path = `round-${round}`
  const server = await startServer(sourceData)
  const wasDone = await killDuring(server, exportTo(server, path), random.below(exportMs))
  const again = await startServer(sourceData)
  try {
    const exports = join(sourceData, 'exports')
    expect(readdirSync(exports).filter((name) => name.endsWith('.partial'))).toEqual([])
    const isThere = readdirSync(exports).includes(path)
    if (wasDone) expect(isThere).toBe(true)
    if (!isThere) expect((await exportTo(again, path)).body).toMatchObject({ error: false })
    expect(contentOf(join(exports, path))).toEqual(wanted)
  } finally {
    await again.stop()
    rmSync(join(sourceData, 'exports', path), { recursive: true, force: true })
  }
}

/** @returns what the restarted server told of the import */
async function importRound(random: Random, round: number): Promise<string> {
  const target = join(directory, `target-${round}`)
  const exports = copyReference(target)
  let server = await startServer(target)
  try {
    const before = await server.request('GET', '/gsql/v1/users')
    expect(before.body.error).toBe(false)
    await killDuring(server, importFrom(server, 'reference'), random.below(importMs))
    // Some are cut short more than once.
    for (let kills = random.below(2); kills > 0; kills--) {
      server = await startServer(target)
      await killDuring(server, importFrom(server, 'reference'), random.below(importMs / 2))
    }
    server = await startServer(target)
    const [known] = (await server.request('GET', '/quiver/v1/imports')).body.results
    if (known !== undefined)
      expect(known).toMatchObject({ path: 'reference', state: 'INTERRUPTED' })
    const { body } = await importFrom(server, 'reference')
    const isWhole = known === undefined && body.code === 'NAME_TAKEN'
    if (!isWhole) expect(body).toMatchObject({ error: false })
    expect((await server.request('GET', '/quiver/v1/imports')).body.results).toEqual([])
    expect((await exportTo(server, 'copy')).body).toMatchObject({ error: false })
    expect(contentOf(join(exports, 'copy'))).toEqual(wanted)
    const users = (await server.request('GET', '/gsql/v1/users/ada')).body.results
    expect(JSON.stringify(users)).toContain('queryreader')
    const ran = await server.request('GET', '/restpp/query/g/one?least=45')
    // Of each 90 ages the upper half, in the whole groups and in the rest.
    const least = Math.floor(VERTICES / 90) * 45 + Math.max(0, (VERTICES % 90) - 45)
    expect(ran.body.results).toEqual([{ 'R.size()': least }])
    return isWhole ? 'done' : (known?.state ?? 'not begun')
  } finally {
    await server.kill()
    rmSync(target, { recursive: true, force: true })
  }
}

it(`exports and imports are repeated after kill -9 (${rounds} rounds, seed ${seed})`, async () => {
  const random = createRandom(seed)
  const outcomes = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    await exportRound(random, round)
    const outcome = await importRound(random, round)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  // Kills that all come too early or too late would show nothing.
  if (rounds >= 10) expect(outcomes.get('INTERRUPTED') ?? 0).toBeGreaterThan(rounds / 4)
}, 1_200_000)

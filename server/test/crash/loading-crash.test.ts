/**
 * Kills the real server in the middle of a loading job, again and again, and resumes the job each time: what
 * its lines add up to is exact at the end. QUIVER_CRASH_ROUNDS sets how many jobs are run, QUIVER_CRASH_SEED
 * when they are cut.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { type RunningServer, startServer } from './running-server.ts'

const rounds = Math.ceil(Number(process.env['QUIVER_CRASH_ROUNDS'] ?? 3) / 10)
const seed = Number(process.env['QUIVER_CRASH_SEED'] ?? 1)
/** Of each run of a job. */
const KILLS_MAX = process.env['QUIVER_SLOW'] === '1' ? 3 : 2
/** Lines of each of the two files. */
const LINES = 60_000

const schema = `CREATE VERTEX Total (PRIMARY_ID id STRING, lines INT, sum INT)
CREATE VERTEX Item (PRIMARY_ID id STRING, seen INT)
CREATE UNDIRECTED EDGE Linked (FROM Total, TO Item, times INT)
CREATE VERTEX Gone (PRIMARY_ID id STRING)
CREATE GRAPH g (Total, Item, Linked, Gone)
USE GRAPH g
CREATE LOADING JOB plain { DEFINE FILENAME f; DEFINE FILENAME h;
  LOAD f TO VERTEX Total VALUES ("f", REDUCE(add("1")), REDUCE(add($0))),
    TO VERTEX Total VALUES ("part", REDUCE(add("1")), _) WHERE $1 == "x";
  LOAD f TO EDGE Linked VALUES ("edges", $1, REDUCE(add("1"))) USING VERTEX_MUST_EXIST="true";
  LOAD h TO VERTEX Total VALUES ("h", REDUCE(add("1")), REDUCE(add($0))); }
CREATE LOADING JOB tables { DEFINE FILENAME f;
  LOAD f TO VERTEX Total VALUES ("t", REDUCE(add("1")), REDUCE(add($0))),
    TO TEMP_TABLE parts (n, part) VALUES ($0, flatten($2, ";", 1));
  LOAD TEMP_TABLE parts TO VERTEX Total VALUES ($"part", REDUCE(add("1")), REDUCE(add($"n"))); }
CREATE LOADING JOB takeaway { DEFINE FILENAME f; DELETE VERTEX Gone (PRIMARY_ID $0) FROM f; }
CREATE LOADING JOB bring { DEFINE FILENAME f; LOAD f TO VERTEX Gone VALUES ($0); }`

async function gsql(server: RunningServer, text: string, query = '?graph=g'): Promise<string> {
  const response = await fetch(`${server.url}/gsql/v1/statements${query}`, {
    method: 'POST',
    body: text,
  })
  return await response.text()
}

interface Overall {
  readonly id: string
  readonly status: string
  readonly statistics: { readonly fileLevel: { readonly validLine: number } }
}

async function lastRun(server: RunningServer): Promise<Overall> {
  const path = '/gsql/v1/loading-jobs/status?graph=g'
  return (await server.request('GET', path)).body.results[0].overall
}

const totals = async (server: RunningServer) => {
  const { body } = await server.request('GET', '/graph/g/vertices/Total')
  const rows = body.results as { v_id: string; attributes: { lines: number; sum: number } }[]
  return new Map(rows.map(({ v_id, attributes }) => [v_id, attributes]))
}

const random = createRandom(seed)
/** Kills that came in the middle of a run. */
let cutCount = 0

/** Runs a job, and kills the server a few times before it has ended. */
async function loadWithKills(
  directory: string,
  first: RunningServer,
  job: { name: string; files: readonly string[] },
): Promise<RunningServer> {
  let server = first
  const dataSources = job.files.map((path) => ({ filename: path[0], path }))
  const start = { name: job.name, dataSources }
  void server.request('POST', '/gsql/v1/loading-jobs/run?graph=g', start).catch(() => undefined)
  for (let kill = 0; kill < KILLS_MAX; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 50 + random.below(1_200)))
    if (kill === 1) void server.request('GET', '/gsql/v1/rebuildnow').catch(() => undefined)
    await server.kill()
    server = await startServer(join(directory, 'data'), {
      args: ['--files', join(directory, 'files')],
    })
    const answer = await gsql(server, 'RESUME LOADING JOB ALL')
    expect(answer).toContain('Successfully resumed')
    if (!answer.includes('[]')) cutCount += 1
  }
  const endMs = Date.now() + 120_000
  while (['RUNNING', 'WAITING'].includes((await lastRun(server)).status) && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return server
}

describe('a loading job, killed and resumed', () => {
  it(`applies each line once, ${rounds} times (seed ${seed})`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quiver-load-kill-'))
    for (const name of ['data', 'files']) mkdirSync(join(directory, name))
    const lines = (from: number) =>
      Array.from({ length: LINES }, (_, i) => `${from + i},${i % 2 ? 'x' : 'y'},a;b;a`).join('\n')
    writeFileSync(join(directory, 'files', 'f.csv'), lines(0))
    writeFileSync(join(directory, 'files', 'h.csv'), lines(1_000))
    let server = await startServer(join(directory, 'data'), {
      args: ['--files', join(directory, 'files')],
    })
    try {
      expect(await gsql(server, schema, '')).toContain('Successfully created loading jobs: [bring]')
      await gsql(server, 'UPSERT Item VALUES ("x", 0) UPSERT Item VALUES ("y", 0)')
      const sum = (LINES * (LINES - 1)) / 2
      for (let round = 1; round <= rounds; round++) {
        server = await loadWithKills(directory, server, {
          name: 'plain',
          files: ['f.csv', 'h.csv'],
        })
        const run = await lastRun(server)
        expect(run, `round ${round}`).toMatchObject({
          status: 'FINISHED',
          statistics: { fileLevel: { validLine: 2 * LINES } },
        })
        server = await loadWithKills(directory, server, { name: 'tables', files: ['f.csv'] })
        const found = await totals(server)
        const wanted = {
          f: { lines: round * LINES, sum: round * sum },
          part: { lines: (round * LINES) / 2, sum: 0 },
          h: { lines: round * LINES, sum: round * (sum + 1_000 * LINES) },
          t: { lines: round * LINES, sum: round * sum },
          a: { lines: round * 2 * LINES, sum: round * 2 * sum },
          b: { lines: round * LINES, sum: round * sum },
        }
        for (const [id, attributes] of Object.entries(wanted)) {
          expect(found.get(id), `${id} in round ${round}`).toMatchObject(attributes)
        }
        await gsql(server, 'RUN LOADING JOB bring USING f="f.csv"')
        server = await loadWithKills(directory, server, { name: 'takeaway', files: ['f.csv'] })
        expect(await lastRun(server)).toMatchObject({ status: 'FINISHED' })
        const gone = await server.request('GET', '/graph/g/vertices/Gone?count_only=true')
        expect(gone.body.results[0].count).toBe(0)
      }
      expect(cutCount).toBeGreaterThanOrEqual(rounds)
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
      rmSync(directory, { recursive: true })
    }
  }, 900_000)
})

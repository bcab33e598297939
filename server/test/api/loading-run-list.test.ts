/** Runs of loading jobs as they are listed: how many, how old, and how many at once. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  LOAD_RUN_KEPT_MS_MAX,
  LOAD_RUNS_KEPT_MAX,
  LOAD_RUNS_UNDER_WAY_MAX,
} from '#kernel/limits.ts'
import { createAcme, startServer, type TestServer, testClock } from '../fixtures/server.ts'

let server: TestServer
let files: string
/** Ends what waits for slow loads. */
let late: () => void

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-files-'))
  late = () => undefined
  const after = (_ms: number, call: () => void) => {
    late = call
    return () => undefined
  }
  // Slices end as in real life, and the wall clock moves when a test wants it to.
  const clock = { ...testClock(), monotonicMs: () => performance.now() }
  const timers = { after, every: () => () => undefined }
  server = await startServer({ filesDirectory: files, queryWorkerCount: 0, clock, timers })
  await createAcme(server)
  await gsql('CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, $1); }')
})
afterEach(async () => {
  await server.close()
  await rm(files, { recursive: true })
})

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=acme', script)).text
const jobs = (path: string, query = '') =>
  server.request('GET', `/gsql/v1/loading-jobs/${path}?graph=acme${query}`)
const run = (more: object = {}) =>
  server.request('POST', '/gsql/v1/loading-jobs/run?graph=acme', {
    ...{ name: 'j', dataSources: [{ filename: 'f', path: 'people' }] },
    ...more,
  })
const overall = async (id: string) => (await jobs(`status/${id}`)).body.results[0].overall

async function writePeople(lineCount: number): Promise<void> {
  const lines = Array.from({ length: lineCount }, (_, id) => `${id},name of ${id}`)
  await writeFile(join(files, 'people'), lines.join('\n'))
}

/** A run that is paused when it appears. @param knownCount runs that are listed before */
async function pausedAtOnce(knownCount: number): Promise<string> {
  const answer = run()
  let found: { overall: { id: string } }[] = []
  while (found.length <= knownCount) {
    await new Promise(setImmediate)
    found = (await jobs('status')).body.results
  }
  const id = found[0]?.overall.id ?? ''
  await jobs(`abort/${id}`, '&isPause=true')
  late()
  await answer
  return id
}

describe('runs that have ended', () => {
  it('are known after a restart, with what they did and what did not fit', async () => {
    await writeFile(join(files, 'people'), '1,a\nx\n2,b\n')
    const [id] = (await run()).body.jobIds
    const before = (await jobs('status')).body
    const shown = await gsql('SHOW LOADING STATUS ALL SHOW LOADING ERROR ALL')
    await server.close()
    server = await startServer({ image: server.image, filesDirectory: files, queryWorkerCount: 0 })
    expect((await jobs('status')).body).toEqual(before)
    expect(await gsql('SHOW LOADING STATUS ALL SHOW LOADING ERROR ALL')).toBe(shown)
    expect(shown).toContain(`${id}: 1 error`)
  })

  it('are listed up to so many, and so old', async () => {
    await writePeople(1)
    const clock = server.clock
    const [first] = (await run()).body.jobIds
    clock.advance(LOAD_RUN_KEPT_MS_MAX)
    const [second] = (await run()).body.jobIds
    const ids = async () =>
      (await jobs('status')).body.results.map((one: { overall: { id: string } }) => one.overall.id)
    expect(await ids()).toEqual([second, first])
    clock.advance(1)
    const [third] = (await run()).body.jobIds
    expect(await ids()).toEqual([third, second])
    for (let count = 0; count <= LOAD_RUNS_KEPT_MAX; count++) {
      clock.advance(1)
      await run()
    }
    expect(await ids()).toHaveLength(LOAD_RUNS_KEPT_MAX)
    expect(await ids()).not.toContain(third)
  }, 60_000)
})

describe('more runs than run at once', () => {
  it('block nobody while they are paused, and go on when they may', async () => {
    await writePeople(400_000)
    const paused: string[] = []
    while (paused.length < LOAD_RUNS_UNDER_WAY_MAX + 2) {
      paused.push(await pausedAtOnce(paused.length))
    }
    await writePeople(5)
    const [last] = (await run()).body.jobIds
    expect(await overall(last)).toMatchObject({ status: 'FINISHED', size: 5 })
    const [id = '', ...others] = paused
    for (const one of paused) expect((await overall(one)).status).toBe('PAUSED')
    await jobs(`resume/${id}`)
    await vi.waitFor(async () => expect((await overall(id)).status).toBe('FINISHED'), {
      timeout: 60_000,
    })
    for (const one of others) await jobs(`abort/${one}`)
    expect((await overall(others[0]!)).status).toBe('FAILED')
  }, 120_000)
})

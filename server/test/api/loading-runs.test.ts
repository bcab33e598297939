/** Runs of loading jobs while they go on: progress, pause, abort, resume, limits. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LOAD_ERRORS_KEPT_MAX } from '#kernel/limits.ts'
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
const count = async () =>
  (await server.request('GET', '/graph/acme/vertices/Person?count_only=true')).body.results[0].count
const overall = async (id: string) => (await jobs(`status/${id}`)).body.results[0].overall

async function writePeople(lineCount: number): Promise<void> {
  const lines = Array.from({ length: lineCount }, (_, id) => `${id},name of ${id}`)
  await writeFile(join(files, 'people'), lines.join('\n'))
}

/** A run that is paused before its end. @returns its id */
async function pausedRun(): Promise<string> {
  await writePeople(400_000)
  const answer = run()
  let found: { overall: { id: string; progress: number } } | undefined
  while (found === undefined || found.overall.progress === 0) {
    await new Promise(setImmediate)
    found = (await jobs('status')).body.results[0]
  }
  const { id } = found.overall
  expect((await jobs(`abort/${id}`, '&isPause=true')).body).toEqual({
    error: false,
    message: `Successfully paused loading job(s): [${id}].`,
  })
  late()
  expect((await answer).body.jobIds).toEqual([id])
  return id
}

async function ended(id: string): Promise<void> {
  while (['WAITING', 'RUNNING'].includes((await overall(id)).status)) {
    await new Promise(setImmediate)
  }
}

/** Its state when all that it read can be seen. */
function standingStill(id: string) {
  return vi.waitFor(
    async () => {
      const state = await overall(id)
      expect(await count()).toBe(state.statistics.fileLevel.validLine)
      return state
    },
    { timeout: 30_000 },
  )
}

describe('a run that takes long', () => {
  it('goes on behind its answer, stands still while it is paused, and ends', async () => {
    const id = await pausedRun()
    const before = await standingStill(id)
    expect(before).toMatchObject({ id, status: 'PAUSED', currentSpeed: 0 })
    expect(before.progress).toBeGreaterThan(0)
    expect(before.progress).toBeLessThan(1)
    expect(before.endTime).toBeUndefined()
    const loaded = await count()
    expect(loaded).toBeLessThan(400_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await count()).toBe(loaded)
    const resumed = await server.request('GET', `/gsql/v1/loading-jobs/resume/${id}`)
    expect(resumed.body.message).toBe(`Successfully resumed loading job(s): [${id}].`)
    while ((await overall(id)).status === 'RUNNING') await new Promise(setImmediate)
    expect(await overall(id)).toMatchObject({
      ...{ status: 'FINISHED', progress: 1, size: 400_000 },
      // Two stretches have read the file, and it is counted as one.
      statistics: { objectLevel: { vertex: [{ typeName: 'Person', validObject: 400_000 }] } },
    })
    expect(await count()).toBe(400_000)
  }, 60_000)

  it('ends when it is aborted, also while it is paused, and keeps what it loaded', async () => {
    const id = await pausedRun()
    await standingStill(id)
    const loaded = await count()
    const { body } = await jobs('abort', `&jobId=${id}`)
    expect(body.message).toBe(`Successfully dropped loading job(s): [${id}].`)
    expect(await overall(id)).toMatchObject({
      status: 'FAILED',
      message: 'The loading job was aborted.',
    })
    expect(await count()).toBe(loaded)
    for (const path of [`abort/${id}`, `resume/${id}`]) {
      expect((await jobs(path)).body).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
    }
  }, 60_000)

  it('obeys scripts', async () => {
    const id = await pausedRun()
    expect(await gsql(`SHOW LOADING STATUS ${id}`)).toContain(`[PAUSED] ${id}`)
    expect(await gsql('RESUME LOADING JOB ALL')).toContain(`resumed loading job(s): [${id}]`)
    expect(await gsql(`PAUSE LOADING JOB ${id}`)).toContain(`paused loading job(s): [${id}]`)
    expect(await gsql('ABORT LOADING JOB ALL')).toContain(`dropped loading job(s): [${id}]`)
    expect(await gsql('ABORT LOADING JOB ALL')).toContain('dropped loading job(s): []')
    expect(await gsql(`SHOW LOADING STATUS ${id}`)).toContain('The loading job was aborted.')
  }, 60_000)

  it('is interrupted by the end of the server, and goes on after the next start', async () => {
    const id = await pausedRun()
    const { size } = (await standingStill(id)).statistics.fileLevel
    await gsql(`RESUME LOADING JOB ${id}`)
    await server.close()
    server = await startServer({ image: server.image, filesDirectory: files, queryWorkerCount: 0 })
    const loaded = await count()
    const state = await overall(id)
    expect(state).toMatchObject({ id, status: 'INTERRUPTED', currentSpeed: 0 })
    expect(state.message).toContain('The server ended during the run.')
    expect(state.statistics.fileLevel.validLine).toBe(loaded)
    expect(loaded).toBeGreaterThanOrEqual(size ?? 0)
    expect(loaded).toBeLessThan(400_000)
    expect(await gsql(`SHOW LOADING STATUS ${id}`)).toContain(`[INTERRUPTED] ${id}`)
    expect(await gsql(`RESUME LOADING JOB ALL`)).toContain(`resumed loading job(s): [${id}]`)
    await ended(id)
    expect(await overall(id)).toMatchObject({ status: 'FINISHED', progress: 1, size: 400_000 })
    expect(await count()).toBe(400_000)
  }, 60_000)

  it('knows after a crash what was committed, and loads the rest when it is resumed', async () => {
    const id = await pausedRun()
    await standingStill(id)
    // Not closed: as a process that is killed.
    const killed = server
    server = await startServer({ image: server.image, filesDirectory: files, queryWorkerCount: 0 })
    const state = await overall(id)
    expect(state).toMatchObject({ id, status: 'INTERRUPTED' })
    expect(state.statistics.fileLevel.validLine).toBeLessThanOrEqual(await count())
    const path = `resume/${id}`
    expect((await jobs(path)).body.message).toContain('Successfully resumed')
    expect((await jobs(path)).body).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
    await ended(id)
    expect(await overall(id)).toMatchObject({ status: 'FINISHED', size: 400_000 })
    expect(await count()).toBe(400_000)
    await killed.close()
  }, 60_000)

  it('that was interrupted is not resumed over other files, and ends when it is aborted', async () => {
    const id = await pausedRun()
    await server.close()
    server = await startServer({ image: server.image, filesDirectory: files, queryWorkerCount: 0 })
    await writePeople(10)
    expect((await jobs(`resume/${id}`)).body.message).toContain('have changed: run it anew')
    await rm(join(files, 'people'))
    expect((await jobs(`resume/${id}`)).body).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect((await jobs(`abort/${id}`)).body.message).toContain('Successfully dropped')
    expect(await overall(id)).toMatchObject({ status: 'FAILED' })
    expect((await jobs(`resume/${id}`)).body).toMatchObject({ code: 'INVALID_PARAMETER' })
    await server.close()
    server = await startServer({ image: server.image, queryWorkerCount: 0 })
    expect(await overall(id)).toMatchObject({ status: 'FAILED' })
  }, 60_000)
})

describe('runs of loading jobs', () => {
  it('follow one another when a request names several, and stop at one that fails', async () => {
    await writePeople(10)
    const good = { name: 'j', dataSources: [{ filename: 'f', path: 'people' }] }
    const url = '/gsql/v1/loading-jobs/run?graph=acme'
    const both = await server.request('POST', url, [good, good])
    expect(new Set(both.body.jobIds).size).toBe(2)
    expect(both.body.message).toBe('Successfully ran loading job(s): [j, j]')
    await writeFile(join(files, 'bad'), 'x\n')
    const bad = { ...good, dataSources: [{ filename: 'f', path: 'bad' }], maxNumError: 0 }
    const { status, body } = await server.request('POST', url, [bad, good])
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_PAYLOAD' } })
    const [last, first] = (await jobs('status')).body.results
    expect(first.overall).toMatchObject({ status: 'FAILED' })
    expect(last.overall.message).toBe(`The loading job ${first.overall.id} before it failed.`)
  })

  it('fail from as many errors on as they may have', async () => {
    await writeFile(join(files, 'people'), '1,a\nx,b\ny,c\n2,d\n')
    expect((await run({ maxNumError: 2 })).body.error).toBe(false)
    const many = await run({ maxNumError: 1 })
    expect(many.body).toMatchObject({
      error: true,
      message: '2 errors are more than the 1 allowed.',
    })
    expect((await run({ maxPercentError: 50 })).body.error).toBe(false)
    expect((await run({ maxPercentError: 49.5 })).body.message).toContain('more than 49.5 per cent')
    expect(await gsql('RUN LOADING JOB -max_num_error 1 j USING f="people"')).toContain('2 errors')
    expect(await gsql('RUN LOADING JOB -max_percent_error 50 j USING f="people"')).toContain(
      'LOAD SUCCESSFUL',
    )
  })

  it('are asked for by a form, too, as one client does, and then read their own files', async () => {
    await writePeople(3)
    const url = '/gsql/v1/loading-jobs/run?graph=acme'
    const send = (form: string) =>
      server.request('POST', url, form, { 'content-type': 'application/x-www-form-urlencoded' })
    const lost = 'dataSources=filename&dataSources=name&dataSources=path'
    expect((await send(`name=j&${lost}`)).body.message).toContain('No file is given')
    await gsql(
      'CREATE LOADING JOB own { DEFINE FILENAME f = "people"; LOAD f TO VERTEX Person VALUES ($0); }',
    )
    expect((await send(`name=own&${lost}&dryrun=True`)).body).toMatchObject({ error: false })
    expect(await count()).toBe(0)
    expect((await send(`name=own&${lost}`)).body.message).toBe(
      'Successfully ran loading job(s): [own]',
    )
    expect(await count()).toBe(3)
  })

  it('tell which lines did not fit, and why', async () => {
    await gsql(`CREATE LOADING JOB k { DEFINE FILENAME f;
      LOAD f TO VERTEX Person VALUES ($0, $1, $2), TO EDGE Works_At VALUES ($0, $3)
      USING HEADER="true"; }`)
    const long = 'n'.repeat(300)
    const lines = [
      'pid,name,age,company',
      ...['1,Ada,36,mill', 'x,Bo,41,mill', '2,Cy', `3,${long},-1,`, ',Di,1,mill'],
    ]
    await writeFile(join(files, 'people'), lines.join('\n'))
    const { body } = await run({ name: 'k' })
    const [id] = body.jobIds
    const told = await gsql(`SHOW LOADING ERROR ${id}`)
    expect(told.trimEnd().replaceAll(`${files}/`, '').split('\n')).toEqual([
      `${id}: 7 errors`,
      "  people, line 3: Person: 'x' is no id of type INT",
      '    "x,Bo,41,mill"',
      '  people, line 3: Works_At: the FROM end has no id, or one of another type',
      '    "x,Bo,41,mill"',
      '  people, line 4: it has too few tokens: 2 of 4',
      '    "2,Cy"',
      "  people, line 5: Person: the value '-1' does not fit the attribute age of type UINT",
      `    "3,${'n'.repeat(198)}…"`,
      '  people, line 5: Works_At: the TO end has no id, or one of another type',
      `    "3,${'n'.repeat(198)}…"`,
      '  people, line 6: Person: there is no id',
      '    ",Di,1,mill"',
      '  people, line 6: Works_At: the FROM end has no id, or one of another type',
      '    ",Di,1,mill"',
    ])
    const two = await gsql(`SHOW LOADING ERROR ${id} LIMIT 1 LS`)
    expect(two).toContain('line 3: Person')
    expect(two).toContain('… and 6 more')
    expect(two).not.toContain('line 4')
    expect(await gsql('SHOW LOADING ERROR acme.ghost.file.m1.1')).toContain('does not exist')
    expect(await gsql('SHOW LOADING ERROR ALL LIMIT 0')).toContain(`${id}: 7 errors`)
  })

  it('keep the first lines that did not fit, and count the others', async () => {
    const lines = Array.from({ length: LOAD_ERRORS_KEPT_MAX + 1 }, (_, index) => `x${index},n`)
    await writeFile(join(files, 'people'), lines.join('\n'))
    const [id] = (await run()).body.jobIds
    const told = await gsql(`SHOW LOADING ERROR ${id}`)
    expect(told).toContain(`${id}: ${LOAD_ERRORS_KEPT_MAX + 1} errors`)
    expect(told).toContain(`'x${LOAD_ERRORS_KEPT_MAX - 1}' is no id`)
    expect(told).not.toContain(`'x${LOAD_ERRORS_KEPT_MAX}' is no id`)
    expect(told).toContain('… and 1 more')
  })

  it('are looked up by their own ids, on their own graph', async () => {
    for (const path of ['status/x', 'abort/x', 'resume/x']) {
      expect((await jobs(path)).body, path).toMatchObject({
        error: true,
        code: 'REQUEST_NOT_FOUND',
      })
    }
    expect((await jobs('abort')).body.code).toBe('INVALID_PARAMETER')
    const ghost = await server.request('GET', '/gsql/v1/loading-jobs/status?graph=ghost')
    expect(ghost.body.code).toBe('GRAPH_NOT_FOUND')
  })
})

describe('a loading job as JSON', () => {
  it('tells its files, options and mappings', async () => {
    await gsql(`CREATE LOADING JOB k { DEFINE FILENAME f1 = "p.csv"; DEFINE HEADER h = "id", "name";
      LOAD f1 TO VERTEX Person VALUES ($"id", gsql_upper($1), _) USING SEPARATOR=",", HEADER="true",
      EOL="\\n", USER_DEFINED_HEADER="h";
      LOAD "e.csv" TO EDGE Knows VALUES ($0 Person, $1 Person, "0.5"); }`)
    const { body } = await jobs('k', '&json=true')
    expect(body.results).toEqual({
      JobName: 'k',
      GraphName: 'acme',
      FileNames: { f1: 'p.csv' },
      Headers: { h: ['id', 'name'] },
      Filters: [],
      LoadingStatements: [
        {
          Type: 'Vertex',
          TargetName: 'Person',
          UsingClauses: { SEPARATOR: ',', HEADER: 'true', EOL: '\\n', USER_DEFINED_HEADER: 'h' },
          Mappings: [
            { Type: 'SrcColName', Value: 'id' },
            { Type: 'UDF', Value: 'gsql_upper', Params: [{ Type: 'SrcColIndex', Value: '1' }] },
            { Type: 'Default', Value: '_' },
          ],
          DataSource: { Type: 'FileVar', Value: 'f1' },
        },
        {
          ...{
            Type: 'Edge',
            TargetName: 'Knows',
            FromVertexType: 'Person',
            ToVertexType: 'Person',
          },
          UsingClauses: {},
          Mappings: [
            { Type: 'SrcColIndex', Value: '0' },
            { Type: 'SrcColIndex', Value: '1' },
            { Type: 'Literal', Value: '0.5' },
          ],
          DataSource: { Type: 'FilePath', Value: 'e.csv' },
        },
      ],
    })
  })
})

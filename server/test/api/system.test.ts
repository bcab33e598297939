import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterEach(() => server.close())

const get = (url: string) => server.request('GET', url)

describe('liveness', () => {
  it('answers ping, echo and readiness in the exact shapes', async () => {
    expect((await get('/api/ping')).body).toEqual({ error: false, message: 'pong', results: null })
    for (const url of ['/echo', '/echo/', '/restpp/echo', '/api/restpp/echo']) {
      expect((await get(url)).body).toEqual({ error: false, message: 'Hello GSQL' })
    }
    expect((await server.request('POST', '/restpp/echo/')).body.message).toBe('Hello GSQL')
    expect((await get('/quiver/v1/ready')).body.results).toEqual({ ready: true, store: 'ready' })
    expect((await get('/restpp/echo?sleep=61')).body.code).toBe('REST-30000')
  })

  it('has no 3.x tokens, and says 404 so that clients move on', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const answer = await server.request(method, '/restpp/requesttoken', { secret: 'x' })
      expect([answer.status, answer.body.code]).toEqual([404, 'REST-1000'])
    }
  })
})

describe('versions', () => {
  it('survives the handshake of the client', async () => {
    const { message } = (await get('/restpp/version')).body
    const rows = message
      .split('\n')
      .slice(3, -1)
      .map((line: string) => line.split(/\s+/))
    for (const row of rows) expect(row).toHaveLength(6)
    const product = rows.find(([name]: string[]) => name === 'product')
    const version = product[1].slice(product[1].indexOf('_') + 1, product[1].lastIndexOf('_'))
    expect(version).toBe('4.2.0')
    expect(product[2]).toMatch(/^[0-9a-f]{40}$/)
  })

  it('lists every component with release and hash', async () => {
    const { body } = await get('/gsql/v1/system/versions')
    expect(body.results.map((one: { name: string }) => one.name)).toEqual([
      'product',
      'gse',
      'gpe',
      'restpp',
      'gsql',
      'ifm',
    ])
    expect((await get('/gsql/v1/version')).text).toBe('GSQL version: 4.2.0\n')
    expect((await get('/gsql/v1/version?verbose=true')).text).toContain('GSQL commit number')
  })
})

describe('/informant/metrics', () => {
  it('is valid OpenMetrics with the names of the product and our own', async () => {
    await createAcme(server)
    const { text, headers } = await get('/informant/metrics')
    expect(headers['content-type']).toContain('application/openmetrics-text')
    expect(text.endsWith('# EOF\n')).toBe(true)
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of [
      'tigergraph_cpu_usage',
      'tigergraph_memory_total',
      'tigergraph_service_status',
      'quiver_engine_vertices',
      'quiver_store_commits',
      'quiver_queries_running',
    ]) {
      expect(names, text).toContain(name)
    }
    expect(text).toMatch(/^quiver_store_commits_total \d+$/m)
    expect(text).toMatch(/^tigergraph_memory_usage\{host_id="m1",service_name=""\} \d+$/m)
    for (const line of text.split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE|UNIT|EOF)|[a-z_]+(\{.*\})? -?[\d.e+-]+$|$)/)
    }
  })

  it('is Prometheus text where only that is accepted, counters under their full names', async () => {
    const accept = async (value: string) =>
      server.request('GET', '/informant/metrics', undefined, { accept: value })
    const { text, headers } = await accept('text/plain;version=0.0.4')
    expect(headers['content-type']).toContain('text/plain; version=0.0.4')
    expect(text).toMatch(/^# TYPE quiver_store_commits_total counter\nquiver_store_commits_total /m)
    expect(text).toMatch(/^# TYPE tigergraph_memory_total gauge$/m)
    expect(text).not.toContain('# EOF')
    const both = await accept('application/openmetrics-text;version=1.0.0,text/plain;q=0.3')
    expect(both.text).toContain('# TYPE quiver_store_commits counter')
  })

  it('answers the history of each category under its key', async () => {
    const history = (category: string, body: unknown = {}) =>
      server.request('POST', `/informant/metrics/get/${category}`, body)
    const keys = ['cpu-memory', 'diskspace', 'network', 'qps'].map(async (category) =>
      Object.keys((await history(category)).body),
    )
    expect((await Promise.all(keys)).flat()).toEqual([
      'CPUMemoryMetrics',
      'DiskMetrics',
      'NetworkMetrics',
      'QPSMetrics',
    ])
    server.clock.advance(60_000)
    const latest = await history('cpu-memory', { LatestNum: '1' })
    expect(latest.body.CPUMemoryMetrics).toHaveLength(1)
    const none = await history('network', { TimeRange: { EndTimestampNS: '5' } })
    expect(none.body.NetworkMetrics).toEqual([])
    expect((await history('weather')).status).toBe(400)
    const ofOld = async (query: string) => (await get(`/ts3/api/datapoints?${query}`)).body
    expect((await ofOld('what=mem&latest=1')).CPUMemoryMetrics).toHaveLength(1)
    expect((await ofOld('what=network&from=1')).NetworkMetrics.length).toBeGreaterThan(0)
    expect(await ofOld('what=network&to=5')).toEqual({ NetworkMetrics: [] })
    expect(await ofOld('what=qps&where=m2')).toEqual({ QPSMetrics: [] })
    expect(await ofOld('what=weather')).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
    const rows = async (category: string, body: unknown) =>
      Object.values<unknown[]>((await history(category, body)).body)[0]?.length
    expect(await rows('network', { HostID: 'm2' })).toBe(0)
    expect(await rows('network', { HostID: 'm1', LatestNum: 1 })).toBe(1)
    const service = (ServiceName: string) => ({ ServiceDescriptors: [{ ServiceName }] })
    expect(await rows('cpu-memory', service('KAFKA'))).toBe(0)
    expect(await rows('cpu-memory', { ...service('gpe'), LatestNum: 1 })).toBe(1)
    expect(await rows('cpu-memory', { MemoryUsage: 1e9 })).toBe(0)
    expect(await rows('qps', { Endpoint: 'GET /nothing' })).toBe(0)
  })

  it('tells the state of the services that are asked for', async () => {
    const { body } = await server.request('POST', '/informant/current-service-status', {
      ServiceDescriptors: [{ ServiceName: 'gsql' }, { ServiceName: 'KAFKA' }],
    })
    expect(body.ServiceStatusEvents).toMatchObject([
      {
        ServiceDescriptor: { ServiceName: 'GSQL', Partition: 1, Replica: 1 },
        ServiceStatus: 'Online',
        ProcessState: 'Running',
      },
      { ServiceDescriptor: { ServiceName: 'KAFKA' }, ServiceStatus: 'Unknown' },
    ])
    const [{ EventMeta }] = body.ServiceStatusEvents
    expect(EventMeta).toMatchObject({
      Targets: [{ ServiceName: 'IFM' }],
      EventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      SpanId: 'ServiceStatusSelfReport',
      TimestampNS: expect.stringMatching(/^\d{19}$/),
    })
  })

  it('tells the state of every service when none is named, and knows no second replica', async () => {
    const statuses = async (body: unknown) => {
      const answer = await server.request('POST', '/informant/current-service-status', body)
      const events: { ServiceDescriptor: { ServiceName: string }; ServiceStatus: string }[] =
        answer.body.ServiceStatusEvents
      return events.map((one) => `${one.ServiceDescriptor.ServiceName} ${one.ServiceStatus}`)
    }
    const all = ['GPE', 'GSE', 'GSQL', 'IFM', 'RESTPP'].map((name) => `${name} Online`)
    expect(await statuses(undefined)).toEqual(all)
    expect(await statuses({ ServiceDescriptors: [] })).toEqual(all)
    const second = { ServiceDescriptors: [{ ServiceName: 'GPE', Partition: 1, Replica: 2 }] }
    expect(await statuses(second)).toEqual(['GPE Unknown'])
  })
})

describe('maintenance', () => {
  beforeEach(() => createAcme(server))

  it('rebuilds with the message that clients compare', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { body } = await server.request(method, '/restpp/rebuildnow/acme?force=true')
      expect(body).toMatchObject({
        error: false,
        message: 'RebuildNow finished, please check details in the folder: /tmp/rebuildnow',
        results: [],
        code: 'REST-0000',
      })
    }
    expect((await get('/quiver/v1/maintenance/progress')).body.results).toEqual({ rebuild: null })
    const runs = (await get('/quiver/v1/maintenance/runs')).body.results
    expect(runs).toHaveLength(2)
    expect(runs[0]).toMatchObject({ kind: 'rebuild', graph: 'acme', passed: true })
  })

  it('tells how far a rebuild is while it runs', async () => {
    const rebuild = server.request('POST', '/restpp/rebuildnow/acme?force=true')
    const seen: unknown[] = []
    const isOver = rebuild.then(() => true)
    const soon = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)))
    while (!(await Promise.race([isOver, soon()]))) {
      seen.push((await get('/quiver/v1/maintenance/progress')).body.results.rebuild)
    }
    for (const one of seen.filter((found) => found !== null)) {
      expect(one).toEqual({
        startedAt: expect.any(Number),
        step: expect.stringMatching(/preparing|merging|writing/),
        share: expect.any(Number),
      })
    }
    expect((await get('/quiver/v1/maintenance/progress')).body.results).toEqual({ rebuild: null })
  })

  it('rebuilds where the folder of the contract is not to be had, and tells of one that is named', async () => {
    const data = mkdtempSync(join(tmpdir(), 'quiver-summary-'))
    const taken = join(data, 'rebuildnow/taken')
    mkdirSync(join(taken, 'finished.summary.txt'), { recursive: true })
    for (const reportDirectory of ['/dev/null/rebuildnow', taken]) {
      const other = await startServer({ dataDirectory: data, reportDirectory, queryWorkerCount: 0 })
      await createAcme(other)
      const { body } = await other.request('GET', '/restpp/rebuildnow/acme?force=true')
      expect(body, reportDirectory).toMatchObject({ error: false, code: 'REST-0000' })
      const named = await other.request('GET', '/restpp/rebuildnow/acme?path=taken')
      expect(named.body.code).toBe('REST-30000')
      expect(named.body.message).toContain('The rebuild is done, but its summary cannot be written')
      await other.close()
    }
    rmSync(data, { recursive: true })
  })

  it('refuses unknown types and folders outside the data directory', async () => {
    expect((await get('/restpp/rebuildnow/acme?vertextype=Ghost')).body.code).toBe('REST-30000')
    for (const path of ['%00', '..', '.', 'a/../..', '/etc%00']) {
      expect((await get(`/restpp/rebuildnow/acme?path=${path}`)).body.code).toBe('REST-30000')
    }
    expect((await get('/restpp/rebuildnow/ghost')).body.code).toBe('REST-1004')
  })

  it('writes the summary into a folder of the data directory, and follows no link', async () => {
    const data = mkdtempSync(join(tmpdir(), 'quiver-summary-'))
    const away = mkdtempSync(join(tmpdir(), 'quiver-away-'))
    mkdirSync(join(data, 'rebuildnow'))
    symlinkSync(away, join(data, 'rebuildnow/link'))
    const other = await startServer({ dataDirectory: data, queryWorkerCount: 0 })
    await createAcme(other)
    const rebuild = (path: string) => other.request('GET', `/restpp/rebuildnow/acme?path=${path}`)
    for (const path of ['a/b', `${data}/rebuildnow/a/b`]) {
      const { body } = await rebuild(path)
      expect(body.message).toBe(`RebuildNow finished, please check details in the folder: ${path}`)
      expect(readdirSync(join(data, 'rebuildnow/a/b'))).toEqual(['finished.summary.txt'])
    }
    for (const path of ['link', 'link/new', '../files', `${data}/rebuildnow/link`]) {
      expect((await rebuild(path)).body.code, path).toBe('REST-30000')
    }
    const own = join(data, 'rebuildnow/elsewhere')
    for (const path of ['/tmp/elsewhere', `${data}/x`, `${data}/exports/x`, away, '/etc', '/']) {
      const { body } = await rebuild(path)
      const told = `RebuildNow finished, please check details in the folder: ${own}. Nothing is written to ${path}.`
      expect([body.error, body.code, body.message], path).toEqual([false, 'REST-0000', told])
      expect(readdirSync(own)).toEqual(['finished.summary.txt'])
      rmSync(own, { recursive: true })
    }
    expect([existsSync('/tmp/elsewhere'), existsSync(`${data}/x`)]).toEqual([false, false])
    symlinkSync(join(away, 'target'), join(data, 'rebuildnow/finished.summary.txt'))
    writeFileSync(join(away, 'target'), 'as it was')
    rmSync(join(data, 'rebuildnow/a/b/finished.summary.txt'))
    symlinkSync(join(away, 'target'), join(data, 'rebuildnow/a/b/finished.summary.txt'))
    expect((await rebuild('a/b')).body.error).toBe(false)
    expect(readdirSync(away)).toEqual(['target'])
    expect(readFileSync(join(away, 'target'), 'utf8')).toBe('as it was')
    await other.close()
    for (const folder of [data, away]) rmSync(folder, { recursive: true })
  })

  it('passes the deleted-vertex check, and fails it when the engines disagree', async () => {
    const vertices = { Company: { a: {}, b: {} } }
    await server.request('POST', '/restpp/graph/acme', { vertices })
    await server.request('DELETE', '/restpp/graph/acme/vertices/Company/a')
    const passed = (await get('/restpp/deleted_vertex_check?verbose=7')).body
    expect(passed).toMatchObject({
      message: 'check passed',
      results: [{ GPE: 'GPE_1_1', PassCheck: true, UnSyncList: [] }],
      code: 'REST-0000',
    })
    expect(passed.results[0].VertexCounts).toContainEqual({
      VertexType: 'Company',
      Count: 1,
      Deleted: 1,
    })
    const company = server.engine.catalog.vertexTypes.find((type) => type.name === 'Company')
    server.engine.deletedIds.drop(company?.id ?? 0)
    const failed = (await get('/restpp/deleted_vertex_check/acme')).body
    expect(failed).toMatchObject({
      error: false,
      message: 'check failed',
      results: [{ PassCheck: false, UnSyncList: [{ VertexType: 'Company' }] }],
    })
    const both = (await get('/restpp/data_consistency_check')).body
    expect(both.results.GPEGSECheck[0].PassCheck).toBe(false)
  })
})

describe('the reference', () => {
  it('catalogues the built-in endpoints with their parameters', async () => {
    const { body } = await get('/restpp/endpoints?builtin=true')
    expect(body['GET /endpoints/{graph_name}']).toBeDefined()
    expect(body['GET /echo'].parameters.sleep).toMatchObject({ type: 'INT32', default: '0' })
    for (const key of ['GET /endpoints', 'GET /showprocesslistall', 'GET /vector/status']) {
      expect(body[key], key).toBeDefined()
    }
    expect(body['POST /builtins']).toBeNull()
    expect(body['POST /builtins/{graph_name}']).toBeDefined()
    const upsert = body['POST /graph/{graph_name}'].parameters
    expect(upsert.ack).toEqual({
      ...{ type: 'STRING', default: 'all', options: ['all', 'none'] },
      ...{ min_count: 1, max_count: 1 },
    })
    const edges = Object.keys(body).filter((key) => key.startsWith('GET /graph/{graph_name}/edges'))
    expect(edges).toHaveLength(1)
    expect(body[edges[0]!].parameters).toMatchObject({
      source_vertex_type: { type: 'TYPENAME', min_count: 1 },
      source_vertex_id: { min_count: 1, max_length: 256 },
    })
    expect(body['GET /statistics/{graph_name}'].parameters.segments).toMatchObject({
      type: 'UINT32',
      default: '10',
      min: '1',
      max: '100',
    })
    expect(body['GET /version']).toBeNull()
    expect((await get('/endpoints?static=true')).body).toEqual({})
  })

  it('is an OpenAPI document with every mounted path', async () => {
    const { body } = await get('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    for (const { paths, methods } of server.app.endpoints) {
      for (const path of paths) {
        for (const method of methods) {
          const operation = body.paths[path][method.toLowerCase()]
          expect(operation.responses['200'], path).toBeDefined()
          const placed = operation.parameters.filter((one: { in: string }) => one.in === 'path')
          expect(placed.length, path).toBe(path.match(/\{/g)?.length ?? 0)
        }
      }
    }
  })

  it('tells query parameters by their plain types', async () => {
    const { body } = await get('/openapi.json')
    const { parameters } = body.paths['/restpp/statistics/{graph}'].get
    const schemaOf = (name: string) =>
      parameters.find((one: { name: string }) => one.name === name).schema
    expect(schemaOf('segments')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
    expect(schemaOf('console')).toEqual({ type: 'boolean', default: true })
    expect(JSON.stringify(body)).not.toContain('restpp":')
  })

  it('can be read as a page that runs nothing foreign', async () => {
    const page = await get('/quiver/v1/docs')
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    for (const [, url] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await get(url as string)).status, url).toBe(200)
    }
  })
})

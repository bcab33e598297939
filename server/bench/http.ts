/**
 * What a request costs the built server: CPU time of the process per request, all threads and the
 * kernel's share included, since on a shared machine the wall clock says little.
 *
 * `node scripts/build.mjs --if-stale && node server/bench/http.ts [path of main.js]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drive, type LoadTarget, requestBytes } from './http-load.ts'

const VERTEX_COUNT = 20_000
const HUB_DEGREE = 5_000
const BATCH_EDGES = 1_000
const graphPath = '/restpp/graph/bench'
const program =
  process.argv[2] ?? fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))

const attribute = (name: string, type: string) => ({
  AttributeName: name,
  AttributeType: { Name: type },
})
const schema = {
  addVertexTypes: [
    {
      Name: 'V',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [
        attribute('name', 'STRING'),
        attribute('age', 'INT'),
        attribute('score', 'DOUBLE'),
        attribute('created', 'DATETIME'),
      ],
    },
  ],
  addEdgeTypes: [
    {
      Name: 'E',
      IsDirected: true,
      FromVertexTypeName: 'V',
      ToVertexTypeName: 'V',
      Config: {},
      Attributes: [
        attribute('weight', 'INT'),
        attribute('amount', 'DOUBLE'),
        attribute('since', 'DATETIME'),
      ],
    },
  ],
}

interface Phase {
  readonly name: string
  readonly connections: number
  /** Sent before the figures are taken. */
  readonly warmUp: number
  readonly count: number
  /** What one request holds, for the figure per element. */
  readonly elements: number
  request(index: number): Buffer
}

const directory = mkdtempSync(join(process.env['QUIVER_BENCH_DIR'] ?? tmpdir(), 'quiver-bench-'))
const startMs = performance.now()
const child = spawn(process.execPath, [program, '--port', '0', '--data', directory], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const target = await addressOf(child)
  const wallMs = performance.now() - startMs
  print('start, empty directory', [
    `${(cpuUs(child) / 1000).toFixed(0)} ms CPU`,
    `${wallMs.toFixed(0)} ms`,
  ])
  await fill(target)
  for (const phase of phasesFor(target)) await measure(target, phase)
} finally {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  rmSync(directory, { recursive: true })
}

function phasesFor(target: LoadTarget): Phase[] {
  const post = (body: object) =>
    requestBytes(target, 'POST', graphPath, Buffer.from(JSON.stringify(body)))
  const basic = `Authorization: Basic ${Buffer.from('tigergraph:tigergraph').toString('base64')}`
  const path = (index: number) => `${graphPath}/vertices/V/u${(index * 7919) % VERTEX_COUNT}`
  const many = { connections: 32, warmUp: 20_000, count: 30_000, elements: 1 }
  return [
    { ...many, name: 'GET a vertex', request: (index) => requestBytes(target, 'GET', path(index)) },
    {
      ...many,
      name: 'GET a vertex, Basic',
      request: (index) => withHeader(requestBytes(target, 'GET', path(index)), basic),
    },
    {
      name: 'POST one edge',
      connections: 64,
      warmUp: 20_000,
      count: 20_000,
      elements: 1,
      request: (index) =>
        post(edges([[index % VERTEX_COUNT, `u${(index * 7919 + 13) % VERTEX_COUNT}`, index]])),
    },
    {
      name: `POST ${BATCH_EDGES} edges, fresh ids`,
      connections: 4,
      warmUp: 100,
      count: 300,
      elements: BATCH_EDGES,
      request: (index) => post(edges(freshEdges(index))),
    },
    {
      name: `GET ${HUB_DEGREE} edges`,
      connections: 4,
      warmUp: 30,
      count: 60,
      elements: HUB_DEGREE,
      request: () => requestBytes(target, 'GET', `${graphPath}/edges/V/u0`),
    },
  ]
}

function withHeader(request: Buffer, header: string): Buffer {
  return Buffer.from(request.toString().replace('\r\n\r\n', `\r\n${header}\r\n\r\n`))
}

type Edge = readonly [source: number, target: string, value: number]

function freshEdges(batch: number): Edge[] {
  return Array.from({ length: BATCH_EDGES }, (_, index) => [
    VERTEX_COUNT + batch * 100 + Math.floor(index / 10),
    `t${batch * BATCH_EDGES + index}`,
    index,
  ])
}

function edges(list: readonly Edge[]): object {
  const sources: Record<string, { E: { V: Record<string, object> } }> = {}
  for (const [source, target, value] of list) {
    const key = `u${source}`
    sources[key] ??= { E: { V: {} } }
    sources[key].E.V[target] = {
      weight: { value: value % 1000 },
      amount: { value: ((value * 31) % 100_000) / 100 },
      since: { value: '2023-05-06 07:08:09' },
    }
  }
  return { edges: { V: sources } }
}

async function fill(target: LoadTarget): Promise<void> {
  const ask = async (path: string, body: object) => {
    const url = `http://${target.host}:${target.port}${path}`
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    const { error, message } = (await answer.json()) as { error: boolean; message: string }
    if (error) throw new Error(message)
  }
  await ask('/gsql/v1/schema/graphs?graphName=bench&gsql=false', { VertexTypes: [], EdgeTypes: [] })
  await ask('/gsql/v1/schema/change?graph=bench', schema)
  const vertices = Array.from({ length: VERTEX_COUNT }, (_, index) => [
    `u${index}`,
    {
      name: { value: `Person number ${index}` },
      age: { value: index % 90 },
      score: { value: ((index * 7919) % 100_000) / 100 },
      created: { value: '2024-01-02 03:04:05' },
    },
  ])
  await ask(graphPath, { vertices: { V: Object.fromEntries(vertices) } })
  const spokes = Array.from({ length: HUB_DEGREE }, (_, index): Edge => [0, `u${index + 1}`, index])
  await ask(graphPath, edges(spokes))
}

async function measure(target: LoadTarget, phase: Phase): Promise<void> {
  let index = 0
  const run = async (count: number) => {
    const end = index + count
    await drive(target, phase.connections, {
      next: () => (index < end ? phase.request(index++) : null),
    })
  }
  await run(phase.warmUp)
  const beforeUs = cpuUs(child)
  const beforeMs = performance.now()
  await run(phase.count)
  const elements = phase.count * phase.elements
  const perSecond = (elements / (performance.now() - beforeMs)) * 1000
  const us = (cpuUs(child) - beforeUs) / elements
  print(phase.name, [`${us.toFixed(2)} us CPU each`, `${Math.round(perSecond)} /s`])
}

/** CPU time of all threads so far, in microseconds. */
function cpuUs({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
    return Number(text.split(' ')[0])
  })
  return ns.reduce((sum, one) => sum + one, 0) / 1000
}

function addressOf({ stdout }: ChildProcess): Promise<LoadTarget> {
  return new Promise((resolve) => {
    let text = ''
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/(127\.0\.0\.1):(\d+)/.exec(text)
      if (address !== null) resolve({ host: address[1] as string, port: Number(address[2]) })
    })
  })
}

function print(name: string, figures: readonly string[]): void {
  console.log(`${name.padEnd(32)} ${figures.join('   ')}`)
}

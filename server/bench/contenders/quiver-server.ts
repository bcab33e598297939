/** The built server in a process of its own, as a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { allocatorSettings, heapOptions } from '../../../scripts/allocator.cjs'
import { residentBytes } from '../files.ts'
import type { LoadTarget } from '../http-load.ts'
import { benchQueries, benchSchema } from './quiver-graph.ts'

const TIMEOUT_MS = 600_000

export interface BenchServerOptions {
  /** What loading jobs may read. */
  readonly filesDirectory?: string
  /** Further options of the command line. */
  readonly args?: readonly string[]
}

export class BenchServer {
  readonly target: LoadTarget
  /** From the spawn until it answered. */
  readonly startSeconds: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, target: LoadTarget, startSeconds: number) {
    this.#child = child
    this.target = target
    this.startSeconds = startSeconds
  }

  static async start(
    dataDirectory: string,
    { filesDirectory, args = [] }: BenchServerOptions = {},
  ): Promise<BenchServer> {
    const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
    const started = performance.now()
    const child = spawn(
      process.execPath,
      [
        ...heapOptions,
        ...[program, '--port', '0', '--data', dataDirectory, '--log-level', 'warn'],
        ...(filesDirectory === undefined ? [] : ['--files', filesDirectory]),
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...allocatorSettings, ...process.env } },
    )
    const target = await announcedTarget(child)
    await fetch(`http://${target.host}:${target.port}/restpp/echo`)
    return new BenchServer(child, target, (performance.now() - started) / 1000)
  }

  /** An empty graph with the bench's schema and queries. */
  async prepare(): Promise<void> {
    const empty = '{"VertexTypes":[],"EdgeTypes":[]}'
    await this.ask('POST', '/gsql/v1/schema/graphs?graphName=bench&gsql=false', { body: empty })
    await this.ask('POST', '/gsql/v1/schema/change?graph=bench', {
      body: JSON.stringify(benchSchema),
    })
    await this.ask('POST', '/gsql/v1/queries?graph=bench', { body: benchQueries })
  }

  /** @throws Error with the message of an answer that is an error */
  async ask(
    method: string,
    path: string,
    { body, threads }: { readonly body?: string; readonly threads?: number } = {},
  ): Promise<unknown> {
    const { host, port } = this.target
    const limit = threads === undefined ? {} : { 'GSQL-THREAD-LIMIT': String(threads) }
    const answer = await fetch(`http://${host}:${port}${path}`, {
      method,
      headers: { 'GSQL-TIMEOUT': String(TIMEOUT_MS), ...limit },
      ...(body !== undefined && { body }),
    })
    const json = (await answer.json()) as { error: boolean; message: string; results: unknown }
    if (json.error) throw new Error(`${method} ${path}: ${json.message}`)
    return json.results
  }

  /** A GSQL script. @returns what it told */
  async script(text: string): Promise<string> {
    const { host, port } = this.target
    const url = `http://${host}:${port}/gsql/v1/statements`
    return await (await fetch(url, { method: 'POST', body: text })).text()
  }

  /** The first printed row of an installed query, run on so many threads. */
  async query(path: string, threads = 1): Promise<Record<string, number>> {
    const results = await this.ask('GET', `/restpp/query/bench/${path}`, { threads })
    return (results as Record<string, number>[])[0] ?? {}
  }

  /** What the engine counts for its columns, ids and adjacency. */
  graphBytes(): Promise<number> {
    return this.metric('quiver_engine_memory_used_bytes')
  }

  async metric(name: string): Promise<number> {
    const { host, port } = this.target
    const text = await (await fetch(`http://${host}:${port}/informant/metrics`)).text()
    const sample = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)
    return Number(sample?.[1] ?? Number.NaN)
  }

  get pid(): number {
    return this.#child.pid as number
  }

  residentBytes(): number {
    return residentBytes(this.pid)
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await gone
  }
}

/** The pipe stays open after the address: the server goes on logging into it. */
function announcedTarget(child: ChildProcess): Promise<LoadTarget> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/(127\.0\.0\.1):(\d+)/.exec(text)
      if (address !== null) resolve({ host: address[1] as string, port: Number(address[2]) })
    })
  })
}

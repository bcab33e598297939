/**
 * One Quiver server as a process of its own, which is started again when it asks for it (status 75),
 * and the links over which it reaches each node of PostgreSQL and others reach it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import { Link, type LinkState } from './link.ts'

const PROGRAM =
  process.env['QUIVER_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** A busy machine starts it slowly; one that hangs is told apart all the same. */
const START_MS_MAX = 180_000
/** The program asks to be started again: what it holds is no prefix of the log any more. */
const START_AGAIN = 75
const START_AGAIN_MS = 200

export interface InstanceOptions {
  readonly name: string
  /** Data directories of all instances: for the audit log, and files of requests. */
  readonly directory: string
  readonly database: Database
  /** Of the command line, further ones. */
  readonly args: readonly string[]
}

export class Instance {
  readonly name: string
  /** To each node of PostgreSQL, in the order of the nodes. */
  readonly links: readonly Link[]
  /** Over which the other instances reach this one. */
  readonly entrance: Link
  readonly #args: readonly string[]
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess | null = null
  #url: string | null = null
  #isWanted = false
  #starting: Promise<void> | null = null
  #isPaused = false
  #restartCount = 0
  readonly #unexpectedEnds: string[] = []
  #output = ''

  private constructor(
    name: string,
    links: readonly Link[],
    entrance: Link,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    this.name = name
    this.links = links
    this.entrance = entrance
    this.#args = args
    this.#environment = environment
  }

  /** Makes the links; nothing runs before `start`. */
  static async create(options: InstanceOptions): Promise<Instance> {
    const { name, directory, database, args } = options
    const links = await Promise.all(database.ports.map((port) => Link.start(port)))
    // The server says where it listens only after it was told where others reach it.
    const entrance = await Link.start(0)
    const data = join(directory, name)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const store = database.storeUrl(links.map(({ port }) => port))
    const all = [
      ...['--port', '0', '--data', data, '--store', store, '--name', name],
      ...['--advertise', `http://127.0.0.1:${entrance.port}`],
      ...['--log-level', 'warn', '--query-workers', '1', '--memory', '1g', ...args],
    ]
    return new Instance(name, links, entrance, all, database.environment ?? {})
  }

  /** Where it serves, null while it does not run. */
  get url(): string | null {
    return this.#url
  }

  get isRunning(): boolean {
    return this.#child !== null || this.#starting !== null
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** How often it asked to be started again. */
  get restartCount(): number {
    return this.#restartCount
  }

  /** How it ended when nobody asked it to, and it did not ask to be started again. */
  get unexpectedEnds(): readonly string[] {
    return this.#unexpectedEnds
  }

  /** What it has written since the last start of all, for those who look for a fault. */
  get output(): string {
    return this.#output
  }

  /** Resolves when it serves. */
  start(): Promise<void> {
    this.#isWanted = true
    this.#starting ??= this.#startUntilItServes().finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  /** Ends it without warning. */
  kill(): Promise<number | null> {
    return this.#end('SIGKILL')
  }

  /** Asks it to end. @returns its status */
  stop(): Promise<number | null> {
    this.resume()
    return this.#end('SIGTERM')
  }

  pause(): void {
    this.#isPaused = this.#child?.kill('SIGSTOP') ?? false
  }

  resume(): void {
    if (this.#isPaused) this.#child?.kill('SIGCONT')
    this.#isPaused = false
  }

  /** Its links to the nodes of PostgreSQL. */
  setLinks(state: LinkState): void {
    for (const link of this.links) link.set(state)
  }

  async remove(): Promise<void> {
    await this.kill()
    for (const link of [...this.links, this.entrance]) await link.close()
  }

  async #startUntilItServes(): Promise<void> {
    const end = performance.now() + START_MS_MAX
    while (this.#isWanted && !(await this.#startOnce(end - performance.now()))) {
      if (performance.now() > end) throw new Error(`${this.name} does not start: ${this.#output}`)
      await pause(START_AGAIN_MS)
    }
  }

  /** @returns false: it asked to be started again */
  async #startOnce(msMax: number): Promise<boolean> {
    const child = spawn(process.execPath, [PROGRAM, ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#environment },
    })
    this.#child = child
    running.add(child)
    const url = await new Promise<string | null>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), msMax)
      let text = ''
      const take = (data: unknown): void => {
        text += String(data)
        this.#output = (this.#output + String(data)).slice(-20_000)
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(/is serving at \S+/.exec(text)?.[0] ?? '')
        if (found === null) return
        text = ''
        clearTimeout(timer)
        resolve(found[0])
      }
      child.stdout?.on('data', take)
      child.stderr?.on('data', take)
      child.once('exit', (status, signal) => {
        clearTimeout(timer)
        running.delete(child)
        this.#forget(child)
        if (status === START_AGAIN || !this.#isWanted) resolve(null)
        else reject(new Error(`${this.name} ended (${status ?? signal}): ${text}`))
      })
    })
    if (url === null) return !this.#isWanted
    this.#url = url
    this.entrance.targetPort = Number(new URL(url).port)
    child.once('exit', (status) => this.#startAgainAfter(status))
    return true
  }

  /** As `npm start` and supervisors do. */
  #startAgainAfter(status: number | null): void {
    if (!this.#isWanted) return
    if (status !== START_AGAIN) {
      this.#unexpectedEnds.push(`status ${status}: ${this.#output.slice(-500)}`)
      return
    }
    this.#restartCount++
    this.start().catch((error: unknown) => this.#unexpectedEnds.push(String(error)))
  }

  #forget(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = null
    this.#url = null
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#isWanted = false
    this.#isPaused = false
    const child = this.#child
    if (child === null) return null
    const gone = once(child, 'exit') as Promise<[number | null]>
    child.kill(signal)
    const [status] = await gone
    return status
  }
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

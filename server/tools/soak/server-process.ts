/** The server under test: a process of its own that can be killed, stopped and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { allocatorSettings, heapOptions } from '../../../scripts/allocator.cjs'
import type { ServerSample } from './server-probe.ts'

const START_TIMEOUT_MS = 300_000
const SOURCES = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const PROBE = new URL('server-probe.ts', import.meta.url).href

export interface ServerSettings {
  readonly program: string | null
  readonly directory: string
  readonly options: readonly string[]
  readonly onSample: (sample: ServerSample) => void
}

export class ServerProcess {
  readonly #child: ChildProcess
  readonly port: number
  /** From the start of the process to the announced address. */
  readonly startMs: number
  #isEnding = false

  private constructor(child: ChildProcess, port: number, startMs: number) {
    this.#child = child
    this.port = port
    this.startMs = startMs
  }

  static async start(settings: ServerSettings): Promise<ServerProcess> {
    const startedMs = performance.now()
    const program = settings.program ?? SOURCES
    const child = spawn(
      process.execPath,
      [
        ...heapOptions,
        '--import',
        PROBE,
        program,
        '--port',
        '0',
        '--data',
        settings.directory,
        ...settings.options,
      ],
      // As `npm start` runs it.
      {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: { ...allocatorSettings, ...process.env },
      },
    )
    child.on('message', (sample) => settings.onSample(sample as ServerSample))
    const port = await announcedPort(child)
    return new ServerProcess(child, port, performance.now() - startedMs)
  }

  /** True when the process ended although nobody asked for it. */
  get hasCrashed(): boolean {
    return !this.#isEnding && this.#hasEnded()
  }

  get ending(): string {
    return String(this.#child.signalCode ?? this.#child.exitCode)
  }

  writeHeapSnapshot(path: string): void {
    this.#child.send(path)
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** @returns the exit code */
  async stop(): Promise<number | null> {
    await this.#end('SIGTERM')
    return this.#child.exitCode
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isEnding = true
    if (this.#hasEnded()) return
    const gone = once(this.#child, 'exit')
    this.#child.kill(signal)
    await gone
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }
}

/** The server prints its address once it listens. Later output is read and dropped. */
function announcedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the server ended at its start (${code ?? signal}): ${text}`))
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text.includes('serving at')) return
      text += chunk.toString()
      const address = /serving at https?:\/\/[^\s]*:(\d+)/.exec(text)
      if (address === null) return
      clearTimeout(timer)
      resolve(Number(address[1]))
    })
  })
}

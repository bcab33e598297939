/** The client of host.ts: starts the process that serves the tests of one worker, and sends it requests. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HostAnswer, HostRequest } from './host.ts'
import { compiled, program } from './server.ts'

/** The bundle of host.ts, made once for all workers (global-setup.ts). */
export const hostFile = fileURLToPath(
  new URL('../node_modules/.cache/quiver-e2e/host.mjs', import.meta.url),
)

const ANSWER_TIMEOUT_MS = 60_000

/** Of each server: one thread more starts, in which short runs find a place. Not as many as this machine has cores. */
export const QUERY_WORKERS = 1

/** Below the ports that the system gives to connections: one that a server leaves is free for the next one. */
const PORT_MIN = 20_000
const PORT_COUNT = 12_000
const PORT_TRIES = 20
/** In the answer of a server that cannot listen (server/src/cli/listen-error.ts). */
const PORT_TAKEN = 'another program listens there'

type Wanted = HostRequest extends infer R ? (R extends HostRequest ? Omit<R, 'id'> : never) : never

export class Host {
  #child: ChildProcess | null = null
  #nextId = 0
  #port = anyPort()

  /** Of its servers, one after the other: what a browser has read from one serves it for the next. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** @returns the address of a server on the directory: `origin`, which changes where somebody else has the port */
  async start(directory: string): Promise<string> {
    const options = ['--data', directory, '--log-level', 'warn']
    options.push('--query-workers', String(QUERY_WORKERS))
    for (let tries = 1; ; tries++) {
      try {
        const port = ['--port', String(this.#port)]
        return await this.#ask({ kind: 'start', options: [...port, ...options] })
      } catch (error) {
        if (tries === PORT_TRIES || !String(error).includes(PORT_TAKEN)) throw error
        this.#port = anyPort()
      }
    }
  }

  /** As a stop does: what is held back is written. One that does not end goes with its host, as a program is killed then. */
  async end(url: string): Promise<void> {
    await this.#ask({ kind: 'end', url }).catch(() => undefined)
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  /** One that does not answer, or is gone, takes its servers with it: the next request starts another. */
  #ask(wanted: Wanted): Promise<string> {
    const child = this.#started()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const settle = (call: () => void) => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onExit)
        call()
      }
      const fail = (reason: string) => {
        this.close()
        reject(new Error(`the host of the servers ${reason}`))
      }
      const onExit = (code: number | null, signal: string | null) =>
        settle(() => fail(`ended with ${code ?? signal}`))
      const onMessage = (message: unknown) => {
        const { id: answered, url, error } = message as HostAnswer
        if (answered !== id) return
        settle(() => (error === undefined ? resolve(url) : fail(`says: ${error}`)))
      }
      const timer = setTimeout(() => settle(() => fail('does not answer')), ANSWER_TIMEOUT_MS)
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.send({ ...wanted, id } as HostRequest)
    })
  }

  #started(): ChildProcess {
    const isThere = this.#child?.connected === true
    if (isThere && this.#child !== null) return this.#child
    this.#child = fork(hostFile, [program], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    })
    return this.#child
  }
}

function anyPort(): number {
  return PORT_MIN + Math.floor(Math.random() * PORT_COUNT)
}

/** The server's end of the process that holds the HNSW graphs. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AppliedAnswer, FromGraphs, GraphChanges, GraphSpec, ToGraphs } from './protocol.ts'

export interface GraphProcessOptions {
  /** Calls back once after so many milliseconds, unless cancelled by the function it returns. */
  readonly after: (ms: number, call: () => void) => () => void
  /** Called once when the process is gone without having been closed. */
  readonly onLost: (cause: string) => void
}

/** A process that answers nothing for so long hangs, and is ended. */
const ANSWER_MS_MAX = 60_000

interface Pending<T> {
  readonly resolve: (value: T | null) => void
  readonly cancel: () => void
}

export class GraphProcess {
  memoryBytes = 0
  readonly #options: GraphProcessOptions
  readonly #child: ChildProcess
  readonly #applying = new Map<number, Pending<AppliedAnswer>>()
  readonly #searching = new Map<number, Pending<Float64Array>>()
  #nextRequest = 1
  #isGone = false

  constructor(options: GraphProcessOptions) {
    this.#options = options
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const program = fileURLToPath(new URL(`./hnsw-worker.${extension}`, import.meta.url))
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
    this.#child = fork(program, [], { serialization: 'advanced', execArgv: [], stdio: [...stdio] })
    this.#child.unref()
    this.#child.channel?.unref()
    this.#child.on('message', (answer: FromGraphs) => this.#receive(answer))
    this.#child.on('error', (error) => this.#lost(error.message))
    this.#child.on('exit', (code, signal) => this.#lost(`it ended with ${signal ?? code}`))
  }

  get processId(): number | undefined {
    return this.#child.pid
  }

  open(graph: number, spec: GraphSpec): void {
    this.#send({ kind: 'open', graph, ...spec })
  }

  drop(graph: number): void {
    this.#send({ kind: 'close', graph })
  }

  /** One call per graph at a time. @returns null when the process is gone */
  apply(graph: number, changes: GraphChanges): Promise<AppliedAnswer | null> {
    return this.#ask(this.#applying, graph, { kind: 'apply', graph, ...changes })
  }

  /** @returns ordinals, nearest first; null when the process is gone or has no such graph */
  search(graph: number, vector: Float32Array, count: number): Promise<Float64Array | null> {
    const request = this.#nextRequest++
    return this.#ask(this.#searching, request, { kind: 'search', graph, request, vector, count })
  }

  close(): Promise<void> {
    if (this.#isGone) return Promise.resolve()
    this.#end()
    const ended = new Promise<void>((resolve) => {
      this.#child.once('exit', () => resolve())
    })
    // Whoever closes may have nothing else that keeps its loop going.
    this.#child.ref()
    this.#child.kill('SIGKILL')
    return ended
  }

  #ask<T>(into: Map<number, Pending<T>>, key: number, message: ToGraphs): Promise<T | null> {
    if (this.#isGone) return Promise.resolve(null)
    return new Promise((resolve) => {
      const cancel = this.#options.after(ANSWER_MS_MAX, () => {
        this.#child.kill('SIGKILL')
        this.#lost('it gave no answer')
      })
      into.set(key, { resolve, cancel })
      this.#send(message)
    })
  }

  #send(message: ToGraphs): void {
    // A failed send is followed by the exit of the process.
    if (!this.#isGone && this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(answer: FromGraphs): void {
    if (this.#isGone) return
    if (answer.kind === 'applied') {
      this.memoryBytes = answer.memoryBytes
      settle(this.#applying, answer.graph, answer)
    } else settle(this.#searching, answer.request, answer.ordinals)
  }

  #lost(cause: string): void {
    if (this.#isGone) return
    this.#end()
    this.#options.onLost(cause)
  }

  /** Whoever waits goes on without. */
  #end(): void {
    this.#isGone = true
    this.memoryBytes = 0
    for (const key of [...this.#applying.keys()]) settle(this.#applying, key, null)
    for (const key of [...this.#searching.keys()]) settle(this.#searching, key, null)
  }
}

function settle<T>(pending: Map<number, Pending<T>>, key: number, value: T | null): void {
  const waiting = pending.get(key)
  pending.delete(key)
  waiting?.cancel()
  waiting?.resolve(value)
}

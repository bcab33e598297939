/** The main thread's end of a storage thread: requests out, promises settled in order. */
import { Worker } from 'node:worker_threads'
import { DbError } from '#kernel/errors.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import {
  type Failure,
  type Protocol,
  type Reply,
  type Request,
  transferables,
  type WorkerRole,
} from './protocol.ts'
import { workerEntry } from './worker-entry.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class StorageThread<P extends Protocol<P>> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #onFailure: (error: Error) => void
  #nextId = 0
  #ended: Error | null = null

  /** @param onFailure told of failures that belong to no request */
  constructor(role: WorkerRole, onFailure: (error: Error) => void = () => undefined) {
    this.#onFailure = onFailure
    this.#worker = new Worker(workerEntry(import.meta.url, 'storage-worker'), {
      workerData: role,
      name: `quiver-${role.role}`,
    })
    this.#worker.on('message', (reply: Reply) => this.#settle(unpackViews(reply)))
    this.#worker.on('error', (cause) => this.#end(`the ${role.role} thread failed`, cause))
    this.#worker.on('exit', () => this.#end(`the ${role.role} thread has ended`))
  }

  request<K extends keyof P & string>(kind: K, input: P[K]['input']): Promise<P[K]['output']> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      const request: Request = { id, kind, input }
      this.#worker.postMessage(packViews(request), transferables(input))
    })
  }

  /** Ends the thread; what still waits is rejected. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(reply: Reply): void {
    if (reply.id === null) {
      this.#onFailure(revive(reply.failure))
      return
    }
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('failure' in reply) waiting?.reject(revive(reply.failure))
    else waiting?.resolve(reply.value)
  }

  #end(message: string, cause?: unknown): void {
    if (this.#ended !== null) return
    this.#ended = new DbError('STORE_FAILED', message, { cause })
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended)
    this.#waiting.clear()
    this.#onFailure(this.#ended)
  }
}

function revive({ code, message, details }: Failure): Error {
  return code === null ? new Error(message) : new DbError(code, message, { details })
}

/** The main thread's end of a storage thread: requests out, promises settled. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { DbError } from '#kernel/errors.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import { type Failure, type Protocol, type Reply, type Request, transferables } from './messages.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export interface StorageThreadOptions {
  /** Told of failures that belong to no request, and of the end of the thread. */
  readonly onFailure?: (error: Error) => void
  /** The module that the thread runs. */
  readonly entry: URL
  readonly resourceLimits?: ResourceLimits
}

/** What the thread is for; the module that it runs reads the rest. */
export interface ThreadRole {
  readonly role: string
  readonly [name: string]: unknown
}

/** Every request settles: with its answer, or with an error when there can be no answer. */
export class StorageThread<P extends Protocol<P>> {
  readonly #name: string
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #onFailure: (error: Error) => void
  #nextId = 0
  #ended: Error | null = null

  constructor(role: ThreadRole, options: StorageThreadOptions) {
    const { onFailure = () => undefined, entry, resourceLimits } = options
    this.#name = `the ${role.role} thread`
    this.#onFailure = onFailure
    this.#worker = new Worker(entry, {
      workerData: role,
      name: `quiver-${role.role}`,
      ...(resourceLimits && { resourceLimits }),
    })
    this.#worker.on('message', (reply: Reply) => this.#receive(reply))
    this.#worker.on('messageerror', (cause) =>
      this.#lose(`an answer of ${this.#name} could not be read`, cause),
    )
    this.#worker.on('error', (cause) => this.#end(`${this.#name} failed`, cause))
    this.#worker.on('exit', () => this.#end(`${this.#name} has ended`))
  }

  request<K extends keyof P & string>(kind: K, input: P[K]['input']): Promise<P[K]['output']> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      const request: Request = { id, kind, input }
      try {
        this.#worker.postMessage(packViews(request), transferables(input))
      } catch (cause) {
        this.#waiting.delete(id)
        reject(failed(`${kind} could not be sent to ${this.#name}`, cause))
      }
    })
  }

  /** Ends the thread; what still waits is rejected. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #receive(reply: Reply): void {
    try {
      this.#settle(unpackViews(reply))
    } catch (cause) {
      this.#lose(`an answer of ${this.#name} could not be read`, cause)
    }
  }

  #settle(reply: Reply): void {
    if (reply.id === null) {
      const error = revive(reply.failure)
      if (reply.isRequestLost) this.#lose(error.message)
      else this.#onFailure(error)
      return
    }
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('failure' in reply) waiting?.reject(revive(reply.failure))
    else waiting?.resolve(reply.value)
  }

  /** A message was lost, and with it which request it belongs to: none of them is left waiting. */
  #lose(message: string, cause?: unknown): void {
    const error = failed(message, cause)
    if (this.#waiting.size === 0) this.#onFailure(error)
    this.#rejectAll(error)
  }

  #end(message: string, cause?: unknown): void {
    if (this.#ended !== null) return
    this.#ended = failed(message, cause)
    this.#rejectAll(this.#ended)
    this.#onFailure(this.#ended)
  }

  #rejectAll(error: Error): void {
    const rejected = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const waiting of rejected) waiting.reject(error)
  }
}

function failed(message: string, cause: unknown): DbError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new DbError('STORE_FAILED', message + reason, { cause })
}

function revive({ code, message, details }: Failure): Error {
  return code === null ? new Error(message) : new DbError(code, message, { details })
}

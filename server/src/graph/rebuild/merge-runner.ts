/** Runs the long parts of a rebuild on a thread of their own, so that writes and reads go on. */
import { Worker } from 'node:worker_threads'
import { DbError } from '#kernel/errors.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import type { CompactedVertices, CompactJob } from './compact-vertices.ts'
import type { MergedAdjacency, MergeJob } from './merge.ts'

export type WorkerJob =
  | { readonly kind: 'merge'; readonly job: MergeJob }
  | { readonly kind: 'compact'; readonly job: CompactJob }

export type WorkerResult = MergedAdjacency | CompactedVertices

/** One job at a time. */
export interface MergeRunner {
  merge(job: MergeJob): Promise<MergedAdjacency>
  compact(job: CompactJob): Promise<CompactedVertices>
  /** Ends the thread, whatever it does; a job that it has not finished fails. */
  close(): Promise<void>
}

interface Waiting {
  resolve(result: WorkerResult): void
  reject(error: unknown): void
}

/** One worker for one rebuild: it starts in some 20 ms and takes its memory with it. */
export function workerMergeRunner(entry: URL = defaultEntry()): MergeRunner {
  const thread = new MergeThread(entry)
  return {
    merge: (job) => thread.run({ kind: 'merge', job }) as Promise<MergedAdjacency>,
    compact: (job) => thread.run({ kind: 'compact', job }) as Promise<CompactedVertices>,
    close: () => thread.close(),
  }
}

function defaultEntry(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./merge-worker.${extension}`, import.meta.url)
}

class MergeThread {
  readonly #worker: Worker
  #waiting: Waiting | null = null
  #ended: DbError | null = null

  constructor(entry: URL) {
    this.#worker = new Worker(entry)
    this.#worker.unref()
    this.#worker.on('message', (result: WorkerResult) => this.#settle(unpackViews(result)))
    this.#worker.on('messageerror', (cause) => this.#end('sent an unreadable result', cause))
    this.#worker.on('error', (cause) => this.#failed(cause))
    this.#worker.on('exit', () => this.#end('has ended'))
  }

  run(job: WorkerJob): Promise<WorkerResult> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#worker.postMessage(packViews(job))
    })
  }

  async close(): Promise<void> {
    this.#end('was stopped')
    await this.#worker.terminate()
  }

  #settle(result: WorkerResult): void {
    this.#waiting?.resolve(result)
    this.#waiting = null
  }

  /** The platform ends a thread, rather than throw in it, when an allocation fails there. */
  #failed(cause: unknown): void {
    if ((cause as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.#ended ??= new DbError('MEMORY_LIMIT', 'The system has no memory for the rebuild.', {
        cause,
      })
    }
    this.#end('failed', cause)
  }

  /** The job at hand fails, and every later one. */
  #end(what: string, cause?: unknown): void {
    this.#ended ??= new DbError('UNAVAILABLE', `The rebuild thread ${what}.`, { cause })
    this.#waiting?.reject(this.#ended)
    this.#waiting = null
  }
}

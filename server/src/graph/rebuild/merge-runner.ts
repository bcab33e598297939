/** Runs the long parts of a rebuild on a thread of their own, so that writes and reads go on. */
import { Worker } from 'node:worker_threads'
import type { CompactedVertices, CompactJob } from './compact-vertices.ts'
import type { MergedAdjacency, MergeJob } from './merge.ts'

export type WorkerJob =
  | { readonly kind: 'merge'; readonly job: MergeJob }
  | { readonly kind: 'compact'; readonly job: CompactJob }

/** One job at a time. */
export interface MergeRunner {
  merge(job: MergeJob): Promise<MergedAdjacency>
  compact(job: CompactJob): Promise<CompactedVertices>
  close(): Promise<void>
}

/** One worker for one rebuild: it starts in some 20 ms and takes its memory with it. */
export function workerMergeRunner(): MergeRunner {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./merge-worker.${extension}`, import.meta.url))
  worker.unref()
  const run = <Result>(job: WorkerJob): Promise<Result> =>
    new Promise((resolve, reject) => {
      const failed = (error: unknown) => reject(error)
      worker.once('error', failed)
      worker.once('message', (result: Result) => {
        worker.off('error', failed)
        resolve(result)
      })
      worker.postMessage(job)
    })
  return {
    merge: (job) => run({ kind: 'merge', job }),
    compact: (job) => run({ kind: 'compact', job }),
    close: async () => {
      await worker.terminate()
    },
  }
}

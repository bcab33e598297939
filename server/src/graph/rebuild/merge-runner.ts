/** Runs merges on a thread of their own, so that writes and reads go on meanwhile. */
import { Worker } from 'node:worker_threads'
import type { MergedAdjacency, MergeJob } from './merge.ts'

export interface MergeRunner {
  merge(job: MergeJob): Promise<MergedAdjacency>
  close(): Promise<void>
}

/** One worker for one rebuild: it starts in some 20 ms and takes its memory with it. */
export function workerMergeRunner(): MergeRunner {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./merge-worker.${extension}`, import.meta.url))
  worker.unref()
  return {
    merge: (job) =>
      new Promise((resolve, reject) => {
        worker.once('error', reject)
        worker.once('message', (merged: MergedAdjacency) => {
          worker.off('error', reject)
          resolve(merged)
        })
        worker.postMessage(job)
      }),
    close: async () => {
      await worker.terminate()
    },
  }
}

/** The rebuild's worker thread: one job per message, results in shared memory. */
import { parentPort } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { assert } from '#kernel/assert.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import { compactVertices } from './compact-vertices.ts'
import { mergeAdjacency } from './merge.ts'
import type { WorkerJob, WorkerResult } from './merge-runner.ts'

assert(parentPort !== null, 'the merge worker runs as a worker thread')
const port = parentPort

port.on('message', (job: WorkerJob) => port.postMessage(packViews(resultOf(unpackViews(job)))))
// Thrown, so that the thread ends and its job fails.
port.on('messageerror', (error) => {
  throw error
})

function resultOf({ kind, job }: WorkerJob): WorkerResult {
  return kind === 'merge' ? mergeAdjacency(job) : compactVertices(job)
}

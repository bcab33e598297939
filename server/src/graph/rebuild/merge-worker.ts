/** The rebuild's worker thread: one job per message, results in shared memory. */
import { parentPort } from 'node:worker_threads'
import { compactVertices } from './compact-vertices.ts'
import { mergeAdjacency } from './merge.ts'
import type { WorkerJob } from './merge-runner.ts'

parentPort!.on('message', (job: WorkerJob) => {
  parentPort!.postMessage(job.kind === 'merge' ? mergeAdjacency(job.job) : compactVertices(job.job))
})

/** The rebuild's worker thread: one merge per message, results in shared memory. */
import { parentPort } from 'node:worker_threads'
import { type MergeJob, mergeAdjacency } from './merge.ts'

parentPort!.on('message', (job: MergeJob) => {
  parentPort!.postMessage(mergeAdjacency(job))
})

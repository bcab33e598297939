/** Runs a transfer job on a thread of its own, which takes its memory with it. */
import { Worker } from 'node:worker_threads'
import { DbError, isDbError } from '#kernel/errors.ts'
import { YOUNG_HEAP_MB_MAX } from '#kernel/limits.ts'
import type { TransferAnswer, TransferJob } from './transfer-job.ts'

/** Objects of the thread: pieces of text in flight; data lies outside. */
const HEAP_SIZE_MB_MAX = 256

/**
 * @param signal ends the thread, whatever it does
 * @throws DbError DISK_FULL, INVALID_PARAMETER for files that cannot be used, UNAVAILABLE when ended
 */
export async function runTransfer(
  job: TransferJob,
  signal: AbortSignal,
): Promise<Exclude<TransferAnswer, { kind: 'failed' }>> {
  throwIfEnded(signal)
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./transfer-worker.${extension}`, import.meta.url), {
    workerData: job,
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_SIZE_MB_MAX,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX,
    },
  })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  try {
    const answer = await new Promise<TransferAnswer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => {
        reject(new DbError('UNAVAILABLE', 'The transfer was ended before it was done.'))
      })
    })
    if (answer.kind === 'failed') throw failure(answer)
    return answer
  } catch (error) {
    throwIfEnded(signal)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await worker.terminate()
  }
}

/** @throws DbError the signal's own, or UNAVAILABLE: whoever waited for it has gone */
export function throwIfEnded(signal: AbortSignal): void {
  if (!signal.aborted) return
  if (isDbError(signal.reason)) throw signal.reason
  throw new DbError('UNAVAILABLE', 'The transfer was ended: nobody waits for it any more.')
}

function failure({ message, systemCode }: Extract<TransferAnswer, { kind: 'failed' }>): Error {
  if (systemCode === 'ENOSPC' || systemCode === 'EDQUOT') {
    return new DbError('DISK_FULL', 'There is no space left for the files of the export.')
  }
  if (systemCode === null) return new Error(message)
  return new DbError('INVALID_PARAMETER', `A file of the transfer cannot be used: ${message}`)
}

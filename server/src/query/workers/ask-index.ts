/**
 * How a run asks an index of vectors, which the main thread knows, for candidates: the run's thread
 * sleeps until the answer is there, and looks now and then whether the run is to stop.
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { VectorCandidates } from '#graph/vectors/vector-indexes.ts'
import type { AskIndex } from '#query/runtime/graph/vector-search.ts'
import type { NearestRequest } from './protocol.ts'

const LOOK_MS = 20

export function indexAsker(post: (request: NearestRequest) => void): AskIndex {
  return (ask, look) => {
    const { port1: own, port2: port } = new MessageChannel()
    const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    post({ kind: 'nearest', ask, signal: signal.buffer, port })
    try {
      while (Atomics.wait(signal, 0, 0, LOOK_MS) === 'timed-out') look()
      const received = receiveMessageOnPort(own)
      return (received?.message as VectorCandidates | null | undefined) ?? null
    } finally {
      own.close()
    }
  }
}

/** Answers a run, whatever becomes of the search. */
export async function answerNearest(
  { signal, port }: NearestRequest,
  search: Promise<VectorCandidates | null>,
): Promise<void> {
  const answer = await search.catch(() => null)
  port.postMessage(answer)
  const words = new Int32Array(signal)
  Atomics.store(words, 0, 1)
  Atomics.notify(words, 0)
}

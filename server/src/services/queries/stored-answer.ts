/** The answer of a detached run, as small as it can be: there may be 10,000 of them for an hour. */
import type { RunAnswer } from './run-call.ts'
import type { RunTiming } from './run-timing.ts'

/**
 * Up to this size an answer is copied out of the memory of its thread. An array that threads share
 * costs some 300 bytes beside its content, and counts as 64 KiB of the memory of queries.
 */
export const COPIED_ANSWER_SIZE_BYTES_MAX = 64 * 1024

export class StoredAnswer implements RunAnswer {
  readonly graph: string
  readonly query: string
  readonly message: string
  readonly timing: RunTiming
  readonly sizeBytes: number
  /** A text has one character for each byte: it needs no memory outside of the heap. */
  readonly #content: Uint8Array | string
  readonly #release: (() => void) | null

  constructor(answer: RunAnswer) {
    const { json } = answer
    this.graph = answer.graph
    this.query = answer.query
    this.message = answer.message
    this.timing = answer.timing
    this.sizeBytes = json.byteLength
    const isCopied = this.sizeBytes <= COPIED_ANSWER_SIZE_BYTES_MAX
    this.#content = isCopied ? asBuffer(json).toString('latin1') : json
    this.#release = isCopied ? null : answer.release
    if (isCopied) answer.release()
  }

  get json(): Uint8Array {
    return typeof this.#content === 'string' ? Buffer.from(this.#content, 'latin1') : this.#content
  }

  release(): void {
    this.#release?.()
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Bytes of answers that were made and not sent yet. There is one count, as there is one process. */
import { ANSWERS_SIZE_BYTES_MAX } from './limits.ts'

export class AnswerMemory {
  readonly #limitBytes: number
  #heldBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Whether reads with large answers have to wait for clients to take theirs. */
  get isFull(): boolean {
    return this.#heldBytes >= this.#limitBytes
  }

  /** @returns the function that gives the bytes back; a second call does nothing */
  hold(bytes: number): () => void {
    let held = bytes
    this.#heldBytes += bytes
    return () => {
      this.#heldBytes -= held
      held = 0
    }
  }
}

export const answerMemory = new AnswerMemory(ANSWERS_SIZE_BYTES_MAX)

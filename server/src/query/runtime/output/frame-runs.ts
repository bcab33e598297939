/**
 * Entries of a mutation frame that a run writes one by one: equal neighbours share a run of the frame, and
 * the bytes of the frame count as memory of the query.
 */
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import type { MemoryBudget } from '../cells/memory.ts'

export class FrameRuns {
  readonly #memory: MemoryBudget
  #writer: FrameWriter | null = null
  /** What the open run of the frame holds. */
  #run = ''
  #countedBytes = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /** Null: there are no entries. */
  get writer(): FrameWriter | null {
    return this.#writer
  }

  /**
   * Where the next entry is written.
   * @param run names what the run holds
   * @param begin begins such a run
   */
  open(run: string, begin: (writer: FrameWriter) => void): FrameWriter {
    this.#writer ??= new FrameWriter(0)
    if (this.#run !== run) begin(this.#writer)
    this.#run = run
    return this.#writer
  }

  /** @throws DbError QUERY_MEMORY_LIMIT */
  end(writer: FrameWriter): void {
    writer.endEntry()
    const grown = writer.bytes.length - this.#countedBytes
    if (grown === 0) return
    this.#memory.take(grown)
    this.#countedBytes += grown
  }
}

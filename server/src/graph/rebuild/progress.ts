/**
 * How far a rebuild is, in bytes: what is merged and what is written, each table counted with what it
 * takes in memory. A merge tells nothing until it is done; a table that is written, with each array.
 */
import type { Capture } from './capture.ts'

export type RebuildStep = 'preparing' | 'merging' | 'writing'

export interface RebuildProgress {
  /** Epoch milliseconds. */
  readonly startedMs: number
  readonly step: RebuildStep
  /** From 0 to 1; never falls, except that a rebuild begins anew when the schema changes under it. */
  readonly share: number
}

interface Sized {
  readonly sizeBytes: number
}

export class RebuildMeter {
  readonly #startedMs: number
  readonly #sizes = new Map<Sized, number>()
  #step: RebuildStep = 'preparing'
  #totalBytes = 0
  #doneBytes = 0
  #partBytes = 0
  #partDoneBytes = 0

  constructor(startedMs: number) {
    this.#startedMs = startedMs
  }

  /** @param isWritten whether segments will be written */
  plan({ vertices, edges }: Capture, isWritten: boolean): void {
    const all = [
      ...vertices.map(({ table: part, ...rest }) => ({ part, ...rest })),
      ...edges.map(({ adjacency: part, ...rest }) => ({ part, ...rest })),
    ]
    const merged = all.filter(({ catchUp }) => catchUp !== null)
    // What is as the segments on disk have it stays there.
    const written = all.filter(({ catchUp, wasModified }) => catchUp !== null || wasModified)
    const parts: Sized[] = [...merged, ...(isWritten ? written : [])].map(({ part }) => part)
    for (const part of parts) this.#sizes.set(part, part.sizeBytes)
    this.#totalBytes = parts.reduce((sum, part) => sum + this.#sizeOf(part), 0)
  }

  /** The part before is done, this one begins. */
  begin(step: RebuildStep, part: Sized): void {
    this.#doneBytes += this.#partBytes
    this.#step = step
    this.#partBytes = this.#sizeOf(part)
    this.#partDoneBytes = 0
  }

  advance(bytes: number): void {
    this.#partDoneBytes = Math.min(this.#partBytes, this.#partDoneBytes + bytes)
  }

  progress(): RebuildProgress {
    const doneBytes = this.#doneBytes + this.#partDoneBytes
    const share = this.#totalBytes === 0 ? 0 : Math.min(1, doneBytes / this.#totalBytes)
    return { startedMs: this.#startedMs, step: this.#step, share }
  }

  /** As it was when the rebuild was planned: tables grow meanwhile, and are replaced. */
  #sizeOf(part: Sized): number {
    return this.#sizes.get(part) ?? 0
  }
}

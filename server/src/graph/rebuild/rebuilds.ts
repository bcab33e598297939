/** Rebuilds one after the other, and starts one by itself when the log or a delta has grown. */

import { isRebuildDue, rebuildLogBytes } from './due.ts'
import { Rebuild, type RebuildHost } from './rebuild.ts'
import type { RebuildOptions, RebuildReport } from './report.ts'
import type { SegmentDescription } from './segment-format.ts'

export class Rebuilds {
  readonly #host: RebuildHost
  /** What the segments on disk are; null before the first checkpoint. */
  #segments: SegmentDescription | null
  #chain: Promise<unknown> = Promise.resolve()
  #isRunning = false
  /** Bytes of the log that no segment contains yet, and how many start a rebuild. */
  #logBytes = 0
  #logBytesMax = 0

  constructor(host: RebuildHost, segments: SegmentDescription | null) {
    this.#host = host
    this.#segments = segments
    this.#measureLog()
  }

  run(options: RebuildOptions): Promise<RebuildReport> {
    const done = this.#chain.then(() => this.#runNow(options))
    this.#chain = done.catch(() => {})
    return done
  }

  async runIfDue(): Promise<RebuildReport | null> {
    return this.#isRunning || !isRebuildDue(this.#host.tables) ? null : this.run({})
  }

  /** The log got longer; it may not grow so long that replaying it takes long. */
  logGrew(bytes: number): void {
    this.#logBytes += bytes
    if (this.#isRunning || this.#logBytes < this.#logBytesMax) return
    this.#logBytesMax = this.#logBytes * 1.25
    this.run({}).catch(() => {})
  }

  /** Resolves when no rebuild runs or waits. */
  async settled(): Promise<void> {
    await this.#chain
  }

  async #runNow(options: RebuildOptions): Promise<RebuildReport> {
    this.#isRunning = true
    try {
      const { report, description } = await new Rebuild(this.#host, options, this.#segments).run()
      if (description !== null) {
        this.#segments = description
        this.#measureLog()
      }
      return report
    } finally {
      this.#isRunning = false
    }
  }

  #measureLog(): void {
    const { logSizeBytes, segmentSizeBytes } = this.#host.store.statistics()
    this.#logBytes = logSizeBytes
    this.#logBytesMax = rebuildLogBytes(segmentSizeBytes)
  }
}

/**
 * A thread that reads single vertices at a steady pace over connections of its own, so that the
 * latencies do not contain the work of the clients in the driver's thread.
 */
import { Worker } from 'node:worker_threads'
import type { LatencyFigures } from './latencies.ts'

export interface ProbeFigures extends LatencyFigures {
  readonly wrong: readonly string[]
}

export interface ProbeSettings {
  readonly port: number
  readonly authorization: string
}

export class Prober {
  readonly #worker: Worker

  constructor(settings: ProbeSettings) {
    this.#worker = new Worker(new URL('prober-worker.ts', import.meta.url), {
      workerData: settings,
    })
  }

  /** Ends the thread. */
  async figures(): Promise<ProbeFigures> {
    const answer = new Promise<ProbeFigures>((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
    })
    this.#worker.postMessage('end')
    const figures = await answer
    await this.#worker.terminate()
    return figures
  }
}

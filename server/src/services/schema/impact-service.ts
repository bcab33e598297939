/** What a schema change would do to the graph as it is now, and the script that makes it. */
import type { SchemaChange } from '#catalog/schema-change.ts'
import { type Losses, lossesOf } from '#graph/conversions.ts'
import type { GraphEngine } from '#graph/engine.ts'
import type { Clock } from '#kernel/clock.ts'
import { APPLY_SLICE_MS_MAX } from '#kernel/limits.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import { changeScript } from '../describe/change-script.ts'
import type { JobStore } from '../jobs/job-store.ts'
import { elementCounts } from './element-counts.ts'
import { schemaImpact } from './impact.ts'
import type { Impact, ImpactSource } from './impact-parts.ts'
import type { QueryUsers } from './schema-users.ts'

export interface ImpactServiceOptions {
  readonly engine: GraphEngine
  readonly queries: QueryUsers
  readonly jobs: JobStore
  readonly clock: Clock
  readonly scheduler: Scheduler
}

export class ImpactService {
  readonly #options: ImpactServiceOptions

  constructor(options: ImpactServiceOptions) {
    this.#options = options
  }

  /**
   * @param tellsValues the caller may read the data
   * @throws DbError GRAPH_NOT_FOUND
   */
  async of(
    graph: string | null,
    change: SchemaChange,
    tellsValues: boolean,
  ): Promise<Impact & { readonly gsql: string }> {
    const { engine, queries, jobs } = this.#options
    const { view, release } = engine.pin()
    try {
      const counts = elementCounts(view)
      const lossesAt: ImpactSource['lossesOf'] = (place, to) =>
        this.#inSlices(lossesOf(view, place, to))
      const { catalog } = engine
      const about = { catalog, graph, counts, queries, jobs }
      const source = { ...about, tellsValues, lossesOf: lossesAt }
      const impact = await schemaImpact(source, change)
      const isTaken = (of: string | null, name: string) => jobs.find(of, name) !== undefined
      return { ...impact, gsql: changeScript(graph, change, isTaken) }
    } finally {
      release()
    }
  }

  async #inSlices(pieces: Generator<undefined, Losses>): Promise<Losses> {
    const { clock, scheduler } = this.#options
    let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    for (;;) {
      const { done, value } = pieces.next()
      if (done === true) return value
      if (clock.monotonicMs() < sliceEnd) continue
      await scheduler.yieldToOthers()
      sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    }
  }
}

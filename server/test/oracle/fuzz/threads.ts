/** Runs on a pool of two workers, every divided loop begun by the one that helps. */
import type { GraphEngine } from '#graph/engine.ts'
import { packPlan } from '#query/workers/plan.ts'
import { QueryPool } from '#query/workers/pool.ts'
import { realClock } from '../../fixtures/engine.ts'
import type { Mode } from './fuzzing.ts'
import { GRAPH_NAME } from './graph-spec.ts'
import { failureOf, limits } from './pair.ts'

const TIMEOUT_MS = 60_000

export interface Threads {
  mode(every: number): Mode
  close(): Promise<void>
}

export async function startThreads(): Promise<Threads> {
  let current: GraphEngine | null = null
  const pool = await QueryPool.start({
    workerCount: 2,
    parallelFrom: 0,
    segmentItems: 2,
    helpersFirst: true,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: (onRevoke) => current!.pin(onRevoke),
  })
  const runner: Mode['runner'] =
    (engine) =>
    async ({ plan, arguments: given }) => {
      current = engine()
      try {
        const { result } = pool.run({
          plan: packPlan(plan),
          graph: GRAPH_NAME,
          url: '/oracle',
          timeoutMs: TIMEOUT_MS,
          timeoutCode: 'REST-3000',
          options: { ...limits, arguments: given },
        })
        const done = await result
        const results = Buffer.from(done.bytes).toString()
        done.release()
        return { kind: 'answer', results }
      } catch (error) {
        return failureOf(error)
      }
    }
  return {
    mode: (every) => ({ name: 'on two threads', every, runner }),
    close: () => pool.close(),
  }
}

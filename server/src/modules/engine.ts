/** Opens the graph engine and the indexes of vectors over it. */
import { GraphEngine } from '#graph/engine.ts'
import type { ReloadEvent } from '#graph/engine-options.ts'
import { VectorIndexes } from '#graph/vectors/vector-indexes.ts'
import { isDbError } from '#kernel/errors.ts'
import type { ServerOptions } from './server-options.ts'

/**
 * Begins to open the engine. Threads read a shared store, and what needs no graph can be opened meanwhile; a store
 * of this server alone is found sound before anything else is done with it.
 */
export async function beginEngine(
  options: ServerOptions,
  forgetViews: () => void,
): Promise<{ readonly engine: Promise<GraphEngine> }> {
  const engine = openEngine(options, forgetViews)
  // Who awaits it hears of its failure; nobody does if something else fails before.
  if (options.shared == null) await engine
  else engine.catch(() => undefined)
  return { engine }
}

/** @param forgetViews query workers let go of superseded arrays before they are collected */
export function openEngine(
  { logger, collectGarbage, ...options }: ServerOptions,
  forgetViews: () => void,
): Promise<GraphEngine> {
  const onRebuildFailure = (error: unknown) => logRebuildFailure(logger, error)
  const collect = () => {
    forgetViews()
    collectGarbage?.()
  }
  const onReload = (event: ReloadEvent) => logReload(logger, event)
  return GraphEngine.open({ ...options, onRebuildFailure, onReload, collectGarbage: collect })
}

/** What ended by itself or by another's change begins again with the next look whether one is due. */
export function logRebuildFailure(logger: ServerOptions['logger'], error: unknown): void {
  if (isDbError(error, 'UNAVAILABLE')) logger.info({ reason: error.message }, 'rebuild put off')
  else logger.error({ err: error }, 'rebuild failed')
}

function logReload(logger: ServerOptions['logger'], event: ReloadEvent): void {
  if (event.kind === 'begun') {
    logger.error({ err: event.cause }, 'a log entry was not applied: reading the graph again')
  } else if (event.kind === 'attempt-failed') {
    logger.error({ err: event.cause }, 'the graph could not be read again')
  } else logger.info({ sequence: event.sequence }, 'the graph was read again')
}

/** The first look comes with the first turn of the timer, or when somebody asks for the status. */
export function makeVectorIndexes(engine: GraphEngine, options: ServerOptions): VectorIndexes {
  const { clock, scheduler, timers, logger, vectorIndexFromNumbers: fromNumbers } = options
  return new VectorIndexes({
    graph: engine,
    scheduler,
    nowMs: () => clock.monotonicMs(),
    after: (ms, call) => timers.after(ms, call),
    onTrouble: (text) => logger.warn(text),
    ...(fromNumbers !== undefined && { fromNumbers }),
  })
}

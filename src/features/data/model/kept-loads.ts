/**
 * The load of each graph, kept beside the page: who goes elsewhere and comes back finds it going on,
 * or its report. One per graph, until its file is put away.
 */
import type { Loader, LoadProgress } from './loader.ts'
import type { RejectedSource } from './rejected-rows.ts'

export interface KeptLoad {
  readonly file: File
  /** How its rows are read, also those that are tried again. */
  readonly source: RejectedSource
  readonly loader: Pick<Loader, 'pause' | 'resume' | 'stop'>
  readonly progress: LoadProgress
  /** `Type:id` of the first that were accepted. */
  readonly written: readonly string[]
  /** Milliseconds on the way before `since`, without pauses. */
  readonly beforeMs: number
  /** When it went on; null while it does not. */
  readonly since: number | null
  /** Until when its time is counted, while it does not go on. */
  readonly heldAt: number | null
}

export class KeptLoads {
  readonly #loads = new Map<string, KeptLoad>()
  readonly #listeners = new Set<() => void>()

  of(graph: string): KeptLoad | undefined {
    return this.#loads.get(graph)
  }

  get isRunning(): boolean {
    return [...this.#loads.values()].some(({ progress }) => isGoingOn(progress))
  }

  put(graph: string, load: KeptLoad): void {
    this.#loads.set(graph, load)
    this.#tell()
  }

  /** What a loader tells, unless another has taken its place. */
  note(graph: string, loader: KeptLoad['loader'], progress: LoadProgress, now: number): void {
    const load = this.#loads.get(graph)
    if (load === undefined || load.loader !== loader) return
    this.put(graph, { ...load, ...clockOf(load, progress, now), progress })
  }

  /** Ends it, too. */
  drop(graph: string): void {
    const load = this.#loads.get(graph)
    this.#loads.delete(graph)
    load?.loader.stop()
    this.#tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** What was on its way when it was paused still takes its time. */
function clockOf(load: KeptLoad, progress: LoadProgress, now: number) {
  const { beforeMs, since, heldAt } = load
  if (progress.state === 'running') return { beforeMs, since: since ?? now, heldAt: null }
  if (heldAt === null) return { beforeMs: elapsedOf(load, now), since: null, heldAt: now }
  if (progress.rowsSent === load.progress.rowsSent) return { beforeMs, since, heldAt }
  return { beforeMs: beforeMs + now - heldAt, since, heldAt: now }
}

export const keptLoads = new KeptLoads()

export const isGoingOn = ({ state }: LoadProgress): boolean =>
  state === 'running' || state === 'paused'

export const elapsedOf = (
  { beforeMs, since }: Pick<KeptLoad, 'beforeMs' | 'since'>,
  now: number,
): number => beforeMs + (since === null ? 0 : now - since)

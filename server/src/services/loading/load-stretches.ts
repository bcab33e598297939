/**
 * Takes a run of a loading job through its stretches: it waits for a place, goes on on a thread until it
 * has ended or is stopped, gives the place up, and begins again where it was when it may.
 */
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { LOAD_RUN_SAVE_EVERY_MS } from '#kernel/limits.ts'
import type { LoadingJobSyntax } from '#query/syntax/script/ast-script.ts'
import type { RequestKey } from '../instances/request-key.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import type { Deleter } from './delete-targets.ts'
import { flagsOf } from './load-flags.ts'
import { placeOf, positionOf, sizeOf } from './load-inputs.ts'
import { type ErrorLimits, noErrorLimits } from './load-limits.ts'
import type { LinePosition, LoadBatch, LoadFile, LoadState } from './load-protocol.ts'
import { abortedError, type LoadRun } from './load-run.ts'
import type { LoadRuns } from './load-runs.ts'
import type { LoadHost, LoadThreads, NewTask } from './load-threads.ts'

export interface LoadStretchesOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly upserts: UpsertService
  readonly deleter: Deleter
  readonly threads: LoadThreads
  readonly clock: Clock
}

/** All that a run needs, found before it begins. */
export interface PreparedLoad {
  readonly job: LoadingJobSyntax
  /** In the order in which they are read. */
  readonly files: readonly LoadFile[]
  /** Instead of what the job says. */
  readonly separator: string | undefined
  readonly eol: string | undefined
  /** The job fills no temporary tables: a stretch goes on where the one before stopped. */
  readonly isDivisible: boolean
}

export interface LoadWish {
  readonly isDryRun: boolean
  readonly lines?: { readonly from: number; readonly to: number } | null
  readonly errorLimits?: ErrorLimits
}

export class LoadStretches {
  readonly #options: LoadStretchesOptions
  readonly #runs: LoadRuns

  constructor(options: LoadStretchesOptions, runs: LoadRuns) {
    this.#options = options
    this.#runs = runs
  }

  /** @throws what the run failed of */
  async run(run: LoadRun, load: PreparedLoad, wish: LoadWish): Promise<void> {
    let isDone = false
    while (!isDone) {
      await this.#runs.begin(run)
      if (run.signal.aborted) {
        this.#runs.end(run)
        throw abortedError()
      }
      // It was paused while it waited.
      if (run.paused !== null) await run.paused
      else isDone = await this.#stretch(run, load, wish)
    }
  }

  /** @returns whether the run is done; else it was stopped and goes on later */
  async #stretch(run: LoadRun, load: PreparedLoad, wish: LoadWish): Promise<boolean> {
    try {
      const from = load.isDivisible ? positionOf(load.files, run.place) : null
      const state = { current: nothingDone }
      const host = this.#host(run, load, state)
      const stretch = this.#options.threads.run(this.#task(run, load, { from, wish }), host)
      const before = sizeOf(load.files.slice(0, from?.input ?? 0))
      const progress = {
        reports: () => state.current.reports,
        get errors() {
          return state.current.errors
        },
        readBytes: () => before + state.current.readBytes,
        skipMs: () => state.current.skipMs,
      }
      run.begin(progress, sizeOf(load.files), stretch)
      const { place } = await stretch.end
      if (place === null) return true
      await this.#reached(run, load, place)
      if (run.signal.aborted) throw abortedError()
      run.suspend(load.isDivisible)
      return false
    } finally {
      run.left()
      this.#runs.end(run)
    }
  }

  #task(
    run: LoadRun,
    load: PreparedLoad,
    { from, wish }: { readonly from: LinePosition | null; readonly wish: LoadWish },
  ): NewTask {
    const { lines = null, isDryRun, errorLimits = noErrorLimits } = wish
    return {
      ...load,
      catalog: this.#options.catalogue.catalog,
      graph: run.graph,
      lines,
      isDryRun,
      errorLimits,
      earlier: from === null ? [] : run.reports,
      from,
      applied: run.applied,
      nowMs: this.#options.clock.nowMs(),
      markEveryMs: run.isStored ? LOAD_RUN_SAVE_EVERY_MS : null,
    }
  }

  #host(run: LoadRun, load: PreparedLoad, state: { current: LoadState }): LoadHost {
    return {
      write: (batch) => this.#write(run, batch),
      progressed: (current) => {
        state.current = current
      },
      reached: (place) => this.#reached(run, load, place),
    }
  }

  /** Everything up to the place is in the graph, and what it came to is known. */
  async #reached(run: LoadRun, load: PreparedLoad, place: LinePosition): Promise<void> {
    run.commit(placeOf(load.files, place))
    await this.#runs.save(run)
  }

  async #write(run: LoadRun, batch: LoadBatch): Promise<void> {
    const { upserts, deleter } = this.#options
    const { statement, position, payload, made, deletions } = batch
    const { graph } = run
    const isNoted = run.isStored
    const noted = { run: run.id, statement, ...position }
    // They share their syncs; what one deletes is no matter of another.
    await Promise.all(
      deletions.map((one) =>
        one.kind === 'vertex'
          ? deleter.vertex(graph, one.type, one.id)
          : deleter.edges(graph, one.path),
      ),
    )
    let createdEnds = run.applied.get(statement)?.createdEnds ?? 0
    if (payload !== null) {
      const answer = await upserts.upsert(graph, payload, {
        ...flagsOf(batch),
        ...(made !== null && { made }),
        ...(isNoted && { position: noted }),
        key: batchKey(run, batch),
      })
      createdEnds += answer.createdEnds
      giveBack(batch)
    }
    // Deleting once more what is gone changes nothing: they need no commit together.
    if (isNoted && deletions.length > 0) await upserts.notePosition(noted)
    run.applied.set(statement, { ...position, createdEnds })
  }
}

/**
 * Ends the memory that the thread of the run has handed over: as garbage it would be counted until a whole
 * collection, and some long objects are enough to force one.
 */
function giveBack({ payload, made }: LoadBatch): void {
  for (const bytes of [payload, ...(made?.payload.frames ?? [])]) {
    if (bytes?.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  }
}

/** The same data is divided into the same batches. */
function batchKey({ key }: LoadRun, { statement, position }: LoadBatch): RequestKey | undefined {
  return key && { ...key, key: JSON.stringify([key.key, statement, position]) }
}

const nothingDone: LoadState = {
  reports: [],
  errors: { count: 0, kept: [] },
  readBytes: 0,
  skipMs: 0,
}

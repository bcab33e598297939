/**
 * The runs of loading jobs as documents: a server that is started again, or that becomes the writer,
 * knows what ran, and how much of a run that was interrupted is in the graph.
 */
import type { Collection, Documents } from '#storage/documents.ts'
import type { LoadError } from './load-errors.ts'
import type { ErrorLimits } from './load-limits.ts'
import { newLineCounts, type SourceReport } from './load-report.ts'
import type { LoadState } from './load-run.ts'

/** The line of a source up to which, inclusive, everything is in the graph. */
export interface LoadPlace {
  readonly source: string
  readonly fileName: string
  /** Counted from 1, a header too. */
  readonly line: number
}

/** What a run needs to go on after a restart. */
export interface StoredRequest {
  readonly files: readonly (readonly [variable: string, path: string | null])[]
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  readonly dataRoot: string | null
  readonly errorLimits: ErrorLimits | null
  /** Who runs it needs READ_FILE: the request, not the job, says where files are. */
  readonly choosesFiles: boolean
  /** SHA-256 of the job's text: lines are counted by it; absent in records of earlier versions. */
  readonly jobSum?: string
  /** Of the names and sizes of its files. */
  readonly filesSum?: string
}

export interface StoredLoadRun {
  readonly id: string
  readonly graph: string
  readonly job: string
  /** Whose run it is; absent in records of earlier versions. */
  readonly user?: string | null
  readonly startMs: number
  /** Null: the server ended first. */
  readonly endMs: number | null
  /** When this was written. */
  readonly savedMs: number
  readonly state: LoadState
  readonly sizeBytes: number
  readonly readBytes: number
  /** What is in the graph, source by source. */
  readonly reports: readonly SourceReport[]
  readonly errors: { readonly count: number; readonly kept: readonly LoadError[] }
  /** Vertices that edges have made as their ends; absent in records of earlier versions. */
  readonly createdEnds?: number
  readonly failure: string | null
  readonly request: StoredRequest
  /** Null: nothing yet. */
  readonly place: LoadPlace | null
}

/** @param stored null: it was deleted */
type TakeRun = (id: string, stored: StoredLoadRun | null) => void

const COLLECTION = 'loading-runs'

export class LoadRunStore {
  readonly #documents: Collection
  #onTaken: TakeRun = () => undefined
  /** When it was opened; oldest first. */
  readonly stored: readonly StoredLoadRun[] = []
  readonly asWriter: Documents['asWriter']

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (id, bytes) =>
      this.#onTaken(id, bytes && storedRun(bytes)),
    )
    this.asWriter = (step) => documents.asWriter(step)
  }

  static async open(documents: Documents): Promise<LoadRunStore> {
    const store = new LoadRunStore(documents)
    const found = await store.#documents.list()
    const runs = found.map(({ bytes }) => storedRun(bytes))
    return Object.assign(store, {
      stored: runs.toSorted((one, other) => one.startMs - other.startMs),
    })
  }

  /** @param call told of each run that another instance has written */
  watch(call: TakeRun): void {
    this.#onTaken = call
  }

  async put(run: StoredLoadRun): Promise<void> {
    await this.#documents.put(run.id, Buffer.from(JSON.stringify(run)))
  }

  async delete(id: string): Promise<void> {
    await this.#documents.delete(id)
  }
}

/** What earlier versions did not count. */
const none = { statements: [], defaulted: [] }

function storedRun(bytes: Uint8Array): StoredLoadRun {
  const run = JSON.parse(Buffer.from(bytes).toString()) as StoredLoadRun
  return {
    ...run,
    reports: run.reports.map((report) => ({ ...newLineCounts(), ...none, ...report })),
  }
}

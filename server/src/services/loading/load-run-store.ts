/**
 * The runs of loading jobs as documents: a server that is started again knows what ran, and how much
 * of a run that it interrupted is in the graph.
 */
import type { DocumentStore } from '../auth/user-store.ts'
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

const COLLECTION = 'loading-runs'

export class LoadRunStore {
  readonly #documents: DocumentStore
  /** Oldest first. */
  readonly stored: readonly StoredLoadRun[]

  private constructor(documents: DocumentStore, stored: readonly StoredLoadRun[]) {
    this.#documents = documents
    this.stored = stored
  }

  static async open(documents: DocumentStore): Promise<LoadRunStore> {
    const found = await documents.listDocuments(COLLECTION)
    const runs = found.map(({ bytes }) => storedRun(Buffer.from(bytes).toString()))
    return new LoadRunStore(
      documents,
      runs.toSorted((one, other) => one.startMs - other.startMs),
    )
  }

  async put(run: StoredLoadRun): Promise<void> {
    await this.#documents.putDocument(COLLECTION, run.id, Buffer.from(JSON.stringify(run)))
  }

  async delete(id: string): Promise<void> {
    await this.#documents.deleteDocument(COLLECTION, id)
  }
}

/** What earlier versions did not count. */
const none = { statements: [], defaulted: [] }

function storedRun(text: string): StoredLoadRun {
  const run = JSON.parse(text) as StoredLoadRun
  return {
    ...run,
    reports: run.reports.map((report) => ({ ...newLineCounts(), ...none, ...report })),
  }
}

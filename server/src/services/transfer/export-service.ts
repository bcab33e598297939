/** Exports: the whole database for an import, or a graph as CSV, JSON or Parquet for other programs. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { requireGraph } from '#catalog/lookup.ts'
import type { GraphView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { Turns } from '../auth/turns.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { StoredQueries } from '../queries/stored-query.ts'
import type { ReadEngine } from '../read/read-scope.ts'
import { type ElementFile, type ExportFormat, elementFiles } from './element-files.ts'
import {
  EXPORT_FORMAT,
  type ExportManifest,
  MANIFEST_FILE,
  type TemplateDocument,
} from './export-manifest.ts'
import { graphArPlan } from './graphar/plan.ts'
import type { Part } from './graphar/write-graphar.ts'
import { LOADING_JOB_FILE, loadingJob } from './loading-job.ts'
import { schemaDocument } from './schema-document.ts'
import type { NewDirectory, TransferDirectory } from './transfer-directory.ts'
import type { FileSum, TransferJob, WrittenElements } from './transfer-job.ts'
import { runTransfer } from './transfer-thread.ts'
import { requireExportPassword, type UserStores, writeUsers } from './user-document.ts'

export interface ExportOptions {
  readonly engine: ReadEngine
  readonly queries: StoredQueries
  readonly jobs: JobStore
  readonly sources: DataSources
  readonly users: UserStores
  readonly directory: TransferDirectory
  readonly clock: Clock
  /** As the manifest names who made it. */
  readonly product: string
}

export interface DatabaseExport {
  readonly path: string
  /** Null: all graphs, and what no graph has. */
  readonly graphs: readonly string[] | null
  readonly schema: boolean
  /** Queries and jobs. */
  readonly template: boolean
  readonly data: boolean
  readonly users: boolean
  /** Encrypts users, who do not go without one. */
  readonly password: string | null
}

/** Of exports of one graph for other programs. */
export const graphFormats = ['csv', 'json', 'graphar'] as const

export interface GraphExport {
  readonly path: string
  readonly format: (typeof graphFormats)[number]
}

export interface ExportSummary {
  /** The directory, absolute. */
  readonly path: string
  readonly files: readonly SummedFile[]
}

export interface SummedFile extends WrittenElements {
  readonly kind: 'vertices' | 'edges'
  readonly type: string
  /** Of GraphAr alone, which cuts what one type has into several files. */
  readonly part?: Part
}

export class ExportService {
  readonly #options: ExportOptions
  readonly #turns = new Turns()

  constructor(options: ExportOptions) {
    this.#options = options
  }

  /**
   * One state of the graph: what is written meanwhile is not in it.
   * @throws DbError GRAPH_NOT_FOUND, INVALID_PARAMETER, DISK_FULL, UNAVAILABLE; nothing is left then
   */
  async exportDatabase(request: DatabaseExport, signal: AbortSignal): Promise<ExportSummary> {
    const { engine } = this.#options
    for (const graph of request.graphs ?? []) requireGraph(engine.catalog, graph)
    const password = request.users ? requireExportPassword(request.password) : null
    return await this.#into(request.path, async (directory) => {
      if (engine.earlyAnswered !== null) await engine.earlyAnswered
      // In one turn, so that schema and data are of one state.
      const { catalog } = engine
      const schema = schemaDocument(catalog, request.graphs)
      const names = schema.graphs.map(({ name }) => name)
      const files = request.data ? elementFiles(catalog, names, 'upsert') : []
      const written = this.#elements(directory.partial, files, 'upsert', signal)
      const template = this.#template(request.graphs)
      const elements = await written
      const put = (file: string, wanted: boolean, text: string) =>
        wanted ? putFile(directory.partial, file, text) : null
      const manifest: ExportManifest = {
        format: EXPORT_FORMAT,
        product: this.#options.product,
        madeAt: new Date(this.#options.clock.nowMs()).toISOString(),
        graphs: request.graphs === null ? null : [...request.graphs],
        schema: await put('schema.json', request.schema, JSON.stringify(schema, null, 1)),
        template: await put('template.json', request.template, JSON.stringify(template, null, 1)),
        users: password === null ? null : await this.#users(directory.partial, password),
        data: request.data ? elements.map(inManifest) : null,
      }
      await putFile(directory.partial, MANIFEST_FILE, `${JSON.stringify(manifest, null, 1)}\n`)
      return elements
    })
  }

  /**
   * One file per vertex type and per pair of an edge type, and the loading job that reads them; or chunks
   * and information files of them in the layout of Apache GraphAr (docs/formats/graphar.md).
   * @throws as `exportDatabase`
   */
  async exportGraph(
    graph: string,
    { path, format }: GraphExport,
    signal: AbortSignal,
  ): Promise<ExportSummary> {
    const { engine } = this.#options
    requireGraph(engine.catalog, graph)
    return await this.#into(path, async (directory) => {
      if (engine.earlyAnswered !== null) await engine.earlyAnswered
      if (format === 'graphar') return await this.#graphAr(directory.partial, graph, signal)
      const { catalog } = engine
      const files = elementFiles(catalog, [graph], format)
      const written = await this.#elements(directory.partial, files, format, signal)
      const folder = basename(directory.path)
      const job = loadingJob({ catalog, graph, files, format, folder })
      await putFile(directory.partial, LOADING_JOB_FILE, job)
      return written
    })
  }

  /** One at a time: each has a thread, and pins a version. */
  #into(
    path: string,
    fill: (directory: NewDirectory) => Promise<readonly SummedFile[]>,
  ): Promise<ExportSummary> {
    return this.#turns.run(() => this.#intoDirectory(path, fill))
  }

  async #intoDirectory(
    path: string,
    fill: (directory: NewDirectory) => Promise<readonly SummedFile[]>,
  ): Promise<ExportSummary> {
    const directory = await this.#options.directory.create(path)
    try {
      const files = await fill(directory)
      await directory.commit()
      const shown = files.map(({ file, kind, type, count, sizeBytes, sha256, part }) => ({
        file,
        kind,
        type,
        count,
        sizeBytes,
        sha256,
        ...(part === undefined ? {} : { part }),
      }))
      return { path: directory.path, files: shown }
    } catch (error) {
      await directory.discard()
      throw error
    }
  }

  async #elements(
    directory: string,
    files: readonly ElementFile[],
    format: ExportFormat,
    signal: AbortSignal,
  ): Promise<readonly ExportedFile[]> {
    const answer = await this.#written(
      (view) => ({ kind: 'write', view, directory, files, format }),
      signal,
    )
    if (answer.kind !== 'written') throw new Error('assertion failed: another job was answered')
    return answer.files.map((sum, index) => ({ ...files[index]!, ...sum }))
  }

  async #graphAr(
    directory: string,
    graph: string,
    signal: AbortSignal,
  ): Promise<readonly SummedFile[]> {
    const plan = graphArPlan(this.#options.engine.catalog, graph)
    const answer = await this.#written(
      (view) => ({ kind: 'writeGraphAr', view, directory, plan }),
      signal,
    )
    if (answer.kind !== 'writtenGraphAr') {
      throw new Error('assertion failed: another job was answered')
    }
    return answer.chunks.map(({ rows, ...chunk }) => ({ ...chunk, count: rows }))
  }

  /** Pins the present state before it waits for anything. */
  async #written(jobOf: (view: GraphView) => TransferJob, signal: AbortSignal) {
    const revoked = new AbortController()
    const pinned = this.#options.engine.pin(() => {
      const text = 'The export was given up: too many writes changed what it was reading.'
      revoked.abort(new DbError('UNAVAILABLE', text))
    })
    try {
      return await runTransfer(jobOf(pinned.view), AbortSignal.any([signal, revoked.signal]))
    } finally {
      pinned.release()
    }
  }

  #template(graphs: readonly string[] | null): TemplateDocument {
    const { engine, queries, jobs, sources } = this.#options
    const named = graphs ?? engine.catalog.graphs.map(({ name }) => name)
    // Queries and jobs of no graph go with the whole database.
    const homes = graphs === null ? ['', ...named] : named
    const owners = graphs === null ? [null, ...named] : named
    return {
      queries: homes.flatMap((graph) => queries.ofGraph(graph)).map((query) => copyOf(query)),
      jobs: owners.flatMap((graph) => jobs.of(graph)).map((job) => copyOf(job)),
      dataSources: owners.flatMap((graph) => sources.livingIn(graph)).map((one) => copyOf(one)),
    }
  }

  async #users(directory: string, password: string) {
    const text = await writeUsers(this.#options.users, password)
    return { ...(await putFile(directory, 'users.json', text)), isEncrypted: true }
  }
}

type ExportedFile = ElementFile & WrittenElements

function inManifest({ file, kind, graph, type, count, sizeBytes, sha256 }: ExportedFile) {
  return { file, kind, graph, type, count, sizeBytes, sha256 }
}

/** What is kept in memory is readonly; documents are plain JSON. */
function copyOf<T>(value: unknown): T {
  return structuredClone(value) as T
}

async function putFile(directory: string, file: string, text: string): Promise<FileSum> {
  const bytes = Buffer.from(text)
  await writeFile(join(directory, file), bytes, { mode: 0o600, flag: 'wx', flush: true })
  return { file, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

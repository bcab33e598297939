/** Loading jobs: create, run over files or given data, and what the last runs did. */
import { createHash } from 'node:crypto'
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { LoadingJobSyntax, LoadTarget } from '#query/syntax/script/ast-script.ts'
import { scriptCommands } from '#query/syntax/script/script.ts'
import { checkCommandSize } from '../jobs/command-size.ts'
import type { Job, JobStore } from '../jobs/job-store.ts'
import { syntaxError } from '../jobs/syntax-error.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import { type DataSources, folderOfSource } from './data-sources.ts'
import type { Deleter } from './delete-targets.ts'
import { Evaluator } from './evaluate.ts'
import { type FileAccess, type FoundFile, pathsOfList } from './file-access.ts'
import {
  choosesFiles,
  fillsTable,
  type GivenData,
  givenFile,
  loadRequestOf,
  namesFiles,
  pathsOf,
  placeIn,
  positionOf,
  sharedFile,
  sizeOf,
  sourceNamed,
  storedRequest,
  withDataRoot,
  withFormat,
} from './load-inputs.ts'
import type { ErrorLimits } from './load-limits.ts'
import { type PlannedLoad, planLoads } from './load-plan.ts'
import type { LoadFile } from './load-protocol.ts'
import type { LoadRun } from './load-run.ts'
import type { LoadRunStore } from './load-run-store.ts'
import { LoadRuns, type RunPositions } from './load-runs.ts'
import { LoadStretches, type PreparedLoad } from './load-stretches.ts'
import type { LoadThreads } from './load-threads.ts'

export interface LoadingServiceOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly jobs: JobStore
  readonly upserts: UpsertService
  readonly deleter: Deleter
  readonly files: FileAccess
  readonly sources: DataSources
  readonly runs: LoadRunStore
  readonly positions: RunPositions
  readonly threads: LoadThreads
  readonly clock: Clock
  /** Of this instance (load-runs.ts). */
  ordinal(): number
  /** Calls back once after so many milliseconds; returns what cancels that. */
  after(ms: number, call: () => void): () => void
  /** As `after`, again and again. */
  every(ms: number, call: () => void): () => void
  /** Told of a run that failed by a fault of the server. */
  onFailure(error: unknown): void
}

export interface LoadRequest {
  /** Paths by file variable; null takes the one of the definition. Empty: all that have one. */
  readonly files: ReadonlyMap<string, string | null>
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  /** What `$sys.data_root` in a path stands for; absent: itself. */
  readonly dataRoot?: string | undefined
  readonly errorLimits?: ErrorLimits
  /** Whose run it is; null: the server's own. */
  readonly user: string | null
  /** Ends the run; absent: it goes on, whoever waits for it. */
  readonly signal?: AbortSignal
  /**
   * Called when the request itself names a file, and not the job. Who runs a job needs READ_FILE
   * for that only. @throws DbError FORBIDDEN
   */
  requireReadFile(): void
}

/** How often runs are asked whether their turn is over. */
const TURN_EVERY_MS = 500

export class LoadingService {
  readonly #options: LoadingServiceOptions
  readonly #evaluator: Evaluator
  readonly runs: LoadRuns
  readonly #stretches: LoadStretches
  readonly #unwatch: () => void

  constructor(options: LoadingServiceOptions) {
    this.#options = options
    this.runs = new LoadRuns(options)
    this.#evaluator = new Evaluator(options.clock)
    this.#stretches = new LoadStretches(options, this.runs)
    this.#unwatch = options.every(TURN_EVERY_MS, () => this.runs.takeTurns())
  }

  /**
   * @param requireReadFile called when the job names files: whoever runs it later reads these
   * @throws DbError SCHEMA_RULE, NAME_TAKEN, FORBIDDEN and what the job names that is not there
   */
  async create(graph: string, job: LoadingJobSyntax, requireReadFile: () => void): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    if (namesFiles(job)) requireReadFile()
    this.#plan(graph, job)
    await this.#options.jobs.create({ name: job.name, graph, kind: 'loading', text: job.text })
  }

  /** As `create`; a job of the name goes first. */
  async replace(graph: string, job: LoadingJobSyntax, requireReadFile: () => void): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    if (namesFiles(job)) requireReadFile()
    this.#plan(graph, job)
    const isKnown = this.#options.jobs.find(graph, job.name) !== undefined
    if (isKnown) await this.#options.jobs.drop(graph, job.name)
    await this.create(graph, job, requireReadFile)
  }

  async drop(graph: string, name: string): Promise<void> {
    await this.#options.jobs.drop(graph, this.require(graph, name).name)
  }

  #plan(graph: string, job: LoadingJobSyntax): PlannedLoad[] {
    const { catalog } = this.#options.catalogue
    return planLoads({ catalog, graph, evaluator: this.#evaluator }, job)
  }

  /** One object whose values are constants. @throws DbError INVALID_PARAMETER when one does not fit */
  async upsert(graph: string, target: LoadTarget, user: string | null): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    const source = { kind: 'path', path: '' } as const
    const load = { source, targets: [target], options: new Map() }
    const definitions = { files: [], headers: new Map(), filters: new Map() }
    const job = { name: 'UPSERT', graph, ...definitions, loads: [load], text: '' }
    this.#plan(graph, job)
    const run = this.runs.unlisted(graph, user)
    await this.#stretches.run(run, preparedOf(job, [givenFile('', '', '-')]), { isDryRun: false })
    const objects = run.reports.flatMap(({ vertex, edge }) => [...vertex, ...edge])
    if (objects.length > 0 && objects.every(({ validObject }) => validObject === 1)) return
    const reason = run.errors.kept[0]?.reason ?? 'an id or an attribute does not fit'
    const text = `What UPSERT holds is not a valid ${target.kind}: ${reason}.`
    throw new DbError('INVALID_PARAMETER', text)
  }

  names(graph: string): readonly string[] {
    requireGraph(this.#options.catalogue.catalog, graph)
    return this.#options.jobs
      .of(graph)
      .flatMap(({ kind, name }) => (kind === 'loading' ? [name] : []))
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(graph: string, name: string): Job {
    requireGraph(this.#options.catalogue.catalog, graph)
    const job = this.#options.jobs.require(graph, name)
    if (job.kind === 'loading') return job
    throw new DbError('REQUEST_NOT_FOUND', `The loading job ${name} does not exist.`)
  }

  /**
   * Begins a run, after another one if that is given, once everything is found that it needs.
   * @throws DbError REQUEST_NOT_FOUND, INVALID_PARAMETER, UNAVAILABLE
   */
  async start(
    graph: string,
    name: string,
    request: LoadRequest,
    previous: LoadRun | null = null,
  ): Promise<LoadRun> {
    this.runs.checkRoom()
    const { load, stored } = await this.#prepare(graph, name, request)
    const run = await this.runs.add({ graph, job: name, user: request.user }, stored)
    return this.#begin(run, { load, previous }, request)
  }

  /**
   * A paused run goes on, and so does one that the end of the server interrupted.
   * @throws DbError INVALID_PARAMETER for any other, and when its files have changed since
   */
  async resume(run: LoadRun, requireReadFile: () => void): Promise<void> {
    const { request, graph, job } = run
    if (run.state !== 'INTERRUPTED' || request === null) {
      run.resume()
      return
    }
    this.runs.checkRoom()
    const wanted = { ...loadRequestOf(request), user: run.user, requireReadFile }
    const { load, stored } = await this.#prepare(graph, job, wanted)
    const isSame = (name: 'jobSum' | 'filesSum') =>
      request[name] === undefined || request[name] === stored[name]
    const hasSize = run.sizeBytes === 0 || sizeOf(load.files) === run.sizeBytes
    if (!isSame('filesSum') || !hasSize) {
      const text = `The files of the loading job ${run.id} have changed: run it anew.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    if (!isSame('jobSum')) {
      throw new DbError('INVALID_PARAMETER', `The loading job ${job} has changed: run it anew.`)
    }
    run.reopen(load.isDivisible && positionOf(load.files, run.place) !== null)
    await this.runs.save(run)
    this.#begin(run, { load, previous: null }, wanted)
  }

  /** All that a run needs, found before it begins. */
  async #prepare(graph: string, name: string, request: LoadRequest) {
    const { text } = this.require(graph, name)
    const job = jobOf(text)
    const files: LoadFile[] = []
    const paths = pathsOf(job, request.files)
    const choice = choosesFiles(request, paths)
    if (choice) request.requireReadFile()
    for (const [source, list] of paths) {
      // This machine stands for all that are named: a file that several hold is read once.
      const opened = new Map<string, LoadFile>()
      for (const path of pathsOfList(withDataRoot(list, request.dataRoot))) {
        for (const file of await this.#find(graph, path)) {
          const { sizeBytes, ...place } = file
          const from = { kind: 'path', ...place, wanted: path } as const
          opened.set(file.path, { source, fileName: file.path, sizeBytes, from })
        }
      }
      files.push(...opened.values())
    }
    const jobSum = sumOf(text)
    const filesSum = sumOf(JSON.stringify(files))
    const stored = storedRequest(request, { choosesFiles: choice, jobSum, filesSum })
    return { load: this.#prepared(graph, job, files), stored }
  }

  /** @throws DbError of whatever the job names that is not there */
  #prepared(graph: string, job: LoadingJobSyntax, files: readonly LoadFile[]): PreparedLoad {
    const isDivisible = !this.#plan(graph, job).some(fillsTable)
    return { ...preparedOf(job, files), isDivisible }
  }

  /** Newest first. @throws DbError GRAPH_NOT_FOUND */
  runsOf(graph: string): LoadRun[] {
    requireGraph(this.#options.catalogue.catalog, graph)
    return this.runs.of(graph)
  }

  /** As `start`, and waits for the end. */
  async run(graph: string, name: string, request: LoadRequest): Promise<LoadRun> {
    const run = await this.start(graph, name, request)
    await run.done
    return run
  }

  /** `$name:path` of a data source, or a path. */
  async #find(graph: string, path: string): Promise<FoundFile[]> {
    const { files, sources } = this.#options
    const [, name, place] = /^\$([A-Za-z_]\w*):(.*)$/s.exec(path) ?? []
    if (name === undefined) return await files.openAll(path, '.', graph)
    const folder = folderOfSource(sources.require(graph, name))
    return await files.openAll(placeIn(place ?? '', name), folder)
  }

  /** @throws DbError REQUEST_NOT_FOUND for an unknown job, INVALID_PARAMETER for an unknown file */
  async runGiven(
    graph: string,
    name: string,
    data: GivenData,
    signal: AbortSignal,
  ): Promise<LoadRun> {
    const job = jobOf(this.require(graph, name).text)
    const variable = sourceNamed(job, data.variable)
    const { separator, eol, user } = data
    // Tells what is wrong with them before anything begins.
    for (const load of this.#plan(graph, job)) withFormat(load, data)
    const file = await sharedFile(variable, 'Online_POST', data.bytes)
    const prepared = this.#prepared(graph, job, [file])
    const run = await this.runs.add({ graph, job: name, user }, null)
    run.key = data.key
    this.#begin(
      run,
      { load: { ...prepared, separator, eol }, previous: null },
      { isDryRun: false, signal },
    )
    await run.done
    return run
  }

  #begin(
    run: LoadRun,
    { load, previous }: { readonly load: PreparedLoad; readonly previous: LoadRun | null },
    options: RunOptions,
  ): LoadRun {
    options.signal?.addEventListener('abort', () => run.hasEnded || run.abort(), { once: true })
    const before = previous?.done ?? Promise.resolve()
    run.done = before
      .catch(() => {
        throw new DbError('QUERY_ABORTED', `The loading job ${previous?.id} before it failed.`)
      })
      .then(() => this.#stretches.run(run, load, options))
      .then(
        () => this.#end(run, null),
        async (error: unknown) => {
          await this.#end(run, error)
          if (!isDbError(error)) this.#options.onFailure(error)
          throw error
        },
      )
    // Whoever waits is told; nobody has to.
    run.done.catch(() => undefined)
    return run
  }

  /** Interrupts every run, and waits until they have stopped. */
  async close(): Promise<void> {
    this.#unwatch()
    await this.runs.close()
    await this.#options.threads.close()
  }

  async #end(run: LoadRun, error: unknown): Promise<void> {
    run.end(error)
    // What was loaded is in the graph, whether or not that can be written down.
    await this.runs.save(run).catch((failure: unknown) => this.#options.onFailure(failure))
  }
}

type RunOptions = Partial<Pick<LoadRequest, 'lines' | 'errorLimits' | 'signal'>> &
  Pick<LoadRequest, 'isDryRun'>

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function preparedOf(job: LoadingJobSyntax, files: readonly LoadFile[]): PreparedLoad {
  return { job, files, separator: undefined, eol: undefined, isDivisible: true }
}

/** Of a request. @throws DbError BODY_TOO_LARGE, INVALID_PARAMETER for what is no loading job */
export function newJobOf(text: string): LoadingJobSyntax {
  checkCommandSize([text])
  return jobOf(text)
}

/** The text was read when the job was made. */
export function jobOf(text: string): LoadingJobSyntax {
  for (const item of scriptCommands(text)) {
    if (item.kind === 'problem') throw syntaxError(item.problem)
    if (item.command.kind === 'createLoadingJob') return item.command.job
  }
  throw new DbError('INVALID_PARAMETER', 'The text holds no CREATE LOADING JOB.')
}

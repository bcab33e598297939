/** Loading jobs: create, run over files or given data, and what the last runs did. */
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
import { type FileAccess, pathsOfList } from './file-access.ts'
import {
  choosesFiles,
  fillsTable,
  type GivenData,
  givenInput,
  type Inputs,
  loadRequestOf,
  namesFiles,
  pathsOf,
  placeIn,
  sizeOf,
  sourceKey,
  sourceNamed,
  storedRequest,
  unread,
  withDataRoot,
  withFormat,
} from './load-inputs.ts'
import { type PlannedLoad, planLoads } from './load-plan.ts'
import type { LoadRun } from './load-run.ts'
import type { LoadPlace, LoadRunStore } from './load-run-store.ts'
import {
  type Checkpoints,
  type ErrorLimits,
  type LoadControl,
  type LoadInput,
  LoadRunner,
  noErrorLimits,
} from './load-runner.ts'
import { LoadRuns } from './load-runs.ts'

export interface LoadingServiceOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly jobs: JobStore
  readonly upserts: UpsertService
  readonly deleter: Deleter
  readonly files: FileAccess
  readonly sources: DataSources
  readonly runs: LoadRunStore
  readonly clock: Clock
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
  /** Ends the run; absent: it goes on, whoever waits for it. */
  readonly signal?: AbortSignal
  /**
   * Called when the request itself names a file, and not the job. Who runs a job needs READ_FILE
   * for that only. @throws DbError FORBIDDEN
   */
  requireReadFile(): void
}

export class LoadingService {
  readonly #options: LoadingServiceOptions
  readonly #evaluator: Evaluator
  readonly runs: LoadRuns

  constructor(options: LoadingServiceOptions) {
    this.#options = options
    this.runs = new LoadRuns(options.clock, options.runs)
    this.#evaluator = new Evaluator(options.clock)
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
  async upsert(graph: string, target: LoadTarget): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    const source = { kind: 'path', path: '' } as const
    const load = { source, targets: [target], options: new Map() }
    const definitions = { files: [], headers: new Map(), filters: new Map() }
    const job = { name: 'UPSERT', graph, ...definitions, loads: [load], text: '' }
    const runner = this.#runner(graph, { lines: null, isDryRun: false }, whole)
    await runner.source('', this.#plan(graph, job), givenInput('', '-'))
    const objects = runner.reports.flatMap(({ vertex, edge }) => [...vertex, ...edge])
    if (objects.every(({ validObject }) => validObject === 1)) return
    const reason = runner.errors.kept[0]?.reason ?? 'an id or an attribute does not fit'
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
    const { plan, inputs, choice } = await this.#prepare(graph, name, request)
    const run = await this.runs.add(graph, name, storedRequest(request, choice))
    return this.#begin(run, { plan, inputs, previous, place: null }, request)
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
    const wanted = { ...loadRequestOf(request), requireReadFile }
    const { plan, inputs } = await this.#prepare(graph, job, wanted)
    if (run.sizeBytes > 0 && sizeOf(inputs) !== run.sizeBytes) {
      const text = `The files of the loading job ${run.id} have changed: run it anew.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    // What temporary tables held is lost: all lines are read once more.
    const place = plan.some(fillsTable) ? null : run.place
    run.reopen(place !== null)
    await this.runs.save(run)
    this.#begin(run, { plan, inputs, previous: null, place }, wanted)
  }

  /** All that a run needs, found before it begins. */
  async #prepare(graph: string, name: string, request: LoadRequest) {
    const job = jobOf(this.require(graph, name).text)
    const inputs = new Map<string, readonly LoadInput[]>()
    const paths = pathsOf(job, request.files)
    const choice = choosesFiles(request, paths)
    if (choice) request.requireReadFile()
    for (const [source, list] of paths) {
      // This machine stands for all that are named: a file that several hold is read once.
      const opened = new Map<string, LoadInput>()
      for (const path of pathsOfList(withDataRoot(list, request.dataRoot))) {
        const input = await this.#open(graph, path)
        opened.set(input.fileName, input)
      }
      inputs.set(source, [...opened.values()])
    }
    return { plan: this.#plan(graph, job), inputs, choice }
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
  async #open(graph: string, path: string): Promise<LoadInput> {
    const { files, sources } = this.#options
    const [, name, place] = /^\$([A-Za-z_]\w*):(.*)$/s.exec(path) ?? []
    if (name === undefined) return await files.open(path)
    const folder = folderOfSource(sources.require(graph, name))
    return await files.open(placeIn(place ?? '', name), folder)
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
    const plan = this.#plan(graph, job).map((load) => withFormat(load, data))
    const inputs = new Map([[variable, [givenInput('Online_POST', data.text)]]])
    const options = { lines: null, isDryRun: false, signal }
    const run = await this.runs.add(graph, name, null)
    this.#begin(run, { plan, inputs, previous: null, place: null }, options)
    await run.done
    return run
  }

  #begin(run: LoadRun, prepared: PreparedRun, options: RunOptions): LoadRun {
    const { previous } = prepared
    options.signal?.addEventListener('abort', () => run.hasEnded || run.abort(), { once: true })
    const before = previous?.done ?? Promise.resolve()
    run.done = before
      .catch(() => {
        throw new DbError('QUERY_ABORTED', `The loading job ${previous?.id} before it failed.`)
      })
      .then(() => this.runs.begin(run))
      .then(() => this.#execute(run, prepared, options))
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

  async #end(run: LoadRun, error: unknown): Promise<void> {
    run.end(error)
    this.runs.end(run)
    // What was loaded is in the graph, whether or not that can be written down.
    await this.runs.save(run).catch((failure: unknown) => this.#options.onFailure(failure))
  }

  async #execute(
    run: LoadRun,
    { plan, inputs, place }: PreparedRun,
    options: RunOptions,
  ): Promise<void> {
    const runner = this.#runner(run.graph, options, run, this.#checkpointsOf(run))
    const sum = (count: (input: LoadInput) => number) =>
      [...inputs.values()].flat().reduce((all, input) => all + count(input), 0)
    const readBytes = () => sum((input) => input.readBytes())
    const progress = { reports: () => runner.reports, errors: runner.errors, readBytes }
    run.begin(progress, sizeOf(inputs))
    await run.paused
    if (run.signal.aborted) throw new DbError('QUERY_ABORTED', 'The loading job was aborted.')
    try {
      for (const { source, input, skippedLines } of unread(inputs, place)) {
        const loads = plan.filter((load) => sourceKey(load) === source)
        if (loads.length > 0) await runner.source(source, loads, input, skippedLines)
      }
      for (const load of plan) {
        if (load.source.kind === 'table') await runner.table(load.source.name, load)
      }
    } finally {
      // A run that has ended changes nothing any more.
      await runner.settled()
    }
  }

  #checkpointsOf(run: LoadRun): Checkpoints {
    return {
      isDue: () => this.runs.isSaveDue(run),
      reached: async (place) => {
        run.commit(place)
        await this.runs.save(run)
      },
    }
  }

  #runner(
    graph: string,
    options: RunOptions,
    control: LoadControl,
    checkpoints?: Checkpoints,
  ): LoadRunner {
    const { clock, upserts, deleter } = this.#options
    const { lines, isDryRun, errorLimits = noErrorLimits } = options
    const evaluator = this.#evaluator
    const parts = { graph, upserts, deleter, evaluator, clock }
    const given = { ...parts, lines, isDryRun, errorLimits, control }
    return new LoadRunner({ ...given, ...(checkpoints && { checkpoints }) })
  }
}

type RunOptions = Pick<LoadRequest, 'lines' | 'isDryRun' | 'errorLimits' | 'signal'>

interface PreparedRun {
  readonly plan: readonly PlannedLoad[]
  readonly inputs: Inputs
  /** The run whose end this one waits for; null: none. */
  readonly previous: LoadRun | null
  /** Up to where everything is in the graph already; null: nothing is. */
  readonly place: LoadPlace | null
}

/** Of what is done in one go. */
const whole: LoadControl = { signal: new AbortController().signal, paused: null }

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

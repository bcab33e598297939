/** Loading jobs: create, run over files or given data, and what the last runs did. */
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { LoadingJobSyntax, LoadTarget, Options } from '#query/syntax/ast-script.ts'
import { scriptCommands } from '#query/syntax/script.ts'
import type { Job, JobStore } from '../gsql/job-store.ts'
import { syntaxError } from '../gsql/syntax-error.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import { type DataSources, folderOfSource } from './data-sources.ts'
import type { Deleter } from './delete-targets.ts'
import { Evaluator } from './evaluate.ts'
import { type FileAccess, pathsOfList } from './file-access.ts'
import { lineFormatOf } from './line-tokens.ts'
import { type PlannedLoad, planLoads } from './load-plan.ts'
import type { LoadRun } from './load-run.ts'
import {
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

/** What `SET sys.data_root = "…"` gives a value to. */
const DATA_ROOT = '$sys.data_root'

/** Whether the run, and not its job, says where files are. */
function choosesFiles(
  { files, dataRoot }: LoadRequest,
  paths: ReadonlyMap<string, string>,
): boolean {
  if ([...files.values()].some((path) => path !== null)) return true
  return dataRoot !== undefined && [...paths.values()].some((path) => path.includes(DATA_ROOT))
}

function namesFiles({ files, loads }: LoadingJobSyntax): boolean {
  return (
    files.some(({ path }) => path !== null) || loads.some(({ source }) => source.kind === 'path')
  )
}

export function withDataRoot(text: string, root: string | undefined): string {
  return root === undefined ? text : text.replaceAll(DATA_ROOT, () => root)
}

/** Data that came with the request, for one file variable. */
export interface GivenData {
  readonly variable: string
  readonly text: string
  /** Instead of what the job says; undefined: as it says. */
  readonly separator: string | undefined
  readonly eol: string | undefined
}

/** The files of each source. */
type Inputs = ReadonlyMap<string, readonly LoadInput[]>

export class LoadingService {
  readonly #options: LoadingServiceOptions
  readonly #evaluator: Evaluator
  readonly runs: LoadRuns

  constructor(options: LoadingServiceOptions) {
    this.#options = options
    this.runs = new LoadRuns(options.clock)
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
    const job = jobOf(this.require(graph, name).text)
    const inputs = new Map<string, readonly LoadInput[]>()
    const paths = pathsOf(job, request.files)
    if (choosesFiles(request, paths)) request.requireReadFile()
    for (const [source, list] of paths) {
      // This machine stands for all that are named: a file that several hold is read once.
      const opened = new Map<string, LoadInput>()
      for (const path of pathsOfList(withDataRoot(list, request.dataRoot))) {
        const input = await this.#open(graph, path)
        opened.set(input.fileName, input)
      }
      inputs.set(source, [...opened.values()])
    }
    return this.#begin({ graph, name, plan: this.#plan(graph, job), inputs, previous }, request)
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
    const run = this.#begin({ graph, name, plan, inputs, previous: null }, options)
    await run.done
    return run
  }

  #begin({ graph, name, plan, inputs, previous }: PreparedRun, options: RunOptions): LoadRun {
    const run = this.runs.add(graph, name)
    options.signal?.addEventListener('abort', () => run.hasEnded || run.abort(), { once: true })
    const before = previous?.done ?? Promise.resolve()
    run.done = before
      .catch(() => {
        throw new DbError('QUERY_ABORTED', `The loading job ${previous?.id} before it failed.`)
      })
      .then(() => this.#execute(run, { plan, inputs }, options))
      .then(
        () => run.end(null),
        (error: unknown) => {
          run.end(error)
          if (!isDbError(error)) this.#options.onFailure(error)
          throw error
        },
      )
    // Whoever waits is told; nobody has to.
    run.done.catch(() => undefined)
    return run
  }

  async #execute(
    run: LoadRun,
    { plan, inputs }: Pick<PreparedRun, 'plan' | 'inputs'>,
    options: RunOptions,
  ): Promise<void> {
    const runner = this.#runner(run.graph, options, run)
    const sum = (count: (input: LoadInput) => number) =>
      [...inputs.values()].flat().reduce((all, input) => all + count(input), 0)
    const readBytes = () => sum((input) => input.readBytes())
    const progress = { reports: () => runner.reports, errors: runner.errors, readBytes }
    run.begin(
      progress,
      sum(({ sizeBytes }) => sizeBytes),
    )
    await run.paused
    if (run.signal.aborted) throw new DbError('QUERY_ABORTED', 'The loading job was aborted.')
    try {
      for (const [source, files] of inputs) {
        const loads = plan.filter((load) => sourceKey(load) === source)
        if (loads.length === 0) continue
        for (const input of files) await runner.source(source, loads, input)
      }
      for (const load of plan) {
        if (load.source.kind === 'table') await runner.table(load.source.name, load)
      }
    } finally {
      // A run that has ended changes nothing any more.
      await runner.settled()
    }
  }

  #runner(graph: string, options: RunOptions, control: LoadControl): LoadRunner {
    const { clock, upserts, deleter } = this.#options
    const { lines, isDryRun, errorLimits = noErrorLimits } = options
    const evaluator = this.#evaluator
    const parts = { graph, upserts, deleter, evaluator, clock }
    return new LoadRunner({ ...parts, lines, isDryRun, errorLimits, control })
  }
}

type RunOptions = Pick<LoadRequest, 'lines' | 'isDryRun' | 'errorLimits' | 'signal'>

interface PreparedRun {
  readonly graph: string
  readonly name: string
  readonly plan: readonly PlannedLoad[]
  readonly inputs: Inputs
  /** The run whose end this one waits for; null: none. */
  readonly previous: LoadRun | null
}

/** Of what is done in one go. */
const whole: LoadControl = { signal: new AbortController().signal, paused: null }

function givenInput(fileName: string, text: string): LoadInput {
  let isRead = false
  const chunks = (function* () {
    isRead = true
    yield text
  })()
  return { fileName, chunks, sizeBytes: text.length, readBytes: () => (isRead ? text.length : 0) }
}

/** Behind `$name:` stands a path, or JSON that names one as `file.uris`. */
function placeIn(text: string, source: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const config = JSON.parse(text) as Readonly<Record<string, unknown>>
    const path = config['file.uris'] ?? config['path']
    if (typeof path === 'string') return path
  } catch {
    // Told below.
  }
  const wanted = `$${source}:{"file.uris": "path"}`
  throw new DbError('INVALID_PARAMETER', `The place in a data source must be written as ${wanted}.`)
}

/** The text was read when the job was made. */
export function jobOf(text: string): LoadingJobSyntax {
  for (const item of scriptCommands(text)) {
    if (item.kind === 'problem') throw syntaxError(item.problem)
    if (item.command.kind === 'createLoadingJob') return item.command.job
  }
  throw new DbError('INVALID_PARAMETER', 'The text holds no CREATE LOADING JOB.')
}

/** What statements call their source; tables have none of their own. */
function sourceKey({ source }: PlannedLoad): string | null {
  if (source.kind === 'file') return source.name
  return source.kind === 'path' ? source.path : null
}

/** Contract 3.5: a variable, a path, or `__GSQL_FILENAME_0__` for the first. */
function sourceNamed(job: LoadingJobSyntax, name: string): string {
  const position = /^__GSQL_FILENAME_(\d+)__$/.exec(name)?.[1]
  const sources = job.loads.flatMap(({ source }) => {
    if (source.kind === 'table') return []
    return [source.kind === 'file' ? source.name : source.path]
  })
  const known = [...new Set(sources)]
  const found = position === undefined ? known.find((one) => one === name) : known[Number(position)]
  const byPath = job.files.find(({ path }) => path === name)?.name
  if (found !== undefined) return found
  if (byPath !== undefined) return byPath
  throw new DbError('INVALID_PARAMETER', `The file variable '${name}' does not exist in the job.`)
}

function pathsOf(
  job: LoadingJobSyntax,
  wanted: ReadonlyMap<string, string | null>,
): Map<string, string> {
  const defined = new Map(
    job.files.flatMap(({ name, path }) => (path === null ? [] : [[name, path]])),
  )
  for (const { source } of job.loads) {
    if (source.kind === 'path') defined.set(source.path, source.path)
  }
  if (wanted.size === 0) {
    if (defined.size > 0) return defined as Map<string, string>
    throw new DbError('INVALID_PARAMETER', 'No file is given: RUN LOADING JOB … USING name="path".')
  }
  const paths = new Map<string, string>()
  for (const [name, given] of wanted) {
    const path = given ?? defined.get(sourceNamed(job, name))
    if (path === undefined)
      throw new DbError('INVALID_PARAMETER', `The file of ${name} is not given.`)
    paths.set(sourceNamed(job, name), path)
  }
  return paths
}

function withFormat(load: PlannedLoad, { separator, eol }: GivenData): PlannedLoad {
  if (load.source.kind === 'table') return load
  const options: Options = new Map([
    ...(separator === undefined ? [] : [['SEPARATOR', separator] as const]),
    ...(eol === undefined ? [] : [['EOL', eol] as const]),
  ])
  const given = lineFormatOf(options)
  const format = {
    ...load.format,
    ...(separator !== undefined && { separator: given.separator }),
    ...(eol !== undefined && { eol: given.eol }),
  }
  return { ...load, format }
}

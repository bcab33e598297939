/** Loading jobs: create, run over files or given data, and what the last runs did. */
import { requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { LoadingJobSyntax, LoadTarget, Options } from '#query/syntax/ast-script.ts'
import { scriptCommands } from '#query/syntax/script.ts'
import type { Job, JobStore } from '../gsql/job-store.ts'
import { syntaxError } from '../gsql/syntax-error.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import type { Deleter } from './delete-targets.ts'
import { Evaluator } from './evaluate.ts'
import type { FileAccess } from './file-access.ts'
import { lineFormatOf } from './line-tokens.ts'
import { type PlannedLoad, planLoads } from './load-plan.ts'
import { type LoadInput, LoadRunner, type SourceReport } from './load-runner.ts'

export interface LoadingServiceOptions {
  readonly catalogue: { readonly catalog: Catalog }
  readonly jobs: JobStore
  readonly upserts: UpsertService
  readonly deleter: Deleter
  readonly files: FileAccess
  readonly clock: Clock
}

export interface LoadRequest {
  /** Paths by file variable; null takes the one of the definition. Empty: all that have one. */
  readonly files: ReadonlyMap<string, string | null>
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  /** What `$sys.data_root` in a path stands for; absent: itself. */
  readonly dataRoot?: string | undefined
  readonly signal: AbortSignal
}

/** What `SET sys.data_root = "…"` gives a value to. */
const DATA_ROOT = '$sys.data_root'

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

export interface LoadRun {
  readonly id: string
  readonly graph: string
  readonly job: string
  readonly startMs: number
  readonly endMs: number
  readonly reports: readonly SourceReport[]
}

const RUNS_KEPT_MAX = 100

export class LoadingService {
  readonly #options: LoadingServiceOptions
  readonly #evaluator: Evaluator
  readonly #runs = new Map<string, LoadRun>()

  constructor(options: LoadingServiceOptions) {
    this.#options = options
    this.#evaluator = new Evaluator(options.clock)
  }

  /** @throws DbError SCHEMA_RULE, NAME_TAKEN and what the job names that is not there */
  async create(graph: string, job: LoadingJobSyntax): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    this.#plan(graph, job)
    await this.#options.jobs.create({ name: job.name, graph, kind: 'loading', text: job.text })
  }

  async replace(graph: string, job: LoadingJobSyntax): Promise<void> {
    requireGraph(this.#options.catalogue.catalog, graph)
    this.#plan(graph, job)
    const isKnown = this.#options.jobs.find(graph, job.name) !== undefined
    if (isKnown) await this.#options.jobs.drop(graph, job.name)
    await this.create(graph, job)
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
    const input = { fileName: '', chunks: ['-'] }
    const signal = new AbortController().signal
    const options = { ...this.#options, evaluator: this.#evaluator, lines: null, isDryRun: false }
    const runner = new LoadRunner({ ...options, graph, signal })
    const { vertex, edge } = await runner.source('', this.#plan(graph, job), input)
    if ([...vertex, ...edge].every(({ validObject }) => validObject === 1)) return
    throw new DbError(
      'INVALID_PARAMETER',
      `What UPSERT holds is not a valid ${target.kind}: an id or an attribute does not fit.`,
    )
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

  async run(graph: string, name: string, request: LoadRequest): Promise<LoadRun> {
    const job = jobOf(this.require(graph, name).text)
    const paths = pathsOf(job, request.files)
    const inputs = new Map<string, LoadInput>()
    for (const [source, path] of paths) {
      const fileName = await this.#options.files.resolve(withDataRoot(path, request.dataRoot))
      inputs.set(source, { fileName, chunks: this.#options.files.chunks(fileName) })
    }
    return await this.#execute({ graph, name }, this.#plan(graph, job), { ...request, inputs })
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
    const inputs = new Map([[variable, { fileName: 'Online_POST', chunks: [data.text] }]])
    const request = { inputs, lines: null, isDryRun: false, signal }
    return await this.#execute({ graph, name }, plan, request)
  }

  async #execute(
    place: { readonly graph: string; readonly name: string },
    plan: readonly PlannedLoad[],
    request: Omit<LoadRequest, 'files'> & { readonly inputs: ReadonlyMap<string, LoadInput> },
  ): Promise<LoadRun> {
    const { clock, upserts, deleter } = this.#options
    const { inputs, lines, isDryRun, signal } = request
    const startMs = clock.nowMs()
    const evaluator = this.#evaluator
    const graph = place.graph
    const options = { graph, upserts, deleter, evaluator, clock, lines, isDryRun, signal }
    const runner = new LoadRunner(options)
    const reports: SourceReport[] = []
    for (const [source, input] of inputs) {
      const loads = plan.filter((load) => sourceKey(load) === source)
      if (loads.length > 0) reports.push(await runner.source(source, loads, input))
    }
    for (const load of plan) {
      if (load.source.kind === 'table') reports.push(await runner.table(load.source.name, load))
    }
    const id = `${place.graph}.${place.name}.file.m1.${Math.round(startMs)}`
    const run = { id, graph: place.graph, job: place.name, startMs, endMs: clock.nowMs(), reports }
    this.#keep(run)
    return run
  }

  #keep(run: LoadRun): void {
    this.#runs.set(run.id, run)
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > RUNS_KEPT_MAX && oldest !== undefined) this.#runs.delete(oldest)
  }

  /** Newest first. */
  runsOf(graph: string): LoadRun[] {
    return [...this.#runs.values()].filter((run) => run.graph === graph).reverse()
  }

  /** @throws DbError REQUEST_NOT_FOUND, for a run of another graph, too */
  requireRun(id: string, graph: string): LoadRun {
    const run = this.#runs.get(id)
    if (run?.graph === graph) return run
    throw new DbError('REQUEST_NOT_FOUND', `The loading job id '${id}' does not exist.`)
  }
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

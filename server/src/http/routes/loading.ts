/** Loading jobs as resources, and data fed to them. */
import type { FastifyInstance } from 'fastify'
import type { BodyOf } from '#contract/endpoint.ts'
import * as contract from '#contract/loading.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import type { RequestKey } from '#services/instances/request-key.ts'
import { describeJob } from '#services/loading/describe-job.ts'
import { effectsBySource, effectsOf } from '#services/loading/load-effects.ts'
import type { SourceReport } from '#services/loading/load-report.ts'
import type { LoadRun } from '#services/loading/load-run.ts'
import {
  jobOf,
  type LoadingService,
  type LoadRequest,
  newJobOf,
} from '#services/loading/loading-service.ts'
import { outcomeUnknown } from '../forward.ts'
import { message, reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

/** Loads that take no longer are over when their request is answered (decision 28). */
const WAIT_MS = 10_000

type After = (ms: number, call: () => void) => () => void

export function mountLoadingRoutes(
  app: FastifyInstance,
  loading: LoadingService,
  after: After,
): void {
  serve(app, contract.feedLoadingJob, async (context) => {
    const { params, query, body, signal, principal, idempotencyKey: key } = context
    const { filename: variable, sep: separator, eol } = query
    const user = present(principal).name
    const data = { variable, bytes: body, separator, eol, user, key }
    const run = await loading
      .runGiven(params.graph, query.tag, data, signal)
      .catch(notRepeatable(key))
    const effects = effectsBySource(run)
    const results = run.reports.map((report, index) => ({
      sourceFileName: report.fileName,
      statistics: statisticsOf(report, query.concise),
      quiver: effects[index]!,
    }))
    return reply(results, { code: 'REST-0000' })
  })
  serve(app, contract.listLoadingJobs, ({ query }) => ({ jobNames: loading.names(query.graph) }))
  serve(app, contract.createLoadingJob, async ({ method, query, body, principal }) => {
    const job = newJobOf(body)
    if (job.graph !== null && job.graph !== query.graph) {
      const text = `The job is for graph ${job.graph}, the parameter graph names ${query.graph}.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    const requireReadFile = () => requirePrivilege(present(principal), 'READ_FILE', query.graph)
    if (method === 'PUT') await loading.replace(query.graph, job, requireReadFile)
    else await loading.create(query.graph, job, requireReadFile)
    return message(`Successfully created loading job: ${job.name}`)
  })
  serve(app, contract.runLoadingJobs, async ({ query, body, principal }) => {
    const wanted = [body].flat()
    const runs: LoadRun[] = []
    const requireReadFile = () => requirePrivilege(present(principal), 'READ_FILE', query.graph)
    for (const one of wanted) {
      const user = present(principal).name
      const request = { ...requestOf(one), lines: null, user, requireReadFile }
      runs.push(await loading.start(query.graph, one.name, request, runs.at(-1) ?? null))
    }
    await firstOf(Promise.all(runs.map(({ done }) => done)), after)
    const names = wanted.map(({ name }) => name).join(', ')
    const jobIds = runs.map(({ id }) => id)
    return reply({ jobIds }, { message: `Successfully ran loading job(s): [${names}]` })
  })
  serve(app, contract.readLoadingStatus, ({ params, query }) => {
    const ids = idsOf(params.id, query)
    if (ids.length === 0) return loading.runsOf(query.graph).map(stateOf)
    return ids.map((id) => stateOf(loading.runs.require(id, query.graph)))
  })
  mountControlRoutes(app, loading)
  serve(app, contract.readLoadingJob, ({ params, query }) => {
    const { name, text } = loading.require(query.graph, params.job)
    if (query.json) return describeJob(query.graph, jobOf(text))
    return { jobName: name, jobContent: text }
  })
  serve(app, contract.dropLoadingJob, async ({ params, query }) => {
    await loading.drop(query.graph, params.job)
    return message(`Successfully drop loading job '${params.job}'.`)
  })
}

function statisticsOf(report: SourceReport, concise: boolean): Record<string, unknown> {
  const {
    sourceName: _source,
    fileName: _file,
    defaulted: _defaulted,
    statements: _statements,
    ...counted
  } = report
  return concise ? { vertex: report.vertex, edge: report.edge } : counted
}

function mountControlRoutes(app: FastifyInstance, loading: LoadingService): void {
  const { runs } = loading
  serve(app, contract.abortLoadingJobs, async ({ params, query }) => {
    const ids = idsOf(params.id, query)
    if (ids.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The parameter jobIds must name a loading job.')
    }
    // All of them are looked up before the first is ended.
    for (const run of ids.map((id) => runs.require(id, query.graph))) {
      if (query.isPause) run.pause()
      else await runs.abort(run)
    }
    const verb = query.isPause ? 'paused' : 'dropped'
    return message(`Successfully ${verb} loading job(s): [${ids.join(', ')}].`)
  })
  serve(app, contract.resumeLoadingJob, async ({ params, query, principal }) => {
    const run = runs.require(params.id, query.graph ?? null)
    requirePrivilege(present(principal), 'EXECUTE_LOADINGJOB', run.graph)
    const requireReadFile = () => requirePrivilege(present(principal), 'READ_FILE', run.graph)
    await loading.resume(run, requireReadFile)
    return message(`Successfully resumed loading job(s): [${run.id}].`)
  })
}

/** Clients write `jobIds` with commas, or repeat `jobId`. */
function idsOf(
  id: string | undefined,
  query: { readonly jobIds?: string[] | undefined; readonly jobId?: string[] | undefined },
): string[] {
  return id === undefined ? [...(query.jobIds ?? []), ...(query.jobId ?? [])] : [id]
}

type RunBody = Extract<BodyOf<typeof contract.runLoadingJobs>, { name: string }>

function requestOf(wanted: RunBody): Omit<LoadRequest, 'lines' | 'user' | 'requireReadFile'> {
  const { dataSources, dryrun: isDryRun, maxNumError, maxPercentError } = wanted
  const files = new Map(dataSources.map((one) => [one.filename, pathOf(one)]))
  const errorLimits = { countMax: maxNumError ?? null, percentMax: maxPercentError ?? null }
  return { files, isDryRun, errorLimits, dataRoot: wanted['sys.data_root'] }
}

/** `file` is the name that clients give to no data source. */
function pathOf({ name = 'file', path }: RunBody['dataSources'][number]): string | null {
  if (path === undefined) return null
  return name === 'file' || name === '' ? path : `$${name}:${path}`
}

/** @throws what the work throws, unless it takes too long to be waited for */
async function firstOf(work: Promise<unknown>, after: After): Promise<void> {
  let cancel = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = after(WAIT_MS, resolve)
  })
  await Promise.race([work, late]).finally(() => cancel())
}

function stateOf(run: LoadRun) {
  const { id, state: status, startMs, endMs, durationMs, progress, reports, failure } = run
  const objectLevel = {
    vertex: reports.flatMap(({ vertex }) => vertex),
    edge: reports.flatMap(({ edge }) => edge),
  }
  const lines = run.lineCount
  const overall = {
    ...{ id, progress, size: lines, duration: durationMs, status },
    startTime: startMs,
    ...(endMs !== null && { endTime: endMs }),
    averageSpeed: Math.round((lines * 1000) / Math.max(1, durationMs)),
    currentSpeed: run.currentSpeed,
    ...(failure !== null && { message: failure }),
    statistics: { fileLevel: { validLine: lines }, objectLevel },
    quiver: effectsOf(run),
  }
  const tasks = reports.map(({ sourceName }) => ({ filename: sourceName }))
  return { overall, workers: [{ tasks }] }
}

/** Of several batches some may be written: only under a key all of them may be sent again. */
function notRepeatable(key: RequestKey | undefined) {
  return (error: unknown): never => {
    if (key === undefined && isDbError(error, 'NOT_WRITER')) throw outcomeUnknown(error)
    throw error
  }
}

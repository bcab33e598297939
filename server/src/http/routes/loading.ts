/** Loading jobs as resources, and data fed to them (contract 3.5, 3.10). */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/loading.ts'
import { DbError } from '#kernel/errors.ts'
import type { SourceReport } from '#services/loading/load-runner.ts'
import { jobOf, type LoadingService, type LoadRun } from '#services/loading/loading-service.ts'
import { message, reply } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountLoadingRoutes(app: FastifyInstance, loading: LoadingService): void {
  serve(app, contract.feedLoadingJob, async ({ params, query, body, signal }) => {
    const { filename: variable, sep: separator, eol } = query
    const data = { variable, text: body, separator, eol }
    const { reports } = await loading.runGiven(params.graph, query.tag, data, signal)
    const results = reports.map((report) => ({
      sourceFileName: report.fileName,
      statistics: statisticsOf(report, query.concise),
    }))
    return reply(results, { code: 'REST-0000' })
  })
  serve(app, contract.listLoadingJobs, ({ query }) => ({ jobNames: loading.names(query.graph) }))
  serve(app, contract.createLoadingJob, async ({ method, query, body }) => {
    const job = jobOf(body)
    if (job.graph !== null && job.graph !== query.graph) {
      const text = `The job is for graph ${job.graph}, the parameter graph names ${query.graph}.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    if (method === 'PUT') await loading.replace(query.graph, job)
    else await loading.create(query.graph, job)
    return message(`Successfully created loading job: ${job.name}`)
  })
  serve(app, contract.runLoadingJobs, async ({ query, body, signal }) => {
    const wanted = [body].flat()
    const jobIds: string[] = []
    for (const { name, dataSources, dryrun: isDryRun } of wanted) {
      const files = new Map(dataSources.map(({ filename, path }) => [filename, path ?? null]))
      const run = await loading.run(query.graph, name, { files, lines: null, isDryRun, signal })
      jobIds.push(run.id)
    }
    const names = wanted.map(({ name }) => name).join(', ')
    return reply({ jobIds }, { message: `Successfully ran loading job(s): [${names}]` })
  })
  serve(app, contract.readLoadingStatus, ({ params, query }) => {
    const named = [...(query.jobIds ?? []), ...(query.jobId ?? [])]
    const ids = params.id === undefined ? named : [params.id]
    return ids.map((id) => stateOf(loading.requireRun(id, query.graph)))
  })
  serve(app, contract.readLoadingJob, ({ params, query }) => {
    const { name, text } = loading.require(query.graph, params.job)
    return { jobName: name, jobContent: text }
  })
  serve(app, contract.dropLoadingJob, async ({ params, query }) => {
    await loading.drop(query.graph, params.job)
    return message(`Successfully drop loading job '${params.job}'.`)
  })
}

function statisticsOf(report: SourceReport, concise: boolean): Record<string, unknown> {
  const { sourceName: _source, fileName: _file, ...counted } = report
  return concise ? { vertex: report.vertex, edge: report.edge } : counted
}

function stateOf({ id, startMs, endMs, reports }: LoadRun) {
  const objectLevel = {
    vertex: reports.flatMap(({ vertex }) => vertex),
    edge: reports.flatMap(({ edge }) => edge),
  }
  const lines = reports.reduce((sum, { validLine }) => sum + validLine, 0)
  const duration = endMs - startMs
  const speed = Math.round((lines * 1000) / Math.max(1, duration))
  const overall = {
    ...{ id, progress: 1, size: lines, duration, status: 'FINISHED' },
    startTime: startMs,
    endTime: endMs,
    averageSpeed: speed,
    currentSpeed: 0,
    statistics: { fileLevel: { validLine: lines }, objectLevel },
  }
  const tasks = reports.map(({ sourceName }) => ({ filename: sourceName }))
  return { overall, workers: [{ tasks }] }
}

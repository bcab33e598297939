/** Schema-change jobs, and the calls about the whole schema. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/schema-jobs.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { requirePrivilege, schemaWriter } from '#services/auth/authorise.ts'
import type { Job } from '#services/jobs/job-store.ts'
import { changeOf, jobText, type SchemaJobService } from '#services/jobs/schema-job-service.ts'
import type { SchemaService } from '#services/schema/schema-service.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountSchemaJobRoutes(
  app: FastifyInstance,
  jobs: SchemaJobService,
  schema: SchemaService,
): void {
  serve(app, contract.listSchemaJobs, ({ query }) =>
    jobs.list(query.graph ?? null).map((job) => viewOf(job, query.json)),
  )
  serve(app, contract.readSchemaJob, ({ params, query }) =>
    viewOf(jobs.require(query.graph ?? null, params.job), query.json),
  )
  serve(app, contract.createSchemaJob, async ({ principal, params, query, body }) => {
    // `type=global` beside a graph: rights on that graph are not enough.
    if (query.type === 'global') requirePrivilege(present(principal), 'WRITE_SCHEMA', null)
    const graph = query.type === 'global' ? null : (query.graph ?? null)
    if (body === undefined) return await run(jobs, { graph, name: params.job }, principal)
    const { gsql, ...change } = body
    if (gsql === undefined) await jobs.createFromChange(graph, params.job, change)
    else await jobs.createFromText(graph, gsql)
    const scope = graph === null ? 'global ' : ''
    return message(`Successfully created ${scope}schema change job: [${params.job}].`)
  })
  serve(app, contract.runSchemaJob, ({ principal, params, query }) =>
    run(jobs, { graph: query.graph ?? null, name: params.job }, principal),
  )
  serve(app, contract.dropSchemaJobs, async ({ query }) => {
    const names = query.jobName ?? []
    if (names.length > 0) return message(await jobs.drop(query.graph ?? null, names))
    throw new DbError('INVALID_PARAMETER', 'The parameter jobName is required.')
  })
  serve(app, contract.checkSchema, () => {
    schema.check()
    return message('Schema Check succeeded.')
  })
  serve(app, contract.recoverSchema, () => message('Recover schema succeed!'))
}

async function run(
  jobs: SchemaJobService,
  { graph, name }: { readonly graph: string | null; readonly name: string },
  principal: Principal | null,
) {
  await jobs.run(graph, name, schemaWriter(present(principal)))
  return message('Schema change job run successfully!')
}

function viewOf(job: Job, asJson: boolean): Record<string, unknown> {
  if (!asJson) return { [job.name]: jobText(job) }
  const { graphs, ...parts } = changeOf(job)
  const view = { name: job.name, ...(job.graph !== null && { graph: job.graph }), ...parts }
  const scope = graphs.length > 0 ? { graphs } : {}
  return { [job.name]: { ...view, ...scope, addTags: [], dropTags: [] } }
}

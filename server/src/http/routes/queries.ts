import type { FastifyInstance } from 'fastify'
import {
  checkQuery,
  createQueries,
  dropQueries,
  dropQuery,
  installQueries,
  listQueries,
  readInstallation,
  readQuery,
  readQueryInfo,
  readSignature,
} from '#contract/queries.ts'
import {
  dropDescriptions,
  readDescriptions,
  writeDescriptions,
} from '#contract/query-descriptions.ts'
import { DbError } from '#kernel/errors.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import type { Installation, Installations } from '#services/queries/installations.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import { message, reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

/** The stored ones: fixed paths first, so that a query called `info` does not hide them. */
export function mountQueryRoutes(
  app: FastifyInstance,
  queries: QueryService,
  installations: Installations,
): void {
  serve(app, createQueries, async ({ principal, query, body }) => {
    return message(await queries.create(query.graph ?? null, body, query.install, principal))
  })
  serve(app, listQueries, ({ query }) => queries.list(query.graph))
  serve(app, readQueryInfo, ({ query }) =>
    queries.info(query.graph, query.query ?? [], query.status ?? null),
  )
  serve(app, readSignature, ({ query }) => {
    const name = query.queryName ?? query.query
    if (name !== undefined) return queries.signature(query.graph, name)
    throw new DbError('INVALID_PARAMETER', 'The parameter queryName is required.')
  })
  serve(app, installQueries, async ({ query, requestId }) => {
    const names = [...(query.queries ?? []), ...(query.query ?? [])]
    checkInstallFlags(query.flag ?? [])
    const install = () => queries.install(query.graph, names)
    if (query.async !== true) return reply({}, { message: await install() })
    queries.checkNames(query.graph, names)
    const asked = { id: requestId, graph: query.graph, names }
    const { startMs } = installations.start(asked, install)
    const receipt = { requestId, startTime: new Date(startMs).toISOString() }
    return reply(receipt, { message: 'Successfully submitted request' })
  })
  serve(app, readInstallation, ({ params, principal }) => {
    const one = installations.require(params.request_id)
    requirePrivilege(present(principal), 'INSTALL_QUERY', one.graph)
    return reply(installationState(one), { message: installationMessage(one) })
  })
  serve(app, checkQuery, async ({ principal, query, body, signal }) => {
    const graph = query.graph ?? null
    const call = { user: principal?.name ?? null, signal }
    if (graph !== null) {
      for (const named of await queries.graphsNamedIn({ graph, text: body.code }, call)) {
        requirePrivilege(present(principal), 'READ_QUERY', named)
      }
    }
    return checkEntries(await queries.check(graph, body.code, call))
  })
  serve(app, dropQueries, ({ query }) => {
    const names = [...(query.query ?? []), ...(query.queries ?? [])]
    if (names.length > 0) return queries.drop(query.graph, names)
    throw new DbError('INVALID_PARAMETER', 'The parameter query is required.')
  })
  serve(app, readQuery, ({ params, query }) => queries.read(query.graph, params.query))
  mountDescriptionRoutes(app, queries)
  serve(app, dropQuery, ({ params, query }) => queries.drop(query.graph, [params.query]))
}

/** The fields of both forms that servers of 4.x answer. */
function installationState({ id, graph, names, startMs, endMs, failure }: Installation) {
  const end = failure === null ? ('SUCCESS' as const) : ('FAILED' as const)
  const state = endMs === null ? ('RUNNING' as const) : end
  return {
    ...{ state, results: failure ?? '', graph, requestId: id },
    queries: names.map((name) => ({ name, state })),
    startTime: new Date(startMs).toISOString(),
    ...(endMs !== null && { endTime: new Date(endMs).toISOString() }),
  }
}

/** Clients look for SUCCESS and FAILED in it. */
function installationMessage({ id, endMs, failure }: Installation): string {
  if (endMs === null) return `Request ${id} is running`
  return `Request ${id} is finished with status ${failure === null ? 'SUCCESS' : 'FAILED'}`
}

const installFlags = ['-single', '-force', '-legacy', '-debug', '-cost']

/** Each query is compiled alone and at once: every flag asks for what happens anyway. */
function checkInstallFlags(flags: readonly string[]): void {
  const unknown = flags.find((flag) => !installFlags.includes(flag.toLowerCase()))
  if (unknown !== undefined) {
    throw new DbError('INVALID_PARAMETER', `The flag '${unknown}' is not one of ${installFlags}.`)
  }
  if (flags.includes('-single') && flags.includes('-legacy')) {
    throw new DbError('INVALID_PARAMETER', 'The flags -single and -legacy exclude each other.')
  }
}

function mountDescriptionRoutes(app: FastifyInstance, queries: QueryService): void {
  serve(app, readDescriptions, ({ query }) => ({
    queries: queries.descriptions(query.graph, query.query ?? []),
  }))
  serve(app, writeDescriptions, async ({ query, body }) => {
    for (const { queryName, description, parameters } of body.queries) {
      await queries.describe(query.graph, queryName, {
        ...(description !== undefined && { text: description }),
        ...(parameters !== undefined && { parameters }),
      })
    }
    return message('')
  })
  serve(app, dropDescriptions, async ({ query, body }) => {
    for (const name of body?.queries ?? []) {
      await queries.forgetDescription(query.graph, name, null)
    }
    for (const path of body?.queryParameters ?? []) {
      const dot = path.lastIndexOf('.')
      const [name, parameter] = dot < 0 ? [path, '*'] : [path.slice(0, dot), path.slice(dot + 1)]
      await queries.forgetDescription(query.graph, name, parameter)
    }
    return message('')
  })
}

function checkEntries(diagnostics: Awaited<ReturnType<QueryService['check']>>) {
  const found = diagnostics.map(({ severity, ...diagnostic }) => ({
    severity,
    entry: {
      code: diagnostic.code,
      message: diagnostic.message,
      line: diagnostic.place.line,
      column: diagnostic.place.column,
      endLine: diagnostic.endPlace.line,
      endColumn: diagnostic.endPlace.column,
    },
  }))
  return {
    warnings: found.filter(({ severity }) => severity === 'warning').map(({ entry }) => entry),
    errors: found.filter(({ severity }) => severity === 'error').map(({ entry }) => entry),
  }
}

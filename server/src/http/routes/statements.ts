/** Scripts: text in, text out. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/statements.ts'
import { DbError } from '#kernel/errors.ts'
import { DETACHED_SCRIPT_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import type { DetachedScript, DetachedScripts } from '#services/gsql/detached-scripts.ts'
import type { GsqlService } from '#services/gsql/gsql-service.ts'
import type { ScriptCall } from '#services/gsql/session.ts'
import type { StoreCommands } from '#services/gsql/store-commands.ts'
import { originOf } from '../origin.ts'
import { message, reply, replyPieces, replyText } from '../reply.ts'
import { type CallContext, callerName, present, serve } from '../serve.ts'

export interface StatementRoutesOptions {
  readonly gsql: GsqlService
  readonly store: StoreCommands
  readonly detached: DetachedScripts
}

export function mountStatementRoutes(app: FastifyInstance, options: StatementRoutesOptions): void {
  const { gsql, store, detached } = options
  serve(app, contract.runStatements, async (context) => {
    const { query, body, url } = context
    const text = url.startsWith('/gsqlserver/') ? unquoted(body) : body
    const graph = query.graph ?? null
    const call = callOf(app, context)
    if (!query.async) {
      return replyPieces(await gsql.run(text, graph, { ...call, signal: context.signal }))
    }
    const script = await detached.start(
      { id: call.requestId, caller: call.principal },
      (signal) => {
        const run = gsql.run(text, graph, { ...call, signal })
        context.holdBody(run)
        return run.then(firstText)
      },
    )
    return replyText(JSON.stringify({ error: false, ...stateOf(script) }), 'application/json')
  })
  serve(app, contract.readStatements, (context) => {
    const script = detached.require(context.params.id, present(context.principal))
    const { message: text, ...state } = stateOf(script)
    return reply({ ...state, results: script.text }, { message: text })
  })
  serve(app, contract.cancelStatements, (context) => {
    const { id } = context.params
    detached.cancel(id, present(context.principal))
    return message(`Successfully aborted request ${id}`)
  })
  serve(app, contract.clearStore, async ({ url }) => {
    await store.clearAll(url)
    return message('Successfully cleared graph store.')
  })
  serve(app, contract.dropAll, async () => {
    await store.dropEverything()
    return message('Successfully dropped all.')
  })
}

type ScriptContext = CallContext<typeof contract.runStatements>

function callOf(app: FastifyInstance, context: ScriptContext): Omit<ScriptCall, 'signal'> {
  const { principal, query } = context
  const user = callerName(context)
  if (principal === null) throw new DbError('UNAUTHENTICATED', 'Credentials are required.')
  return {
    requestId: context.requestId,
    url: context.url,
    user,
    principal,
    origin: originOf(app),
    timeoutMs: query.timeout === 0 ? context.timeoutMs : query.timeout * 1000,
    memoryLimitBytes: undefined,
    responseLimitBytes: undefined,
    audit: (event) =>
      app.dependencies.audit.record({
        ...event,
        user,
        requestId: context.requestId,
        ...(context.address !== undefined && { address: context.address }),
      }),
    newRequestId: app.newRequestId,
    require: (privilege, graph) => requirePrivilege(principal, privilege, graph),
  }
}

/** The first pieces, up to the length that is stored. The rest is not stored. */
function firstText(pieces: readonly Uint8Array[]): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length <= DETACHED_SCRIPT_TEXT_CHARS_MAX) text += Buffer.from(piece).toString()
  }
  return text
}

/** Clients of 3.x quote the script as a form does. */
function unquoted(body: string): string {
  try {
    return decodeURIComponent(body.replace(/\+/g, ' '))
  } catch {
    return body
  }
}

function stateOf({ id, startMs, endMs, failed }: DetachedScript) {
  const text =
    endMs === null
      ? `Request ${id} is running`
      : `Request ${id} is finished with status ${failed ? 'FAILED' : 'SUCCESS'}`
  return {
    message: text,
    requestId: id,
    startTime: new Date(startMs).toISOString(),
    ...(endMs !== null && { endTime: new Date(endMs).toISOString() }),
  }
}

import type { FastifyInstance } from 'fastify'
import { streamElements } from '#contract/element-stream.ts'
import * as contract from '#contract/transfer.ts'
import { partsOf, type TransferCommands } from '#services/gsql/transfer-commands.ts'
import type { ReadEngine } from '#services/read/read-scope.ts'
import { elementStream } from '#services/transfer/element-stream.ts'
import type { ExportService } from '#services/transfer/export-service.ts'
import type { ImportService } from '#services/transfer/import-service.ts'
import { message, reply, replyStream } from '../reply.ts'
import { present, serve } from '../serve.ts'

export interface TransferRoutesOptions {
  readonly transfer: TransferCommands
  readonly exports: ExportService
  readonly imports: ImportService
  readonly engine: ReadEngine
}

export function mountTransferRoutes(
  app: FastifyInstance,
  { transfer, exports, imports, engine }: TransferRoutesOptions,
): void {
  serve(app, streamElements, async ({ params, query }) => {
    const types = { vertexTypes: query.vertex_types, edgeTypes: query.edge_types }
    return replyStream(await elementStream(engine, params.graph, types))
  })
  serve(app, contract.exportDatabase, async ({ body, principal, signal, note }) => {
    note(body.path)
    const { path } = body
    const password = body.password || null
    const request = { path, graphs: namesOf(body.graphNames), ...partsOf(body), password }
    const summary = await transfer.exportDatabase(present(principal), request, signal)
    return reply(summary, { message: 'Successfully exported database.' })
  })
  serve(app, contract.importDatabase, async ({ body, principal, signal, note }) => {
    note(body.path)
    const { path, keepUsers } = body
    const password = body.password || null
    const request = { path, graphs: namesOf(body.graphNames), keepUsers, password }
    await transfer.importDatabase(present(principal), request, signal)
    return message('Successfully imported database.')
  })
  serve(app, contract.listImports, () => [...imports.list()])
  serve(app, contract.exportGraph, async ({ params, body, signal, note }) => {
    note(body.path)
    const summary = await exports.exportGraph(params.graph, body, signal)
    return reply(summary, { message: `Successfully exported graph ${params.graph}.` })
  })
}

/** `*` alone stands for all. */
function namesOf(names: readonly string[]): readonly string[] | null {
  return names.includes('*') ? null : names
}

import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/transfer.ts'
import { partsOf, type TransferCommands } from '#services/gsql/transfer-commands.ts'
import type { ExportService } from '#services/transfer/export-service.ts'
import { message, reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

export interface TransferRoutesOptions {
  readonly transfer: TransferCommands
  readonly exports: ExportService
}

export function mountTransferRoutes(
  app: FastifyInstance,
  { transfer, exports }: TransferRoutesOptions,
): void {
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

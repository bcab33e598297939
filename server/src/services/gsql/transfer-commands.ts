/** EXPORT GRAPH and IMPORT GRAPH in scripts, and the rights that both ask for. */
import type { Privilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { Command, TransferCommand } from '#query/syntax/script/ast-script.ts'
import type { Principal } from '../auth/access.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import type { ExportManifest } from '../transfer/export-manifest.ts'
import {
  type DatabaseExport,
  type ExportService,
  type ExportSummary,
  graphFormats,
} from '../transfer/export-service.ts'
import type { DatabaseImport, ImportService } from '../transfer/import-service.ts'
import type { Session } from './session.ts'

export function isTransferCommand(command: Command): command is TransferCommand {
  return command.kind === 'exportGraph' || command.kind === 'importGraph'
}

/** What an import does, in all graphs: those it makes have no roles yet. */
const importPrivileges: readonly Privilege[] = [
  'EXPORT_GRAPH',
  'WRITE_SCHEMA',
  'CREATE_QUERY',
  'INSTALL_QUERY',
  'WRITE_LOADINGJOB',
  'WRITE_DATASOURCE',
  'READ_FILE',
  'CREATE_DATA',
  'UPDATE_DATA',
]

export type ExportParts = Pick<DatabaseExport, 'schema' | 'template' | 'data' | 'users'>

/** None named: everything but users. */
export function partsOf(named: Readonly<Record<keyof ExportParts, boolean>>): ExportParts {
  const { schema, template, data, users } = named
  if (!(schema || template || data || users)) return { ...named, ...everything }
  // Users alone go with what they have rights on, queries with the schema that they need.
  return { schema: schema || template || users, template: template || users, data, users }
}

const everything = { schema: true, template: true, data: true }

export class TransferCommands {
  readonly #exports: ExportService
  readonly #imports: ImportService

  constructor(exports: ExportService, imports: ImportService) {
    this.#exports = exports
    this.#imports = imports
  }

  run(session: Session, command: TransferCommand): Promise<void> {
    return command.kind === 'exportGraph'
      ? this.#exportGraph(session, command)
      : this.#importGraph(session, command)
  }

  async #exportGraph(session: Session, command: TransferCommand): Promise<void> {
    const { flags, graphs, path } = command
    if (flags.has('format')) return await this.#exportInFormat(session, command)
    const parts = partsOf({
      schema: flags.has('schema'),
      template: flags.has('template'),
      data: flags.has('data'),
      users: flags.has('users'),
    })
    const request = { path, graphs, ...parts, password: flags.get('password') ?? null }
    await this.exportDatabase(session.call.principal, request, session.call.signal)
    session.print('Successfully exported database.')
  }

  /** For other programs: one graph, and of it what such a format holds. */
  async #exportInFormat(session: Session, { flags, graphs, path }: TransferCommand): Promise<void> {
    const { principal, signal } = session.call
    const [graph, ...others] = graphs ?? []
    if (graph === undefined || others.length > 0 || flags.size > 1) {
      const text = 'FORMAT goes with the name of one graph and with no other option.'
      throw new DbError('INVALID_PARAMETER', text)
    }
    const format = graphFormats.find((one) => one === flags.get('format')?.toLowerCase())
    if (format === undefined) {
      const text = `FORMAT is one of ${graphFormats.join(', ')}.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    requirePrivilege(principal, 'EXPORT_GRAPH', null)
    await this.#exports.exportGraph(graph, { path, format }, signal)
    session.print(`Successfully exported graph ${graph}.`)
  }

  async #importGraph(session: Session, command: TransferCommand): Promise<void> {
    const { flags, graphs, path } = command
    const keepUsers = flags.has('keepUsers')
    const request = { path, graphs, keepUsers, password: flags.get('password') ?? null }
    await this.importDatabase(session.call.principal, request, session.call.signal)
    session.print('Successfully imported database.')
  }

  async exportDatabase(
    principal: Principal,
    request: DatabaseExport,
    signal: AbortSignal,
  ): Promise<ExportSummary> {
    requirePrivilege(principal, 'EXPORT_GRAPH', null)
    if (request.users) requireSuperuser(principal)
    return await this.#exports.exportDatabase(request, signal)
  }

  async importDatabase(
    principal: Principal,
    request: DatabaseImport,
    signal: AbortSignal,
  ): Promise<void> {
    for (const privilege of importPrivileges) requirePrivilege(principal, privilege, null)
    const mayBring = ({ users }: ExportManifest) => {
      if (users !== null && !request.keepUsers) requireSuperuser(principal)
    }
    await this.#imports.importDatabase(request, mayBring, signal)
  }
}

/** Hashes of passwords and secrets are everybody's keys. */
function requireSuperuser({ name, rights }: Principal): void {
  if (rights.isSuperUser) return
  const text = `The user ${name} is no superuser: users cannot be exported or imported.`
  throw new DbError('FORBIDDEN', text, { details: { user: name } })
}

/** Data sources in scripts (docs/reference/gsql/loading.md). */
import { DbError } from '#kernel/errors.ts'
import type { Command, Names } from '#query/syntax/script/ast-script.ts'
import { checkGrant } from '../loading/data-source-rights.ts'
import type { DataSources, SourceConfig } from '../loading/data-sources.ts'
import type { FileAccess } from '../loading/file-access.ts'
import { bracketed } from '../schema/schema-service.ts'
import { told } from './schema-commands.ts'
import type { Session } from './session.ts'

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>
type DataSourceCommand = Extract<Command, { kind: `${string}DataSource` }>

export function isDataSourceCommand(command: Command): command is DataSourceCommand {
  return command.kind.endsWith('DataSource')
}

export class DataSourceCommands {
  readonly #sources: DataSources
  readonly #files: FileAccess

  constructor(sources: DataSources, files: FileAccess) {
    this.#sources = sources
    this.#files = files
  }

  run(session: Session, command: DataSourceCommand): Promise<void> | void {
    switch (command.kind) {
      case 'createDataSource':
        return this.#create(session, command)
      case 'dropDataSource':
        return this.#drop(session, command.names)
      case 'showDataSource':
        this.#show(session)
        return
      default:
        return this.#share(session, command)
    }
  }

  async #create(session: Session, command: Of<'createDataSource'>): Promise<void> {
    const { name, type, config } = command
    const graph = command.graph ?? session.graph
    session.call.require('WRITE_DATASOURCE', graph)
    await told(`Failed to create data source: ${name}.`, async () => {
      const requireReadFile = () => session.call.require('READ_FILE', graph)
      const written = config === null ? {} : await this.#configOf(config, requireReadFile)
      await this.#sources.create(graph, name, type === null ? written : { type, ...written })
    })
    const what = graph === null ? 'data sources' : 'local data sources'
    session.print(`Successfully created ${what}: [${name}].`)
  }

  /** JSON, or the name of a file that holds it, with or without an `@` before. */
  async #configOf(text: string, requireReadFile: () => void): Promise<SourceConfig> {
    const isJson = text.trimStart().startsWith('{')
    if (!isJson) requireReadFile()
    const json = isJson ? text : await this.#files.text(text.replace(/^@/, ''))
    let config: unknown
    try {
      config = JSON.parse(json)
    } catch (cause) {
      throw new DbError('INVALID_PARAMETER', 'The config of a data source must be JSON.', { cause })
    }
    if (typeof config === 'object' && config !== null && !Array.isArray(config)) {
      return config as SourceConfig
    }
    throw new DbError('INVALID_PARAMETER', 'The config of a data source must be a JSON object.')
  }

  async #drop(session: Session, names: Names): Promise<void> {
    const { graph } = session
    session.call.require('WRITE_DATASOURCE', graph)
    const dropped = await this.#sources.drop(graph, names)
    session.print(`Successfully dropped data sources: ${bracketed(dropped)}.`)
  }

  #show(session: Session): void {
    session.call.require('READ_LOADINGJOB', session.graph)
    for (const { name, type, config, graph } of this.#sources.of(session.graph)) {
      const where = graph === null ? 'global' : `graph ${graph}`
      session.print(`  - ${type} ${name} (${where}): ${JSON.stringify(config)}`)
    }
  }

  async #share(
    session: Session,
    { kind, name, graphs }: Of<'grantDataSource' | 'revokeDataSource'>,
  ): Promise<void> {
    const isGrant = kind === 'grantDataSource'
    checkGrant(session.call.principal, this.#sources, { name, graphs: isGrant ? graphs : [] })
    if (isGrant) {
      await this.#sources.grant(name, graphs)
      session.print(`Successfully grant datasource ${name} to the graph(s) ${bracketed(graphs)}`)
      return
    }
    await this.#sources.revoke(name, graphs)
    session.print(`Successfully revoke datasource ${name} from graph(s) ${bracketed(graphs)}`)
  }
}

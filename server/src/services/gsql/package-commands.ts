/** Packages in scripts: CREATE, DROP and SHOW PACKAGE (docs/reference/gsql/commands.md). */
import type { Command } from '#query/syntax/script/ast-script.ts'
import { authorise, maySeeGraph } from '../auth/authorise.ts'
import { packageLines } from '../describe/packages.ts'
import type { TemplateQueries } from '../queries/template-queries.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Session } from './session.ts'

type PackageCommand = Extract<Command, { kind: 'createPackage' | 'dropPackage' | 'showPackage' }>

export function isPackageCommand(command: Command): command is PackageCommand {
  return command.kind.endsWith('Package')
}

export class PackageCommands {
  readonly #templates: TemplateQueries

  constructor(templates: TemplateQueries) {
    this.#templates = templates
  }

  run(session: Session, command: PackageCommand): Promise<void> | void {
    if (command.kind === 'createPackage') return this.#create(session, command.name)
    if (command.kind === 'dropPackage') return this.#drop(session, command.names)
    return this.#show(session, command.name)
  }

  async #create(session: Session, name: string): Promise<void> {
    session.call.require('WRITE_FUNCTION', null)
    await this.#templates.create(name)
    session.print(`Successfully created package: ${bracketed([name])}.`)
  }

  async #drop(session: Session, names: readonly string[]): Promise<void> {
    session.call.require('WRITE_FUNCTION', null)
    for (const name of names) await this.#templates.drop(name)
    session.print(`Successfully dropped package: ${bracketed(names)}.`)
  }

  #show(session: Session, name: string): void {
    const demand = { privilege: 'USE_FUNCTION', ofSomeGraph: true } as const
    authorise(session.call.principal, demand, null)
    const maySee = mayRead(session)
    const templates = this.#templates.list(maySee)
    session.print(...packageLines(name, templates, this.#templates.created))
  }
}

/** Graphs whose queries the caller may read. */
function mayRead({ call: { principal } }: Session): (graph: string) => boolean {
  return (graph) => maySeeGraph(principal, graph) && principal.rights.allows('READ_QUERY', graph)
}

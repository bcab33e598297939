/** Packages in scripts: CREATE, DROP, IMPORT and SHOW PACKAGE, INSTALL FUNCTION (docs/reference/gsql/commands.md). */
import { DbError } from '#kernel/errors.ts'
import type { Command } from '#query/syntax/script/ast-script.ts'
import { authorise, maySeeGraph } from '../auth/authorise.ts'
import { isFunction, packageLines } from '../describe/packages.ts'
import type { TemplateQueries } from '../queries/template-queries.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Session } from './session.ts'

type PackageCommand = Extract<
  Command,
  { kind: 'createPackage' | 'dropPackage' | 'needPackage' | 'showPackage' }
>

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
    if (command.kind === 'needPackage') {
      for (const name of command.names) this.#need(session, name)
      return
    }
    return this.#show(session, command.name)
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  #need(session: Session, name: string): void {
    const templates = this.#templates.list(mayRead(session))
    const known = packageLines(name, templates, this.#templates.created)
    if (known.length > 0 || isFunction(name)) return
    if (templates.some((template) => template.name === name)) return
    throw new DbError('REQUEST_NOT_FOUND', `There is no package or function '${name}'.`)
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
    const lines = packageLines(name, templates, this.#templates.created)
    if (lines.length === 0) throw new DbError('REQUEST_NOT_FOUND', `There is no package '${name}'.`)
    session.print(...lines)
  }
}

/** Graphs whose queries the caller may read. */
function mayRead({ call: { principal } }: Session): (graph: string) => boolean {
  return (graph) => maySeeGraph(principal, graph) && principal.rights.allows('READ_QUERY', graph)
}

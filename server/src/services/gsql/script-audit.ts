/** What the audit log is told of a script: commands and names, never their text. */
import type { Command } from '#query/syntax/script/ast-script.ts'
import type { Session } from './session.ts'

/** Commands that change nothing but data, or nothing at all, are no matter of the audit log. */
const unaudited =
  /^(show|use|(abort|pause|resume)Loading|set$|ls$|help$|version$|noise$|begin$|end$|abort$|exit$|run(Query|Loading)|interpret|upsert)/

export function audit(
  session: Session,
  command: Command,
  outcome: 'done' | 'denied' | 'failed',
): void {
  if (outcome !== 'denied' && unaudited.test(command.kind)) return
  const target = auditTarget(command)
  session.call.audit?.({
    action: command.kind.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase(),
    graph: session.graph,
    outcome,
    ...(target !== undefined && { target }),
  })
}

/** The names that a command is about. */
function auditTarget(command: Command): string | undefined {
  switch (command.kind) {
    case 'createUser':
    case 'alterUser':
      return command.name
    case 'dropUser':
    case 'createRole':
    case 'dropRole':
      return command.names.join(', ')
    case 'grantRole':
    case 'revokeRole':
      return `${command.roles.join(', ')}: ${command.users.join(', ')}`
    case 'grantPrivilege':
    case 'revokePrivilege':
      return `${command.privileges.join(', ')}: ${command.roles.join(', ')}`
    case 'grantDataSource':
    case 'revokeDataSource':
      return `${command.name}: ${command.graphs.join(', ')}`
    case 'grantOwnership':
      return `${command.queries.join(', ')}: ${command.user}`
    case 'createDataSource':
    case 'createGraph':
    case 'createPackage':
    case 'runSchemaJob':
    case 'createSchemaJob':
      return command.name
    case 'exportGraph':
    case 'importGraph':
      return command.path
    case 'dropTypes':
    case 'dropGraph':
    case 'dropQuery':
    case 'dropJob':
    case 'dropDataSource':
    case 'dropPackage':
    case 'installQuery':
      return command.names?.join(', ') ?? '*'
    default:
      return undefined
  }
}

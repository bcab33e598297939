/** Users, roles and privileges in scripts (docs/reference/gsql/access.md). */
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import type { Command, ScopeSyntax } from '#query/syntax/script/ast-script.ts'
import type { AccountService } from '../auth/account-service.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import { globalRoles, localRoles } from '../auth/built-in-roles.ts'
import type { PrivilegeScope, RoleService } from '../auth/role-service.ts'
import type { ScopePrivileges } from '../auth/role-store.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Session } from './session.ts'

export type AccessCommand = Extract<
  Command,
  {
    kind:
      | 'createUser'
      | 'alterUser'
      | 'dropUser'
      | 'createRole'
      | 'dropRole'
      | 'grantRole'
      | 'revokeRole'
      | 'grantPrivilege'
      | 'revokePrivilege'
      | 'showRole'
      | 'showUser'
      | 'showPrivilege'
  }
>

const kinds: ReadonlySet<string> = new Set([
  'createUser',
  'alterUser',
  'dropUser',
  'createRole',
  'dropRole',
  'grantRole',
  'revokeRole',
  'grantPrivilege',
  'revokePrivilege',
  'showRole',
  'showUser',
  'showPrivilege',
] satisfies AccessCommand['kind'][])

export function isAccessCommand(command: Command): command is AccessCommand {
  return kinds.has(command.kind)
}

type ShowPrivilege = Extract<AccessCommand, { kind: 'showPrivilege' }>

export class AccessCommands {
  readonly #accounts: AccountService
  readonly #roles: RoleService

  constructor(accounts: AccountService, roles: RoleService) {
    this.#accounts = accounts
    this.#roles = roles
  }

  async run(session: Session, command: AccessCommand): Promise<void> {
    switch (command.kind) {
      case 'showUser':
        this.#showUsers(session)
        return
      case 'showRole':
        this.#showRoles(session)
        return
      case 'showPrivilege':
        this.#showPrivileges(session, command)
        return
      default:
        session.print(await this.#change(session, command))
    }
  }

  /** @returns what to tell */
  #change(
    session: Session,
    command: Exclude<AccessCommand, { kind: 'showUser' | 'showRole' | 'showPrivilege' }>,
  ): Promise<string> {
    switch (command.kind) {
      case 'createUser':
      case 'alterUser':
      case 'dropUser':
        return this.#changeUser(session, command)
      case 'createRole': {
        const { graph } = scopeOf(session, command.scope)
        session.call.require('WRITE_ROLE', graph)
        return this.#roles.create(command.names, graph)
      }
      case 'dropRole':
        return this.#roles.drop(session.call.principal, command.names)
      case 'grantRole':
      case 'revokeRole':
        return this.#handOutRoles(session, command)
      default:
        return this.#handOutPrivileges(session, command)
    }
  }

  async #changeUser(
    { call }: Session,
    command: Extract<AccessCommand, { kind: 'createUser' | 'alterUser' | 'dropUser' }>,
  ): Promise<string> {
    const { principal } = call
    switch (command.kind) {
      case 'createUser':
        call.require('WRITE_USER', null)
        return await this.#accounts.create(command.name, command.password)
      case 'alterUser':
        return await this.#accounts.setPassword(principal, command)
      default:
        call.require('WRITE_USER', null)
        await this.#accounts.drop(principal, command.names)
        return `Successfully dropped users: ${bracketed(command.names)}.`
    }
  }

  #handOutRoles(
    session: Session,
    { kind, roles, users, scope }: Extract<AccessCommand, { kind: 'grantRole' | 'revokeRole' }>,
  ): Promise<string> {
    const { graph } = scopeOf(session, scopeOfRoles(roles, scope))
    session.call.require('WRITE_ROLE', graph)
    const grant = { graph, roles, users }
    const { principal } = session.call
    return kind === 'grantRole'
      ? this.#roles.grant(principal, grant)
      : this.#roles.revoke(principal, grant)
  }

  #handOutPrivileges(
    session: Session,
    command: Extract<AccessCommand, { kind: 'grantPrivilege' | 'revokePrivilege' }>,
  ): Promise<string> {
    const scope = scopeOf(session, command.scope)
    session.call.require('WRITE_ROLE', scope.graph)
    const grant = { scope, privileges: command.privileges, roles: command.roles }
    const { principal } = session.call
    return command.kind === 'grantPrivilege'
      ? this.#roles.grantPrivileges(principal, grant)
      : this.#roles.revokePrivileges(principal, grant)
  }

  #showUsers(session: Session): void {
    session.call.require('READ_USER', session.graph)
    for (const { name, roles } of this.#accounts.list(session.call.principal, session.graph)) {
      session.print(
        `  - Name: ${name}`,
        `    - Global Roles: ${(roles[GLOBAL_SCOPE] ?? []).join(', ')}`,
      )
      for (const [graph, names] of Object.entries(roles)) {
        if (graph !== GLOBAL_SCOPE)
          session.print(`    - Graph '${graph}' Roles: ${names.join(', ')}`)
      }
    }
  }

  #showRoles(session: Session): void {
    session.call.require('READ_ROLE', session.graph)
    session.print('- Builtin Roles:')
    for (const name of [...localRoles.keys(), ...globalRoles.keys()]) session.print(`  ${name}`)
    session.print('- User-defined Roles:')
    for (const [scope, names] of Object.entries(this.#roles.list(session.call.principal))) {
      session.print(scope === GLOBAL_SCOPE ? '  - Globals:' : `  - Graph '${scope}':`)
      session.print(...names.map((name) => `    ${name}`))
    }
  }

  #showPrivileges(session: Session, { of }: ShowPrivilege): void {
    const { principal } = session.call
    if (of?.kind === 'ROLE') {
      session.call.require('READ_ROLE', session.graph)
      for (const name of of.names) {
        const { rolePrivileges } = this.#roles.read(principal, name)
        this.#printPrivileges(session, { title: `Role: "${name}"`, what: 'role' }, rolePrivileges)
      }
      return
    }
    for (const name of of?.names ?? [principal.name]) {
      if (name !== principal.name) requirePrivilege(principal, 'READ_USER', session.graph)
      const { privileges } = this.#accounts.read(principal, name)
      this.#printPrivileges(session, { title: `User: "${name}"`, what: 'user' }, privileges)
    }
  }

  #printPrivileges(
    session: Session,
    { title, what }: { readonly title: string; readonly what: string },
    byScope: Readonly<Record<string, ScopePrivileges>>,
  ): void {
    session.print(title)
    const before = session.sizeChars
    for (const [scope, { privileges, childPermissions = {} }] of Object.entries(byScope)) {
      const where = scope === GLOBAL_SCOPE ? 'Global' : `Graph '${scope}'`
      if (privileges.length > 0) {
        session.print(`  - ${where} Privileges:`, ...privileges.map((name) => `    ${name}`))
      }
      for (const [type, limited] of Object.entries(childPermissions)) {
        session.print(`  - ${where} Type '${type}' Privileges:`)
        session.print(...limited.privileges.map((name) => `    ${name}`))
      }
    }
    if (session.sizeChars === before) session.print(`  This ${what} has no privilege.`)
  }
}

/** A global role cannot be meant for the graph that happens to be in use. */
function scopeOfRoles(roles: readonly string[], scope: ScopeSyntax): ScopeSyntax {
  const isGlobal = roles.every((name) => globalRoles.has(name))
  return scope.kind === 'working' && isGlobal ? { kind: 'global' } : scope
}

function scopeOf(session: Session, scope: ScopeSyntax): PrivilegeScope {
  switch (scope.kind) {
    case 'global':
      return { graph: null, type: null }
    case 'working':
      return { graph: session.graph, type: null }
    case 'graph':
      return { graph: scope.graph, type: null }
    default: {
      const graph = scope.graph ?? session.graph
      return { graph, type: { kind: scope.element, name: scope.name } }
    }
  }
}

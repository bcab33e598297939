/** Users, secrets and tokens as resources: who may touch whose. */
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { SECRETS_SHOWN_MAX } from '#kernel/limits.ts'
import type { Principal } from './access.ts'
import type { AuthService } from './auth-service.ts'
import { checkOwnCredentials, checkUnlimited, requirePrivilege } from './authorise.ts'
import type { ScopePrivileges } from './role-store.ts'
import { privilegesByScope } from './role-view.ts'
import { isSuperUser, masked, type User } from './user-store.ts'

export interface UserView {
  readonly name: string
  readonly isSuperUser: boolean
  readonly disabled: boolean
  readonly failedAttempts: number
  readonly showAlterPasswordWarning: boolean
  readonly secrets: readonly { alias: string; value: string }[]
  readonly lastSuccessLogin: string
  readonly nextValidLogin: string
  readonly roles: Readonly<Record<string, readonly string[]>>
  readonly privileges: Record<string, ScopePrivileges>
}

interface NewPassword {
  readonly name: string
  readonly password: string
  /** Refuses every token that was made for the user so far, too. */
  readonly revokeTokens?: boolean | undefined
}

export class AccountService {
  readonly #auth: AuthService
  readonly #clock: Clock
  readonly #forget: (user: string) => Promise<void>

  /** @param forget takes away what else is kept of a user who was dropped */
  constructor(auth: AuthService, clock: Clock, forget: (user: string) => Promise<void>) {
    this.#auth = auth
    this.#clock = clock
    this.#forget = forget
  }

  /** @param graph only those who have a role on it, or globally */
  /** @param viewer sees what users may do on graphs whose users he may read */
  list(viewer: Principal, graph: string | null): readonly UserView[] {
    const users = this.#auth.users.list()
    const hasRole = ({ roles }: User) =>
      graph === null || Object.hasOwn(roles, GLOBAL_SCOPE) || Object.hasOwn(roles, graph)
    return users.filter(hasRole).map((user) => limitedView(this.#viewOf(user), viewer))
  }

  /** @param viewer as for `list`; of himself a user sees everything */
  read(viewer: Principal, name: string): UserView {
    const view = this.#viewOf(this.#auth.users.require(name))
    return viewer.name === name ? view : limitedView(view, viewer)
  }

  /** @throws DbError INVALID_PARAMETER */
  require(name: string): void {
    this.#auth.users.require(name)
  }

  async create(name: string | undefined, password: string | undefined): Promise<string> {
    if (!name || !password) {
      throw new DbError('INVALID_PARAMETER', 'The body must hold username and password.')
    }
    await this.#auth.users.create(name, password)
    return `Successfully created user ${name}`
  }

  async drop(caller: Principal, names: readonly string[]): Promise<void> {
    for (const name of names) this.#checkMayChange(caller, name)
    for (const name of names) {
      await this.#auth.users.drop(name)
      this.#auth.limit.forgetUser(name)
      await this.#auth.endSessions(name)
      await this.#forget(name)
    }
  }

  async setPassword(
    caller: Principal,
    { name, password, revokeTokens = false }: NewPassword,
  ): Promise<string> {
    if (name === caller.name) checkOwnCredentials(caller)
    else {
      requirePrivilege(caller, 'WRITE_USER', null)
      this.#checkMayChange(caller, name)
    }
    await this.#auth.users.setPassword(name, password, revokeTokens)
    await this.#auth.endSessions(name)
    return `Successfully updated user ${name}`
  }

  /** Whoever takes an account over has its rights: nobody takes more than he has. */
  #checkMayChange(caller: Principal, name: string): void {
    const user = this.#auth.users.require(name)
    if (caller.rights.covers(this.#auth.rightsOf(user))) return
    const text = isSuperUser(user)
      ? `Only a superuser may change the superuser ${name}.`
      : `The user ${name} has privileges that the user ${caller.name} does not have.`
    throw new DbError('FORBIDDEN', text)
  }

  /** @throws DbError UNAUTHENTICATED when the current password is wrong */
  async changeOwnPassword(
    caller: Principal,
    change: {
      readonly current: string
      readonly next: string
      readonly revokeTokens?: boolean | undefined
      readonly address?: string | undefined
    },
  ): Promise<void> {
    checkOwnCredentials(caller)
    await this.#auth.logIn(caller.name, change.current, change.address)
    const { next, revokeTokens = false } = change
    await this.#auth.users.setPassword(caller.name, next, revokeTokens)
    await this.#auth.endSessions(caller.name)
  }

  listSecrets(caller: Principal, name: string | undefined): { alias: string; value: string }[] {
    const owner = this.#auth.users.require(this.#ownerFor(caller, name))
    return [...this.#auth.users.secretsOf(owner)]
  }

  readSecret(
    caller: Principal,
    name: string | undefined,
    alias: string,
  ): { alias: string; value: string } {
    const owner = this.#auth.users.require(this.#ownerFor(caller, name))
    const secret = this.#auth.users.findSecret(owner, alias)
    if (secret) return secret
    throw new DbError('INVALID_PARAMETER', `The secret with alias ${alias} does not exist.`)
  }

  createSecret(
    caller: Principal,
    wanted: {
      userName?: string | undefined
      alias?: string | undefined
      value?: string | undefined
    },
  ): Promise<{ alias: string; value: string }> {
    checkOwnCredentials(caller)
    return this.#auth.users.addSecret(this.#ownerFor(caller, wanted.userName), wanted)
  }

  async dropSecrets(
    caller: Principal,
    name: string | undefined,
    secrets: readonly string[],
  ): Promise<string> {
    checkOwnCredentials(caller)
    const owner = this.#ownerFor(caller, name)
    if (secrets.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The body must name secrets.')
    }
    await this.#auth.users.dropSecrets(owner, secrets)
    return `Successfully removed the secrets for user ${owner}.`
  }

  /** Oneself unless another is named, which takes a superuser. */
  #ownerFor(caller: Principal, name: string | undefined): string {
    checkUnlimited(caller)
    if (!name || name === caller.name) return caller.name
    if (this.#auth.isSuperUser(caller.name)) return name
    throw new DbError(
      'FORBIDDEN',
      `The user ${caller.name} does not have the privilege WRITE_USER.`,
    )
  }

  #viewOf(user: User): UserView {
    const waitMs = this.#auth.limit.waitMs(user.name)
    const lastLoginMs = this.#auth.lastLoginMs(user.name)
    return {
      name: user.name,
      isSuperUser: isSuperUser(user),
      disabled: false,
      failedAttempts: this.#auth.limit.failureCount(user.name),
      showAlterPasswordWarning: user.passwordIsDefault,
      secrets: this.#auth.users
        .secretsOf(user)
        .slice(-SECRETS_SHOWN_MAX)
        .map(({ alias, value }) => ({ alias, value: masked(value) })),
      lastSuccessLogin: lastLoginMs === undefined ? '' : dateText(lastLoginMs),
      nextValidLogin: waitMs === 0 ? '' : dateText(this.#clock.nowMs() + waitMs),
      roles: user.roles,
      privileges: privilegesByScope(user, this.#auth.roles),
    }
  }
}

/** Names of graphs, and rights on them, are for those who may read their users. */
function limitedView(view: UserView, { rights }: Principal): UserView {
  const maySee = (scope: string) => scope === GLOBAL_SCOPE || rights.allows('READ_USER', scope)
  const visible = <T>(byScope: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(byScope).filter(([scope]) => maySee(scope)))
  return { ...view, roles: visible(view.roles), privileges: visible(view.privileges) }
}

/** `Wed Jul 10 06:12:47 UTC 2024`, as the contract prints dates of tokens and logins. */
export function dateText(epochMs: number): string {
  const [weekday = '', day, month, year, time] = new Date(epochMs).toUTCString().split(' ')
  return `${weekday.replace(',', '')} ${month} ${day} ${time} UTC ${year}`
}

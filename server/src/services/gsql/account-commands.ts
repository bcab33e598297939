/** Secrets in scripts (docs/reference/gsql/access.md). */
import { DbError } from '#kernel/errors.ts'
import type { Names } from '#query/syntax/script/ast-script.ts'
import type { AccountService } from '../auth/account-service.ts'
import { masked } from '../auth/user-store.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Session } from './session.ts'

export class AccountCommands {
  readonly #accounts: AccountService

  constructor(accounts: AccountService) {
    this.#accounts = accounts
  }

  async createSecret(session: Session, alias: string | null): Promise<void> {
    const { principal } = session.call
    const made = await this.#accounts.createSecret(principal, { alias: alias ?? undefined })
    session.print(`The secret: ${made.value} has been created for user "${principal.name}".`)
  }

  showSecrets(session: Session): void {
    const secrets = this.#accounts.listSecrets(session.call.principal, undefined)
    for (const { alias, value } of secrets) {
      session.print(`- Secret: ${masked(value)}`, `- Alias: ${alias}`)
    }
  }

  async dropSecrets(session: Session, names: Names): Promise<void> {
    const { principal } = session.call
    const listed = this.#accounts.listSecrets(principal, undefined)
    const wanted = names ?? listed.map(({ alias }) => alias)
    const known = new Set(listed.flatMap(({ alias, value }) => [alias, value]))
    const missing = wanted.filter((name) => !known.has(name))
    if (missing.length > 0) {
      const text = `Failed to drop secrets: ${bracketed(missing)} does not exist.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    if (wanted.length > 0) await this.#accounts.dropSecrets(principal, undefined, wanted)
    session.print(`Successfully dropped secrets: ${bracketed(wanted)}.`)
  }
}

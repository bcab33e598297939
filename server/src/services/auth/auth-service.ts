/**
 * Who a request comes from: Basic, Bearer, GSQL-Secret, or the console's cookie (contract 1.9).
 *
 * While the first user still has the password that everyone knows, a request without credentials
 * counts as that user: the server listens on loopback only then. A password that is set back to it
 * opens nothing before the next start: where the server listens was decided without it. Wrong
 * credentials are refused all the same.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { AccessControl, Credentials, Demand, Principal } from './access.ts'
import { authorise, checkUnlimited } from './authorise.ts'
import { CredentialUse } from './credential-use.ts'
import type { IssuedToken } from './issued-tokens.ts'
import { LoginLimit } from './login-limit.ts'
import { type PasswordHash, unfittingHash, verifyPassword } from './passwords.ts'
import type { Rights } from './rights.ts'
import { RightsBook } from './rights-book.ts'
import { RoleStore } from './role-store.ts'
import { lifetimeSeconds, type TokenClaims, Tokens } from './tokens.ts'
import {
  type DocumentStore,
  FIRST_USER,
  isSuperUser,
  secretHash,
  type User,
  UserStore,
} from './user-store.ts'

export interface AuthOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  isGraph(name: string): boolean
  /** Of new password hashes; tests make it small. */
  readonly passwordCost?: number | undefined
  /** Tests count its calls. */
  readonly verifyPassword?: typeof verifyPassword
}

/** How long a verified password is believed without hashing it again. */
const REMEMBER_PASSWORD_MS = 60_000
const REMEMBERED_MAX = 1_000
const SECRET_USER = '__GSQL__secret'
export const SESSION_SECONDS = 7 * 86_400

interface AuthStores {
  readonly users: UserStore
  readonly roles: RoleStore
  readonly tokens: Tokens
  readonly uses: CredentialUse
}

export class AuthService implements AccessControl {
  readonly users: UserStore
  readonly roles: RoleStore
  readonly #rights: RightsBook
  readonly #tokens: Tokens
  readonly uses: CredentialUse
  readonly #clock: Clock
  readonly #isGraph: (name: string) => boolean
  readonly limit: LoginLimit
  /** Keyed hashes of `Authorization` values that were verified, and until when they count. */
  readonly #verified = new Map<
    string,
    { readonly user: string; readonly untilMs: number; readonly password: PasswordHash }
  >()
  readonly #cacheKey = randomBytes(32).toString('base64')
  readonly #logins = new Map<string, Promise<Principal>>()
  readonly #lastLoginMs = new Map<string, number>()
  readonly #startedOpen: boolean
  readonly #verifyPassword: typeof verifyPassword
  /** Costs as much as the hash of a user, and no password fits. */
  readonly #nobodys: PasswordHash

  private constructor(options: AuthOptions, stores: AuthStores) {
    const { users, roles, tokens } = stores
    this.uses = stores.uses
    this.#clock = options.clock
    this.#isGraph = options.isGraph
    this.users = users
    this.roles = roles
    this.#rights = new RightsBook(users, roles)
    this.#startedOpen = users.passwordIsDefault
    this.#tokens = tokens
    this.limit = new LoginLimit(options.clock)
    this.#verifyPassword = options.verifyPassword ?? verifyPassword
    this.#nobodys = unfittingHash(options.passwordCost)
  }

  static async open(options: AuthOptions): Promise<AuthService> {
    const { documents, clock, passwordCost } = options
    const users = await UserStore.open(documents, passwordCost)
    const roles = await RoleStore.open(documents)
    const tokens = await Tokens.open(documents, clock)
    const uses = await CredentialUse.open(documents, clock)
    return new AuthService(options, { users, roles, tokens, uses })
  }

  /** At once for a password or token verified before, a secret, or nobody. */
  admit(
    credentials: Credentials,
    demand: Demand,
    graph: string | null,
  ): Principal | null | Promise<Principal | null> {
    const principal = this.#identify(credentials)
    const admitted = (found: Principal | null) =>
      granted(credentials.readOnly === true ? guarded(found) : found, demand, graph)
    return principal instanceof Promise ? principal.then(admitted) : admitted(principal)
  }

  #identify(credentials: Credentials): Principal | null | Promise<Principal | null> {
    const { authorization, sessionToken } = credentials
    if (authorization !== undefined && authorization.trim() !== '') {
      return this.#fromHeader(authorization)
    }
    if (sessionToken === undefined) return this.#nobody()
    return this.#fromSession(sessionToken).then((principal) => principal ?? this.#nobody())
  }

  /** Who a request without credentials counts as. */
  #nobody(): Principal | null {
    return this.isOpen ? this.#principalOf(this.users.require(FIRST_USER)) : null
  }

  /** Whether requests without credentials count as the first user. */
  get isOpen(): boolean {
    return this.#startedOpen && this.users.passwordIsDefault
  }

  #fromHeader(authorization: string): Principal | Promise<Principal> {
    const text = authorization.trim()
    const gap = text.search(/\s/)
    const value = text.slice(gap).trim()
    switch (text.slice(0, Math.max(0, gap)).toLowerCase()) {
      case 'basic':
        return this.#fromBasic(value)
      case 'bearer':
        return this.#fromToken(value)
      case 'gsql-secret':
        return this.#fromSecret(value)
      default:
        throw new DbError('UNAUTHENTICATED', 'The Authorization header is not understood.')
    }
  }

  #fromBasic(encoded: string): Principal | Promise<Principal> {
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) throw new DbError('UNAUTHENTICATED', 'The Basic credentials are malformed.')
    const name = text.slice(0, colon)
    const password = text.slice(colon + 1)
    if (name === SECRET_USER) return this.#fromSecret(password)
    const known = this.#recall(this.#cacheKeyOf(text))
    return known ?? this.#logInOnce(name, password)
  }

  /** A client's first requests come together: they share one hashing. */
  #logInOnce(name: string, password: string): Promise<Principal> {
    const key = this.#cacheKeyOf(`${name}:${password}`)
    const running = this.#logins.get(key)
    if (running !== undefined) return running
    const login = this.logIn(name, password).finally(() => this.#logins.delete(key))
    this.#logins.set(key, login)
    return login
  }

  /** @throws DbError UNAUTHENTICATED, also while the user has to wait after failures */
  async logIn(name: string, password: string): Promise<Principal> {
    const waitMs = this.limit.waitMs(name)
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000)
      throw new DbError('UNAUTHENTICATED', `Too many failed logins; wait ${seconds} seconds.`)
    }
    if (!this.limit.begin(name)) {
      throw new DbError('UNAUTHENTICATED', 'Too many logins at once; try again.')
    }
    const verified = await this.#verify(name, password).finally(() => this.limit.end(name))
    // What was taken from the user while the password was hashed is gone: roles, password, name.
    const user = this.users.find(name)
    if (verified === null || user?.password !== verified) {
      this.limit.fail(name)
      // A name that nobody has may be a password in the wrong field: it is not kept.
      const details = user === undefined ? {} : { user: name }
      const text = 'Authentication failed: wrong user name or password.'
      throw new DbError('UNAUTHENTICATED', text, { details })
    }
    this.limit.succeed(name)
    this.#lastLoginMs.set(name, this.#clock.nowMs())
    this.#remember(this.#cacheKeyOf(`${name}:${password}`), user)
    return this.#principalOf(user)
  }

  /**
   * Hashes for a name that nobody has, too: the time of a refusal does not tell who exists.
   * @returns the hash that the password fits; null: none does
   */
  async #verify(name: string, password: string): Promise<PasswordHash | null> {
    const expected = this.users.find(name)?.password
    const isRight = await this.#verifyPassword(password, expected ?? this.#nobodys)
    return isRight && expected !== undefined ? expected : null
  }

  #fromSecret(value: string): Principal {
    const hash = secretHash(value)
    const owner = this.users.ownerOfHash(hash)
    if (owner === undefined) throw new DbError('UNAUTHENTICATED', 'The secret is not valid.')
    this.uses.note(hash)
    return this.#principalOf(owner)
  }

  #fromToken(token: string): Principal | Promise<Principal> {
    const known = this.#tokens.remembered(token)
    if (known !== undefined) return this.#fromClaims(known)
    return this.#tokens.verify(token).then((claims) => this.#fromClaims(claims))
  }

  #fromClaims(claims: TokenClaims): Principal {
    const user = this.users.find(claims.user) // One dropped and made again is another.
    const isSame = user !== undefined && (user.generation ?? '') === claims.generation
    if (!isSame || claims.kind !== 'api') {
      throw new DbError('UNAUTHENTICATED', 'Access Denied because the input token is invalid.')
    }
    this.uses.note(claims.id)
    return this.#principalOf(user, claims.graph)
  }

  /** A stale cookie is no wrong credential: the browser sends it whether it is good or not. */
  async #fromSession(token: string): Promise<Principal | null> {
    try {
      const claims = await this.#tokens.verify(token)
      const user = this.users.find(claims.user)
      const isGood =
        user !== undefined &&
        claims.kind === 'session' &&
        claims.generation === (user.generation ?? '') &&
        claims.passwordVersion === user.passwordVersion
      return isGood ? this.#principalOf(user) : null
    } catch {
      return null
    }
  }

  #cacheKeyOf(text: string): string {
    return hash('sha256', `${this.#cacheKey}${text}`, 'base64')
  }

  #recall(key: string): Principal | null {
    const entry = this.#verified.get(key)
    const user = entry === undefined ? undefined : this.users.find(entry.user)
    if (entry === undefined || user === undefined) return null
    // The hash itself: a name that was dropped and taken again has another one.
    const isGood = entry.untilMs > this.#clock.nowMs() && entry.password === user.password
    return isGood ? this.#principalOf(user) : null
  }

  #remember(key: string, user: User): void {
    const untilMs = this.#clock.nowMs() + REMEMBER_PASSWORD_MS
    this.#verified.set(key, { user: user.name, untilMs, password: user.password })
    if (this.#verified.size <= REMEMBERED_MAX) return
    const [oldest] = this.#verified.keys()
    if (oldest !== undefined) this.#verified.delete(oldest)
  }

  lastLoginMs(user: string): number | undefined {
    return this.#lastLoginMs.get(user)
  }

  isSuperUser(name: string): boolean {
    const user = this.users.find(name)
    return user !== undefined && isSuperUser(user)
  }

  rightsOf(user: User): Rights {
    return this.#rights.of(user)
  }

  #principalOf(user: User, graph: string | null = null): Principal {
    return { name: user.name, graph, rights: this.#rights.of(user) }
  }

  /** A token for the console's cookie. */
  async startSession(user: string): Promise<string> {
    const { passwordVersion, generation = '' } = this.users.require(user)
    const claims = { user, graph: null, kind: 'session', passwordVersion, generation } as const
    return (await this.#tokens.sign(claims, SESSION_SECONDS)).token
  }

  /**
   * @param owner the caller; null with a secret, whose owner then counts. A token that is limited
   *   to a graph makes only such tokens.
   * @param lifetimeSeconds a number or numeric text, a week unless said
   * @throws DbError UNAUTHENTICATED, INVALID_PARAMETER, GRAPH_NOT_FOUND, FORBIDDEN
   */
  async createToken(
    owner: Pick<Principal, 'name' | 'graph'> | null,
    wanted: {
      readonly secret?: string | undefined
      readonly graph?: string | undefined
      readonly lifetime?: string | number | undefined
    },
  ): Promise<{ token: string; expiresAtSeconds: number }> {
    const known = wanted.secret === undefined ? owner : this.#fromSecret(wanted.secret)
    if (known === null)
      throw new DbError('UNAUTHENTICATED', 'A secret or credentials are required.')
    if (wanted.graph && !this.#isGraph(wanted.graph)) {
      throw new DbError('GRAPH_NOT_FOUND', `Graph '${wanted.graph}' does not exist.`)
    }
    const graph = wanted.graph || known.graph
    if (known.graph !== null && graph !== known.graph) {
      throw new DbError('FORBIDDEN', `The token is limited to graph ${known.graph}.`)
    }
    const user = known.name
    const { passwordVersion, generation = '' } = this.users.require(user)
    const claims = { user, graph, kind: 'api', passwordVersion, generation } as const
    return this.#tokens.sign(claims, lifetimeSeconds(wanted.lifetime))
  }

  async checkToken(token: string): Promise<void> {
    await this.#fromToken(token)
  }

  /** @throws DbError FORBIDDEN for the token of another user, but for a superuser */
  async blockTokens(caller: Principal, tokens: readonly string[]): Promise<void> {
    const valid: string[] = []
    for (const token of tokens) {
      const claims = await this.#tokens.verify(token).catch(() => null)
      // What is refused anyway needs no place on the list.
      if (claims === null) continue
      this.#requireSelf(caller, claims.user)
      valid.push(token)
    }
    await this.#tokens.block(valid)
  }

  /** @throws DbError FORBIDDEN unless a superuser asks: tokens of everyone would be good again */
  clearBlockedTokens(caller: Principal): Promise<void> {
    this.#requireSelf(caller, null)
    return this.#tokens.clearBlocked()
  }

  saveUses(): Promise<void> {
    const { issued } = this.#tokens
    return this.uses.save((key) => issued.has(key) || this.users.ownerOfHash(key) !== undefined)
  }

  /** Of a user who is still there. @throws DbError FORBIDDEN for those of another, but for a superuser */
  listTokens(caller: Principal, user: string): readonly IssuedToken[] {
    checkUnlimited(caller)
    this.#requireSelf(caller, user)
    const { name, generation = '' } = this.users.require(user)
    return this.#tokens.issued.of(name, generation)
  }

  /** @throws DbError REQUEST_NOT_FOUND also for a token of another, but for a superuser */
  async revokeToken(caller: Principal, id: string): Promise<void> {
    checkUnlimited(caller)
    const { user } = this.#tokens.issued.require(id)
    if (caller.name !== user && !this.isSuperUser(caller.name)) {
      throw new DbError('REQUEST_NOT_FOUND', `There is no token with the id '${id}'.`)
    }
    await this.#tokens.revoke(id)
  }

  /** @param users those of others take a superuser; empty: one's own */
  async dropExpiredTokens(caller: Principal, users: readonly string[]): Promise<number> {
    for (const user of users) this.#requireSelf(caller, user)
    return await this.#tokens.issued.dropExpired(users.length === 0 ? [caller.name] : users)
  }

  #requireSelf(caller: Principal, user: string | null): void {
    if (caller.name === user || this.isSuperUser(caller.name)) return
    const text = `The user ${caller.name} does not have the privilege WRITE_USER.`
    throw new DbError('FORBIDDEN', text)
  }
}

/** The same user with the rights to look only. */
function guarded(principal: Principal | null): Principal | null {
  if (principal === null) return null
  return { ...principal, rights: principal.rights.toLookOnly(), unguarded: principal }
}

function granted(
  principal: Principal | null,
  demand: Demand,
  graph: string | null,
): Principal | null {
  if (principal === null) {
    if (demand.privilege === 'PUBLIC') return null
    throw new DbError('UNAUTHENTICATED', 'Access Denied because input token is empty')
  }
  authorise(principal, demand, graph)
  return principal
}

/**
 * Who a request comes from: Basic, Bearer, GSQL-Secret, or the console's cookie.
 *
 * While the first user still has the password that everyone knows, a request without credentials
 * counts as that user: the server listens on loopback only then. A password that is set back to it
 * opens nothing before the next start: where the server listens was decided without it. Wrong
 * credentials are refused all the same.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import type { AccessControl, Credentials, Demand, Principal } from './access.ts'
import { authorise, checkUnlimited, guarded } from './authorise.ts'
import { CredentialUse } from './credential-use.ts'
import type { IssuedToken } from './issued-tokens.ts'
import { KnownAddresses, OWN_COLLECTION } from './known-addresses.ts'
import { addressGroup, LoginLimit } from './login-limit.ts'
import { PasswordLogins, throttled } from './password-logins.ts'
import { PasswordQueue } from './password-queue.ts'
import { verifyPassword } from './passwords.ts'
import type { Rights } from './rights.ts'
import { RightsBook } from './rights-book.ts'
import { RoleStore } from './role-store.ts'
import { secretHash } from './secret-hash.ts'
import { Sessions } from './sessions.ts'
import { lifetimeSeconds, type TokenClaims, Tokens } from './tokens.ts'
import { FIRST_USER, isSuperUser, type User, UserStore } from './user-store.ts'

export interface AuthOptions {
  readonly documents: Documents
  readonly clock: Clock
  isGraph(name: string): boolean
  /** Of the first user, as the writer gives it to him; absent or null: the one everyone knows. */
  readonly firstPassword?: string | null | undefined
  /** Of new password hashes; tests make it small. */
  readonly passwordCost?: number | undefined
  /** Tests count its calls. */
  readonly verifyPassword?: typeof verifyPassword
}

const SECRET_USER = '__GSQL__secret'
export const SESSION_SECONDS = 7 * 86_400

interface AuthStores {
  readonly users: UserStore
  readonly roles: RoleStore
  readonly tokens: Tokens
  readonly uses: CredentialUse
  readonly queue: PasswordQueue
  readonly known: KnownAddresses
  readonly own: Collection
  readonly sessions: Sessions
}

export class AuthService implements AccessControl {
  readonly users: UserStore
  readonly roles: RoleStore
  readonly #rights: RightsBook
  readonly #tokens: Tokens
  readonly #sessions: Sessions
  readonly uses: CredentialUse
  readonly #isGraph: (name: string) => boolean
  readonly limit: LoginLimit
  readonly #known: KnownAddresses
  readonly #own: Collection
  #startedOpen: boolean
  readonly #logins: PasswordLogins

  private constructor(options: AuthOptions, stores: AuthStores) {
    const { users, roles, tokens } = stores
    this.uses = stores.uses
    this.#isGraph = options.isGraph
    this.users = users
    this.roles = roles
    this.#rights = new RightsBook(users, roles)
    this.#startedOpen = users.passwordIsDefault
    this.#tokens = tokens
    this.#sessions = stores.sessions
    this.#known = stores.known
    this.limit = new LoginLimit(options.clock, stores.known)
    this.#own = stores.own
    this.#logins = new PasswordLogins({
      users,
      limit: this.limit,
      queue: stores.queue,
      clock: options.clock,
      verifyPassword: options.verifyPassword ?? verifyPassword,
      passwordCost: options.passwordCost,
    })
  }

  static async open(options: AuthOptions): Promise<AuthService> {
    const { documents, clock, passwordCost, firstPassword } = options
    const queue = new PasswordQueue()
    const uses = await CredentialUse.open(documents, clock)
    const users = await UserStore.open(documents, {
      cost: passwordCost,
      firstPassword,
      queue,
      nowMs: () => clock.nowMs(),
      lastUsedMs: (hash) => uses.lastMs(hash),
    })
    const roles = await RoleStore.open(documents)
    const tokens = await Tokens.open(documents, clock)
    const known = new KnownAddresses()
    const own = documents.openOwn(OWN_COLLECTION)
    await known.load(own)
    const sessions = await Sessions.open(documents, clock)
    const stores = { users, roles, tokens, uses, queue, known, own, sessions }
    return new AuthService(options, stores)
  }

  /** Resolves when there are a user and a key: the writer makes both in an empty store. */
  async start(): Promise<void> {
    await Promise.all([this.users.first, this.#tokens.keyed])
    this.#startedOpen = this.users.passwordIsDefault
  }

  /** A signature that whoever holds the key of the tokens can check. */
  sign(text: string): string {
    return this.#tokens.signText(text)
  }

  /** At once for a password or token verified before, a secret, or nobody. */
  admit(
    credentials: Credentials,
    demand: Demand,
    graph: string | null,
  ): Principal | null | Promise<Principal | null> {
    const principal = this.#identify(credentials)
    const readOnly = credentials.readOnly === true
    const admitted = (found: Principal | null) => {
      const caller = granted(readOnly ? toLookOnly(found) : found, demand, graph)
      if (readOnly && demand.changes === true) throw guarded(caller)
      return caller
    }
    return principal instanceof Promise ? principal.then(admitted) : admitted(principal)
  }

  #identify(credentials: Credentials): Principal | null | Promise<Principal | null> {
    const { authorization, sessionToken, address } = credentials
    if (authorization !== undefined && authorization.trim() !== '') {
      return this.#fromHeader(authorization, address)
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

  #fromHeader(authorization: string, address: string | undefined): Principal | Promise<Principal> {
    const text = authorization.trim()
    const gap = text.search(/\s/)
    const value = text.slice(gap).trim()
    switch (text.slice(0, Math.max(0, gap)).toLowerCase()) {
      case 'basic':
        return this.#fromBasic(value, address)
      case 'bearer':
        return this.#fromToken(value)
      case 'gsql-secret':
        return this.#fromSecret(value, address)
      default:
        throw new DbError('UNAUTHENTICATED', 'The Authorization header is not understood.')
    }
  }

  #fromBasic(encoded: string, address: string | undefined): Principal | Promise<Principal> {
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) throw new DbError('UNAUTHENTICATED', 'The Basic credentials are malformed.')
    const name = text.slice(0, colon)
    const password = text.slice(colon + 1)
    if (name === SECRET_USER) return this.#fromSecret(password, address)
    const known = this.#logins.recall(name, password)
    if (known !== null) return this.#principalOf(known)
    const login = this.#logins.logInOnce(name, password, address)
    return login.then((user) => this.#principalOf(user))
  }

  /** @throws DbError UNAUTHENTICATED, or TOO_MANY_REQUESTS while the caller has to wait */
  async logIn(name: string, password: string, address?: string): Promise<Principal> {
    return this.#principalOf(await this.#logins.logIn(name, password, address))
  }

  #fromSecret(value: string, address?: string): Principal {
    const group = addressGroup(address)
    const hash = secretHash(value)
    const owner = this.users.ownerOfHash(hash)
    const isKnown = owner !== undefined && this.limit.isKnown({ name: owner.name, address: group })
    const waitMs = isKnown ? 0 : this.limit.secretWaitMs(group)
    if (waitMs > 0) throw throttled(waitMs, null)
    if (owner === undefined) {
      this.limit.failSecret(group)
      throw new DbError('UNAUTHENTICATED', 'The secret is not valid.')
    }
    if (!isKnown) this.limit.noteAddress({ name: owner.name, address: group })
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
    if (!isSame || claims.kind !== 'api' || claims.epoch !== (user.tokenEpoch ?? 0)) {
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
        this.#sessions.has(claims) &&
        claims.generation === (user.generation ?? '') &&
        claims.passwordVersion === user.passwordVersion
      return isGood ? this.#principalOf(user) : null
    } catch {
      return null
    }
  }

  lastLoginMs(user: string): number | undefined {
    return this.#logins.lastLoginMs(user)
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
    const { passwordVersion, generation = '', tokenEpoch: epoch = 0 } = this.users.require(user)
    const claims = {
      user,
      graph: null,
      kind: 'session',
      passwordVersion,
      generation,
      epoch,
    } as const
    const { token, ...session } = await this.#tokens.sign(claims, SESSION_SECONDS)
    await this.#sessions.start({ ...session, user })
    return token
  }

  /** @param token of a cookie; one that is no good ends nothing */
  async endSession(token: string): Promise<void> {
    const claims = await this.#tokens.verify(token).catch(() => null)
    if (claims !== null) await this.#sessions.end(claims)
  }

  /** Of a user whose password was changed, or who was dropped. */
  async endSessions(user: string): Promise<void> {
    await this.#sessions.endAll(user)
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
      /** Where the secret comes from. */
      readonly address?: string | undefined
      readonly graph?: string | undefined
      readonly lifetime?: string | number | undefined
    },
  ): Promise<{ token: string; expiresAtSeconds: number }> {
    const known =
      wanted.secret === undefined ? owner : this.#fromSecret(wanted.secret, wanted.address)
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
    const { passwordVersion, generation = '', tokenEpoch: epoch = 0 } = this.users.require(user)
    const claims = { user, graph, kind: 'api', passwordVersion, generation, epoch } as const
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

  async saveUses(): Promise<void> {
    const { issued } = this.#tokens
    await this.#known.save(this.#own)
    await this.uses.save((key) => issued.has(key) || this.users.ownerOfHash(key) !== undefined)
  }

  /** Of a user who is still there. @throws DbError FORBIDDEN for those of another, but for a superuser */
  listTokens(caller: Principal, user: string): readonly IssuedToken[] {
    checkUnlimited(caller)
    this.#requireSelf(caller, user)
    const { name, generation = '', tokenEpoch = 0 } = this.users.require(user)
    return this.#tokens.issued.of(name, generation).map((token) => {
      const isRevoked = token.isRevoked || (token.epoch ?? 0) < tokenEpoch
      return { ...token, isRevoked }
    })
  }

  /**
   * Refuses every token that was made for a user so far, listed or not.
   * @throws DbError FORBIDDEN for those of another, but for a superuser
   */
  async revokeAllTokens(caller: Principal, user: string): Promise<void> {
    checkUnlimited(caller)
    this.#requireSelf(caller, user)
    await this.users.revokeTokens(user)
    await this.#tokens.forgetBefore(user, this.users.require(user).tokenEpoch ?? 0)
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
    if (caller.name === user) return
    checkUnlimited(caller)
    if (this.isSuperUser(caller.name)) return
    const text = `The user ${caller.name} does not have the privilege WRITE_USER.`
    throw new DbError('FORBIDDEN', text)
  }
}

/** The same user with the rights to look only. */
function toLookOnly(principal: Principal | null): Principal | null {
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

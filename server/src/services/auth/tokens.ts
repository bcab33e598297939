/**
 * JSON Web Tokens of our own: what clients carry as Bearer, and what the console's cookie holds.
 * A verified token is remembered, so that a pooled client costs one signature check.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { TOKENS_REFUSED_PER_USER_MAX } from '#kernel/limits.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { BlockedTokens } from './blocked-tokens.ts'
import { IssuedTokens } from './issued-tokens.ts'

export interface TokenClaims {
  readonly user: string
  readonly graph: string | null
  /** `session` tokens live in cookies only, `api` tokens in the Authorization header only. */
  readonly kind: 'api' | 'session'
  readonly passwordVersion: number
  /** Of the user: empty for the first one, and for those of servers before roles. */
  readonly generation: string
  /** How often all tokens of the user had been revoked when it was made. */
  readonly epoch: number
  readonly expiresAtSeconds: number
  /** Tells it apart from every other one. */
  readonly id: string
}

const COLLECTION = 'auth'
const KEY_DOCUMENT = 'jwt-key'
const ISSUER = 'TigerGraph'
const REMEMBERED_MAX = 1_000

interface RefusedTokens {
  readonly issued: IssuedTokens
  readonly blocked: BlockedTokens
}

export class Tokens {
  readonly #clock: Clock
  readonly #documents: Collection
  #signingKey: Uint8Array | null = null
  readonly #keyed = Promise.withResolvers<void>()
  readonly #blocked: BlockedTokens
  readonly #remembered = new Map<string, TokenClaims>()
  readonly issued: IssuedTokens

  private constructor(documents: Documents, clock: Clock, { issued, blocked }: RefusedTokens) {
    this.#clock = clock
    this.issued = issued
    this.#blocked = blocked
    this.#documents = documents.open(COLLECTION, (key, bytes) => {
      if (key === KEY_DOCUMENT && bytes !== null) this.#keepKey(bytes)
    })
  }

  /** As the writer, makes the key in an empty store. */
  static async open(documents: Documents, clock: Clock): Promise<Tokens> {
    let opened: Tokens | null = null
    const onTaken = (id: string) => {
      if (opened !== null) opened.#forget(id)
    }
    const issued = await IssuedTokens.open(documents, clock, onTaken)
    const blocked = await BlockedTokens.open(documents, clock, onTaken)
    const tokens = new Tokens(documents, clock, { issued, blocked })
    opened = tokens
    const key = await tokens.#documents.get(KEY_DOCUMENT)
    if (key !== null) tokens.#keepKey(key)
    await documents.asWriter(() => tokens.#makeKey())
    return tokens
  }

  async #makeKey(): Promise<void> {
    if (this.#signingKey !== null) return
    const key = randomBytes(32)
    await this.#documents.put(KEY_DOCUMENT, key)
    this.#keepKey(key)
  }

  /** All that was verified with another key was verified for nothing. */
  #keepKey(key: Uint8Array): void {
    this.#signingKey = new Uint8Array(key)
    this.#remembered.clear()
    this.#keyed.resolve()
  }

  /** Resolves when there is a key: the writer makes it. */
  get keyed(): Promise<void> {
    return this.#keyed.promise
  }

  /** There is one once `keyed` has resolved. */
  get #key(): Uint8Array {
    assert(this.#signingKey !== null, 'nothing is signed before there is a key')
    return this.#signingKey
  }

  async sign(
    claims: Omit<TokenClaims, 'expiresAtSeconds' | 'id'>,
    lifetimeSeconds: number,
  ): Promise<{ token: string; expiresAtSeconds: number; id: string }> {
    if (claims.kind === 'api') this.#requireRoom(claims)
    const issuedAt = Math.floor(this.#clock.nowMs() / 1000)
    const expiresAtSeconds = issuedAt + lifetimeSeconds
    const id = randomUUID()
    const token = await new SignJWT({
      kind: claims.kind,
      pwv: claims.passwordVersion,
      ...(claims.generation !== '' && { gen: claims.generation }),
      ...(claims.epoch > 0 && { ep: claims.epoch }),
      ...(claims.graph !== null && { graph: claims.graph }),
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(claims.user)
      .setIssuer(ISSUER)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAtSeconds)
      .setJti(id)
      .sign(this.#key)
    if (claims.kind === 'api') {
      const { user, generation, graph, epoch } = claims
      const times = { issuedAtSeconds: issuedAt, expiresAtSeconds }
      await this.issued.add({ id, user, generation, graph, epoch, ...times, isRevoked: false })
    }
    return { token, expiresAtSeconds, id }
  }

  /** A signature of text that is no token, under the same key. */
  signText(text: string): string {
    return createHmac('sha256', this.#key).update(`text\n${text}`).digest('base64url')
  }

  /** What is refused has to be remembered until it expires, up to ten years. */
  #requireRoom({ user, epoch }: Pick<TokenClaims, 'user' | 'epoch'>): void {
    const count = this.#blocked.count(user, epoch) + this.issued.revokedCount(user, epoch)
    if (count < TOKENS_REFUSED_PER_USER_MAX) return
    const text = `The user ${user} has ${count} tokens that were revoked and have not expired: revoke all tokens of the user before another is made.`
    throw new DbError('INVALID_PARAMETER', text)
  }

  /** The claims of a token verified before and still good; for the hot path, without a promise. */
  remembered(token: string): TokenClaims | undefined {
    const claims = this.#remembered.get(token)
    if (claims === undefined) return undefined
    return claims.expiresAtSeconds * 1000 > this.#clock.nowMs() ? claims : undefined
  }

  /** @throws DbError UNAUTHENTICATED, in the words of docs/reference/rest.md */
  async verify(token: string): Promise<TokenClaims> {
    const known = this.remembered(token)
    if (known !== undefined) return known
    if (token.length < 16) {
      throw refused(token, 'is empty or too short')
    }
    if (!isCanonical(token) || this.#blocked.hasHash(hashOf(token))) {
      throw refused(token, 'is invalid.')
    }
    const claims = await this.#verifySignature(token)
    // The last it asks: blocked while its signature was checked.
    if (this.#blocked.has(claims.id) || this.issued.isRevoked(claims.id)) {
      throw refused(token, 'is invalid.')
    }
    this.#remembered.set(token, claims)
    if (this.#remembered.size > REMEMBERED_MAX) {
      const [oldest] = this.#remembered.keys()
      if (oldest !== undefined) this.#remembered.delete(oldest)
    }
    return claims
  }

  async #verifySignature(token: string): Promise<TokenClaims> {
    try {
      const currentDate = new Date(this.#clock.nowMs())
      const options = { algorithms: ['HS256'], issuer: ISSUER, currentDate }
      const { payload } = await jwtVerify(token, this.#key, options)
      return {
        user: payload.sub ?? '',
        graph: (payload['graph'] as string | undefined) ?? null,
        kind: payload['kind'] === 'session' ? 'session' : 'api',
        passwordVersion: Number(payload['pwv']),
        generation: String(payload['gen'] ?? ''),
        epoch: Number(payload['ep'] ?? 0),
        expiresAtSeconds: payload.exp ?? 0,
        id: payload.jti ?? '',
      }
    } catch (error) {
      if (!(error instanceof joseErrors.JWTExpired)) throw refused(token, 'is invalid.')
      throw new DbError('UNAUTHENTICATED', `The input token = '${masked(token)}' is expired.`, {
        details: { contractCode: 'REST-10019' },
      })
    }
  }

  /** Each is good: its signature was verified. */
  async block(tokens: readonly string[]): Promise<void> {
    const added = await Promise.all(
      [...new Set(tokens)].map(async (token) => {
        const { id, user, epoch, expiresAtSeconds } = await this.verify(token)
        return { id, user, epoch, expiresAtSeconds }
      }),
    )
    const saved = this.#blocked.add(added)
    for (const token of tokens) this.#remembered.delete(token)
    await saved
  }

  /** All tokens of the user have been revoked before this epoch. */
  async forgetBefore(user: string, epoch: number): Promise<void> {
    await this.#blocked.forgetBefore(user, epoch)
  }

  /** Refuses the token of an id from now on. @throws DbError REQUEST_NOT_FOUND */
  async revoke(id: string): Promise<void> {
    const saved = this.issued.revoke(id)
    this.#forget(id)
    await saved
  }

  #forget(id: string): void {
    for (const [token, claims] of this.#remembered) {
      if (claims.id === id) this.#remembered.delete(token)
    }
  }

  async clearBlocked(): Promise<void> {
    await this.#blocked.clear()
  }
}

/**
 * Whether every part is base64url as its encoder writes it (RFC 7515, 2): without padding, blanks and
 * the letters of base64, and with no spare bits. A decoder takes those, too, and so several texts
 * would be one token.
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  const isExact = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part
  return parts.length === 3 && parts.every(isExact)
}

function refused(token: string, reason: string): DbError {
  const message = `Access Denied because the input token = '${masked(token)}' ${reason}`
  return new DbError('UNAUTHENTICATED', message)
}

/** A long token is told by its first and last four characters. */
function masked(token: string): string {
  return token.length > 12 ? `${token.slice(0, 4)}****${token.slice(-4)}` : token
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

const LIFETIME_SECONDS_DEFAULT = 604_800

/** As a request asks for it. @throws DbError INVALID_PARAMETER */
export function lifetimeSeconds(wanted: string | number | undefined): number {
  if (wanted === undefined || wanted === '') return LIFETIME_SECONDS_DEFAULT
  const seconds = Number(wanted)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 10 * 365 * 86_400) return seconds
  throw new DbError(
    'INVALID_PARAMETER',
    `The lifetime must be a number of seconds, not '${wanted}'.`,
  )
}

/** Who may do what: the seam between HTTP and the user service. Deny by default. */
import type { Privilege } from '#contract/privileges.ts'
import type { Rights } from './rights.ts'

export interface Principal {
  readonly name: string
  /** A token may be limited to one graph; null: no such limit. */
  readonly graph: string | null
  readonly rights: Rights
  /** The request itself asked to change nothing, so `rights` are less than these, which are the user's. */
  readonly unguarded?: Principal
}

/** Credentials as a request carries them; absent parts are undefined. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly sessionToken: string | undefined
  /** The network address of the caller; absent: unknown. */
  readonly address?: string | undefined
  /** The request asks to be refused whatever it would change. */
  readonly readOnly?: boolean
}

/** What a call asks for; an endpoint of the contract is one. */
export interface Demand {
  readonly privilege: Privilege
  /** A call that names no graph is let in by the privilege on some graph: its handler looks again. */
  readonly ofSomeGraph?: boolean | undefined
  /** The privilege on some type of the graph is enough to come in: its handler looks again. */
  readonly byType?: boolean | undefined
  /** It changes something, though it asks for no privilege: a request that may only look is refused. */
  readonly changes?: boolean | undefined
  /** Whether a user owns what the call is about, and needs no privilege for it. */
  isOwner?(user: string): boolean
}

export interface AccessControl {
  /**
   * @param graph the graph the call names, null for a global call
   * @returns who calls; null for a public endpoint called without credentials
   * @throws DbError UNAUTHENTICATED for missing or wrong credentials (wrong ones are refused even
   *   where none are needed), TOO_MANY_REQUESTS when the caller has to wait before the credentials
   *   are checked, FORBIDDEN for a missing privilege
   */
  admit(
    credentials: Credentials,
    demand: Demand,
    graph: string | null,
  ): Principal | null | Promise<Principal | null>
}

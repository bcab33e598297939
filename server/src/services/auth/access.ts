/** Who may do what: the seam between HTTP and the user service. Deny by default. */
import type { Privilege } from '#contract/privileges.ts'

export interface Principal {
  readonly name: string
  /** A token may be limited to one graph; null: no such limit. */
  readonly graph: string | null
}

/** Credentials as a request carries them; absent parts are undefined. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly sessionToken: string | undefined
}

export interface AccessControl {
  /**
   * @param graph the graph the call names, null for a global call
   * @returns who calls; null for a public endpoint called without credentials
   * @throws DbError UNAUTHENTICATED for missing or wrong credentials (wrong ones are refused even
   *   where none are needed), FORBIDDEN for a missing privilege
   */
  admit(
    credentials: Credentials,
    privilege: Privilege,
    graph: string | null,
  ): Principal | null | Promise<Principal | null>
}

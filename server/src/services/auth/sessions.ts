/**
 * Sessions of the console that have not ended. A cookie holds a signed token; it is good only while its
 * id is here, so that signing out ends it wherever it was copied to.
 */
import type { Clock } from '#kernel/clock.ts'
import { isDbError } from '#kernel/errors.ts'
import { SESSIONS_PER_USER_MAX } from '#kernel/limits.ts'
import type { Collection, Documents } from '#storage/documents.ts'

export interface Session {
  /** The id of its token. */
  readonly id: string
  readonly user: string
  readonly expiresAtSeconds: number
}

const COLLECTION = 'sessions'

export class Sessions {
  readonly #documents: Collection
  readonly #clock: Pick<Clock, 'nowMs'>
  /** By user and id, the oldest first. */
  readonly #byUser = new Map<string, Map<string, Session>>()

  private constructor(documents: Documents, clock: Pick<Clock, 'nowMs'>) {
    this.#documents = documents.open(COLLECTION, (id, bytes) => this.#take(id, bytes))
    this.#clock = clock
  }

  static async open(documents: Documents, clock: Pick<Clock, 'nowMs'>): Promise<Sessions> {
    const sessions = new Sessions(documents, clock)
    const stored = await sessions.#documents.list()
    const parsed = stored.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as Session)
    // They all last equally long.
    for (const session of parsed.sort(
      (one, other) => one.expiresAtSeconds - other.expiresAtSeconds,
    )) {
      sessions.#keep(session)
    }
    return sessions
  }

  #take(id: string, bytes: Uint8Array | null): void {
    if (bytes !== null) this.#keep(JSON.parse(Buffer.from(bytes).toString()) as Session)
    else for (const user of [...this.#byUser.keys()]) this.#forget({ id, user })
  }

  has({ id, user }: Pick<Session, 'id' | 'user'>): boolean {
    return this.#byUser.get(user)?.has(id) ?? false
  }

  /**
   * A store that takes no writes keeps nobody from signing in: the session then ends with the server.
   * @throws DbError NOT_WRITER
   */
  async start(session: Session): Promise<void> {
    const own = this.#keep(session)
    const bytes = Buffer.from(JSON.stringify(session))
    try {
      await this.#documents.put(session.id, bytes)
      // Ended meanwhile.
      if (!this.has(session)) await this.#documents.delete(session.id)
      await this.#forgetExpired(own)
      while (own.size > SESSIONS_PER_USER_MAX) await this.end(own.values().next().value!)
    } catch (error) {
      if (!isDbError(error) || error.code === 'NOT_WRITER') throw error
    }
  }

  /** Durable when it returns; refused from the beginning. */
  async end(session: Pick<Session, 'id' | 'user'>): Promise<void> {
    if (this.#forget(session)) await this.#documents.delete(session.id)
  }

  #forget({ id, user }: Pick<Session, 'id' | 'user'>): boolean {
    const own = this.#byUser.get(user)
    const isKnown = own?.delete(id) === true
    if (own?.size === 0) this.#byUser.delete(user)
    return isKnown
  }

  async endAll(user: string): Promise<void> {
    const own = [...(this.#byUser.get(user)?.values() ?? [])]
    this.#byUser.delete(user)
    await Promise.all(own.map(({ id }) => this.#documents.delete(id)))
  }

  async #forgetExpired(own: ReadonlyMap<string, Session>): Promise<void> {
    const nowSeconds = this.#clock.nowMs() / 1000
    for (const session of [...own.values()]) {
      if (session.expiresAtSeconds <= nowSeconds) await this.end(session)
    }
  }

  #keep(session: Session): Map<string, Session> {
    const own = this.#byUser.get(session.user) ?? new Map<string, Session>()
    this.#byUser.set(session.user, own.set(session.id, session))
    return own
  }
}

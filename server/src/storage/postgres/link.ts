/**
 * A connection to the node that takes writes, made anew when it ends: `use` gives it to one caller at
 * a time. A node that stays silent is asked on another connection whether it lives; if it does not
 * answer, all connections to it are given up.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { describeAddress, type StoreAddress, type StoreHost } from './address.ts'
import {
  asStoreError,
  ConnectionLostError,
  isPassing,
  isRefusal,
  Session,
  StatementFailedError,
} from './session.ts'

/** Each returns the function that cancels. */
export interface StoreTimers {
  after(ms: number, call: () => void): () => void
  every(ms: number, call: () => void): () => void
}

export interface NodesOptions {
  readonly address: StoreAddress
  readonly clock: Clock
  readonly timers: StoreTimers
  /** Of the sessions; absent: that of the program. */
  readonly sessionName?: string
}

const SILENT_MS_MAX = 3_000
const PROBE_MS_MAX = 1_500
const CONNECT_MS_MAX = 3_000
/** A machine under load answers late: both limits grow up to so many times while that is seen. */
const PATIENCE_MAX = 4
const LOOK_MS = 500
const RETRY_MS = 250
/** How long reads and small writes are tried again while no node answers. */
const UNREACHABLE_MS_MAX = 30_000

/** The nodes of one database. */
export class Nodes {
  readonly #options: NodesOptions
  readonly #sessions = new Set<Session>()
  /** When a host was last found to live; Infinity while it is asked. */
  readonly #heardMs = new Map<StoreHost, number>()
  /** Hosts that were given up. */
  readonly #silent = new Set<StoreHost>()
  readonly #stopLooking: () => void
  #nextHost = 0
  #patience = 1
  #isClosed = false

  constructor(options: NodesOptions) {
    this.#options = options
    this.#stopLooking = options.timers.every(LOOK_MS, () => this.#look())
  }

  get clock(): Clock {
    return this.#options.clock
  }

  get address(): StoreAddress {
    return this.#options.address
  }

  pause(ms = RETRY_MS): Promise<void> {
    return new Promise((resolve) => this.#options.timers.after(ms, resolve))
  }

  /**
   * A connection to the node that takes writes; all are tried in turn.
   * @throws ConnectionLostError none does; StatementFailedError a node refuses the user
   */
  async connect(): Promise<Session> {
    const { hosts } = this.#options.address
    const reasons: string[] = []
    for (let tried = 0; tried < hosts.length; tried++) {
      const host = hosts[this.#nextHost % hosts.length]!
      try {
        const session = await this.#open(host)
        if (await isPrimary(session)) return session
        reasons.push(`${host.host}:${host.port} takes no writes`)
        this.#sessions.delete(session)
        session.end()
      } catch (error) {
        if (error instanceof StatementFailedError && isRefusal(error.sqlState)) throw error
        if (!(error instanceof Error) || error instanceof DbError || this.#isClosed) throw error
        reasons.push(`${host.host}:${host.port}: ${error.message}`)
      }
      this.#nextHost++
    }
    this.#waitLonger()
    throw new ConnectionLostError(reasons.join('; '))
  }

  forget(session: Session): void {
    this.#sessions.delete(session)
  }

  close(): void {
    this.#isClosed = true
    this.#stopLooking()
    for (const session of this.#sessions) session.drop('the store is closed')
    this.#sessions.clear()
  }

  #waitLonger(): void {
    this.#patience = Math.min(2 * this.#patience, PATIENCE_MAX)
  }

  async #open(host: StoreHost): Promise<Session> {
    const session = await this.#session(host)
    if (this.#isClosed) {
      session.drop('the store is closed')
      throw new ConnectionLostError('the store is closed')
    }
    // It was given up, and lives after all.
    if (this.#silent.delete(host)) this.#waitLonger()
    this.#sessions.add(session)
    return session
  }

  #session(host: StoreHost): Promise<Session> {
    const { address, clock, sessionName: name = 'quiver' } = this.#options
    return Session.open({ address, host, clock, name, msMax: CONNECT_MS_MAX * this.#patience })
  }

  #look(): void {
    const nowMs = this.clock.monotonicMs()
    for (const session of this.#sessions) {
      if (!session.isOpen) this.#sessions.delete(session)
      const { host, busySinceMs } = session
      if (busySinceMs === null) continue
      const heardMs = Math.max(busySinceMs, this.#heardMs.get(host) ?? 0)
      if (nowMs - heardMs >= SILENT_MS_MAX) void this.#probe(host)
    }
  }

  async #probe(host: StoreHost): Promise<void> {
    this.#heardMs.set(host, Number.POSITIVE_INFINITY)
    let probe: Session | null = null
    let isLate = false
    const cancel = this.#options.timers.after(PROBE_MS_MAX * this.#patience, () => {
      isLate = true
      probe?.drop('the probe was not answered')
      this.#dropAll(host)
    })
    try {
      probe = await this.#session(host)
      if (!isLate) await probe.query({ text: 'SELECT 1' })
    } catch {
      this.#dropAll(host)
    }
    cancel()
    probe?.end()
    this.#heardMs.set(host, this.clock.monotonicMs())
  }

  #dropAll(host: StoreHost): void {
    this.#silent.add(host)
    for (const session of this.#sessions) {
      if (session.host === host) session.drop('its server does not answer')
    }
  }
}

export class Link {
  readonly #nodes: Nodes
  #session: Session | null = null
  #queue: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** Nobody waits for a connection that is being made when the link is closed. */
  readonly #closed = Promise.withResolvers<null>()

  constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  get isConnected(): boolean {
    return this.#session?.isOpen === true
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get nodes(): Nodes {
    return this.#nodes
  }

  /**
   * Runs the work with the connection, alone; waits for a connection as long as it takes.
   * @throws ConnectionLostError it ended during the work, or the link is closed
   */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(async () => work(await this.#connected()))
    this.#queue = result.catch(() => undefined)
    return result
  }

  /**
   * As `use`, again and again while connections end or transactions meet: for work that may be done twice.
   * @throws DbError STORE_FAILED, DISK_FULL: no node answers, or the server refuses it
   */
  async repeat<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const { clock } = this.#nodes
    const startedMs = clock.monotonicMs()
    for (;;) {
      try {
        return await this.use(work)
      } catch (error) {
        if (!isPassing(error)) throw asStoreError(error)
        if (this.#isClosed || clock.monotonicMs() - startedMs > UNREACHABLE_MS_MAX) {
          const reason = error instanceof Error ? error.message : String(error)
          throw new DbError('STORE_FAILED', `the shared store does not answer: ${reason}`)
        }
      }
      await this.#nodes.pause()
    }
  }

  /** @throws DbError STORE_FAILED: no node can be used */
  async first(msMax = UNREACHABLE_MS_MAX): Promise<void> {
    const startedMs = this.#nodes.clock.monotonicMs()
    for (;;) {
      try {
        this.#session = await this.#nodes.connect()
        return
      } catch (error) {
        const isRefused = error instanceof StatementFailedError
        if (!isRefused && !(error instanceof ConnectionLostError)) throw error
        if (isRefused || this.#nodes.clock.monotonicMs() - startedMs > msMax) {
          const where = describeAddress(this.#nodes.address)
          throw new DbError('STORE_FAILED', `the shared store (${where}): ${error.message}`, {
            cause: error,
          })
        }
      }
      await this.#nodes.pause()
    }
  }

  /** Ends at once: a statement that waits for a standby may wait for ever. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#closed.resolve(null)
    const session = this.#session
    if (session === null) return
    if (session.busySinceMs === null) session.end()
    else session.drop('the store is closed')
    this.#nodes.forget(session)
  }

  async #connected(): Promise<Session> {
    for (;;) {
      if (this.#isClosed) throw new ConnectionLostError('the store is closed')
      if (this.#session?.isOpen) return this.#session
      try {
        await Promise.race([this.#connect(), this.#closed.promise])
      } catch (error) {
        if (error instanceof DbError) throw error
        await Promise.race([this.#nodes.pause(), this.#closed.promise])
      }
    }
  }

  async #connect(): Promise<void> {
    const session = await this.#nodes.connect()
    if (!this.#isClosed) {
      this.#session = session
      return
    }
    session.end()
    this.#nodes.forget(session)
  }
}

async function isPrimary(session: Session): Promise<boolean> {
  const { rows } = await session.query({ text: 'SHOW transaction_read_only' })
  return rows[0]?.['transaction_read_only'] === 'off'
}

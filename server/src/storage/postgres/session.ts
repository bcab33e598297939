/**
 * One connection to PostgreSQL. What ends it, and a wait for the standbys that somebody cancelled,
 * leave open whether a statement was carried out; everything else is an answer.
 *
 * Bytes go in as Buffers and come out as hexadecimal text: the `binary` option of `pg` damages them.
 * `write`, `rows` and `copyOut` let them go and come as they are.
 */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { fileReason } from '../files/reasons.ts'
import type { StoreAddress, StoreHost } from './address.ts'
import { BytesIn, type BytesWrite } from './bytes-in.ts'
import { CopyOut, type TakeRow } from './copy-out.ts'
import { type NamedStatement, PreparedRows } from './prepared-rows.ts'
import { StoreSocket } from './row-stream.ts'

/** Of the server: it has answered that it did not carry the statement out. */
export class StatementFailedError extends Error {
  readonly sqlState: string

  constructor(sqlState: string, message: string, cause: unknown) {
    super(message, { cause })
    this.sqlState = sqlState
  }
}

/** The connection has ended, or there is none: what was under way may be carried out or not. */
export class ConnectionLostError extends Error {}

export type Row = Readonly<Record<string, unknown>>

export interface Written {
  /** Rows that were written or read. */
  readonly count: number
  /** False: the server did not wait for its standbys. What was written may be lost. */
  readonly isConfirmed: boolean
}

export interface Answer extends Written {
  readonly rows: readonly Row[]
  readonly command: string
}

/** With a name it is prepared once for each connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

const INT8 = 20
const DISK_FULL = '53100'
const WARNINGS = /^(01|57)/

export interface SessionOptions {
  readonly address: StoreAddress
  readonly host: StoreHost
  readonly clock: Clock
  /** As the server lists it. */
  readonly name: string
  /** How long it may take to connect. */
  readonly msMax: number
}

export class Session {
  readonly host: StoreHost
  readonly #client: pg.Client
  readonly #clock: Clock
  #lost: ConnectionLostError | null = null
  #isWarned = false
  #busySinceMs: number | null = null

  private constructor(client: pg.Client, { host, clock }: SessionOptions) {
    this.host = host
    this.#client = client
    this.#clock = clock
    client.on('error', (error) => this.#end(error))
    client.on('end', () => this.#end(null))
    client.on('notice', ({ code }) => {
      if (code !== undefined && WARNINGS.test(code)) this.#isWarned = true
    })
  }

  /** @throws ConnectionLostError; StatementFailedError when the server refuses the user */
  static async open(options: SessionOptions): Promise<Session> {
    const { address, host, name, msMax } = options
    const { default: driver } = await import('pg')
    const client = new driver.Client({
      host: host.host,
      port: host.port,
      user: address.user,
      // Never undefined: `pg` would look for one by itself.
      password: address.password ?? '',
      database: address.database,
      ssl: tlsOptions(address),
      // Over it TLS reads into memory of its own.
      ...(address.tls === null && { stream: () => new StoreSocket() }),
      application_name: name,
      connectionTimeoutMillis: msMax,
      keepAlive: true,
      types: {
        getTypeParser: (type: number, format?: 'text' | 'binary') =>
          type === INT8 ? Number : driver.types.getTypeParser(type, format as 'text'),
      } as pg.CustomTypesConfig,
    })
    const session = new Session(client, options)
    try {
      await client.connect()
      await session.query({ text: settingsOf(address) })
      await session.#planByIndexes()
      return session
    } catch (error) {
      session.drop('it could not be opened')
      throw session.#translated(error)
    }
  }

  get isOpen(): boolean {
    return this.#lost === null
  }

  /** Since when an answer is waited for, by the clock; null: for none. */
  get busySinceMs(): number | null {
    return this.#busySinceMs
  }

  /** One at a time. @throws ConnectionLostError, StatementFailedError */
  async query(statement: Statement, values: readonly unknown[] = []): Promise<Answer> {
    const { rows, rowCount, command } = await this.#alone(() =>
      this.#client.query<Row>({ ...statement, values: [...values] }),
    )
    return { rows, count: rowCount ?? 0, command, isConfirmed: !this.#isWarned }
  }

  /** As `query`, of a statement without rows in its answer: its bytes are not copied. */
  async write(write: BytesWrite): Promise<Written> {
    const count = await this.#alone(() => this.#client.query(new BytesIn(write)).ended)
    return { count, isConfirmed: !this.#isWarned }
  }

  /**
   * As `query`, for a statement that runs often: its rows come in the binary format.
   * @returns what `copyOut` returns
   * @throws what `copyOut` throws
   */
  async rows(
    statement: NamedStatement,
    values: readonly unknown[],
    take: TakeRow,
  ): Promise<boolean> {
    const rows = new PreparedRows(statement, values, take)
    await this.#alone(() => this.#client.query(rows).ended)
    if (rows.failure !== null) throw rows.failure
    return !this.#isWarned
  }

  /**
   * Reads rows in the binary format, one by one as they arrive.
   * @param select with its values in the text
   * @returns false: the server did not wait for its standbys; what the statement wrote may be lost
   * @throws what `take` throws, when the statement is over; ConnectionLostError, StatementFailedError
   */
  async copyOut(select: string, take: TakeRow): Promise<boolean> {
    const copy = new CopyOut(`COPY (${select}) TO STDOUT (FORMAT binary)`, (fields) => {
      this.#busySinceMs = this.#clock.monotonicMs()
      take(fields)
    })
    await this.#alone(() => this.#client.query(copy).ended)
    if (copy.failure !== null) throw copy.failure
    return !this.#isWarned
  }

  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#lost !== null) throw this.#lost
    this.#isWarned = false
    this.#busySinceMs = this.#clock.monotonicMs()
    try {
      return await work()
    } catch (error) {
      throw this.#translated(error)
    } finally {
      this.#busySinceMs = null
    }
  }

  /** @returns whether it was carried out and confirmed: of a failed transaction COMMIT only answers ROLLBACK */
  async commit(): Promise<boolean> {
    const { command, isConfirmed } = await this.query({ text: 'COMMIT' })
    return command === 'COMMIT' && isConfirmed
  }

  /** Only PostgreSQL itself knows these settings, and only its speed depends on them. */
  async #planByIndexes(): Promise<void> {
    try {
      await this.query({ text: PLANNER_SETTINGS })
    } catch (error) {
      if (!(error instanceof StatementFailedError)) throw error
    }
  }

  /** Ends it at once; what waits for an answer fails. */
  drop(reason: string): void {
    this.#lost ??= new ConnectionLostError(`the connection was given up: ${reason}`)
    this.#stream.destroy()
  }

  /** Says good-bye, and does not wait for a server that may be silent. */
  end(): void {
    this.#lost ??= new ConnectionLostError('the connection is closed')
    this.#client.end().catch(() => undefined)
    this.#stream.destroySoon()
  }

  /** `pg` has no way to end a connection at once. */
  get #stream(): Socket {
    return (this.#client as unknown as { connection: { stream: Socket } }).connection.stream
  }

  #end(error: Error | null): void {
    const reason = error === null ? '' : `: ${error.message}`
    this.#lost ??= new ConnectionLostError(`the connection ended${reason}`)
  }

  #translated(error: unknown): Error {
    if (error instanceof ConnectionLostError || error instanceof StatementFailedError) return error
    const { code, severity } = error as { code?: unknown; severity?: unknown }
    const message = error instanceof Error ? error.message : String(error)
    if (typeof code === 'string' && typeof severity === 'string') {
      const isFatal = severity === 'FATAL' || severity === 'PANIC'
      if (!isFatal || isRefusal(code)) return new StatementFailedError(code, message, error)
    }
    this.#end(error instanceof Error ? error : null)
    return new ConnectionLostError(message, { cause: error })
  }
}

/** Of the connections of a process, by which others see that it lives. */
export function sessionName(run: string): string {
  return `quiver ${run}`
}

/** Another try may succeed: the connection has ended, or two transactions met. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StatementFailedError) return error.sqlState.startsWith('40')
  return error instanceof ConnectionLostError
}

/** What the server has refused, as those above the store know it. Anything else stays as it is. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof StatementFailedError)) return error
  const code = error.sqlState === DISK_FULL ? 'DISK_FULL' : 'STORE_FAILED'
  const message = `the shared store has refused a statement: ${error.message}`
  return new DbError(code, message, { cause: error })
}

const IDLE_IN_TRANSACTION_MS_MAX = 3_000

/**
 * A prepared statement may keep its plan while its table grows: one that was made when the log had a
 * single page would read the whole log at each append (docs/decisions/0135). A plan that must read a
 * whole table looks expensive then, and compiling it would take longer than running it. A plan for
 * each run would take its values, bytes as well, into account.
 */
const PLANNER_SETTINGS =
  'SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_generic_plan'

/** Another try is refused as well: wrong password, no such user or database. */
export function isRefusal(sqlState: string): boolean {
  return /^(28|3D)/.test(sqlState)
}

/**
 * Limits of time would leave outcomes open, and a wait that is given up is committed without the
 * standby. But a writer that is paused or cut off in the middle of a transaction holds the lock that
 * its successor needs: such a transaction has not come to its COMMIT, and is ended.
 */
function settingsOf({ schema }: StoreAddress): string {
  return `SET statement_timeout = 0; SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}; SET synchronous_commit = on;
    SET search_path = ${schema}`
}

function tlsOptions({ tls }: StoreAddress): pg.ClientConfig['ssl'] {
  if (tls === null) return false
  if (tls.caPath === null) return { rejectUnauthorized: true }
  try {
    return { rejectUnauthorized: true, ca: readFileSync(tls.caPath, 'utf8') }
  } catch (cause) {
    const message = `sslrootcert: ${tls.caPath} ${fileReason(cause, 'read')}`
    throw new DbError('INVALID_PARAMETER', message, { cause })
  }
}

/**
 * A PostgreSQL as a store should meet it: TLS, SCRAM, and the role of docs/container/store.sql. The
 * superuser of the fixture gets in from this machine without a password.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'
import { postgresFolder } from '../../../scripts/postgres.mjs'
import { selfSigned, type TestCertificate } from '../fixtures/certificate.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'

const storeSql = readFileSync(new URL('../../../docs/container/store.sql', import.meta.url))
export const PASSWORD = 'sécret "of the store"'
/** A role that has a login and nothing else. */
export const STRANGER = 'stranger'

const access = [
  'host all quiver 127.0.0.1/32 trust',
  'hostssl store store all scram-sha-256',
  'hostssl other store all scram-sha-256',
  `hostssl all ${STRANGER} all scram-sha-256`,
  'host all all all reject',
]

export class GuardedPostgres {
  readonly node: PostgresNode

  private constructor(node: PostgresNode) {
    this.node = node
  }

  static async start(): Promise<GuardedPostgres> {
    const guarded = new GuardedPostgres(await startPostgres())
    guarded.#write('pg_hba.conf', `${access.join('\n')}\n`)
    await guarded.present(selfSigned())
    await guarded.#runSql(storeSql, ['-v', 'name=store', '-v', `password=${PASSWORD}`])
    const role = `CREATE ROLE ${STRANGER} LOGIN PASSWORD '${STRANGER}'; CREATE DATABASE other`
    for (const text of role.split('; ')) await guarded.node.query(text)
    await guarded.node.query(`GRANT CONNECT ON DATABASE store TO ${STRANGER}`)
    return guarded
  }

  /** The authority of the certificate that is shown at present: itself. */
  get caFile(): string {
    return join(this.node.directory, 'server.crt')
  }

  /** Shows another certificate from now on; null: no TLS. */
  async present(certificate: TestCertificate | null): Promise<void> {
    if (certificate !== null) {
      this.#write('server.crt', certificate.cert)
      this.#write('server.key', certificate.key)
    }
    this.node.configure({ ssl: certificate === null ? 'off' : 'on' })
    await this.node.reload()
    while ((await this.#shown()) !== (certificate?.cert ?? null)) await pause(50)
  }

  /** For `--store`. @param options of the address, instead of those that are right */
  url({
    user = 'store',
    password = null,
    host = '127.0.0.1',
    database = 'store',
    query = `sslmode=verify-full&sslrootcert=${this.caFile}`,
  }: {
    readonly user?: string
    readonly password?: string | null
    readonly host?: string
    readonly database?: string
    readonly query?: string
  } = {}): string {
    const secret = password === null ? '' : `:${encodeURIComponent(password)}`
    return `postgres://${user}${secret}@${host}:${this.node.port}/${database}?${query}`
  }

  /** Runs one statement as a role, over TLS. @throws Error of PostgreSQL */
  async queryAs(user: string, password: string, text: string, database = 'store') {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.node.port,
      user,
      password,
      database,
      ssl: { ca: readFileSync(this.caFile, 'utf8') },
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  remove(): Promise<void> {
    return this.node.remove()
  }

  /** The certificate that new connections get: the server takes a new one when it comes to it. */
  async #shown(): Promise<string | null> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.node.port,
      user: 'quiver',
      database: 'postgres',
      ssl: { rejectUnauthorized: false },
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      return null
    }
    const { stream } = (client as unknown as { connection: { stream: TLSSocket } }).connection
    const pem = stream.getPeerX509Certificate()?.toString() ?? ''
    await client.end()
    return pem
  }

  #write(name: string, text: string): void {
    const path = join(this.node.directory, name)
    const { uid, gid } = statSync(this.node.directory)
    writeFileSync(path, text, { mode: 0o600 })
    chmodSync(path, 0o600)
    chownSync(path, uid, gid)
  }

  async #runSql(sql: Uint8Array, variables: readonly string[]): Promise<void> {
    const where = ['-h', '127.0.0.1', '-p', String(this.node.port), '-U', 'quiver', 'postgres']
    const args = ['-q', '-v', 'ON_ERROR_STOP=1', ...variables, '-f', '-', ...where]
    const psql = spawn(join(postgresFolder() ?? '', 'psql'), args, {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let output = ''
    psql.stderr.on('data', (data: unknown) => (output += String(data)))
    psql.stdin.end(sql)
    const [status] = (await once(psql, 'close')) as [number | null]
    if (status !== 0) throw new Error(`psql ended with ${status}: ${output}`)
  }
}

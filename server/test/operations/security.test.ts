/**
 * TLS, SCRAM and rights of a store in PostgreSQL, against one that is set up as
 * docs/operations/cluster.md says: QUIVER_TEST_SECURITY=1.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseStoreAddress } from '#storage/postgres/address.ts'
import { openPostgresStore } from '#storage/postgres/postgres-store.ts'
import { clock, timers } from '../conformance/postgres-options.ts'
import { selfSigned } from '../fixtures/certificate.ts'
import { GuardedPostgres, PASSWORD, STRANGER } from './guarded-postgres.ts'

const DAY_MS = 86_400_000
const isAsked = process.env['QUIVER_TEST_SECURITY'] === '1'

let server: GuardedPostgres

/** Opens the store once, and closes it. @throws DbError why it cannot be used */
async function open(url: string, password: string | null = PASSWORD): Promise<void> {
  const address = parseStoreAddress(url)
  const store = await openPostgresStore({
    address: { ...address, password: address.password ?? password },
    clock,
    timers,
    name: 'security',
    url: 'http://127.0.0.1:1',
    version: '0',
    memoryLimitBytes: 2 ** 30,
    takeoverAfterMs: 5_000,
    connectMsMax: 1,
  })
  await store.close()
}

describe.runIf(isAsked)('a store in PostgreSQL', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    server = await GuardedPostgres.start()
  }, 300_000)
  afterAll(() => server.remove())

  describe('by TLS', () => {
    beforeEach(() => server.present(selfSigned()))

    it.each(['127.0.0.1', 'localhost'])('is used when the certificate is for %s', async (host) => {
      await open(server.url({ host }))
    })

    it('is refused when nobody vouches for its certificate', async () => {
      await expect(open(server.url({ query: 'sslmode=verify-full' }))).rejects.toThrow(
        /self.signed certificate/,
      )
    })

    it('is refused when another authority vouches for it', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'quiver-authority-'))
      const path = join(directory, 'other.crt')
      writeFileSync(path, selfSigned().cert)
      const query = `sslmode=verify-full&sslrootcert=${path}`
      await expect(open(server.url({ query }))).rejects.toThrow(/certificate/)
      rmSync(directory, { recursive: true })
    })

    it('is refused when its certificate is for another host', async () => {
      await server.present(selfSigned(Date.now() + DAY_MS, ['db.example.com']))
      const url = server.url({ host: 'localhost' })
      await expect(open(url)).rejects.toThrow(/does not match certificate/)
    })

    it('is refused by address when its certificate names no address', async () => {
      await server.present(selfSigned(Date.now() + DAY_MS, ['localhost']))
      await open(server.url({ host: 'localhost' }))
      await expect(open(server.url())).rejects.toThrow(/not in the cert/)
    })

    it('is refused when its certificate has expired', async () => {
      await server.present(selfSigned(Date.now() - 60_000))
      await expect(open(server.url())).rejects.toThrow(/certificate has expired/)
    })

    it('is refused when it offers none', async () => {
      await server.present(null)
      await expect(open(server.url())).rejects.toThrow(/does not support SSL/)
    })

    it('tells which file of the authority cannot be read', async () => {
      const query = 'sslmode=verify-full&sslrootcert=/nowhere/ca.crt'
      await expect(open(server.url({ query }))).rejects.toThrow('/nowhere/ca.crt')
    })

    it('answers nobody without it', async () => {
      await expect(open(server.url({ query: 'sslmode=disable' }))).rejects.toThrow(
        /pg_hba\.conf.*no encryption/,
      )
    })
  })

  it.each(['require', 'verify-ca', 'prefer', 'allow', 'no-verify'])(
    'is not asked with sslmode=%s, which verifies less',
    (mode) => {
      const url = `postgres://quiver@db.example.com/quiver?sslmode=${mode}`
      expect(() => parseStoreAddress(url)).toThrow(/sslmode must be verify-full/)
    },
  )

  it('is asked by verified TLS off this machine when the address does not say', () => {
    expect(parseStoreAddress('postgres://quiver@db.example.com/quiver').tls).not.toBeNull()
    expect(parseStoreAddress('postgres://quiver@127.0.0.1,db2/quiver').tls).not.toBeNull()
  })

  describe('by SCRAM', () => {
    beforeAll(() => server.present(selfSigned()))

    it('keeps no password, but what checks one', async () => {
      const rows = await server.node.query<{ rolpassword: string }>(
        "SELECT rolpassword FROM pg_authid WHERE rolname = 'store'",
      )
      expect(rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$/)
    })

    it('takes the password from the address, with whatever is in it', async () => {
      await open(server.url({ password: PASSWORD }), null)
    })

    it.each([
      ['a wrong password', 'wrong-secret'],
      ['none', null],
    ])('refuses %s at once, and tells none', async (_name, password) => {
      const refused = open(server.url({ password }), null).then(
        () => '',
        (error: unknown) => String(error),
      )
      expect(await refused).toMatch(/password/)
      expect(await refused).not.toContain('wrong-secret')
    })
  })

  describe('with the rights of store.sql', () => {
    const asStore = (text: string, database = 'store') =>
      server.queryAs('store', PASSWORD, text, database)

    beforeAll(async () => {
      await server.present(selfSigned())
      await open(server.url())
    })

    it('has its tables in its schema, and owns nothing else', async () => {
      const rows = await server.node.query(
        `SELECT datname FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE rolname = 'store'`,
      )
      expect(rows).toEqual([])
      const schemas = await asStore(
        `SELECT DISTINCT schemaname FROM pg_tables WHERE tableowner = 'store'`,
      )
      expect(schemas).toEqual([{ schemaname: 'quiver' }])
    })

    it.each([
      'CREATE DATABASE more',
      'CREATE ROLE more',
      'CREATE SCHEMA more',
      'CREATE TABLE public.more (id int)',
      'SELECT * FROM pg_authid',
      "COPY (SELECT 1) TO PROGRAM 'true'",
      "SELECT pg_read_file('postgresql.conf')",
      'ALTER SYSTEM SET synchronous_commit = off',
    ])('may not %s', async (text) => {
      await expect(asStore(text)).rejects.toThrow(/permission denied|must be/)
    })

    it('is closed to another role of the same server', async () => {
      for (const table of ['log', 'documents', 'instances']) {
        const text = `SELECT * FROM quiver.${table}`
        const asked = server.queryAs(STRANGER, STRANGER, text)
        await expect(asked, table).rejects.toThrow(/permission denied for schema/)
      }
      await expect(open(server.url({ user: STRANGER }), STRANGER)).rejects.toThrow(
        /permission denied/,
      )
    })

    it('says so when a role may not make its tables', async () => {
      const url = server.url({ user: 'store', database: 'other' })
      await expect(open(url)).rejects.toThrow(/cannot be made: permission denied/)
    })
  })
})

it('is described with the option that runs these tests', () => {
  const page = readFileSync(new URL('../../../docs/operations/cluster.md', import.meta.url), 'utf8')
  expect(page).toContain('QUIVER_TEST_SECURITY=1')
})

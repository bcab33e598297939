/**
 * Data directories as earlier releases left them, and as later ones may: the former are read for
 * ever, the latter refused in one sentence. The fixtures are never made again.
 *
 * | fixture | written by | segments.db | graph segments |
 * |---|---|---|---|
 * | data-1 | e323e5e | 1 | 1 |
 * | data-2 | 9cb2ca6^ | 2 | 2 |
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SEGMENT_FORMAT_VERSION } from '#graph/rebuild/segment-format.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { program } from '../fixtures/program.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

const clock = { nowMs: () => Date.UTC(2026, 0, 1), monotonicMs: () => performance.now() }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-old-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function copyOf(fixture: string): string {
  cpSync(fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url)), directory, {
    recursive: true,
  })
  return directory
}

async function withServer<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ directory, clock })
  const server = await startServer({ store })
  try {
    return await work(server)
  } finally {
    await server.close()
    await store.close()
  }
}

const contentOf = ({ engine }: TestServer) => dump(engine.view(), engine.catalog)
const get = async (server: TestServer, url: string) =>
  (await server.request('GET', url)).body.results

describe.each(['data-1', 'data-2'])('%s', (fixture) => {
  it('is read: vertices, edges, schema, queries, users', async () => {
    copyOf(fixture)
    await withServer(async (server) => {
      const { text } = await server.request('GET', '/restpp/graph/acme/vertices/Person')
      const people = JSON.parse(text).results
      expect(people.map((row: { v_id: string }) => row.v_id)).toEqual([
        '7',
        '8',
        '-9223372036854775808',
      ])
      expect(text).toContain('"age":18446744073709551615')
      expect(people[0].attributes).toMatchObject({
        name: 'Ada é😀',
        score: 0.1,
        active: true,
        joined: '1999-12-31 23:59:59',
        langs: ['en', 'fr'],
        phones: { home: '111' },
        home: { street: 'Elm', no: -5 },
      })
      expect(people[1].attributes.age).toBe(21)
      expect(people[2].attributes).toMatchObject({ name: 'in the log', score: 5e-324 })
      const pays = await get(server, '/restpp/graph/acme/edges/Company/c2/Pays')
      expect(pays.map((row: { discriminator: string }) => row.discriminator)).toEqual([
        '2024-01',
        'a\\,b\\\\c',
      ])
      const knows = await get(server, '/restpp/graph/acme/edges/Person/7/Knows')
      expect(knows.map((row: { to_id: string }) => row.to_id).sort()).toEqual([
        '-9223372036854775808',
        '7',
        '8',
      ])
      const back = await get(server, '/restpp/graph/acme/edges/Company/a%2Fb%20c%25/Employs')
      expect(back[0].attributes).toMatchObject({
        pay: 0.3333333333333333,
        since: '2020-02-29 00:00:00',
      })
      const indexes = await get(server, '/gsql/v1/schema/indexes?graph=acme')
      expect(indexes).toEqual([{ Person: [{ index: 'by_age', attribute: 'age' }] }])
      expect(await get(server, '/restpp/query/acme/adults?least=21')).toEqual([{ n: 2 }])
      expect(server.auth.users.find('ada')?.roles).toEqual({ 1: ['globaldesigner'] })
    })
  })

  it('is written on, rebuilt in the formats of today, and read again', async () => {
    copyOf(fixture)
    const before = await withServer(async (server) => {
      const vertices = { Person: { 10: { name: { value: 'new' } } } }
      const edges = { Person: { 10: { Knows: { Person: { 7: {} } } } } }
      const put = await server.request('POST', '/restpp/graph/acme', { vertices, edges })
      expect(put.body.error).toBe(false)
      await server.engine.rebuild({ force: true })
      return contentOf(server)
    })
    const description = manifestOf().description
    expect(JSON.parse(description).version).toBe(SEGMENT_FORMAT_VERSION)
    expect(before.some((line) => line.includes('new'))).toBe(true)
    expect(await withServer((server) => Promise.resolve(contentOf(server)))).toEqual(before)
  })
})

it('ids that were deleted for good stay so', async () => {
  copyOf('data-2')
  await withServer(async (server) => {
    const vertices = { Company: { never: {} } }
    const { body } = await server.request('POST', '/restpp/graph/acme', { vertices })
    expect(body.results[0].vertices_deleted_permanently).toEqual([
      { v_type: 'Company', v_id: 'never' },
    ])
  })
})

describe('data of a later release', () => {
  const setVersion = (file: string) => () => change(file, 'PRAGMA user_version = 99')
  it.each([
    ['commit log', setVersion('log.db'), /log\.db has format version 99; .* up to \d+\./],
    ['segments', setVersion('segments.db'), /segments\.db has format version 99; .* up to \d+\./],
    ['graph', laterGraph, /the segments of the graph have format version 99; .* up to \d+\./],
  ])(
    'is refused for its %s, in one line and with nothing changed',
    async (_part, make, text) => {
      copyOf('data-2')
      make()
      const { code, stderr } = await start(['--port', '0', '--data', directory])
      expect(stderr).toMatch(text)
      expect(stderr).toMatch(/^quiver: .* Start a newer Quiver\n$/)
      expect(code).toBe(1)
      expect(manifestOf().foldedSequence).toBe(9)
    },
    60_000,
  )
})

function laterGraph(): void {
  const manifest = manifestOf()
  const later = manifest.description.replace('"version":2', '"version":99')
  const json = JSON.stringify({ ...manifest, description: later })
  change('segments.db', 'UPDATE manifest SET json = ?, crc = ?', json, crc32(json))
}

function manifestOf(): { readonly foldedSequence: number; readonly description: string } {
  const database = new DatabaseSync(join(directory, 'segments.db'), { readOnly: true })
  const row = database.prepare('SELECT json FROM manifest').get()
  database.close()
  return JSON.parse(String(row?.['json']))
}

function change(file: string, statement: string, ...values: readonly (string | number)[]): void {
  const database = new DatabaseSync(join(directory, file))
  if (values.length === 0) database.exec(statement)
  else database.prepare(statement).run(...values)
  database.close()
}

function start(options: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...options], (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
  })
}

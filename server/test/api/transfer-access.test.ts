/** Who may export and import, and where the files may lie. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let directory: string
let files: string
let server: TestServer

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-transfer-'))
  files = join(directory, 'files')
  server = await startServer({ exportsDirectory: files })
})
afterEach(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const post = (at: TestServer, url: string, body: unknown) => at.request('POST', url, body)
const exportTo = (path: string, more: object = {}) =>
  post(server, '/gsql/v1/db-export', { path, graphNames: ['*'], ...more })
const importFrom = (at: TestServer, path: string, more: object = {}) =>
  post(at, '/gsql/v1/db-import', { path, graphNames: ['*'], ...more })

async function withSecond(work: (second: TestServer) => Promise<void>): Promise<void> {
  const second = await startServer({ exportsDirectory: files })
  try {
    await work(second)
  } finally {
    await second.close()
  }
}

describe('users', () => {
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  })
  const ada = basic('ada', 'secret')

  beforeEach(async () => {
    const text = `CREATE USER ada WITH PASSWORD "secret"
      CREATE ROLE clerk ON GLOBAL
      GRANT PRIVILEGE EXPORT_GRAPH ON GLOBAL TO clerk
      GRANT ROLE clerk TO ada
      CREATE GRAPH g()`
    const answer = await post(server, '/gsql/v1/statements', text)
    expect(answer.text).not.toMatch(/fail|error/i)
  })

  it('come along only when asked for, with their roles and passwords', async () => {
    await exportTo('plain')
    expect(readFileSync(join(files, 'plain/quiver-export.json'), 'utf8')).not.toContain(
      'users.json',
    )
    expect((await exportTo('users', { users: true, password: 'open sesame' })).body.error).toBe(
      false,
    )
    expect(statSync(join(files, 'users/users.json')).mode & 0o077).toBe(0)
    await withSecond(async (second) => {
      expect((await importFrom(second, 'users', { keepUsers: true })).body.error).toBe(false)
      expect(second.auth.users.find('ada')).toBeUndefined()
    })
    await withSecond(async (second) => {
      const opened = await importFrom(second, 'users', { password: 'open sesame' })
      expect(opened.body.error).toBe(false)
      const { status } = await second.request('GET', '/restpp/echo', undefined, ada)
      expect(status).toBe(200)
      expect(second.auth.users.find('ada')?.roles).toEqual({ 1: ['clerk'] })
      expect(second.auth.roles.find('clerk')?.privileges['1']?.privileges).toEqual(['EXPORT_GRAPH'])
    })
  })

  it('are encrypted with a password', async () => {
    await exportTo('sealed', { users: true, password: 'open sesame' })
    // In quotes: base64 holds any three letters now and then.
    expect(readFileSync(join(files, 'sealed/users.json'), 'utf8')).not.toContain('"ada"')
    await withSecond(async (second) => {
      expect((await importFrom(second, 'sealed')).body.message).toContain('needs its password')
      const wrong = await importFrom(second, 'sealed', { password: 'open' })
      expect(wrong.body.message).toContain('does not open with this password')
      expect(second.engine.catalog.graphs).toEqual([])
      const { body } = await importFrom(second, 'sealed', { password: 'open sesame' })
      expect(body.error).toBe(false)
      expect(second.auth.users.find('ada')).toBeDefined()
    })
  })

  it('go out and come in by a superuser alone, a schema by who may write one', async () => {
    const path = (name: string, more: object = {}) => ({ path: name, graphNames: ['*'], ...more })
    const asAda = (url: string, body: object) => server.request('POST', url, body, ada)
    expect((await asAda('/gsql/v1/db-export', path('a'))).body.error).toBe(false)
    const refused = await asAda('/gsql/v1/db-export', path('b', { users: true }))
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('superuser'),
    ])
    expect(existsSync(join(files, 'b'))).toBe(false)
    const imported = await asAda('/gsql/v1/db-import', path('a'))
    expect([imported.status, imported.body.message]).toEqual([
      403,
      expect.stringContaining('WRITE_SCHEMA'),
    ])
  })
})

describe('the directory', () => {
  it('lies inside the one for files, is new, and gets its name when it is whole', async () => {
    for (const path of ['../out', '/etc/out', `${files}-beside`, '.', '', 'a\0b']) {
      const { body } = await exportTo(path)
      expect(body, path).toMatchObject({ error: true })
    }
    await exportTo('first')
    symlinkSync(directory, join(files, 'link'))
    expect((await exportTo('link/out')).body.message).toContain('must lie inside')
    expect((await importFrom(server, 'link')).body.message).toContain('does not exist')
    expect((await exportTo(join(files, 'deep/er'))).body.error).toBe(false)
    expect((await exportTo('deep/er')).body.message).toContain('exists and is not empty')
    expect(readdirSync(join(files, 'deep'))).toEqual(['er'])
    expect(readdirSync(directory)).toEqual(['files'])
  })

  it('reads no link in place of a file of an export, and nothing that is no file', async () => {
    const script = 'CREATE VERTEX P (PRIMARY_ID id INT) CREATE GRAPH g (P)'
    await server.request('POST', '/gsql/v1/statements', script)
    await server.request('POST', '/restpp/graph/g', { vertices: { P: { 1: {} } } })
    await exportTo('linked', { schema: true, data: true })
    const names = readdirSync(join(files, 'linked'))
    expect(names.length).toBeGreaterThan(2)
    await withSecond(async (second) => {
      for (const name of names) {
        const file = join(files, 'linked', name)
        const moved = join(directory, name)
        renameSync(file, moved)
        for (const put of [
          () => symlinkSync(moved, file),
          () => symlinkSync(join(directory, 'nowhere'), file),
          () => execFileSync('mkfifo', [file]),
          () => mkdirSync(file),
        ]) {
          put()
          const { status, body } = await importFrom(second, 'linked')
          expect([status, body.error], `${name}: ${body.message}`).toEqual([400, true])
          rmSync(file, { recursive: true })
        }
        renameSync(moved, file)
      }
      const graphs = await second.request('GET', '/gsql/v1/schema/graphs')
      expect(graphs.text).not.toContain('"P"')
      expect((await importFrom(second, 'linked')).body.error).toBe(false)
    })
  })

  it('takes one of two exports at once', async () => {
    const both = await Promise.all([exportTo('twice'), exportTo('twice')])
    expect(both.map(({ body }) => body.error)).toEqual([false, true])
    expect(both[1].body.message).toContain('exists and is not empty')
  })

  it('keeps nothing of an export that nobody waits for', async () => {
    const base = await server.listen()
    const body = JSON.stringify({ path: 'gone', graphNames: ['*'] })
    const gone = new AbortController()
    // The export has its directory, and then waits for a write that was answered early.
    const applied = Promise.withResolvers<void>()
    vi.spyOn(server.engine, 'earlyAnswered', 'get').mockReturnValue(applied.promise)
    const left = new Promise<void>((resolve) => {
      server.app.server.once('connection', (socket) => socket.once('close', () => resolve()))
    })
    const call = fetch(`${base}/gsql/v1/db-export`, { method: 'POST', body, signal: gone.signal })
    const refused = expect(call).rejects.toThrow('aborted')
    while (!existsSync(join(files, 'gone.partial'))) await new Promise(setImmediate)
    gone.abort()
    await Promise.all([refused, left])
    applied.resolve()
    while (readdirSync(files).length > 0) await new Promise(setImmediate)
    expect(existsSync(join(files, 'gone'))).toBe(false)
  })

  it('is filled as well when a client sends all that the product knows', async () => {
    const all = { schema: false, template: false, data: false, users: false }
    const rest = { password: null, separator: '\u001d', eol: '\u001c' }
    expect((await exportTo('client', { ...all, ...rest })).body.error).toBe(false)
    const parts = ['quiver-export.json', 'schema.json', 'template.json']
    expect(readdirSync(join(files, 'client')).sort()).toEqual(parts)
    expect((await exportTo('none', { graphNames: [] })).status).toBe(400)
    const unknown = await exportTo('ghost', { graphNames: ['ghost'] })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'GRAPH_NOT_FOUND'])
  })

  it('is nowhere on a server without one', async () => {
    const bare = await startServer()
    const { body } = await importFrom(bare, 'x')
    expect(body.message).toContain('no directory for exports')
    await bare.close()
  })
})

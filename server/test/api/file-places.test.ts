/** Which files a query, a loading job and an import can reach, whatever their paths say. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileServer, queryOfG, startFileServer } from '../fixtures/file-server.ts'

let files: FileServer
const place = (path: string) => files.place(path)
const send: FileServer['send'] = (...call) => files.send(...call)
const script: FileServer['script'] = (...call) => files.script(...call)
const interpret: FileServer['interpret'] = (...call) => files.interpret(...call)

beforeAll(async () => {
  files = await startFileServer()
})
afterAll(() => files.close())

describe('a query', () => {
  it.each([
    '../h/secret.csv',
    'x/../../h/secret.csv',
    '{home}/query-files/h/secret.csv',
    '{home}/files/in.csv',
    '{home}/exports/whole/users.json',
    '../../exports/whole/users.json',
    '/etc/passwd',
    '.',
  ])('of one graph does not reach %s', async (written) => {
    const path = written.replace('{home}', place(''))
    const read = `MapAccum<STRING, STRING> @@m; @@m = { LOADACCUM("${path}", $0, $1, ",", false) }; PRINT @@m;`
    const found = await interpret('both', queryOfG(read))
    expect(found.body, found.text).toMatchObject({ error: true, code: 'GSQL-5105' })
    const changed = await interpret('both', queryOfG(`FILE f ("${path}"); f.println("x");`))
    expect(changed.body, changed.text).toMatchObject({ error: true, code: 'GSQL-5105' })
    expect(readFileSync(place('query-files/h/secret.csv'), 'utf8')).toBe('secret,1\n')
  })

  it('that writes a file is a write for the write guard', async () => {
    rmSync(place('query-files/g/a.csv'), { force: true })
    const guard = { 'x-write-guard': 'read-only' }
    const text = queryOfG('FILE f ("a.csv"); f.println("x");')
    const guarded = await interpret('both', text, guard)
    expect([guarded.status, guarded.body.code]).toEqual([403, 'WRITE_GUARDED'])
    const csv = await send('both', 'GET', '/restpp/query/g/writes?path=a.csv', undefined, guard)
    expect(csv.status).toBe(403)
    expect(existsSync(place('query-files/g/a.csv'))).toBe(false)
    // The guard does not speak for a right that is missing, and reading is no write.
    expect((await interpret('reader', text, guard)).text).toContain('does not have the privilege')
    const read = queryOfG('S = SelectVertex("own.csv", $0, V, ",", false); PRINT S;')
    expect((await interpret('both', read, guard)).status).toBe(200)
  })
})

describe('a loading job', () => {
  it.each([
    '../exports/whole/users.json',
    '../query-files/h/secret.csv',
    'm1:../exports/whole/users.json',
    'any:../exports/whole/users.json',
    'ALL:/etc/passwd',
    'm1|m2:/etc/passwd, m3:../log.db',
    '$sys.data_root/../exports/whole/users.json',
    '$src:../in.csv',
    '$src:{\\"file.uris\\": \\"../in.csv\\"}',
    '/etc/passwd',
    '*.csv',
    'IN.csv',
    'in\u2024csv',
    'in.csv\\0',
    '',
  ])('does not reach %j', async (path) => {
    const { text } = await script('both', `USE GRAPH g\nRUN LOADING JOB free USING f="${path}"`)
    expect(text).not.toContain('LOAD SUCCESSFUL')
    const url = '/gsql/v1/sample-data'
    const { status } = await send('both', 'POST', url, { graphName: 'g', path })
    expect(status).not.toBe(200)
  })
})

describe('an export', () => {
  it('with users needs a password, and holds no secret and no hash in the clear', async () => {
    const secret = await send(null, 'POST', '/gsql/v1/secrets?alias=mine')
    const { value } = secret.body.results
    const without = await script(null, 'EXPORT GRAPH ALL -U TO "whole"')
    expect(without.text).toContain('needs a password')
    for (const password of [undefined, '', 'seven..']) {
      const body = { path: 'whole', users: true, ...(password !== undefined && { password }) }
      expect((await send(null, 'POST', '/gsql/v1/db-export', body)).body.message).toContain(
        'needs a password',
      )
    }
    expect(existsSync(place('exports/whole'))).toBe(false)
    const done = await script(null, 'EXPORT GRAPH ALL -U -P "eight ch" TO "whole"')
    expect(done.text).toContain('Successfully exported')
    const users = readFileSync(place('exports/whole/users.json'), 'utf8')
    const stored = files.server.auth.users.find('tigergraph')!
    for (const text of [value, stored.password.hash, stored.password.salt, 'both']) {
      expect(users).not.toContain(text)
    }
  })

  it('of an earlier version, in the directory for loading, is no input of loading jobs', async () => {
    mkdirSync(place('files/old/sub'), { recursive: true })
    mkdirSync(place('files/cut.partial'), { recursive: true })
    mkdirSync(place('files/backup'))
    writeFileSync(place('files/old/quiver-export.json'), '{}')
    writeFileSync(place('files/backup/log.db'), 'root,secret\n')
    const paths = ['old/users.json', 'old/sub/users.json', 'cut.partial/users.json']
    for (const path of [...paths, 'backup/log.db']) {
      writeFileSync(place(`files/${path}`), 'root,secret\n')
      const { text } = await script('both', `USE GRAPH g\nRUN LOADING JOB free USING f="${path}"`)
      expect(text).toContain('does not exist')
      const sampled = await send('both', 'POST', '/gsql/v1/sample-data', { graphName: 'g', path })
      expect(sampled.text).toContain('does not exist')
    }
    const { text } = await script(null, 'IMPORT GRAPH ALL FROM "old"')
    expect(text).toContain('move it into the directory for exports')
  })

  it('cannot bring a superuser in for an importer who is none', async () => {
    mkdirSync(place('exports/forged'), { recursive: true })
    const users = JSON.stringify({ users: [], roles: [] })
    writeFileSync(place('exports/forged/users.json'), users)
    const sum = {
      file: 'users.json',
      sizeBytes: users.length,
      sha256: createHash('sha256').update(users).digest('hex'),
      isEncrypted: false,
    }
    const manifest = { format: 1, product: '', madeAt: '', graphs: null }
    const parts = { schema: null, template: null, data: null, users: sum }
    writeFileSync(
      place('exports/forged/quiver-export.json'),
      JSON.stringify({ ...manifest, ...parts }),
    )
    const imports =
      'EXPORT_GRAPH, WRITE_SCHEMA, CREATE_QUERY, INSTALL_QUERY, WRITE_LOADINGJOB, WRITE_DATASOURCE, CREATE_DATA, UPDATE_DATA, READ_FILE'
    const made = await script(
      null,
      `CREATE USER importer WITH PASSWORD "importer password"
       CREATE ROLE imports ON GLOBAL
       GRANT PRIVILEGE ${imports} ON GLOBAL TO imports
       GRANT ROLE imports TO importer`,
    )
    expect(made.text).not.toMatch(/does not|cannot/)
    const refused = await script('importer', 'IMPORT GRAPH ALL FROM "forged"')
    expect(refused.text).toContain('is no superuser')
    expect((await script(null, 'IMPORT GRAPH ALL FROM "forged"')).text).toContain('Successfully')
  })
})

it('a graph that is created anew does not get the files of the one before', async () => {
  const at = place('query-files/gone')
  await script(null, 'CREATE GRAPH gone (V)')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'left.csv'), 'a,1\n')
  expect((await script(null, 'DROP GRAPH gone')).text).toContain('is dropped')
  expect(existsSync(at)).toBe(false)
  mkdirSync(at)
  writeFileSync(join(at, 'late.csv'), 'a,1\n')
  expect((await script(null, 'CREATE GRAPH gone (V)')).text).toContain('is created')
  expect(existsSync(at)).toBe(false)
})

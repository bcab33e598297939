/** Nobody else on the machine reads what the server writes, whatever the directory was like before. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { program } from '../fixtures/program.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }

let root: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quiver-private-'))
  data = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('closes the files of a directory that existed before, open to all, and warns of it', async () => {
  await earlierData()
  const { server, url, stderr } = await start()
  try {
    expect(open(data)).toEqual([])
    await use(url)
    server.kill('SIGKILL')
    await once(server, 'exit')
    expect(existsSync(join(data, 'log.db-wal'))).toBe(true)
    expect(open(data)).toEqual([])
    expect(stderr()).toMatch(/the data directory \S+ is open to other users \(mode 755\)/)
    expect(statSync(join(root, 'linked')).mode & 0o777, 'no link is followed').toBe(0o644)
    expect(statSync(join(data, 'files', 'people.csv')).mode & 0o777).toBe(0o644)
  } finally {
    server.kill('SIGKILL')
  }
}, 60_000)

it('says nothing of a directory that it made itself', async () => {
  const { server, url, stderr } = await start()
  await use(url)
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(open(data)).toEqual([])
  expect(stderr()).not.toContain('open to other users')
}, 60_000)

/** As an earlier version left it under the usual umask. */
async function earlierData(): Promise<void> {
  mkdirSync(data)
  chmodSync(data, 0o755)
  for (const folder of ['files', 'query-files/g', 'exports/old']) {
    mkdirSync(join(data, folder), { recursive: true, mode: 0o755 })
  }
  await (await openSqliteStore({ directory: data, clock })).close()
  const old = ['audit.log', 'audit.log.1', 'log.db.damaged-after-3', 'exports/old/users.json']
  for (const file of [...old, 'query-files/g/out.csv', 'files/people.csv', '../linked']) {
    writeFileSync(join(data, file), '')
    chmodSync(join(data, file), 0o644)
  }
  symlinkSync(join(root, 'linked'), join(data, 'exports/old/link'))
  for (const file of ['log.db', 'segments.db', 'lock.db', 'log.end']) {
    chmodSync(join(data, file), 0o644)
  }
}

/** Something of everything that is written: log, segments, audit log, files of queries, an export. */
async function use(url: string): Promise<void> {
  const post = async (path: string, body: string) => {
    const answer = await fetch(url + path, { method: 'POST', body })
    expect(await answer.text()).not.toMatch(/"error": ?true/)
  }
  await post('/gsql/v1/statements', 'CREATE VERTEX V(PRIMARY_ID id STRING) CREATE GRAPH g(V)')
  await post('/restpp/graph/g', '{"vertices":{"V":{"a":{}}}}')
  await fetch(`${url}/restpp/rebuildnow/g`)
  await post(
    '/gsql/v1/statements?graph=g',
    'INTERPRET QUERY () FOR GRAPH g { FILE f ("new.csv"); f.println("x"); }',
  )
  await post('/gsql/v1/db-export', '{"path":"today","graphNames":["*"]}')
}

/** What below the directory others may read, but for the input of loading jobs. */
function open(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(data, 'files')))
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
}

async function start(): Promise<{ server: ChildProcess; url: string; stderr: () => string }> {
  const server = spawn(process.execPath, [program, '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  server.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  for await (const chunk of server.stdout) {
    stdout += String(chunk)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0]
    if (url !== undefined) return { server, url, stderr: () => stderr }
  }
  throw new Error(`the server announced no address: ${stdout} ${stderr}`)
}

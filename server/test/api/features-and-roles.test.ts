/**
 * Every statement of GSQL scripts, and every node of queries that has an effect or reads beyond the
 * graph's data, with every built-in role.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, nodes, type Scope } from '../fixtures/feature-tables.ts'
import { globalRoles, localRoles, roleNames } from '../fixtures/role-table.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

const home = mkdtempSync(join(tmpdir(), 'quiver-features-'))
let server: TestServer
let count = 0

async function script(name: string | null, text: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${name}:${name} password`).toString('base64')}`
  const headers: Record<string, string> = name === null ? {} : { authorization }
  return (await server.request('POST', '/gsql/v1/statements', text, headers)).text
}

async function prepare(text: string): Promise<void> {
  expect(await script(null, text)).not.toMatch(/fail|error|does not|Encountered/i)
}

beforeAll(async () => {
  for (const folder of ['files', 'query-files/g'])
    mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, 'files/in.csv'), 'v,1\n')
  server = await startServer({
    filesDirectory: join(home, 'files'),
    queryFilesDirectory: join(home, 'query-files'),
    exportsDirectory: join(home, 'exports'),
  })
  const accounts = roleNames.map((name) => {
    const where = name in localRoles ? 'ON GRAPH g ' : ''
    const grant = name === 'nobody' ? '' : `GRANT ROLE ${name} ${where}TO ${name}`
    return `CREATE USER ${name} WITH PASSWORD "${name} password" ${grant}`
  })
  await prepare(`CREATE VERTEX V (PRIMARY_ID id STRING, word STRING)
    CREATE DIRECTED EDGE E (FROM V, TO V)
    CREATE GRAPH g (V, E)
    USE GRAPH g
    CREATE QUERY called() FOR GRAPH g RETURNS (INT) { INSERT INTO V (PRIMARY_ID) VALUES ("c"); RETURN 1; }
    CREATE QUERY called_file() FOR GRAPH g { FILE f ("out.csv"); f.println("x"); }
    INSTALL QUERY ALL
    ${accounts.join('\n')}
    EXPORT GRAPH ALL TO "whole"`)
  await server.request('POST', '/restpp/graph/g', { vertices: { V: { v: {} } } })
  mkdirSync(join(home, 'query-files/g'), { recursive: true })
  writeFileSync(join(home, 'query-files/g/in.csv'), 'v,1\n')
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

function isAllowed(name: string, needs: string, scope: Scope = 'g'): boolean {
  if (needs === '') return true
  const isGlobal = name in globalRoles
  const granted = (globalRoles[name] ?? localRoles[name] ?? '').split(' ')
  if (granted.includes('*')) return true
  if (scope === 'everywhere' && !isGlobal) return false
  return needs.split(' ').every((privilege) => granted.includes(privilege))
}

const refusal =
  /does not have the privilege|is no superuser|(role|[Gg]raph) \S+ does not exist|takes WRITE_SCHEMA/

describe.each(roleNames)('a script of %s', (name) => {
  it.each(Object.entries(commands))('%s', async (kind, row) => {
    const isLast = ['clearStore', 'dropAll', 'importGraph'].includes(kind)
    // Of those who may take everything away only the last one does.
    if (isLast && name === 'superuser') return
    const n = ++count
    if (row.before !== undefined) await prepare(`USE GRAPH g ${row.before(n)}`)
    const { needs, scope } = row
    const text = row.text(n)
    if (name === 'nobody' && needs === '' && kind !== 'useGraph') {
      expect(await script(name, text)).not.toMatch(refusal)
      return
    }
    if (name === 'nobody') {
      // Without a right on a graph there is none to work in.
      expect(await script(name, `USE GRAPH g\n${text}`)).toContain("Graph 'g' does not exist")
      expect(await script(name, text)).toMatch(new RegExp(`${refusal.source}|no graph is in use`))
      return
    }
    const working = kind === 'useGraph' ? '' : 'USE GRAPH g\n'
    const told = await script(name, `${working}${text}`)
    if (isAllowed(name, needs, scope)) expect(told).not.toMatch(/does not|fail|Encountered/i)
    else expect(told).toMatch(refusal)
  })
})

describe.each(roleNames)('a query of %s', (name) => {
  it.each(Object.entries(nodes).filter(([, row]) => row !== null))('%s', async (_kind, row) => {
    const { needs, body } = row!
    const text = `INTERPRET QUERY () FOR GRAPH g { ${body} }`
    const told = await script(name, text)
    const needed = `EXECUTE_QUERY READ_DATA ${needs}`.trim()
    if (isAllowed(name, needed)) expect(told).toContain('"error": false')
    else expect(told).toMatch(refusal)
  })
})

describe('the superuser', () => {
  it('may also take everything away and bring it back', async () => {
    for (const kind of ['clearStore', 'dropAll', 'importGraph'] as const) {
      const told = await script('superuser', commands[kind].text(0))
      expect(told, kind).not.toMatch(/does not|fail/i)
    }
  })
})

/** Where loading jobs find their files, and what a line may ask for, by requests. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let files: string
let written: string

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'quiver-files-'))
  written = await mkdtemp(join(tmpdir(), 'quiver-written-'))
  server = await startServer({
    ...{ filesDirectory: files, queryFilesDirectory: written },
    queryWorkerCount: 0,
  })
  await createAcme(server)
  await gsql('CREATE LOADING JOB j { DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, $1); }')
})
afterAll(async () => {
  await server.close()
  for (const one of [files, written]) await rm(one, { recursive: true })
})

const gsql = async (script: string) =>
  (await server.request('POST', '/gsql/v1/statements?graph=acme', script)).text

const feed = async (values: string, body: string) => {
  const job = `LOAD f TO VERTEX Person VALUES (${values})`
  await gsql(`DROP JOB fed`)
  expect(await gsql(`CREATE LOADING JOB fed { DEFINE FILENAME f; ${job}; }`)).toContain('created')
  return await server.request('POST', '/restpp/ddl/acme?tag=fed&filename=f', body)
}

describe('files of loading jobs', () => {
  it('are all those of a folder that are not hidden, in order of their names', async () => {
    await mkdir(join(files, 'people', 'inner'), { recursive: true })
    for (const name of ['b.csv', 'a.csv', '.hidden', 'inner/c.csv']) {
      await writeFile(join(files, 'people', name), `${name.length},x\n`)
    }
    for (const path of ['people', 'people/', 'ANY:people', `ANY:${files}/people/`]) {
      const told = await gsql(`RUN LOADING JOB j USING f="${path}"`)
      const names = told.split('\n').flatMap((line) => /(\S+): 1 lines/.exec(line)?.[1] ?? [])
      expect(names, path).toEqual([join(files, 'people/a.csv'), join(files, 'people/b.csv')])
    }
    const counted = await gsql('RUN LOADING JOB j USING f="people"')
    expect(counted.match(/Person: \d+ loaded/g)).toEqual(Array(2).fill('Person: 1 loaded'))
    await mkdir(join(files, 'empty'))
    expect(await gsql('RUN LOADING JOB j USING f="empty"')).toContain('holds no files')
  })

  it('are what queries of the graph wrote, too, and of no other graph', async () => {
    for (const graph of ['acme', 'other']) {
      await mkdir(join(written, graph))
      await writeFile(join(written, graph, `${graph}.csv`), '7,Written\n')
    }
    expect(await gsql('RUN LOADING JOB j USING f="acme.csv"')).toContain('Person: 1 loaded')
    for (const path of ['other.csv', '../other/other.csv', `${written}/other/other.csv`]) {
      const told = await gsql(`RUN LOADING JOB j USING f="${path}"`)
      expect(told, path).toMatch(/does not exist|lies outside/)
    }
  })

  it('that are not there are refused by saying where they were looked for', async () => {
    const missing = await gsql('RUN LOADING JOB j USING f="ghost.csv"')
    expect(missing).toContain(
      `The file 'ghost.csv' does not exist in the directory for loading (--files ${files}) or in the files of queries of acme (--query-files ${written}).`,
    )
    // A file that is there, and one that is not: nobody learns which.
    for (const path of ['/etc/hosts', '/etc/no-such-file']) {
      const outside = await gsql(`RUN LOADING JOB j USING f="${path}"`)
      expect(outside).toContain(`The file '${path}' lies outside: files are read in the directory`)
    }
  })
})

describe('a line that asks for too much', () => {
  it.each([
    ['$0, lpad($1,500000000,"ab")', '1,b\n2,c'],
    ['$0, rpad($1,500000000,"ab")', '1,b\n2,c'],
    ['$0, gsql_regex_replace($1,"a","$`$\'")', `1,${'a'.repeat(30_000)}\n2,${'a'.repeat(30_000)}`],
    ['$0, concat($1,$1,$1)', `1,${'a'.repeat(4_000_000)}\n2,${'a'.repeat(4_000_000)}`],
  ])('is rejected, and the next one is read: %s', async (values, body) => {
    const { status, body: answer } = await feed(values, `${body}\n`)
    expect(status).toBe(200)
    expect(answer.results[0].statistics).toMatchObject({ validLine: 0, oversizeToken: 2 })
  })

  it('takes no more steps than its text is long', async () => {
    const { body } = await feed(
      '$0, gsql_replace($1,"z","y",2000000000)',
      `1,${'z'.repeat(2_000)}\n`,
    )
    expect(body.results[0].statistics).toMatchObject({ validLine: 1, oversizeToken: 0 })
  })
})

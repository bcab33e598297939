/**
 * Every example of docs/reference/gsql on a live server. `QUIVER_GOLDEN=write` puts the answers that
 * differ into the pages, to be reviewed as a diff.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readReferencePage, sampleOf } from '../fixtures/reference-page.ts'
import { mismatch, type Outcome, runExample, withAnswers } from '../fixtures/reference-run.ts'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'

const folder = new URL('../../../docs/reference/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const sample = sampleOf(read('gsql.md'))
const subpages = readdirSync(new URL('gsql/', folder)).map((name) => `gsql/${name}`)
const isWriting = process.env['QUIVER_GOLDEN'] === 'write'

let server: TestServer
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quiver-reference-'))
  server = await startServer(directoriesIn(directory))
  await server.request('POST', '/gsql/v1/statements', sample)
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

function writeFiles(files: ReadonlyMap<string, string>): void {
  const ofQueries = join(directory, 'query-files', 'social')
  mkdirSync(ofQueries, { recursive: true })
  for (const [name, text] of files) {
    writeFileSync(join(directory, name), text)
    writeFileSync(join(ofQueries, name), text)
  }
}

describe('the examples of the GSQL reference', () => {
  it.each(['gsql.md', ...subpages])('%s', async (name) => {
    const page = read(name)
    const { examples, files } = readReferencePage(page)
    writeFiles(files)
    const outcomes: { example: (typeof examples)[number]; outcome: Outcome }[] = []
    for (const example of examples) {
      const outcome = await runExample(server, example)
      outcomes.push({ example, outcome })
      if (isWriting) continue
      const line = example.kind === 'table' ? example.line : example.block.line
      expect(mismatch(example, outcome), `${name}:${line} answers otherwise`).toBeNull()
    }
    if (isWriting) writeFileSync(new URL(name, folder), withAnswers(page, outcomes, directory))
  })
})

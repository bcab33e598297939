/** Each command of README.md and of docs/operations/backup.md, as printed and in order, against the built server. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasCurl } from '../fixtures/curl.ts'
import { missingIn, type ShellBlock, ShellPage, shellBlocks } from '../fixtures/shell-page.ts'

const root = new URL('../../../', import.meta.url)
const readPage = (name: string) => readFileSync(new URL(name, root), 'utf8')
const readme = readPage('README.md')
const canRun = process.platform !== 'win32' && (await hasCurl()) && has('bash') && has('jq')

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let directory: string
let page: ShellPage

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-readme-'))
  page = new ShellPage(directory)
})
afterEach(async () => {
  await page.end()
  rmSync(directory, { recursive: true })
})

async function runAll(name: string, blocks: readonly ShellBlock[]): Promise<void> {
  for (const block of blocks) {
    const came = await page.run(block)
    const place = `${name}:${block.line}\n${came}`
    expect(missingIn(came, block), place).toEqual([])
    expect(came, place).not.toMatch(/"error":\s*true|mismatched input|\bError\b/)
  }
}

describe.skipIf(!canRun)('the commands of a page, as printed', () => {
  // Each start of a program takes a second: both pages go on with one server.
  it('README.md, then docs/operations/backup.md', async () => {
    const blocks = shellBlocks(readme)
    expect(blocks.length).toBeGreaterThan(8)
    await runAll('README.md', blocks)

    // Answers are compared for real: an import over what exists is found.
    const twice = ['db-export', 'db-import'].map(
      (call) =>
        `curl http://127.0.0.1:14240/gsql/v1/${call} -d '{"path":"x","graphNames":["*"]}'\n`,
    )
    const block = { line: 1, commands: twice.join(''), answer: null }
    await expect(runAll('these', [block])).rejects.toThrow()

    // Both pages make these.
    for (const made of ['backups', 'restored']) rmSync(join(directory, made), { recursive: true })
    const name = 'docs/operations/backup.md'
    await runAll(name, shellBlocks(readPage(name)))
  }, 240_000)
})

describe('README.md', () => {
  it('names scripts that exist', () => {
    const { scripts } = JSON.parse(readPage('package.json'))
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    expect(named.length).toBeGreaterThan(0)
  })
})

/** `npm start`: the version of Node, options that npm takes for itself, and signals to npm. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { checkout, type NodeRange, server, suits } from '../../../scripts/node-versions.cjs'
import { hasNodeBinaries, nodeDirectory } from '../fixtures/node-binary.ts'
import { expectEnd, startProgram } from '../fixtures/started-program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const directory = mkdtempSync(join(tmpdir(), 'quiver-start-'))
afterAll(() => rmSync(directory, { recursive: true }))

it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
  'ends the server when npm gets %s',
  async (signal) => {
    const args = ['start', '--', '--port', '0', '--data', join(directory, signal)]
    const env = outsideOfNpm()
    const started = await startProgram('npm', args, { cwd: root, env })
    await expectEnd(started, signal)
  },
  120_000,
)

it('says where options go that npm takes for itself', async () => {
  const args = ['start', '--port', '1', '--data', join(directory, 'none')]
  const stderr = await new Promise<string>((resolve) => {
    execFile('npm', args, { cwd: root, env: outsideOfNpm() }, (_error, _out, err) => resolve(err))
  })
  expect(stderr).toContain('options follow --: npm start -- --port 1')
}, 120_000)

it.skipIf(!hasNodeBinaries)(
  'says in one line that Node is too old',
  () => {
    expect(product.engines.node).toBe('^20.19.0 || >=22.12.0')
    for (const script of ['start', 'test']) {
      expect(product.scripts[`pre${script}`]).toMatch(/^node scripts\/check-node\.cjs && /)
    }
    const needed = 'a checkout needs Node 20.19 or newer of version 20, or 22.12 or newer'
    // By a program that these understand, too.
    for (const version of ['12.22.12', '20.18.1']) {
      expect(checked(version)).toBe(`quiver: this is Node ${version}; ${needed}\n`)
    }
  },
  300_000,
)

it('knows which versions of Node install a checkout and run the server', () => {
  const all =
    '18.20.8 20.18.1 20.19.0 21.7.3 22.11.0 22.12.0 22.14.0 22.15.0 23.0.0 23.11.0 24.0.0 26.10.0'
  const suited = (range: NodeRange) =>
    all
      .split(' ')
      .filter((version) => suits(range, version))
      .join(' ')
  expect(suited(checkout)).toBe('20.19.0 22.12.0 22.14.0 22.15.0 23.0.0 23.11.0 24.0.0 26.10.0')
  expect(suited(server)).toBe('22.15.0 23.11.0 24.0.0 26.10.0')
})

/** As from a shell: npm gives its scripts, and so this test, variables of its own. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package)/.test(name))
  return Object.fromEntries(own)
}

function checked(version: string): string {
  const node = join(nodeDirectory(version), 'node')
  const command = `"${node}" scripts/check-node.cjs 2>&1; :`
  return execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
}

/** What `npm run package` makes, started by `npx` on other versions of Node, as other users. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNodeBinaries, nodeDirectory } from '../fixtures/node-binary.ts'
import { expectEnd, startProgram } from '../fixtures/started-program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const product = readJson('package.json')
const tarball = join(root, 'dist', `quiver-${product.version}.tgz`)
const OLDEST = '22.15.0'
const USER = 65_534
const isRoot = process.getuid?.() === 0

// npm takes the nearest directory above with a package.json for the project, and a path from there.
const base = existsSync(join(tmpdir(), 'package.json')) ? '/var/tmp' : tmpdir()
const directory = mkdtempSync(join(base, 'quiver-package-'))

beforeAll(() => {
  chmodSync(directory, 0o755)
  execFileSync(process.execPath, [join(root, 'scripts/package.mjs')], { stdio: 'pipe' })
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true }))

describe('the package', () => {
  it('is small, and holds what runs and nothing else', () => {
    expect(statSync(tarball).size).toBeLessThan(6_000_000)
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    for (const file of [
      'dist/server/main.js',
      'dist/ui/index.html',
      'scripts/quiver.cjs',
      'LICENSE',
    ]) {
      expect(files).toContain(`package/${file}`)
    }
    expect(files.filter((file) => /\.(ts|map)$|node_modules|\.vite/.test(file))).toEqual([])
  })

  it('takes the dependencies of the server alone, and builds nothing when it is installed', () => {
    const manifest = readJson('dist/package/package.json')
    const { dependencies, optionalDependencies, devDependencies, scripts } = manifest
    expect({ ...dependencies, ...optionalDependencies }).toEqual(
      readJson('server/package.json').dependencies,
    )
    expect([devDependencies, scripts, manifest.private]).toEqual([undefined, undefined, undefined])
    expect(manifest).toMatchObject({
      name: 'quiver',
      version: product.version,
      bin: { quiver: 'scripts/quiver.cjs' },
      engines: { node: '^22.15.0 || >=23.11.0' },
      pinnedNode: product.dependencies.node,
    })
  })

  it('is not what npm packs of the checkout', () => {
    const packed = () => execFileSync('npm', ['pack', '--dry-run'], { cwd: root, stdio: 'pipe' })
    expect(packed).toThrow('npm run package')
  })
})

describe.skipIf(!hasNodeBinaries)('npx starts the package', () => {
  const newest = () => dirname(process.execPath)
  it.each([
    ['the oldest Node', 'this user', () => nodeDirectory(OLDEST)],
    ['the newest Node', 'an ordinary user', newest],
  ] as const)(
    'on %s, as %s',
    async (_name, user, node) => {
      const home = join(directory, user.replaceAll(' ', '-'))
      mkdirSync(home)
      copyFileSync(tarball, join(home, basename(tarball)))
      const other = isRoot && user === 'an ordinary user' ? { uid: USER, gid: USER } : {}
      if ('uid' in other) chownSync(home, USER, USER)
      const path = (process.env['PATH'] ?? '').split(delimiter).filter(isOfSystem)
      const env = {
        ...outsideOfNpm(),
        HOME: home,
        PATH: [node(), ...path].join(delimiter),
        npm_config_cache: join(home, 'cache'),
      }
      const args = ['--yes', `./${basename(tarball)}`, '--port', '0', '--data', 'data']
      const started = await startProgram('npx', args, { cwd: home, env, ...other })
      const { url } = started
      expect(await (await fetch(`${url}/api/ping`)).json()).toMatchObject({ message: 'pong' })
      const page = await fetch(`${url}/ui/`)
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<div id="root"'),
      ])
      const post = async (path: string, body: string) =>
        (await fetch(`${url}${path}`, { method: 'POST', body })).text()
      const schema = 'CREATE VERTEX V (PRIMARY_ID id STRING)\nCREATE GRAPH g (V)'
      await post('/gsql/v1/statements', schema)
      const query = 'INTERPRET QUERY () FOR GRAPH g { PRINT 1 + 1 AS two; }'
      expect(JSON.parse(await post('/gsql/v1/queries/interpret', query))).toMatchObject({
        error: false,
        results: [{ two: 2 }],
      })
      expect(existsSync(join(home, 'data', 'log.db'))).toBe(true)
      // Nothing but the address is said on a Node that has all that is needed.
      expect(started.output).not.toMatch(/warning|fetching/i)
      await expectEnd(started, 'SIGKILL')
    },
    300_000,
  )
})

/** Of this repository's tools none is on the path of a user. */
function isOfSystem(path: string): boolean {
  return !path.includes('node_modules')
}

/** As from a shell: npm tells its scripts, and so this test, which project they belong to. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  const ofProject = /^npm_(lifecycle|package|command|execpath|config_(local|global)?_?prefix)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofProject.test(name)))
}

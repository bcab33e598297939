/** What the last stage of the container recipe holds, put together without an engine, and run as it says. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { expectEnd, startProgram } from '../fixtures/started-program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const recipe = readFileSync(join(root, 'docs/container/Containerfile'), 'utf8')
const lastStage = recipe.slice(recipe.lastIndexOf('\nFROM '))
const all = (name: string) =>
  [...lastStage.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map((match) => match[1] as string)

const USER = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: USER, gid: USER } : {}

const directory = mkdtempSync(join(tmpdir(), 'quiver-container-'))
const image = join(directory, 'quiver')
const data = join(directory, 'data')
afterAll(() => rmSync(directory, { recursive: true }))

it('starts as a user without rights, takes the password of a file, and is healthy', async () => {
  chmodSync(directory, 0o755)
  for (const copy of all('COPY')) copyInto(copy.replace(/^--from=\w+ /, '').split(' '))
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(directory, 'password'), 'a first password\n', { mode: 0o644 })
  if (isRoot) chownSync(data, USER, USER)
  const port = await freePort()
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    QUIVER_PORT: String(port),
    QUIVER_PASSWORD_FILE: join(directory, 'password'),
  }
  const [program = '', ...args] = JSON.parse(all('ENTRYPOINT')[0] ?? '[]')
  const own = args.map((arg: string) => (arg === all('VOLUME')[0] ? data : arg))
  const before = contents()
  const started = await startProgram(program, own, { cwd: image, env, ...user })
  const health = all('HEALTHCHECK')[0] ?? ''
  const [checker = '', ...check] = JSON.parse(health.slice(health.indexOf('[')))
  const checkHealth = () =>
    new Promise((resolve) => {
      execFile(checker, check, { cwd: image, env, ...user }, (error) => resolve(error?.code ?? 0))
    })
  expect(await checkHealth()).toBe(0)
  // By another address than the one that is announced, as through a published port.
  const url = `http://127.0.0.2:${port}/gsql/v1/schema/graphs`
  const authorization = `Basic ${Buffer.from('tigergraph:a first password').toString('base64')}`
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200)
  expect((await fetch(url)).status).toBe(401)
  expect(contents(), 'nothing is written beside the volume').toEqual(before)
  await expectEnd(started, 'SIGTERM')
  expect(await checkHealth()).toBe(1)
}, 120_000)

/** From the checkout, which has what the other stages make: the packages and `dist`. */
function copyInto(paths: readonly string[]): void {
  const to = paths.at(-1) as string
  for (const path of paths.slice(0, -1)) {
    const source = path.replace(/^\/quiver\//, '')
    const target = join(image, /\/$/.test(to) ? join(to, basename(source)) : to)
    mkdirSync(dirname(target), { recursive: true })
    if (source === 'node_modules') symlinkSync(join(root, source), target)
    else cpSync(join(root, source), target, { recursive: true })
  }
}

function contents(): readonly string[] {
  const entries = readdirSync(image, { recursive: true, encoding: 'utf8' })
  return entries.filter((entry) => !entry.startsWith('node_modules')).toSorted()
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

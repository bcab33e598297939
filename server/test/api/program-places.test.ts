/**
 * What the program tells about files and directories that it may not use, and how it reads options
 * from elsewhere than its arguments. Root may use nearly everything: then the program runs as another user.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'

const version = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

/** Of `nobody` on most systems; any other than root does. */
const USER = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: USER, gid: USER } : {}
const uid = isRoot ? USER : process.getuid?.()

const directory = mkdtempSync(join(tmpdir(), 'quiver-places-'))
const place = (name: string) => join(directory, name)
/** Node has a folder for each user there: what the first start compiles serves the others. */
const compiled = { NODE_COMPILE_CACHE: place('compiled') }

beforeAll(() => {
  chmodSync(directory, 0o755)
  mkdirSync(place('compiled'))
  chmodSync(place('compiled'), 0o777)
  mkdirSync(place('own'), { mode: 0o700 })
  mkdirSync(place('closed'), { mode: 0o500 })
  mkdirSync(place('shut'), { mode: 0o000 })
  mkdirSync(place('stale'), { mode: 0o700 })
  writeFileSync(place('stale/log.db'), '', { mode: 0o400 })
  writeFileSync(place('file'), 'x')
  writeFileSync(place('secret.json'), '{}', { mode: 0o000 })
  for (const name of ['own', 'closed', 'stale', 'stale/log.db']) {
    if (isRoot) chownSync(place(name), USER, USER)
  }
})

afterAll(() => {
  for (const name of ['closed', 'shut']) chmodSync(place(name), 0o700)
  rmSync(directory, { recursive: true })
})

it('names the path and the reason, in one line', async () => {
  const data = ['--data', place('own/data')]
  const denied = `by this user (uid ${uid})`
  for (const [args, message] of [
    [['--data', place('closed/data')], `${place('closed')} may not be written ${denied}`],
    [['--data', place('closed/a/b')], `${place('closed')} may not be written ${denied}`],
    [['--data', place('closed')], `${place('closed')} may not be written ${denied}`],
    [['--data', place('shut')], `${place('shut')} may not be written ${denied}`],
    [['--data', place('stale')], `${place('stale/log.db')} may not be written ${denied}`],
    [['--data', place('file')], `${place('file')} is not a directory`],
    [['--data', place('file/data')], `${place('file')} is not a directory`],
    [[...data, '--exports', place('closed')], `--exports: ${place('closed')} may not be written`],
    [[...data, '--exports', place('closed/e')], `${place('closed')} may not be written ${denied}`],
    [
      [...data, '--query-files', place('file')],
      `--query-files: ${place('file')} is not a directory`,
    ],
    [[...data, '--files', place('file')], `--files: ${place('file')} is not a directory`],
    [[...data, '--files', place('shut')], `--files: ${place('shut')} may not be read ${denied}`],
    [['--config', place('secret.json')], `${place('secret.json')} may not be read ${denied}`],
    [[...data, '--password-file', place('secret.json')], 'secret.json may not be read'],
    [[...data, '--console-settings', place('secret.json')], 'secret.json may not be read'],
    [[...data, '--tls-cert', place('secret.json'), '--tls-key', place('file')], 'may not be read'],
    [['reset-password', '--data', place('closed')], `${place('closed')} may not be written`],
  ] as const) {
    const { code, stderr } = await run([...args], user)
    expect(stderr, args.join(' ')).toContain(message)
    expect(stderr).toMatch(/^quiver: .*\n$/)
    expect(code).toBe(1)
  }
}, 300_000)

it.skipIf(!mayMount())(
  'says that a file system is read-only, or has no space',
  async () => {
    const small = place('small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small])
    try {
      const full = await run(['--data', join(small, 'data')])
      expect(full.stderr).toMatch(/^quiver: .*(no space left|disk is full).*\n$/)
      expect(full.stderr).toContain(small)
      execFileSync('mount', ['-o', 'remount,ro', small])
      const { stderr } = await run(['--data', join(small, 'other')])
      expect(stderr).toMatch(/^quiver: .* lies on a read-only file system\n$/)
    } finally {
      execFileSync('umount', [small])
    }
  },
  60_000,
)

it('prints its version', async () => {
  for (const args of [['--version'], ['version']]) {
    expect((await run(args)).stdout).toBe(`quiver ${version}\n`)
  }
})

it('takes options and the first password from elsewhere, and listens to others at once', async () => {
  writeFileSync(place('password'), 'hunter2 two\n')
  writeFileSync(place('quiver.json'), JSON.stringify({ data: 'configured', host: '0.0.0.0' }))
  const environment = { QUIVER_CONFIG: place('quiver.json'), QUIVER_PORT: '0' }
  const first = { ...environment, QUIVER_PASSWORD_FILE: place('password') }
  const answers = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, [program, '--log-level', 'trace'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    child.stderr.on('data', (data) => {
      printed += String(data)
    })
    const lines = createInterface(child.stdout)
    const [line] = await once(lines, 'line')
    printed += line
    // Reached by an address beside the one that is announced: it listens on all of them.
    const url = `http://127.0.0.2:${/\d+$/.exec(line)?.[0]}/gsql/v1/schema/graphs`
    const statusOf = async (password: string) => {
      const authorization = `Basic ${Buffer.from(`tigergraph:${password}`).toString('base64')}`
      return (await fetch(url, { headers: { authorization } })).status
    }
    const statuses = [
      (await fetch(url)).status,
      await statusOf('hunter2 two'),
      await statusOf('tigergraph'),
      await statusOf('another'),
    ]
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(printed).not.toMatch(/hunter2|another/)
    return statuses
  }
  expect(await answers(first)).toEqual([401, 200, 401, 401])
  // Later starts need no password, and one that they are given changes nothing.
  expect(await answers(environment)).toEqual([401, 200, 401, 401])
  expect(await answers({ ...environment, QUIVER_PASSWORD: 'another' })).toEqual([
    401, 200, 401, 401,
  ])
}, 120_000)

interface Outcome {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], settings: object = {}): Promise<Outcome> {
  const whole = [program, '--port', '0', ...args]
  const options = { cwd: '/', env: { ...process.env, ...compiled }, ...settings }
  return new Promise((resolve) => {
    execFile(process.execPath, whole, options, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout: String(stdout), stderr: String(stderr) }),
    )
  })
}

function mayMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'quiver-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true })
  }
}

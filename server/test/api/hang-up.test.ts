/** SIGHUP, and the systemd unit of docs/operations/hardening.md, which sends it on a reload. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parseOptions } from '#cli/options.ts'
import { program } from '../fixtures/program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'quiver-hang-up-'))
afterAll(() => rmSync(directory, { recursive: true }))

const guide = readFileSync(join(root, 'docs/operations/hardening.md'), 'utf8')
const unit = /```ini\n(\[Unit\][^`]*)```/.exec(guide)?.[1] ?? ''
const settings = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name as string, value as string]),
)
const [interpreter = '', script = '', ...options] = settings.get('ExecStart')?.split(' ') ?? []

it('leaves a server without a certificate as it is', async () => {
  const args = [program, '--port', '0', '--data', join(directory, 'plain')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  await expectReload(child, lines, () => process.kill(child.pid!, 'SIGHUP'))
}, 60_000)

describe('the systemd unit', () => {
  it('starts a script that there is, with options that the server knows', () => {
    expect(settings.get('WorkingDirectory')).toBe('/opt/quiver')
    expect(interpreter).toBe('/opt/quiver/node_modules/.bin/node')
    expect(existsSync(join(root, script)), script).toBe(true)
    const parsed = parseOptions(options, 2 ** 34)
    expect(parsed).toMatchObject({ command: 'serve', data: '/var/lib/quiver' })
    expect(parsed.data).toBe(`/var/lib/${settings.get('StateDirectory')}`)
    const memoryMax = Number(/^(\d+)G$/.exec(settings.get('MemoryMax') ?? '')?.[1]) * 2 ** 30
    expect(parsed.memoryLimitBytes).toBeLessThan(memoryMax)
  })

  it('leaves the server running when it is reloaded, and ends it with success', async () => {
    const places: Record<string, string> = { '/var/lib/quiver': join(directory, 'state') }
    const args = [script, ...options.map((option) => places[option] ?? option), '--port', '0']
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)
    const reload = settings.get('ExecReload') ?? ''
    await expectReload(child, lines, () => {
      execFileSync('sh', ['-c', reload], { env: { ...process.env, MAINPID: String(child.pid) } })
    })
  }, 60_000)

  it.skipIf(!hasSystemd())('is understood by systemd', () => {
    const file = join(directory, 'quiver.service')
    // What the unit names is not installed here.
    writeFileSync(file, unit.replaceAll(interpreter, process.execPath))
    const result = execFileSync('sh', ['-c', `systemd-analyze verify --man=no "${file}" 2>&1; :`])
    expect(String(result)).not.toMatch(/quiver\.service/)
  })
})

/** Once the server serves, `reload` is reported and the server answers as before. */
async function expectReload(child: ChildProcess, lines: Interface, reload: () => void) {
  const [announced] = await once(lines, 'line')
  const url = /http:\S+/.exec(announced)?.[0] as string
  const reported = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('SIGHUP: there is no certificate') && resolve())
  })
  reload()
  await reported
  expect((await fetch(`${url}/api/ping`)).status).toBe(200)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'])
    return true
  } catch {
    return false
  }
}

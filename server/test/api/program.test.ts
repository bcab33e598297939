/** What the program tells on the terminal when it cannot start. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'

it('says in one line that its port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const directory = await mkdtemp(join(tmpdir(), 'quiver-'))
  const { code, stderr } = await start(['--port', String(port), '--data', join(directory, 'data')])
  other.close()
  await rm(directory, { recursive: true })
  expect(stderr).toMatch(/^quiver: .*\n$/)
  expect(stderr).toContain(String(port))
  expect(code).toBe(1)
}, 30_000)

it('says in one line that its data directory cannot be made', async () => {
  for (const data of ['/proc/quiver/data', '/etc/passwd/data', '/dev/null']) {
    const { code, stderr } = await start(['--port', '0', '--data', data])
    expect(stderr).toMatch(/^quiver: cannot create the directory .*\n$/)
    expect(stderr).toContain(data)
    expect(code).toBe(1)
  }
}, 60_000)

it('says what is wrong with the file of console settings, and serves nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiver-settings-'))
  const file = join(folder, 'console.json')
  writeFileSync(file, '{"locked":{"writeGuard":"never"}}')
  for (const [path, reason] of [
    [file, 'locked.writeGuard: '],
    [join(folder, 'none.json'), 'none.json does not exist'],
  ]) {
    const options = ['--port', '0', '--data', join(folder, 'data'), '--console-settings', path!]
    const { code, stderr } = await start(options)
    expect(stderr).toMatch(/^quiver: .*\n$/)
    expect(stderr).toContain(reason)
    expect(code).toBe(1)
  }
  rmSync(folder, { recursive: true })
}, 60_000)

function start(options: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...options], (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
  })
}

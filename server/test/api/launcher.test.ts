/**
 * The command `quiver` where a process cannot take the place of another one: it starts the server as a
 * child, again whenever that ends with status 75, and passes signals on.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url))
const MS_MAX = 120_000

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-launcher-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A package whose server writes a line to `starts`, and then does as the text says. */
function start(does: string): ChildProcess {
  cpSync(scripts, join(directory, 'scripts'), { recursive: true })
  mkdirSync(join(directory, 'dist', 'server'), { recursive: true })
  const main = `const { appendFileSync, readFileSync } = require('node:fs')
    appendFileSync('starts', process.pid + ' ' + process.argv.slice(2).join() + '\\n')
    const count = readFileSync('starts', 'utf8').split('\\n').length - 1
    ${does}`
  writeFileSync(join(directory, 'dist', 'package.json'), '{"type":"commonjs"}')
  writeFileSync(join(directory, 'dist', 'server', 'main.js'), main)
  writeFileSync(join(directory, 'without.cjs'), 'process.execve = undefined')
  const launcher = join(directory, 'scripts', 'quiver.cjs')
  return spawn(process.execPath, ['--require', './without.cjs', launcher, '--port', '0'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function starts(): string[] {
  try {
    return readFileSync(join(directory, 'starts'), 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

async function started(count: number): Promise<void> {
  while (starts().length < count) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function endOf(child: ChildProcess): Promise<[number | null, string | null]> {
  return (await once(child, 'exit')) as [number | null, string | null]
}

describe('a server without supervision', { timeout: MS_MAX }, () => {
  it('starts again with the same arguments as often as it asks for it, and ends with its status', async () => {
    const launcher = start('process.exit(count < 3 ? 75 : 4)')
    expect(await endOf(launcher)).toEqual([4, null])
    const lines = starts().map((line) => line.split(' '))
    expect(lines.map(([, args]) => args)).toEqual(['--port,0', '--port,0', '--port,0'])
    expect(new Set(lines.map(([pid]) => pid)).size, 'a process each').toBe(3)
  })

  it('gets the signals of the command, also after it has started again', async () => {
    const launcher = start(`if (count < 2) process.exit(75)
      process.on('SIGTERM', () => process.exit(5))
      setInterval(() => undefined, 1000)
      appendFileSync('starts', 'ready\\n')`)
    await started(3)
    const ended = endOf(launcher)
    launcher.kill('SIGTERM')
    expect(await ended).toEqual([5, null])
  })

  it('is ended by a signal while it waits to start again', async () => {
    const launcher = start('process.exit(75)')
    const ended = endOf(launcher)
    // Whether it waits at that moment or starts: it must come to an end.
    await started(1)
    launcher.kill('SIGTERM')
    const [status, signal] = await ended
    expect(status === 75 || signal === 'SIGTERM', `${status} ${signal}`).toBe(true)
  })
})

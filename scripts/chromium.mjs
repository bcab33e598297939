/**
 * Finds the Chromium that the browser tests drive, and brings one when the machine has none. Tests
 * prefer its headless shell, the same engine without the browser's own windows: to open a page costs
 * less than two thirds of the CPU there (docs/decisions/0037).
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * What draws pictures and is measured: the whole browser, when there is one.
 * @returns {string | null} the executable's path; QUIVER_CHROMIUM wins over the search
 */
export function chromiumPath() {
  return find([...browsers, ...shells])
}

/**
 * What runs the tests: the headless shell, when there is one.
 * @returns {string | null} the executable's path; QUIVER_CHROMIUM wins over the search
 */
export function headlessPath() {
  return find([...shells, ...browsers])
}

function find(names) {
  if (process.env.QUIVER_CHROMIUM) return process.env.QUIVER_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of names) {
    for (const folder of folders) {
      const candidate = join(folder, name)
      if (isExecutable(candidate)) return candidate
    }
  }
  return null
}

/** Where a release has no package of the shell, the browser's. */
const aptInstall = [
  'apt-get update -qq;',
  'apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null ||',
  'apt-get install -y -qq --no-install-recommends chromium >/dev/null',
].join(' ')

/**
 * Begins to install Debian's package, when root on a machine with apt; else waits with the
 * installation until it is asked to finish.
 * @returns {() => Promise<void>} finishes; ends the process when no Chromium can be had
 */
export function beginInstallingChromium() {
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return downloadChromium
  process.stderr.write('quiver: installing Chromium for the browser tests (apt-get)\n')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment }
  const ended = once(spawn('sh', ['-c', aptInstall], options), 'exit')
  return async () => {
    await ended
    if (chromiumPath() === null) await downloadChromium()
  }
}

async function downloadChromium() {
  process.stderr.write('quiver: fetching Chromium for the browser tests (playwright install)\n')
  const result = spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
  if (result.status !== 0) {
    process.stderr.write('quiver: no Chromium: install one, or name it in QUIVER_CHROMIUM\n')
    process.exit(1)
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Finds the Chromium that the browser tests drive, and fetches one where Debian's packages cannot
 * bring it. Tests prefer its headless shell, the same engine without the browser's own windows: to
 * open a page costs less than two thirds of the CPU there (docs/decisions/0037).
 */
import { spawnSync } from 'node:child_process'
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

/** For a machine without Debian's packages; ends the process when it cannot be had. */
export async function downloadChromium() {
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

/** Finds the Chromium that the browser tests drive, and brings one when the machine has none. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** @returns {string | null} the executable's path; QUIVER_CHROMIUM wins over the search */
export function chromiumPath() {
  if (process.env.QUIVER_CHROMIUM) return process.env.QUIVER_CHROMIUM
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const candidate = join(folder, name)
      if (isExecutable(candidate)) return candidate
    }
  }
  return null
}

/** Debian's package when root on a machine with apt; otherwise Playwright's own download. */
export function installChromium() {
  const isRoot = process.getuid?.() === 0
  if (isRoot && spawnSync('apt-get', ['--version']).status === 0) {
    process.stderr.write('quiver: installing Chromium for the browser tests (apt-get)\n')
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
    if (chromiumPath() !== null) return
  }
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

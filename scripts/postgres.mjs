/** Finds the programs of PostgreSQL that the tests of shared stores start. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const DEBIAN = '/usr/lib/postgresql'

/**
 * @returns {string | null} the folder of `initdb`: QUIVER_POSTGRES wins, then the newest of Debian's
 *   packages, which keep it out of PATH, then PATH
 */
export function postgresFolder() {
  if (process.env.QUIVER_POSTGRES) return process.env.QUIVER_POSTGRES
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const folders = [
    ...versions.sort((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

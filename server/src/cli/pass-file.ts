/**
 * The password of a shared store where its address has none: PGPASSWORD, or the first line of the pass
 * file that fits, as PostgreSQL's own programs take it (`host:port:database:user:password`).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreAddress } from '#storage/postgres/address.ts'
import type { Environment } from './settings.ts'

/** Null: there is none. */
export function passwordFor(address: StoreAddress, environment: Environment): string | null {
  const own = environment['PGPASSWORD']
  if (own !== undefined && own !== '') return own
  const home = environment['HOME']
  const path = environment['PGPASSFILE'] ?? (home === undefined ? null : join(home, '.pgpass'))
  const text = path === null ? null : readText(path)
  if (text === null) return null
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const [host, port, database, user, password] = fieldsOf(line)
    const isFit =
      address.hosts.some((one) => fits(host, one.host) && fits(port, String(one.port))) &&
      fits(database, address.database) &&
      fits(user, address.user)
    if (isFit && password !== undefined) return password
  }
  return null
}

/** Colons and backslashes in a field follow a backslash. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map((match) =>
    (match[1] ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}

function fits(field: string | undefined, value: string): boolean {
  return field === '*' || field === value
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

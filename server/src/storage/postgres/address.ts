/**
 * The address of a shared store: `postgres://user@host1,host2:5432/database?sslmode=…&schema=…`.
 * Several hosts are the nodes of one database, of which one takes writes at a time.
 */
import { DbError } from '#kernel/errors.ts'

export interface StoreHost {
  readonly host: string
  readonly port: number
}

export interface StoreAddress {
  readonly hosts: readonly StoreHost[]
  readonly user: string
  /** Null: the server asks for none, or a client certificate is enough. */
  readonly password: string | null
  readonly database: string
  readonly schema: string
  /** Certificates are verified with the name of the host, or there is no TLS at all. */
  readonly tls: { readonly caPath: string | null } | null
}

const PORT_DEFAULT = 5432
const parameters = ['sslmode', 'sslrootcert', 'schema']
const PATTERN = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?@]*)(?:\/([^?]*))?(?:\?(.*))?$/

export function isStoreAddress(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

/** @throws DbError INVALID_PARAMETER naming what is wrong, without the password */
export function parseStoreAddress(text: string): StoreAddress {
  const match = PATTERN.exec(text.trim())
  if (match === null) {
    throw invalid('it must be like postgres://user@host:5432/database?schema=quiver')
  }
  const [, access = '', hostList = '', database = '', query = ''] = match
  const colon = access.indexOf(':')
  const user = decoded(colon < 0 ? access : access.slice(0, colon))
  if (user === '') throw invalid('it names no user')
  const hosts = hostList.split(',').map(hostOf)
  const given = new URLSearchParams(query)
  for (const name of given.keys()) {
    if (!parameters.includes(name)) throw invalid(`it has an unknown parameter ${name}`)
  }
  return {
    hosts,
    user,
    password: colon < 0 ? null : decoded(access.slice(colon + 1)),
    database: decoded(database) || user,
    schema: schemaOf(given.get('schema') ?? 'quiver'),
    tls: tlsOf(given, hosts),
  }
}

/** For messages and lists: without the password. */
export function describeAddress({ hosts, database, schema }: StoreAddress): string {
  const names = hosts.map(({ host, port }) => `${host}:${port}`)
  return `${names.join(', ')}, database ${database}, schema ${schema}`
}

export function hasPassword(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^@/?]*:[^@/?]*@/.test(text)
}

function hostOf(text: string): StoreHost {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(text)
  const host = decoded(match?.[1] ?? '').replace(/^\[|\]$/g, '')
  const port = Number(match?.[2] ?? PORT_DEFAULT)
  if (host === '' || port < 1 || port > 65_535) throw invalid(`'${text}' is no host`)
  return { host, port }
}

function schemaOf(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name
  throw invalid(`the schema must be a name of small letters, digits and _, not '${name}'`)
}

/** Off this machine anybody on the way could read and change what is sent. */
function tlsOf(given: URLSearchParams, hosts: readonly StoreHost[]): StoreAddress['tls'] {
  const isLocal = hosts.every(({ host }) => /^(127\.|localhost$|::1$|\/)/.test(host))
  const mode = given.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full')
  if (mode === 'verify-full') return { caPath: given.get('sslrootcert') }
  if (mode === 'disable') return null
  throw invalid(
    `sslmode must be verify-full, or disable for a network that is trusted, not ${mode}`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('a % in it is not followed by two digits')
  }
}

function invalid(what: string): DbError {
  return new DbError('INVALID_PARAMETER', `the address of the store cannot be used: ${what}`)
}

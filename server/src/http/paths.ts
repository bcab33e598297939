/**
 * Path rules of docs/reference/rest.md: RESTPP endpoints answer with and without `/restpp` and under
 * `/api/restpp`, on the one port. The router knows each endpoint once, as `/restpp/…`.
 */

import { escapeStrayPercents, strayPercentCount } from '#kernel/percent.ts'

const EQUALS = 0x3d

/** First segments that belong to other halves of the server; everything else is RESTPP. */
const otherHalves = new Set([
  '',
  'restpp',
  'gsql',
  'gsqlserver',
  'informant',
  'ts3',
  'api',
  'quiver',
  'ui',
  'docs',
  'openapi.json',
])

/**
 * A request line may name the whole URL (RFC 9112, 3.2.2): its authority then stands above `Host`.
 * @returns path and query; the authority is written into the headers
 */
export function originForm(url: string, headers: { host?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (authority === undefined) return url
  headers.host = authority
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The URL the router sees. Escapes of the path stay as they came; stray `%` of the query are escaped. */
export function routedUrl(url: string): string {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('%', start)) return routedPath(url)
  return routedPath(url.slice(0, start)) + escapeStrayPercents(url.slice(start))
}

function routedPath(url: string): string {
  if (url.startsWith('/restpp/')) return url
  if (url.startsWith('/api/restpp/')) return url.slice('/api'.length)
  const end = url.slice(1).search(/[/?#]/)
  const first = end === -1 ? url.slice(1) : url.slice(1, end + 1)
  return otherHalves.has(first) ? url : `/restpp${url}`
}

/** The URL as responses and error texts name it: without the RESTPP prefix. */
export function reportedUrl(url: string): string {
  if (url.startsWith('/restpp/')) return url.slice('/restpp'.length)
  if (url.startsWith('/api/restpp/')) return url.slice('/api/restpp'.length)
  return url
}

export function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

export function queryStringOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** Names between `&` and `=`, counted before a query string is read: each becomes a member of an object. */
export function hasNamesAbove(countMax: number, query: string): boolean {
  // A name takes a character, and one that divides it from the next.
  if (query.length < 2 * countMax) return false
  const names = new Set<string>()
  let last = '&'
  for (let at = 0; at < query.length && names.size <= countMax; ) {
    const next = query.indexOf('&', at)
    const end = next < 0 ? query.length : next
    // One name many times, as of a set of ids, makes no text for each.
    if (!startsWithName(query, last, at, end)) {
      const part = query.slice(at, end)
      const equals = part.indexOf('=')
      last = equals < 0 ? part : part.slice(0, equals)
      names.add(last)
    }
    at = end + 1
  }
  return names.size > countMax
}

function startsWithName(query: string, name: string, start: number, end: number): boolean {
  const after = start + name.length
  return query.startsWith(name, start) && (after === end || query.charCodeAt(after) === EQUALS)
}

/** `%` that begin no escape: each becomes three characters before the query string is read. */
export function hasStrayPercentsAbove(countMax: number, query: string): boolean {
  if (query.length < countMax) return false
  return strayPercentCount(query, countMax + 1) > countMax
}

/** `/graph/{graph}` as the router spells it: `/graph/:graph`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

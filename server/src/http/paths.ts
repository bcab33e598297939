/**
 * Path rules of contract 1.1: RESTPP endpoints answer with and without `/restpp` and under
 * `/api/restpp`, on the one port. The router knows each endpoint once, as `/restpp/…`.
 */

/** First segments that belong to other halves of the server; everything else is RESTPP. */
const otherHalves = new Set([
  '',
  'restpp',
  'gsql',
  'gsqlserver',
  'informant',
  'api',
  'quiver',
  'ui',
  'openapi.json',
])

/** The URL the router sees. Query string and percent escapes stay as they came. */
export function routedUrl(url: string): string {
  if (url.startsWith('/api/restpp/')) return url.slice('/api'.length)
  const end = url.slice(1).search(/[/?#]/)
  const first = end === -1 ? url.slice(1) : url.slice(1, end + 1)
  return otherHalves.has(first) ? url : `/restpp${url}`
}

/** The URL as responses and error texts name it: without the RESTPP prefix. Contract 1.1. */
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

/** `/graph/{graph}` as the router spells it: `/graph/:graph`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

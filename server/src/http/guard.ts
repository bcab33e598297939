/**
 * Refuses what a foreign web page could send through a user's browser. RESTPP reads bodies of any
 * content type, so the usual preflight protects nothing here: a foreign `Origin` or a cross-site
 * fetch is refused whatever it asks, and so is a Host that is not ours (DNS rebinding).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { DbError } from '#kernel/errors.ts'

export interface GuardOptions {
  /** Host names without port, lower case, that this server answers to. */
  readonly hosts: ReadonlySet<string>
  /** This server itself speaks HTTPS: its pages have no other scheme. */
  readonly isSecure: boolean
}

export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * A proxy in front may have looked at another one than we do (RFC 9112, 3.2).
 * @param rawHeaders names and values in turn
 * @throws DbError INVALID_PARAMETER
 */
export function checkOneHost(rawHeaders: readonly string[]): void {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1)
    throw new DbError('INVALID_PARAMETER', 'The request has more than one Host header.')
}

/** @throws DbError FORBIDDEN */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  url: string,
  options: GuardOptions,
): void {
  const host = headers.host
  // HTTP/1.0 clients and test injection may send none; a browser always does.
  if (host !== undefined && !isOwnHost(hostName(host), options)) {
    throw new DbError('FORBIDDEN', `This server does not answer to the host name '${host}'.`)
  }
  if (isForeign(headers['sec-fetch-site']) && !isPageVisit(headers, url)) {
    throw new DbError('FORBIDDEN', 'Requests from other web sites are refused.')
  }
  const origin = headers.origin
  if (origin !== undefined && !isOwnOrigin(origin, host, options)) {
    throw new DbError('FORBIDDEN', `Requests from the origin '${origin}' are refused.`)
  }
}

/** Another port of this machine and another host of this domain are as foreign as any other site. */
function isForeign(site: string | string[] | undefined): boolean {
  return site === 'cross-site' || site === 'same-site'
}

/** Rebinding needs a name that its owner points elsewhere; an address points only at itself. */
function isOwnHost(name: string, { hosts }: GuardOptions): boolean {
  return hosts.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

/** Following a link to the console is no attack: it runs nothing and reads nothing back. */
function isPageVisit(headers: IncomingHttpHeaders, url: string): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && (url === '/' || url.startsWith('/ui'))
}

/**
 * A GET that changes something must not follow from a typed address, a link or what a browser fetches
 * ahead: only clients and scripts of our own pages ask for it.
 * @throws DbError FORBIDDEN
 */
export function checkNoVisit({
  method,
  headers,
}: {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}): void {
  if (method !== 'GET' && method !== 'HEAD') return
  // A script asks with one of these two modes; links, frames and images have others.
  const mode = headers['sec-fetch-mode'] ?? 'cors'
  const isVisit = mode !== 'cors' && mode !== 'same-origin'
  const isAhead = /prefetch|preview|prerender/i.test(
    `${headers['sec-purpose']} ${headers['purpose']} ${headers['x-moz']} ${headers['x-purpose']}`,
  )
  if (!isVisit && !isAhead) return
  const text = 'This request changes the server: it is refused as a visit of a browser.'
  throw new DbError('FORBIDDEN', text)
}

/** Without TLS of our own a proxy may add it, and then the pages come by HTTPS. */
function isOwnOrigin(
  origin: string,
  host: string | undefined,
  { isSecure }: GuardOptions,
): boolean {
  if (host === undefined) return false
  return origin === `https://${host}` || (!isSecure && origin === `http://${host}`)
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

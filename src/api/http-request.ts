/** From an endpoint of the contract and its inputs to the method, URL and body of one request. */
import type { Endpoint, Method } from '#contract/endpoint.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'

export interface HttpRequest {
  readonly method: Method
  readonly url: string
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface RequestInputs {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which of the endpoint's methods; its first unless said. */
  readonly method?: Method | undefined
}

export function httpRequest(endpoint: Endpoint, inputs: RequestInputs): HttpRequest {
  const body = encodeBody(endpoint, inputs.body)
  return {
    method: inputs.method ?? endpoint.methods[0] ?? 'GET',
    url: fillPath(endpoint.paths, entriesOf(inputs.params)) + queryText(entriesOf(inputs.query)),
    body,
    headers: {
      accept: 'application/json, text/plain;q=0.9',
      'x-console': '1',
      ...(body === undefined
        ? {}
        : {
            'content-type': /^(text|lines)/.test(endpoint.bodyFormat)
              ? 'text/plain'
              : 'application/json',
          }),
      ...inputs.headers,
    },
  }
}

/** The longest path whose every parameter is given, so that optional tails are left off. */
export function fillPath(paths: readonly string[], params: ReadonlyMap<string, unknown>): string {
  const fitting = paths
    .filter((path) => parameterNames(path).every((name) => params.get(name) !== undefined))
    .sort((a, b) => parameterNames(b).length - parameterNames(a).length)[0]
  if (fitting === undefined) throw new Error(`parameters missing for ${paths[0] ?? 'endpoint'}`)
  return fitting.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    pathSegment(String(params.get(name))),
  )
}

/**
 * A browser takes a segment of dots out of an address, encoded or not: the path of the vertex `.`
 * would be that of all vertices of its type, and a delete would delete them.
 *
 * @throws Error where no path can name it
 */
function pathSegment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new Error(`“${text}” cannot stand in an address: no request can name it.`)
  }
  return encodeURIComponent(text)
}

export function queryText(query: ReadonlyMap<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of query) {
    if (value === undefined || value === null) continue
    for (const entry of Array.isArray(value) ? value : [value]) search.append(name, String(entry))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** A longer body is left to a file of the reader: a hundred loads would else fill the memory. */
const CURL_BODY_CHARS_MAX = 16_384
/** Elsewhere a field of such a name is the reader's own data. */
const credentialPaths = /^\/(quiver\/v1\/session|gsql\/v1\/(users|secrets|tokens))\b/
const secretFields =
  /"(password|current|next|secret|tokens?)":(?:\[(?:"(?:[^"\\]|\\.)*",?)*\]|"(?:[^"\\]|\\.)*")/g

/** The same request for a terminal; credentials are the reader's to add. */
export function curlCommand(origin: string, request: HttpRequest): string {
  const parts = [`curl -X ${request.method} ${quote(origin + request.url)}`]
  for (const [name, value] of Object.entries(request.headers)) {
    if (isOfConsole(name, value)) continue
    parts.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  if (request.body !== undefined) parts.push(bodyForCurl(request))
  return parts.join(' \\\n  ')
}

/** What only the console has to say. */
const isOfConsole = (name: string, value: string): boolean =>
  name === 'accept' ||
  name === 'x-console' ||
  name === 'x-quiver-after' ||
  (name === 'x-write-guard' && value === 'confirmed')

/** Enough to see what came; a hundred whole answers would fill the memory. */
const ANSWER_CHARS_MAX = 4_096
/** Answers that may tell a credential, whatever their form: those of scripts may, too. */
const tellingPaths =
  /^\/(quiver\/v1\/(session|tokens)|gsql\/v1\/(users|secrets|tokens|statements))\b/

/** What the request inspector keeps of an answer. */
export function answerExcerpt(url: string, text: string): string {
  if (tellingPaths.test(url)) return ''
  if (text.length <= ANSWER_CHARS_MAX) return text
  // Through bytes and back: a mere part of the text would keep the whole of it in memory.
  const start = new TextEncoder().encode(text.slice(0, ANSWER_CHARS_MAX))
  return `${new TextDecoder().decode(start)}…`
}

function bodyForCurl({ url, body }: HttpRequest): string {
  if (body === undefined || body.length > CURL_BODY_CHARS_MAX) return "--data-binary '@body'"
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const shown = credentialPaths.test(url) ? text.replaceAll(secretFields, '"$1":"…"') : text
  // An @ in front would name a file.
  return `${shown.startsWith('@') ? '--data-raw' : '--data-binary'} ${quote(shown)}`
}

function encodeBody(endpoint: Endpoint, body: unknown): string | Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  const isText = /^(text|bytes|lines)$/.test(endpoint.bodyFormat)
  const isQueryText = endpoint.bodyFormat === 'text-or-json' && typeof body === 'string'
  return isText || isQueryText ? String(body) : stringifyLossless(body)
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

const entriesOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

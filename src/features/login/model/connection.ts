/** What is wrong with the way to the server, told so that one can do something about it. */
import { ApiError, isUnreachable } from '#api/api-error.ts'
import type { Connection } from '#api/connection.ts'
import { formatDuration } from '#lib/format.ts'
import { releaseNote } from '#lib/release.ts'

export interface Place {
  /** `https:` or `http:`. */
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  /** False: this computer has no network at all. */
  readonly online: boolean
}

export interface Problem {
  readonly title: string
  readonly text: string
  readonly steps: readonly string[]
  readonly link: { readonly href: string; readonly label: string } | null
  /** The request that failed; null where the answer alone is wrong. */
  readonly error: unknown
}

const logSaysMore = 'Its log says more: the request id is in each line.'
const prefixes = '/api, /gsql, /informant, /quiver and /restpp'

/** Null while everything answers as it should. */
export function connectionProblem(
  { pong, pingError, sessionError }: Connection,
  place: Place,
): Problem | null {
  if (isUnreachable(pingError)) return silence(pingError, place)
  if (pingError instanceof ApiError) return wrongAnswer(pingError, place)
  if (pong === null) return null
  if (pong.message !== 'pong') {
    return stranger(place, `It answered the ping with “${pong.message}”.`, null)
  }
  return sessionError instanceof ApiError ? withoutSession(sessionError, place) : null
}

/** It answers the ping, which every server of the interface does. */
function withoutSession(sessionError: ApiError, place: Place): Problem {
  const { status, code, message } = sessionError
  if (status !== 404 && code !== 'INVALID_ANSWER') {
    return {
      title: `${place.host} answers, but cannot say who is signed in`,
      text: message,
      steps: [logSaysMore],
      link: null,
      error: sessionError,
    }
  }
  return {
    title: `${place.host} answers like a TigerGraph server, but is no Quiver`,
    text: 'It has none of the endpoints under /quiver/v1, which this console lives on.',
    steps: [
      'Open the address that your own server printed when it started.',
      `If there is a proxy, let it hand on ${prefixes}.`,
    ],
    link: null,
    error: sessionError,
  }
}

function silence(error: unknown, { protocol, host, online }: Place): Problem {
  const base = { error, link: null }
  if (!online) {
    return {
      ...base,
      title: 'This computer has no network',
      text: `So ${host} cannot be asked.`,
      steps: ['Join a network: this page goes on by itself.'],
    }
  }
  const look = 'See whether the server runs. Its log says why it ended.'
  const title = `${host} does not answer`
  if (protocol === 'https:') {
    return {
      ...base,
      title,
      text: 'The server is down, or this browser no longer takes its certificate.',
      steps: [
        look,
        'Ask it in a new tab: if the browser warns there, the certificate has expired or was changed. Have it renewed, or accept it there.',
      ],
      link: { href: `https://${host}/api/ping`, label: 'Ask in a new tab' },
    }
  }
  return {
    ...base,
    title,
    text: 'The server is down, or it has been given a certificate and speaks HTTPS now.',
    steps: [look, 'With a certificate (--tls-cert), its address begins with https.'],
    link: { href: `https://${host}/ui/`, label: 'Try HTTPS' },
  }
}

/** Statuses with which a proxy says that nothing stands behind it. */
const proxyStatuses = [502, 503, 504]

function wrongAnswer(error: ApiError, place: Place): Problem {
  const { status, code, message } = error
  const isOwn = code !== 'INVALID_ANSWER' && !code.startsWith('HTTP-')
  if (isOwn) {
    return {
      title: `${place.host} answers, and refuses`,
      text: message,
      steps:
        status === 403
          ? ['For another host name than its own, start the server with --allow-host.']
          : [logSaysMore],
      link: null,
      error,
    }
  }
  if (proxyStatuses.includes(status)) {
    return {
      title: `A proxy answers at ${place.host}, but the server behind it does not`,
      text: `It says ${status} instead of what the server would say.`,
      steps: [
        'See whether the server runs. Its log says why it ended.',
        'See whether the proxy asks at the address that the server printed when it started.',
      ],
      link: null,
      error,
    }
  }
  const what = code === 'INVALID_ANSWER' ? 'something that is not JSON' : `status ${status}`
  return stranger(place, `It answered the ping with ${what}.`, error)
}

const stranger = ({ host }: Place, text: string, error: unknown): Problem => ({
  title: `What answers at ${host} is no Quiver`,
  text,
  steps: [
    'Look at the address and the port: the server printed its own when it started.',
    `If there is a proxy, let it hand on ${prefixes}.`,
  ],
  link: null,
  error,
})

/** Less is nothing that anybody meets: tokens live for hours, times are told in seconds. */
export const SKEW_TOLD_MS = 60_000

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

interface Noted {
  readonly skewMs: number | null | undefined
  /** What the server says its version is. */
  readonly version: unknown
}

/** What works and is still worth knowing before one signs in. */
export function connectionNotes({ skewMs, version }: Noted, place: Place): string[] {
  const notes: string[] = []
  if (skewMs != null && Math.abs(skewMs) >= SKEW_TOLD_MS) {
    const where = skewMs > 0 ? 'ahead of' : 'behind'
    notes.push(
      `This computer’s clock is ${formatDuration(Math.abs(skewMs))} ${where} the server’s. ` +
        'Sessions and tokens end by the server’s: set right the one that is wrong.',
    )
  }
  const note = version === undefined ? null : releaseNote(version)
  if (note !== null) notes.push(note)
  if (place.protocol === 'http:' && !loopback.test(place.hostname)) {
    notes.push('This address is not encrypted: who is on the way reads passwords along.')
  }
  return notes
}

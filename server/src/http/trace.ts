/** The trace that a request belongs to (W3C Trace Context, `traceparent`). */
import type { IncomingHttpHeaders } from 'node:http'

/** Version, trace id, parent id and flags; versions to come may add more. */
const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const ZEROS = /^0+$/
const HEADER_CHARS_MAX = 512

/** @returns null where the header is absent or, as the standard has it, to be ignored */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | null {
  if (typeof traceparent !== 'string' || traceparent.length > HEADER_CHARS_MAX) return null
  const [, version, traceId = '', parentId = '', more] = TRACE_PARENT.exec(traceparent.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) {
    return null
  }
  return ZEROS.test(traceId) || ZEROS.test(parentId) ? null : traceId
}

/** As lines of the log name it: left out where there is none. */
export function traceField(headers: IncomingHttpHeaders): { readonly traceId?: string } {
  const traceId = traceIdOf(headers)
  return traceId === null ? {} : { traceId }
}

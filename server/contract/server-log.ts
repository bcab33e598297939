/** The last lines of the server's own log. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryInteger, queryString } from './parameters.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

const logLine = z.object({
  /** Counts up from the start of the server. */
  number: z.number(),
  timeMs: z.number(),
  level: z.enum(logLevels),
  text: z.string(),
  /** What else the line holds, as JSON; empty: nothing. */
  details: z.string(),
})

export const readServerLog = endpoint({
  method: 'GET',
  path: '/quiver/v1/log',
  at: 'any',
  ofInstance: true,
  summary: 'The last lines of the server log since its start, oldest first, without credentials',
  query: z.object({
    /** Lines of this level and above. */
    level: queryString.pipe(z.enum(logLevels)).optional(),
    /** Text that occurs in a line or its details, in any letter case. */
    search: queryString.optional(),
    /** The newest of those that fit. */
    limit: queryInteger(1, 1_000).default(200),
    /** Only lines with a smaller number: the page before. */
    before: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
  }),
  response: z.object({
    /** What `--log-level` lets into the log. */
    loggedLevel: z.string(),
    lines: z.array(logLine),
  }),
  envelope: 'gsql',
  /** As the audit log: it tells of the users of every graph. */
  privilege: 'READ_USER',
  errors: [],
})

/**
 * The last lines of the log, in memory: a stream beside the one that writes them out. A line is kept
 * as it came and read when somebody asks, so that it costs a request nothing but its place.
 */
import { logLevels } from '#contract/server-log.ts'
import { withoutCredentials } from './without-credentials.ts'

/** Lines kept; older ones are in the output of the server only. */
export const LOG_TAIL_LINES_MAX = 2_000
const LINE_LENGTH_MAX = 16_384

export type LogLevel = (typeof logLevels)[number]

export interface LogLine {
  readonly number: number
  readonly timeMs: number
  readonly level: LogLevel
  readonly text: string
  readonly details: string
}

export interface LogFilter {
  readonly level?: LogLevel | undefined
  readonly search?: string | undefined
  readonly before?: number | undefined
  readonly limit: number
}

export class LogTail {
  readonly #lines: string[] = []
  #count = 0

  /** One line of pino, as JSON. */
  write(line: string): void {
    this.#lines[this.#count % LOG_TAIL_LINES_MAX] = line
    this.#count++
  }

  /** The newest that fit, oldest first. */
  read({ level = 'trace', search = '', before, limit }: LogFilter): readonly LogLine[] {
    const found: LogLine[] = []
    const wanted = search.toLowerCase()
    const oldest = Math.max(0, this.#count - LOG_TAIL_LINES_MAX)
    const newest = Math.min(this.#count, before ?? this.#count) - 1
    for (let number = newest; number >= oldest && found.length < limit; number--) {
      const written = this.#lines[number % LOG_TAIL_LINES_MAX] ?? ''
      if (!mayHold(written, wanted)) continue
      const line = readLine(number, written)
      if (logLevels.indexOf(line.level) < logLevels.indexOf(level)) continue
      // Of what is shown: a search must not find what is hidden.
      if (`${line.text} ${line.details}`.toLowerCase().includes(wanted)) found.push(line)
    }
    return found.reverse()
  }
}

/** Whether reading the line is worth it: most are told from a look at them as they were written. */
function mayHold(written: string, wanted: string): boolean {
  if (wanted === '' || wanted.includes('*')) return true
  const text = written.toLowerCase()
  return text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1))
}

/** Pino counts levels by tens from 10. */
function levelOf(level: unknown): LogLevel {
  return logLevels[Math.min(logLevels.length, Math.max(1, Math.floor(Number(level) / 10))) - 1]!
}

function readLine(number: number, line: string): LogLine {
  try {
    const { level, time, msg, pid: _, hostname: _host, ...rest } = JSON.parse(line)
    const details = Object.keys(rest).length === 0 ? '' : JSON.stringify(withoutCredentials(rest))
    return {
      number,
      timeMs: Number(time),
      level: levelOf(level),
      text: cut(String(withoutCredentials(String(msg ?? '')))),
      details: cut(details),
    }
  } catch {
    // Not one of pino's: shown as it is, without what may not be shown.
    const text = cut(String(withoutCredentials(line)))
    return { number, timeMs: 0, level: 'info', text, details: '' }
  }
}

const cut = (text: string): string =>
  text.length > LINE_LENGTH_MAX ? `${text.slice(0, LINE_LENGTH_MAX)}…` : text

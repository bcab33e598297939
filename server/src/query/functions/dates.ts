/** DATETIME functions: values are epoch seconds, in UTC. */
import { isDatetime, parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { formattedDate } from './date-format.ts'
import type { BuiltIn, FunctionContext } from './functions.ts'

export function dateFunctions(context: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  const part = (name: string, read: (date: Date) => number): readonly [string, BuiltIn] => [
    name,
    (seconds) => read(new Date(Number(seconds) * 1000)),
  ]
  return [
    part('year', (date) => date.getUTCFullYear()),
    part('month', (date) => date.getUTCMonth() + 1),
    part('day', (date) => date.getUTCDate()),
    part('hour', (date) => date.getUTCHours()),
    part('minute', (date) => date.getUTCMinutes()),
    part('second', (date) => date.getUTCSeconds()),
    ['datetime_to_epoch', (seconds) => seconds!],
    ['epoch_to_datetime', (seconds) => inRange(seconds!)],
    ['now', () => context.nowSeconds],
    ['datetime_diff', (left, right) => Number(left) - Number(right)],
    ['datetime_add', (seconds, count, unit) => shifted(context, seconds, { count, unit, sign: 1 })],
    [
      'datetime_sub',
      (seconds, count, unit) => shifted(context, seconds, { count, unit, sign: -1 }),
    ],
    ['to_datetime', (code) => dateOf(context.text(Number(code)))],
    [
      'datetime_format',
      (seconds, format) => {
        const pattern = format === undefined ? '%Y-%m-%d %H:%M:%S' : context.text(Number(format))
        return context.intern(formattedDate(Number(seconds), pattern))
      },
    ],
  ]
}

export function dateOf(text: string): number {
  const seconds = parseDatetime(text)
  if (!Number.isNaN(seconds)) return seconds
  throw new DbError('QUERY_RUNTIME', `Runtime Error: '${text}' is not a valid DATETIME.`, {
    details: { code: 'GSQL-2501' },
  })
}

interface Shift {
  readonly count: unknown
  readonly unit: unknown
  readonly sign: 1 | -1
}

const unitSeconds: Readonly<Record<string, number>> = {
  DAY: 86_400,
  HOUR: 3_600,
  MINUTE: 60,
  SECOND: 1,
}

/** Adding months keeps the day, clipped to the month's length. */
function shifted(context: FunctionContext, seconds: unknown, shift: Shift): number {
  const start = Number(seconds)
  const count = Number(shift.count) * shift.sign
  const unit = context.text(Number(shift.unit)).toUpperCase().replace(/S$/, '')
  const fixed = unitSeconds[unit]
  if (fixed !== undefined) return inRange(start + count * fixed)
  const date = new Date(start * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + (unit === 'YEAR' ? count * 12 : count))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return inRange(Math.floor(date.getTime() / 1000))
}

/** What could not be stored, or written as a date, must not come into being (docs/reference/gsql/schema.md). */
function inRange<Seconds>(seconds: Seconds): Seconds {
  const number = Number(seconds)
  if (isDatetime(number)) return seconds
  const what = Number.isNaN(number) ? '' : `, ${seconds} seconds since 1970`
  const text = `Runtime Error: a DATETIME outside of 1582-10-15 to 9999-12-31${what}.`
  throw new DbError('QUERY_RUNTIME', text, { details: { code: 'GSQL-2501' } })
}

/**
 * `datetime_format`: the codes of C's strftime in the C locale, in UTC. What is no code stays as it
 * was written.
 */
import { formatDatetime } from '#kernel/datetime.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]
const DAY_MS = 86_400_000

/** Codes that stand for several others. */
const composites: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
}

const parts: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => DAYS[date.getUTCDay()]!.slice(0, 3),
  A: (date) => DAYS[date.getUTCDay()]!,
  b: (date) => MONTHS[date.getUTCMonth()]!.slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()]!,
  C: (date) => digits(Math.floor(date.getUTCFullYear() / 100)),
  d: (date) => digits(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2),
  g: (date) => digits(isoWeek(date).year % 100),
  G: (date) => digits(isoWeek(date).year, 4),
  h: (date) => MONTHS[date.getUTCMonth()]!.slice(0, 3),
  H: (date) => digits(date.getUTCHours()),
  I: (date) => digits(date.getUTCHours() % 12 || 12),
  j: (date) => digits(dayOfYear(date) + 1, 3),
  m: (date) => digits(date.getUTCMonth() + 1),
  M: (date) => digits(date.getUTCMinutes()),
  n: () => '\n',
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => digits(date.getUTCSeconds()),
  t: () => '\t',
  u: (date) => String(date.getUTCDay() || 7),
  U: (date) => digits(weekFrom(date, date.getUTCDay())),
  V: (date) => digits(isoWeek(date).week),
  w: (date) => String(date.getUTCDay()),
  W: (date) => digits(weekFrom(date, (date.getUTCDay() + 6) % 7)),
  y: (date) => digits(date.getUTCFullYear() % 100),
  Y: (date) => formatDatetime(date.getTime() / 1000).split('-')[0]!,
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

/** What no calendar holds is empty. */
export function formattedDate(seconds: number, pattern: string): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const spelled = pattern.replace(/%([a-zA-Z%])/g, (code, letter: string) =>
    letter === '%' ? code : (composites[letter] ?? code),
  )
  return spelled.replace(/%([a-zA-Z%])/g, (code, letter: string) => parts[letter]?.(date) ?? code)
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

/** From 0. */
function dayOfYear(date: Date): number {
  const start = new Date(date)
  start.setUTCMonth(0, 1)
  return Math.round((date.getTime() - start.getTime()) / DAY_MS)
}

/** Weeks of the year, from the first that begins in it; `day` counts from the week's first. */
function weekFrom(date: Date, day: number): number {
  return Math.floor((dayOfYear(date) + 7 - day) / 7)
}

/** ISO 8601: a week belongs to the year of its Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS)
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}

/** Numbers, sizes, durations and times as the console writes them. Nothing here rounds to zero. */

type TimeZoneChoice = 'local' | 'utc'

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** What stands between thousands, and before decimals. A narrow space never breaks a line. */
const separators = {
  comma: [',', '.'],
  point: ['.', ','],
  space: ['\u202f', ','],
  none: ['', '.'],
} as const

export type NumberFormat = keyof typeof separators

let numberFormat: NumberFormat = 'comma'

/** For all numbers that are told; values of attributes and of fields are data, and stay as they are. */
export function setNumberFormat(format: NumberFormat): void {
  numberFormat = format
}

/** A number in English, as it is wanted. */
function localized(english: string): string {
  if (numberFormat === 'comma') return english
  const [thousands, decimals] = separators[numberFormat]
  return english.replaceAll(/[,.]/g, (mark) => (mark === ',' ? thousands : decimals))
}

export function formatCount(value: number | bigint): string {
  return localized(integer.format(value))
}

/** In a field, where it is read again: a mark of decimals would be one of thousands to others. */
export function formatField(value: number): string {
  return numberFormat === 'point' ? String(value) : formatCount(value)
}

/** `1 vertex`, `12,480 vertices`. */
export function counted(count: number | bigint, one: string, many: string): string {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`
}

const shortUnits = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** At most four characters and a unit: 987, 12.3k, 1.04M. */
export function formatShort(value: number): string {
  for (const [size, unit] of shortUnits) {
    if (Math.abs(value) >= size) return `${significant(value / size)}${unit}`
  }
  return significant(value)
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? String(Math.round(value)) : significant(value)} ${byteUnits[unit]}`
}

/** A latency or duration: 0.42 ms, 18 ms, 1.25 s, 3 min 20 s, 2 h 5 min, 4 d 3 h. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${significant(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 60) return `${significant(seconds)} s`
  return largestTwo(Math.round(seconds))
}

export function formatPercent(fraction: number): string {
  const percent = fraction * 100
  return `${localized(trimmed(percent.toFixed(Math.abs(percent) >= 10 ? 0 : 1)))} %`
}

export function formatRate(perSecond: number): string {
  return `${formatShort(perSecond)}/s`
}

export function formatClock(timestampMs: number, zone: TimeZoneChoice): string {
  return clockFormat(zone).format(timestampMs)
}

export function formatDateTime(timestampMs: number, zone: TimeZoneChoice): string {
  return `${dateFormat(zone).format(timestampMs)} ${clockFormat(zone).format(timestampMs)}`
}

/** How long ago, for the age of data: now, 12 s ago, 5 min ago. */
export function formatAge(milliseconds: number): string {
  if (milliseconds < 1_500) return 'now'
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 60) return `${seconds} s ago`
  return `${largestTwo(seconds).split(' ').slice(0, 2).join(' ')} ago`
}

const significant = (value: number): string => localized(inEnglish(value))

function inEnglish(value: number): string {
  const size = Math.abs(value)
  if (size >= 100 || value === 0) return integer.format(value)
  if (size >= 10) return trimmed(value.toFixed(1))
  if (size >= 0.01) return trimmed(value.toFixed(2))
  return trimmed(value.toPrecision(2))
}

const trimmed = (text: string): string =>
  text.includes('e') || !text.includes('.') ? text : text.replace(/\.?0+$/, '')

const durationUnits = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

function largestTwo(seconds: number): string {
  const parts: string[] = []
  let rest = seconds
  for (const [size, unit] of durationUnits) {
    if (rest >= size && parts.length < 2) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.join(' ')
}

const zoneOption = (zone: TimeZoneChoice): { timeZone?: string } =>
  zone === 'utc' ? { timeZone: 'UTC' } : {}

const clockFormat = memoized(
  (zone: TimeZoneChoice) =>
    new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...zoneOption(zone) }),
)
const dateFormat = memoized(
  (zone: TimeZoneChoice) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...zoneOption(zone) }),
)

/** Intl formatters are slow to make and charts ask for one per tick. */
function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

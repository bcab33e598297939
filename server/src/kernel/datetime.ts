/**
 * DATETIME as the contract writes it (1.10): UTC, whole seconds, 1582-10-15 to 9999-12-31. Inside
 * the engine a DATETIME is epoch seconds, negative before 1970.
 */

/** 1582-10-15 00:00:00 UTC. */
export const DATETIME_SECONDS_MIN = -12_219_292_800
/** 9999-12-31 23:59:59 UTC. */
export const DATETIME_SECONDS_MAX = 253_402_300_799

const pattern =
  /^(\d{1,4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d{1,9})?)?Z?$/

/**
 * Reads every form the contract lists: `-` or `/` in the date, `T` or a blank before the time,
 * fractions of a second (dropped), a trailing `Z`, a date alone; leading zeros are optional.
 *
 * @returns epoch seconds, or null when the text is no date, a part is out of range, or the date
 *   lies outside the supported years
 */
export function parseDateTime(text: string): number | null {
  const match = pattern.exec(text.trim())
  if (match === null) return null
  const part = (index: number) => Number(match[index] ?? 0)
  const [year, month, day] = [part(1), part(3), part(4)]
  const [hour, minute, second] = [part(5), part(6), part(7)]
  if (hour > 23 || minute > 59 || second > 59) return null
  const midnight = Date.UTC(year, month - 1, day)
  const date = new Date(midnight)
  // Date.UTC carries an overflow into the next month and reads years below 100 as 19xx.
  if (date.getUTCFullYear() !== year) return null
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const seconds = midnight / 1000 + hour * 3600 + minute * 60 + second
  return isDateTime(seconds) ? seconds : null
}

export function isDateTime(seconds: number): boolean {
  return seconds >= DATETIME_SECONDS_MIN && seconds <= DATETIME_SECONDS_MAX
}

/** `2024-03-01 09:30:00` */
export function formatDateTime(seconds: number): string {
  // Always 24 characters in the supported range: 2024-03-01T09:30:00.000Z
  const text = new Date(seconds * 1000).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/**
 * DATETIME: whole seconds since 1970-01-01 UTC, from 1582-10-15 to 9999-12-31, no time zones.
 *
 * Read from UTF-8 bytes, since most of them come out of request bodies. Accepted are
 * `YYYY-MM-DD` and `YYYY/MM/DD`, alone or followed by a blank or `T` and `HH:MM:SS`, a fraction
 * (dropped) and `Z`; leading zeros are optional except in the year.
 */

/** 1582-10-15 00:00:00 and 9999-12-31 23:59:59. */
export const DATETIME_SECONDS_MIN = -12_219_292_800
export const DATETIME_SECONDS_MAX = 253_402_300_799

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const ZERO = 0x30

/** The reader's position, in one place so that no result object is made per value. */
let at = 0

/** @returns epoch seconds, or NaN when the text is no valid DATETIME. */
export function parseDatetimeBytes(bytes: Uint8Array, start: number, end: number): number {
  at = start
  const year = readDigits(bytes, end, 4)
  const separator = bytes[at]
  if (at - start !== 4 || at >= end || (separator !== 0x2d && separator !== 0x2f)) return Number.NaN
  at++
  const month = readDigits(bytes, end, 2)
  if (at >= end || bytes[at] !== separator) return Number.NaN
  at++
  const day = readDigits(bytes, end, 2)
  const days = epochDays(year, month, day)
  const seconds = at === end ? 0 : readTime(bytes, end)
  const total = days * 86_400 + seconds
  return isDatetime(total) ? total : Number.NaN
}

export function isDatetime(seconds: number): boolean {
  return seconds >= DATETIME_SECONDS_MIN && seconds <= DATETIME_SECONDS_MAX
}

const encoder = new TextEncoder()

/** As `parseDatetimeBytes`, for a text. */
export function parseDatetime(text: string): number {
  const bytes = encoder.encode(text)
  return parseDatetimeBytes(bytes, 0, bytes.length)
}

/** `YYYY-MM-DD HH:MM:SS`, the form of every answer. */
export function formatDatetime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Bytes of `YYYY-MM-DD HH:MM:SS`. */
export const DATETIME_SIZE_BYTES = 19

/** Writes what `formatDatetime` returns: DATETIME_SIZE_BYTES bytes of ASCII from `position` on. */
export function writeDatetime(target: Uint8Array, position: number, seconds: number): void {
  const days = Math.floor(seconds / 86_400)
  const ofDay = seconds - days * 86_400
  // Civil date of a day number, years counted from 1 March (the way back of `epochDays`).
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays)
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const century = Math.floor(year / 100)
  twoDigits(target, position, century)
  twoDigits(target, position + 2, year - century * 100)
  target[position + 4] = 0x2d
  twoDigits(target, position + 5, month)
  target[position + 7] = 0x2d
  twoDigits(target, position + 8, day)
  target[position + 10] = 0x20
  const minutes = Math.floor(ofDay / 60)
  const hours = Math.floor(minutes / 60)
  twoDigits(target, position + 11, hours)
  target[position + 13] = 0x3a
  twoDigits(target, position + 14, minutes - hours * 60)
  target[position + 16] = 0x3a
  twoDigits(target, position + 17, ofDay - minutes * 60)
}

function twoDigits(target: Uint8Array, position: number, value: number): void {
  const tens = (value / 10) | 0
  target[position] = ZERO + tens
  target[position + 1] = ZERO + value - tens * 10
}

/** Digits at `at`, at most `lengthMax`; NaN when there is none. */
function readDigits(bytes: Uint8Array, end: number, lengthMax: number): number {
  const stop = Math.min(end, at + lengthMax)
  const first = at
  let value = 0
  while (at < stop) {
    const digit = bytes[at]! - ZERO
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
    at++
  }
  return at === first ? Number.NaN : value
}

/** ` HH:MM:SS[.fff][Z]` as seconds of the day, NaN when malformed or anything follows it. */
function readTime(bytes: Uint8Array, end: number): number {
  if (bytes[at] !== 0x20 && bytes[at] !== 0x54) return Number.NaN
  at++
  const hour = readDigits(bytes, end, 2)
  if (at >= end || bytes[at] !== 0x3a) return Number.NaN
  at++
  const minute = readDigits(bytes, end, 2)
  if (at >= end || bytes[at] !== 0x3a) return Number.NaN
  at++
  const second = readDigits(bytes, end, 2)
  if (at < end && !readTail(bytes, end)) return Number.NaN
  const isValid = hour < 24 && minute < 60 && second < 60
  return isValid ? hour * 3_600 + minute * 60 + second : Number.NaN
}

function readTail(bytes: Uint8Array, end: number): boolean {
  if (bytes[at] === 0x2e) {
    at++
    if (Number.isNaN(readDigits(bytes, end, 9))) return false
  }
  if (at < end && bytes[at] === 0x5a) at++
  return at === end
}

/** Days since 1970-01-01 of a Gregorian date; NaN when there is no such day. */
function epochDays(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1)) return Number.NaN
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (day > DAYS_OF_MONTH[month - 1]! + (month === 2 && isLeap ? 1 : 0)) return Number.NaN
  // Counts from 1 March, so that the leap day is the last of its year.
  const shifted = month > 2 ? year : year - 1
  const monthIndex = month > 2 ? month - 3 : month + 9
  const dayOfYear = Math.floor((153 * monthIndex + 2) / 5) + day - 1
  const century = Math.floor(shifted / 100)
  const leapDays = Math.floor(shifted / 4) - century + Math.floor(century / 4)
  return shifted * 365 + leapDays + dayOfYear - 719_468
}

/** Reads a declared default as the server will, so that a wrong one is seen while it is typed. */

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

const datePattern =
  /^(\d{1,4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?Z?)?$/

/** What is wrong with a default for this type, or null. The empty text means no default. */
export function defaultProblem(type: string, text: string): string | null {
  if (text === '') return null
  switch (type) {
    case 'INT':
      return integerProblem(text, INT_MIN, INT_MAX)
    case 'UINT':
      return integerProblem(text, 0n, UINT_MAX)
    case 'FLOAT':
      return isReal(text) && Number.isFinite(Math.fround(Number(text))) ? null : 'Not a number.'
    case 'DOUBLE':
      return isReal(text) ? null : 'Not a number.'
    case 'BOOL':
      return /^(true|false)$/i.test(text) ? null : 'Use true or false.'
    case 'STRING':
    case 'STRING COMPRESS':
      return null
    case 'DATETIME':
      return isDatetime(text) ? null : 'Use YYYY-MM-DD HH:MM:SS, in UTC.'
    default:
      return `${type} takes no default: it starts empty.`
  }
}

/** Decimal digits, with a point and an exponent or without; other notations are no numbers. */
function isReal(text: string): boolean {
  const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text.trim())
  return isDecimal && Number.isFinite(Number(text))
}

/** A calendar date that exists, with an optional time of day: docs/reference/rest.md. */
export function isDatetime(text: string): boolean {
  const match = datePattern.exec(text.trim())
  if (match === null) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists && year >= 1582 && hour < 24 && minute < 60 && second < 60
}

function integerProblem(text: string, least: bigint, most: bigint): string | null {
  if (!/^[+-]?\d+$/.test(text.trim())) return 'Not a whole number.'
  const value = BigInt(text.trim().replace(/^\+/, ''))
  return value < least || value > most ? `Outside ${least} to ${most}.` : null
}

/** Numbers and dates as the contract prints them (docs/reference/gsql/expressions.md#how-values-are-printed). */

/** `%.16g` for DOUBLE, `%.7g` for FLOAT, `%.6g` for to_string: at most `digits` significant ones. */
export function generalText(value: number, digits: number): string {
  // Floating sums start at -0; a sum that nothing was added to is 0.
  if (value === 0) return '0'
  if (Number.isInteger(value) && Math.abs(value) < 10 ** Math.min(digits, 15)) return String(value)
  const scientific = value.toExponential(digits - 1)
  const mark = scientific.indexOf('e')
  const exponent = Number(scientific.slice(mark + 1))
  if (exponent < -4 || exponent >= digits)
    return cExponent(trimZeros(scientific.slice(0, mark)), exponent)
  return trimZeros(value.toFixed(Math.max(0, digits - 1 - exponent)))
}

/** A real number as JSON: the words `inf`, `-inf` and `nan` are strings. */
export function realJson(value: number, digits: number): string {
  if (Number.isFinite(value)) return generalText(value, digits)
  if (Number.isNaN(value)) return '"nan"'
  return value > 0 ? '"inf"' : '"-inf"'
}

function trimZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  if (text[end - 1] === '.') end--
  return text.slice(0, end)
}

/** C writes at least two digits of exponent and always its sign. */
function cExponent(mantissa: string, exponent: number): string {
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
}

const INT_MAX_TEXT = '9223372036854775807'
const INT_MIN_TEXT = '-9223372036854775808'
const UINT_MAX_TEXT = '18446744073709551615'

/** Infinities stand for the ends of the 64-bit range, as number-mode code keeps them. */
export function integerText(value: number | bigint, unsigned: boolean): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === Number.POSITIVE_INFINITY) return unsigned ? UINT_MAX_TEXT : INT_MAX_TEXT
  if (value === Number.NEGATIVE_INFINITY) return INT_MIN_TEXT
  return value === 0 ? '0' : String(value)
}

/** The lowest bits of an INT as `0` and `1`, the highest of them first. */
export function bitsText(value: number | bigint, lengthBits: number): string {
  const whole = typeof value === 'bigint' ? value : BigInt(integerText(value, false))
  return BigInt.asUintN(lengthBits, whole).toString(2).padStart(lengthBits, '0')
}

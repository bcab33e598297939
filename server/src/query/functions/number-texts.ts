/**
 * Numbers that texts spell, for openCypher's `toInteger` and `toFloat`: a text that spells none is
 * null there, so each conversion has a test beside it and does not fail.
 */
import type { BuiltIn, FunctionContext } from './functions.ts'

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const INTEGER = /^\s*([+-]?)(\d+)\s*$/
const [INT_MIN, INT_MAX] = [-(2n ** 63n), 2n ** 63n - 1n]

export function numberTextFunctions({
  text,
}: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  return [
    ['is_real_text', (code) => realIn(text(code as number)) !== null],
    ['real_of_text', (code) => realIn(text(code as number)) ?? 0],
    ['is_integer_text', (code) => integerIn(text(code as number)) !== null],
    ['integer_of_text', (code) => integerIn(text(code as number)) ?? 0],
    // Neither NaN nor what 64 bits cannot hold.
    ['is_integer_real', (real) => (real as number) >= -(2 ** 63) && (real as number) < 2 ** 63],
  ]
}

/** Null: the text is no number. */
function realIn(text: string): number | null {
  return NUMBER.test(text) ? Number(text) : null
}

/** A fraction is cut off. Null: the text is no number, or none that an INT can hold. */
function integerIn(text: string): number | bigint | null {
  const digits = INTEGER.exec(text)
  const real = digits === null ? realIn(text) : null
  if (digits === null && (real === null || !Number.isFinite(real))) return null
  const exact =
    digits === null
      ? BigInt(Math.trunc(real!))
      : BigInt(digits[2]!) * (digits[1] === '-' ? -1n : 1n)
  if (exact < INT_MIN || exact > INT_MAX) return null
  const near = Number(exact)
  return Number.isSafeInteger(near) ? near : exact
}

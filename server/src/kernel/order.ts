/**
 * The total order of numbers, for whatever is sorted, grouped, kept once or searched for.
 *
 * NaN comes after every number and equals itself, whatever its bits; the two zeros are equal.
 * Comparisons that a user writes (`<`, `==`, a filter) follow IEEE 754 instead: none of them
 * but "is not equal" holds for NaN.
 */

/**
 * Negative, zero or positive. Apart from `compareNumbers`, so that the loops of a query, which call
 * it for each value, are compiled for doubles alone.
 */
export function compareDoubles(left: number, right: number): number {
  if (left < right) return -1
  if (left > right) return 1
  // Equal, or at least one of them is NaN.
  return left === right ? 0 : Number(Number.isNaN(left)) - Number(Number.isNaN(right))
}

/** Equality in the total order. */
export function equalDoubles(left: number, right: number): boolean {
  return left === right || (Number.isNaN(left) && Number.isNaN(right))
}

/** As `compareDoubles`; exact, also between a bigint and a double. */
export function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1
  if (left > right) return 1
  return Number(isNotANumber(left)) - Number(isNotANumber(right))
}

function isNotANumber(value: number | bigint): boolean {
  return typeof value === 'number' && Number.isNaN(value)
}

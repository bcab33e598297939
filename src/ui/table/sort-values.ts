/** The order of values that a table is sorted by. */
export type SortValue = string | number | bigint | boolean | null | undefined

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Numbers within words count as numbers: `v9` is before `v10`. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return words.compare(a, b)
  if (a === b) return 0
  return (a as number | bigint) < (b as number | bigint) ? -1 : 1
}

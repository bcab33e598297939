/** The order of a table's rows. */
export type SortValue = string | number | bigint | boolean | null | undefined

export interface Sorting {
  /** Of the column. */
  readonly id: string
  readonly desc: boolean
}

interface SortableColumn<Row> {
  readonly id: string
  readonly sortValue?: (row: Row) => SortValue
}

/** Equal rows keep their order, and rows without a value stand last in either direction. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const keyOf = columns.find(({ id }) => id === sorting?.id)?.sortValue
  if (sorting === undefined || keyOf === undefined) return rows
  const sign = sorting.desc ? -1 : 1
  return rows
    .map((row) => ({ row, value: keyOf(row) ?? null }))
    .sort((a, b) => {
      if (a.value === null || b.value === null)
        return Number(a.value === null) - Number(b.value === null)
      return sign * compare(a.value, b.value)
    })
    .map(({ row }) => row)
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Numbers within words count as numbers: `v9` stands before `v10`. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return words.compare(a, b)
  if (a === b) return 0
  return (a as number | bigint) < (b as number | bigint) ? -1 : 1
}

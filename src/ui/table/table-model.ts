/** The rows of a table in their order, and the widths of its columns, by TanStack Table. */
import {
  columnSizingFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN, useColumnWidths } from './column-widths.ts'
import { compareValues, type SortValue } from './sort-values.ts'

export interface Sorting {
  /** Of the column. */
  readonly id: string
  readonly desc: boolean
}

interface ModelColumn<Row> {
  readonly id: string
  readonly sortValue?: (row: Row) => SortValue
}

interface TableModelProps<Row> {
  readonly id?: string
  readonly rows: readonly Row[]
  readonly columns: readonly ModelColumn<Row>[]
  readonly rowKey: (row: Row) => string
  readonly initialSort?: Sorting
}

/** TanStack Table takes objects only; a row of ours may be anything. */
type Entry<Row> = { readonly row: Row }

const features = tableFeatures({
  columnSizingFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/**
 * Equal rows stay in their order, and rows without a value are last in either direction.
 *
 * @returns the table; `state.columnSizing` has the widths that the user gave, and no others
 */
export function useTableModel<Row>({
  id,
  rows,
  columns,
  rowKey,
  initialSort,
}: TableModelProps<Row>) {
  const [sorting, setSorting] = useState<SortingState>(initialSort ? [initialSort] : [])
  const [columnSizing, setColumnSizing] = useColumnWidths(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: values are cached by row, and what a column sorts by may depend on more than the row
  const data = useMemo(() => rows.map((row): Entry<Row> => ({ row })), [rows, columns])
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  return useTable({
    features,
    data,
    columns: definitions,
    getRowId: ({ row }) => rowKey(row),
    state: { sorting, columnSizing },
    onSortingChange: setSorting,
    onColumnSizingChange: (change) =>
      setColumnSizing(typeof change === 'function' ? change(columnSizing) : change),
    enableMultiSort: false,
    enableSortingRemoval: false,
    sortDescFirst: false,
  })
}

export type TableModel<Row> = ReturnType<typeof useTableModel<Row>>

interface Comparable {
  getValue(columnId: string): unknown
}

function definitionOf<Row>({ id, sortValue }: ModelColumn<Row>) {
  return {
    id,
    minSize: COLUMN_WIDTH_MIN,
    maxSize: COLUMN_WIDTH_MAX,
    sortUndefined: 'last' as const,
    sortFn: (a: Comparable, b: Comparable) => compareValues(a.getValue(id), b.getValue(id)),
    // A column without an accessor cannot be sorted by.
    ...(sortValue && { accessorFn: ({ row }: Entry<Row>) => sortValue(row) ?? undefined }),
  }
}

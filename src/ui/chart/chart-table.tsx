import { type Column, DataTable } from '../table/data-table.tsx'
import type { ChartModel } from './model.ts'

interface Row {
  readonly time: number
  readonly index: number
}

/** The same numbers, newest first. */
export function ChartTable({ model }: { readonly model: ChartModel }) {
  const rows = model.times.map((time, index) => ({ time, index })).reverse()
  const columns: readonly Column<Row>[] = [
    { id: 'time', header: 'Time', cell: (row) => model.formatTime(row.time) },
    ...model.series.map(({ id, label, values }): Column<Row> => {
      return {
        id,
        header: label,
        align: 'end',
        cell: (row) => {
          const value = values[row.index] ?? null
          return value === null ? '–' : model.format(value)
        },
        sortValue: (row) => values[row.index] ?? null,
      }
    }),
  ]
  return (
    <DataTable
      label={`${model.label} as table`}
      rows={rows}
      columns={columns}
      rowKey={(row) => String(row.time)}
      maxHeight="240px"
      emptyText="No data in this time."
    />
  )
}

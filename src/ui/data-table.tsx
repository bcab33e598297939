/**
 * The table of every page: sortable, with sticky header, virtual above 100 rows, one selected row,
 * and the keyboard (arrows move, Enter opens).
 *
 * ```tsx
 * const columns: readonly Column<Index>[] = [
 *   { id: 'name', header: 'Name', cell: (row) => row.name, sortValue: (row) => row.name },
 *   { id: 'rows', header: 'Rows', align: 'end', cell: (row) => formatCount(row.rows),
 *     sortValue: (row) => row.rows },
 * ]
 * <DataTable label="Indexes" rows={rows} columns={columns} rowKey={(row) => row.name} />
 * ```
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import classes from './data-table.module.css'
import { type Sorting, type SortValue, sortedRows } from './sorted-rows.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable. Null and undefined stand last in either direction. */
  readonly sortValue?: (row: Row) => SortValue
  readonly align?: 'start' | 'end'
  /** A CSS width; columns without one share what is left. */
  readonly width?: string
  /** Shows the header to screen readers only: for columns of buttons. */
  readonly hideHeader?: boolean
}

interface DataTableProps<Row> {
  /** Names the table: `Indexes of acme`. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly emptyText?: string
  readonly initialSort?: Sorting
  readonly selectedKey?: string | undefined
  /** Where several rows may be selected at once. */
  readonly selectedKeys?: ReadonlySet<string>
  /** Shows so many rows at most: the first of all in the chosen order. */
  readonly limit?: number
  /** Makes rows clickable and reachable by keyboard. */
  readonly onSelect?: (row: Row) => void
  /** A CSS height limit, after which the body scrolls; `fill` takes the parent's height. */
  readonly maxHeight?: string | 'fill'
}

const VIRTUAL_ROWS_MIN = 100
const ROW_HEIGHT = 34

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, maxHeight, emptyText = 'Nothing here yet.' } = props
  const [sorting, setSorting] = useState<Sorting | undefined>(props.initialSort)
  const scroll = useRef<HTMLDivElement>(null)
  const all = useMemo(() => sortedRows(rows, columns, sorting), [rows, columns, sorting])
  const sorted = props.limit === undefined ? all : all.slice(0, props.limit)
  const virtual = sorted.length > VIRTUAL_ROWS_MIN
  const virtualizer = useVirtualizer({
    count: virtual ? sorted.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight(scroll.current),
    overscan: 12,
  })
  const window_ = virtual ? virtualizer.getVirtualItems() : undefined
  const visible = window_ === undefined ? sorted : window_.map((item) => sorted[item.index]!)
  const before = window_?.[0]?.start ?? 0
  const after = window_ === undefined ? 0 : virtualizer.getTotalSize() - (window_.at(-1)?.end ?? 0)
  const limit = maxHeight ?? (virtual ? '60vh' : undefined)

  return (
    <section
      ref={scroll}
      className={classes.scroll}
      data-fill={limit === 'fill'}
      style={limit === 'fill' ? undefined : { maxHeight: limit }}
      aria-label={`${label}, table`}
      tabIndex={props.onSelect === undefined ? 0 : undefined}
    >
      <table className={classes.table} aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} span={columns.length} />}
          {visible.map((row) => (
            <BodyRow key={rowKey(row)} row={row} id={rowKey(row)} table={props} />
          ))}
          {after > 0 && <Spacer height={after} span={columns.length} />}
          {sorted.length === 0 && (
            <tr>
              <td colSpan={columns.length} className={classes.empty}>
                {emptyText}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

interface BodyRowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly table: DataTableProps<Row>
}

function BodyRow<Row>({ row, id, table }: BodyRowProps<Row>) {
  const { columns, onSelect, selectedKey, selectedKeys } = table
  const selectable = onSelect !== undefined
  return (
    <tr
      className={classes.row}
      data-selectable={selectable || undefined}
      aria-selected={selectable ? (selectedKeys?.has(id) ?? selectedKey === id) : undefined}
      tabIndex={selectable ? 0 : undefined}
      onClick={selectable ? () => onSelect(row) : undefined}
      onKeyDown={selectable ? (event) => moveOrOpen(event, () => onSelect(row)) : undefined}
    >
      {columns.map((column) => (
        <td key={column.id} className={classes.cell} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Sorting | undefined
  readonly onSort: (sorting: Sorting) => void
}

function HeaderCell<Row>({ column, sorting, onSort }: HeaderCellProps<Row>) {
  const current = sorting?.id === column.id ? sorting : undefined
  const style = column.width === undefined ? undefined : { width: column.width }
  if (column.sortValue === undefined) {
    return (
      <th scope="col" className={classes.head} style={style} data-align={column.align}>
        <span className={column.hideHeader ? 'visually-hidden' : undefined}>{column.header}</span>
      </th>
    )
  }
  const direction = current === undefined ? 'none' : current.desc ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      className={classes.head}
      style={style}
      data-align={column.align}
      aria-sort={direction}
    >
      <button
        type="button"
        className={classes.sort}
        onClick={() =>
          onSort({ id: column.id, desc: current === undefined ? false : !current.desc })
        }
      >
        {column.header}
        <span className={classes.arrow} data-shown={current !== undefined} aria-hidden="true">
          {current?.desc ? <ArrowDown size={12} /> : <ArrowUp size={12} />}
        </span>
      </button>
    </th>
  )
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr>
      <td colSpan={span} className={classes.spacer} style={{ height }} />
    </tr>
  )
}

function moveOrOpen(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  const row = event.currentTarget
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    open()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling
    event.preventDefault()
    if (next instanceof HTMLElement && next.tabIndex === 0) next.focus()
  }
}

const rowHeight = (element: Element | null): number =>
  element === null
    ? ROW_HEIGHT
    : Number.parseInt(getComputedStyle(element).getPropertyValue('--q-row'), 10) || ROW_HEIGHT

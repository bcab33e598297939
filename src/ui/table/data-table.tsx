/**
 * The table of every page: sortable, with sticky header, virtual above 100 rows, one selected row
 * or several, and the keyboard (arrows move, Enter opens; Shift and Ctrl as in every list). With an
 * `id` its columns can be given other widths.
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
import type { ColumnSizingState } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Breakable } from '../layout/breakable.tsx'
import { ResizeBar } from '../layout/resize-bar.tsx'
import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN, resized } from './column-widths.ts'
import classes from './data-table.module.css'
import { afterGesture, type RowGesture } from './row-selection.ts'
import { type RowWindow, useRowWindow } from './row-window.ts'
import type { SortValue } from './sort-values.ts'
import { type Sorting, type TableModel, useTableModel } from './table-model.ts'

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
  /**
   * Where the table has less room than a `wide`, a `medium` or a `narrow` width, the value stands with its
   * header below that of the `lead` column: for what matters less than its neighbours.
   */
  readonly fold?: 'wide' | 'medium' | 'narrow'
  /** Where it would be folded it is left out: its neighbours say the same in figures. */
  readonly spare?: boolean
  /** Takes in what is folded. */
  readonly lead?: boolean
}

interface DataTableProps<Row> {
  /** Names the table: `Indexes of acme`. */
  readonly label: string
  /** Columns can be dragged, and their widths are remembered by this: `queries.running`. */
  readonly id?: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly emptyText?: string
  readonly initialSort?: Sorting
  readonly selectedKey?: string | undefined
  readonly selectedKeys?: ReadonlySet<string>
  /** Where several rows may be selected at once; `row` is the one that was clicked. */
  readonly onSelectKeys?: (keys: readonly string[], row: Row) => void
  /** Shows so many rows at most: the first of all in the chosen order. */
  readonly limit?: number
  /** Makes rows clickable and reachable by keyboard. */
  readonly onSelect?: (row: Row) => void
  /** A CSS height limit, after which the body scrolls; `fill` takes the parent's height. */
  readonly maxHeight?: string | 'fill'
}

const VIRTUAL_ROWS_MIN = 100

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, maxHeight, emptyText = 'Nothing here yet.' } = props
  const scroll = useRef<HTMLDivElement>(null)
  const model = useTableModel(props)
  const all = model.getRowModel().rows
  const sorted = props.limit === undefined ? all : all.slice(0, props.limit)
  const isVirtual = sorted.length > VIRTUAL_ROWS_MIN
  const shown = useRowWindow(scroll, sorted.length, isVirtual)
  const limit = maxHeight ?? (isVirtual ? '60vh' : undefined)
  const act = useRowActions(props, () => sorted.map((row) => row.id))
  const kept = keptColumns(columns)
  const widths = model.state.columnSizing
  const resize = (id: string, width: number) => {
    const heads = scroll.current?.querySelectorAll('th') ?? []
    const now = Array.from(heads, (head, place): [string, number] => [
      columns[place]?.id ?? '',
      head.getBoundingClientRect().width,
    ])
    model.setColumnSizing((before) => resized(before, now, [id, width]))
  }

  return (
    <section
      ref={scroll}
      className={classes.scroll}
      data-folds={foldsOf(columns, kept)}
      data-fill={limit === 'fill'}
      style={limit === 'fill' ? undefined : { maxHeight: limit }}
      aria-label={`${label}, table`}
      tabIndex={act === undefined ? 0 : undefined}
    >
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={sorted.length + 1}
        data-sized={Object.keys(widths).length > 0 || undefined}
      >
        <thead className={classes.heads}>
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                edge={edgeOf(column, kept)}
                model={model}
                onResize={props.id === undefined ? undefined : resize}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.before > 0 && <Spacer height={shown.before} span={columns.length} />}
          {sorted.slice(shown.start, shown.end).map(({ id, original }, place) => (
            <BodyRow
              key={id}
              id={id}
              row={original.row}
              position={shown.start + place}
              measure={shown.measure}
              table={props}
              act={act}
              widths={widths}
            />
          ))}
          {shown.after > 0 && <Spacer height={shown.after} span={columns.length} />}
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

/** Those that stand in the narrowest table, too. */
const keptColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.filter(({ fold }) => fold === undefined)

/** `across`: beneath the whole row, which begins with the lead. */
const foldsOf = <Row,>(columns: readonly Column<Row>[], kept: readonly Column<Row>[]) =>
  kept.length === columns.length ? undefined : kept[0]?.lead ? 'across' : 'within'

/** At which end of the narrowest table a column stands. */
function edgeOf<Row>(column: Column<Row>, kept: readonly Column<Row>[]) {
  if (column === kept[0]) return 'start'
  return column === kept.at(-1) ? 'end' : undefined
}

type RowAction<Row> = (row: Row, gesture: Omit<RowGesture, 'key'>) => void

/** What a click on a row does, or undefined where rows cannot be selected. */
function useRowActions<Row>(
  { onSelect, onSelectKeys, selectedKeys, rowKey }: DataTableProps<Row>,
  orderOf: () => readonly string[],
): RowAction<Row> | undefined {
  const anchor = useRef<string | null>(null)
  if (onSelectKeys === undefined) return onSelect
  return (row, gesture) => {
    const selection = {
      order: orderOf(),
      selected: selectedKeys ?? new Set<string>(),
      anchor: anchor.current,
    }
    const next = afterGesture(selection, { ...gesture, key: rowKey(row) })
    anchor.current = next.anchor
    onSelectKeys(next.keys, row)
  }
}

interface BodyRowProps<Row> {
  readonly row: Row
  readonly id: string
  /** Among all rows. */
  readonly position: number
  readonly measure: RowWindow['measure']
  readonly table: DataTableProps<Row>
  readonly act: RowAction<Row> | undefined
  readonly widths: ColumnSizingState
}

function BodyRow<Row>({ row, id, position, measure, table, act, widths }: BodyRowProps<Row>) {
  const { columns, selectedKey, selectedKeys } = table
  const selectable = act !== undefined
  const kept = keptColumns(columns)
  return (
    <tr
      ref={measure}
      className={classes.row}
      data-index={measure && position}
      data-selectable={selectable || undefined}
      data-row={id}
      aria-selected={selectable ? (selectedKeys?.has(id) ?? selectedKey === id) : undefined}
      tabIndex={selectable ? 0 : undefined}
      onMouseDown={(event) => {
        // Shift would select the text between the two clicks.
        if (event.shiftKey && table.onSelectKeys !== undefined) event.preventDefault()
      }}
      onClick={(event) => act?.(row, gestureOf(event))}
      onKeyDown={(event) => rowKeys(event, { row, table, act })}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={classes.cell}
          data-align={column.align}
          data-fold={column.fold}
          data-edge={edgeOf(column, kept)}
          data-bare={column.hideHeader}
          data-sized={column.id in widths || undefined}
        >
          {column.cell(row)}
          {column.lead && <Folded row={row} columns={columns} />}
        </td>
      ))}
    </tr>
  )
}

/** Beside the columns themselves: the style sheet shows one or the other. */
function Folded<Row>({
  row,
  columns,
}: Pick<DataTableProps<Row>, 'columns'> & { readonly row: Row }) {
  return (
    <span className={classes.folded}>
      {columns.map((column) => {
        const value = column.fold === undefined || column.spare ? null : column.cell(row)
        if (value === null || value === undefined || value === false || value === '') return null
        return (
          <span key={column.id} data-fold={column.fold}>
            <span className={classes.term}>{column.header}</span> {value}
          </span>
        )
      })}
    </span>
  )
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>
  readonly edge: ReturnType<typeof edgeOf>
  readonly model: TableModel<Row>
  /** Undefined: widths cannot be changed. */
  readonly onResize: ((id: string, width: number) => void) | undefined
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

function HeaderCell<Row>({ column, edge, model, onResize }: HeaderCellProps<Row>) {
  const { id, header } = column
  const head = model.getColumn(id)
  const direction = head?.getIsSorted() || null
  const isSortable = head?.getCanSort() === true
  const width = model.state.columnSizing[id]
  return (
    <th
      scope="col"
      // The bar within is none of its name.
      aria-label={header}
      className={classes.head}
      style={width === undefined ? { width: column.width } : widthStyle(width)}
      data-align={column.align}
      data-fold={column.fold}
      data-edge={edge}
      data-sized={width !== undefined || undefined}
      aria-sort={isSortable ? (direction === null ? 'none' : ariaSort[direction]) : undefined}
    >
      {isSortable ? (
        <button type="button" className={classes.sort} onClick={head.getToggleSortingHandler()}>
          <span className={classes.title}>
            <Breakable path={header} />
          </span>
          <span className={classes.arrow} data-shown={direction !== null} aria-hidden="true">
            {direction === 'desc' ? <ArrowDown size={12} /> : <ArrowUp size={12} />}
          </span>
        </button>
      ) : (
        <span className={column.hideHeader ? 'visually-hidden' : classes.title}>{header}</span>
      )}
      {onResize !== undefined && !column.hideHeader && (
        <ResizeBar
          label={`Width of ${header}`}
          orientation="vertical"
          size={width ?? 0}
          min={COLUMN_WIDTH_MIN}
          max={COLUMN_WIDTH_MAX}
          className={classes.bar}
          onResize={(next) => onResize(id, next)}
          onReset={() => head?.resetSize()}
        />
      )}
    </th>
  )
}

/** The style sheet leaves it out where columns are folded. */
const widthStyle = (width: number) => ({ '--width': `${width}px` }) as CSSProperties

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr>
      <td colSpan={span} className={classes.spacer} style={{ height }} />
    </tr>
  )
}

interface Modifiers {
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

const gestureOf = ({ shiftKey, ctrlKey, metaKey }: Modifiers) => ({
  extends: shiftKey,
  toggles: ctrlKey || metaKey,
})

interface KeyedRow<Row> {
  readonly row: Row
  readonly table: DataTableProps<Row>
  readonly act: RowAction<Row> | undefined
}

/** Enter selects, Space adds where several may be, Ctrl+A takes all; arrows move. */
function rowKeys<Row>(event: KeyboardEvent<HTMLTableRowElement>, keyed: KeyedRow<Row>): void {
  const { row, table, act } = keyed
  if (act === undefined || event.target !== event.currentTarget) return
  const { onSelectKeys, rows, rowKey } = table
  const gesture = gestureOf(event)
  if (event.key === 'Enter') act(row, gesture)
  else if (event.key === ' ') act(row, { ...gesture, toggles: onSelectKeys !== undefined })
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event, keyed)
  else if (gesture.toggles && event.key === 'a') onSelectKeys?.(rows.map(rowKey), row)
  else return
  event.preventDefault()
}

/** To the next row, which with Shift becomes part of the selection. */
function step<Row>(event: KeyboardEvent<HTMLTableRowElement>, keyed: KeyedRow<Row>): void {
  const { rows, rowKey, onSelectKeys } = keyed.table
  const here = event.currentTarget
  const next = event.key === 'ArrowDown' ? here.nextElementSibling : here.previousElementSibling
  if (!(next instanceof HTMLElement) || next.tabIndex !== 0) return
  next.focus()
  if (!event.shiftKey || onSelectKeys === undefined) return
  const reached = rows.find((row) => rowKey(row) === next.dataset['row'])
  if (reached !== undefined) {
    keyed.act?.(reached, { ...gestureOf(event), from: rowKey(keyed.row) })
  }
}

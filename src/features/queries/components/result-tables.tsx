/** One table for each printed key that holds rows; single values as lines. */
import { Button, NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import { downloadText } from '#lib/download.ts'
import { counted, formatCount } from '#lib/format.ts'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { EmptyState } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import type { RunAnswer } from '../api/queries.ts'
import { csvOf } from '../model/csv.ts'
import { cellText, type ResultPart, type TablePart } from '../model/result.ts'
import classes from '../queries-page.module.css'

interface ResultTablesProps {
  readonly answer: RunAnswer
  /** What the answer printed. */
  readonly parts: readonly ResultPart[]
  readonly name: string
}

export function ResultTables({ answer, parts, name }: ResultTablesProps) {
  if (parts.length === 0) return <EmptyState text="The query printed nothing." />
  const tables = parts.filter(({ kind }) => kind === 'table').length
  return (
    <div className={classes.parts}>
      {answer.message !== '' && (
        <p className={classes.note} role="status">
          {answer.message}
        </p>
      )}
      {parts.map((part, position) =>
        part.kind === 'table' ? (
          <PartTable
            // biome-ignore lint/suspicious/noArrayIndexKey: a key may be printed twice; parts never move
            key={`${part.name}:${position}`}
            part={part}
            query={name}
            maxHeight={tables === 1 ? '70vh' : '360px'}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <p key={`${part.name}:${position}`} className={classes.value}>
            <span>{part.name}</span>
            <code>{cellText(part.value)}</code>
          </p>
        ),
      )}
    </div>
  )
}

interface PartTableProps {
  readonly part: TablePart
  readonly query: string
  readonly maxHeight: string
}

interface Row {
  readonly row: Readonly<Record<string, unknown>>
  readonly position: number
}

/** Shows the first rows that the settings allow, in whatever order is chosen, and says so. */
function PartTable({ part, query, maxHeight }: PartTableProps) {
  const { rowLimit } = usePreferences()
  const rows = useMemo(() => part.rows.map((row, position): Row => ({ row, position })), [part])
  const columns = useMemo(() => columnsOf(part), [part])
  const hint =
    rows.length > rowLimit
      ? `the first ${formatCount(rowLimit)} of ${formatCount(rows.length)} rows; a download has all`
      : counted(rows.length, 'row', 'rows')
  return (
    <Section
      title={part.name}
      hint={hint}
      layout="flush"
      actions={
        <>
          {rows.length > ROW_LIMITS[0] && <RowLimit table={part.name} limit={rowLimit} />}
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Download ${part.name} as CSV`}
            onClick={() => downloadText(`${query}-${part.name}.csv`, csvOf(part), 'text/csv')}
          >
            CSV
          </Button>
        </>
      }
    >
      <DataTable
        id={`queries.result.${part.name}`}
        label={part.name}
        rows={rows}
        columns={columns}
        rowKey={({ position }) => String(position)}
        limit={rowLimit}
        maxHeight={maxHeight}
      />
    </Section>
  )
}

const ROW_LIMITS = [100, 1_000, 5_000, 10_000] as const

/** The setting of that name, here at hand: it holds for all results. */
function RowLimit({ table, limit }: { readonly table: string; readonly limit: number }) {
  const choices = [...new Set([...ROW_LIMITS, limit])].sort((one, other) => one - other)
  const locked = preferences.lockReason('rowLimit')
  return (
    <NativeSelect
      disabled={locked !== null}
      title={locked ?? undefined}
      aria-label={`Rows of ${table} shown`}
      data={choices.map((rows) => ({
        value: String(rows),
        label: `${formatCount(rows)} rows at most`,
      }))}
      value={String(limit)}
      onChange={(event) => preferences.set({ rowLimit: Number(event.currentTarget.value) })}
    />
  )
}

function columnsOf(part: TablePart): readonly Column<Row>[] {
  return part.columns.map((name) => ({
    id: name,
    header: name,
    align: isNumeric(part.rows[0]?.[name]) ? 'end' : 'start',
    cell: ({ row }) => <CellText text={cellText(row[name])} />,
    sortValue: ({ row }) => sortValue(row[name]),
  }))
}

/** Longer texts are cut; the whole is in the title and in the JSON. */
const CELL_LETTERS_MAX = 200

function CellText({ text }: { readonly text: string }) {
  if (text.length <= CELL_LETTERS_MAX) return text
  return <span title={text.slice(0, 2_000)}>{`${text.slice(0, CELL_LETTERS_MAX)}…`}</span>
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function sortValue(value: unknown) {
  return typeof value === 'object' && value !== null
    ? cellText(value)
    : (value as string | number | bigint | boolean | null)
}

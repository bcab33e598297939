/** Rows that were not taken: each with its reason, to be mended in place, tried again or saved. */
import { Button, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { downloadText } from '#lib/download.ts'
import { counted, formatCount } from '#lib/format.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { type ItemSource, type LoadProgress, rejectedText } from '../model/loader.ts'
import {
  type EditablePart,
  editableParts,
  type RejectedRow,
  type RejectedSource,
  rejectedRows,
  sourcePart,
  sourceWith,
} from '../model/rejected-rows.ts'
import classes from './data.module.css'

interface RejectedRowsProps {
  readonly fileName: string
  readonly progress: LoadProgress
  readonly source: RejectedSource
  /** False while rows are on their way. */
  readonly canRetry: boolean
  readonly onRetry: (rows: readonly RejectedRow[]) => void
}

export function RejectedRows(props: RejectedRowsProps) {
  const { fileName, progress, source, canRetry, onRetry } = props
  const { rejected, rejectedCount } = progress
  const [edits, setEdits] = useState<ReadonlyMap<number, ItemSource>>(new Map())
  const rows = useMemo(() => rejectedRows(rejected, edits, source), [rejected, edits, source])
  const columns = useMemo(
    () =>
      columnsOf(editableParts(source, rejected), (row, place, text) =>
        setEdits((before) =>
          new Map(before).set(row.row, sourceWith(before.get(row.row) ?? row.source, place, text)),
        ),
      ),
    [source, rejected],
  )
  const ready = rows.filter(({ isEdited, problem }) => isEdited && problem === null).length
  const save = () => {
    const names = source.kind === 'csv' ? source.reading.columns : []
    const end = source.kind === 'csv' ? 'csv' : 'ndjson'
    downloadText(`${fileName}.rejected.${end}`, rejectedText(rows, names), 'text/plain')
  }
  return (
    <>
      <div className={classes['buttons']}>
        <Button
          variant={ready > 0 ? 'filled' : 'default'}
          disabled={!canRetry}
          onClick={() => onRetry(rows)}
        >
          Try {counted(rows.length, 'row', 'rows')} again
        </Button>
        <Button variant="default" onClick={save}>
          Download rejected rows
        </Button>
        {ready > 0 && <span className={classes['hint']}>{formatCount(ready)} mended</span>}
      </div>
      <div className={classes['framed']}>
        <DataTable
          id="data.rejected"
          label="Rejected rows"
          rows={rows}
          columns={columns}
          rowKey={({ row }) => String(row)}
          maxHeight="360px"
        />
      </div>
      {rejectedCount > rejected.length && (
        <p className={classes['hint']}>
          The first {formatCount(rejected.length)} of {formatCount(rejectedCount)} are kept.
        </p>
      )}
    </>
  )
}

type OnEdit = (row: RejectedRow, place: number, text: string) => void

function columnsOf(parts: readonly EditablePart[], onEdit: OnEdit): readonly Column<RejectedRow>[] {
  return [
    {
      id: 'row',
      header: 'Row',
      align: 'end',
      width: '72px',
      cell: ({ row }) => formatCount(row),
      sortValue: ({ row }) => row,
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ isEdited, problem }) =>
        isEdited && problem === null ? (
          <StatusBadge look="plain" status="success">
            mended
          </StatusBadge>
        ) : (
          <span className={classes['reason']} title={problem ?? ''}>
            {problem}
          </span>
        ),
      sortValue: ({ problem }) => problem,
    },
    ...parts.map(
      ({ label, place }): Column<RejectedRow> => ({
        id: `part ${place}`,
        header: label,
        cell: (row) => (
          <TextInput
            aria-label={`${label} of row ${row.row}`}
            className={(typeof row.source === 'string' ? classes['line'] : classes['cell']) ?? ''}
            value={sourcePart(row.source, place)}
            spellCheck={false}
            onChange={(event) => onEdit(row, place, event.currentTarget.value)}
          />
        ),
      }),
    ),
  ]
}

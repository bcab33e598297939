import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { useRefusal } from '#api/rights.ts'
import { deletedVertexCheck, type deletedVertexResult } from '#contract/system.ts'
import { downloadText } from '#lib/download.ts'
import { counted, formatDuration } from '#lib/format.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { useDeletedVertexCheck } from '../api/maintenance.ts'
import { type Mismatch, mismatches, mismatchesCsv } from '../model/mismatches.ts'
import classes from './maintenance.module.css'

type CheckResult = z.output<typeof deletedVertexResult>

const levels = [
  { bit: 1, label: 'Counts' },
  { bit: 2, label: 'Counts per segment' },
  { bit: 4, label: 'Deleted ids' },
] as const

export function CheckCard({ graph }: { readonly graph: string }) {
  const check = useDeletedVertexCheck()
  const [verbose, setVerbose] = useState(0)
  const run = () => check.mutate({ graph, verbose })
  return (
    <Section
      title="Deleted-vertex check"
      hint={graph}
      actions={<StatusBadge status="info">read-only</StatusBadge>}
    >
      <p className={classes.words}>
        Compares what the storage engine and the processing engine hold for deleted. They keep
        independent records; a difference means that one of them missed a write.
      </p>
      <dl className={classes.facts}>
        <dt>Cost</dt>
        <dd>Reads every tombstone once; seconds on a large graph.</dd>
        <dt>If it fails</dt>
        <dd>Back up, restart, run it again; then report it with the exported rows.</dd>
      </dl>
      <div className={classes.checks}>
        {levels.map(({ bit, label }) => (
          <Checkbox
            key={bit}
            label={label}
            checked={(verbose & bit) !== 0}
            onChange={() => setVerbose(verbose ^ bit)}
          />
        ))}
      </div>
      <div>
        <Refusable refusal={useRefusal(deletedVertexCheck, graph)}>
          <Button onClick={run} loading={check.isPending}>
            Run check
          </Button>
        </Refusable>
      </div>
      {check.isError && (
        <ErrorNotice title="The check did not finish" error={check.error} onRetry={run} />
      )}
      {check.isSuccess && (
        <Result results={check.data.data} durationMs={check.data.durationMs} verbose={verbose} />
      )}
    </Section>
  )
}

interface ResultProps {
  readonly results: readonly CheckResult[]
  readonly durationMs: number
  readonly verbose: number
}

const columns: readonly Column<Mismatch>[] = [
  {
    id: 'engine',
    header: 'Engine',
    fold: 'narrow',
    cell: (row) => row.engine,
    sortValue: (row) => row.engine,
  },
  {
    id: 'type',
    header: 'Vertex type',
    lead: true,
    cell: (row) => row.vertexType,
    sortValue: (row) => row.vertexType,
  },
  {
    id: 'segment',
    header: 'Segment',
    fold: 'narrow',
    align: 'end',
    cell: (row) => row.segment,
    sortValue: (row) => row.segment,
  },
  { id: 'gpe', header: 'GPE hash', align: 'end', cell: (row) => <code>{row.gpeHash}</code> },
  { id: 'gse', header: 'GSE hash', align: 'end', cell: (row) => <code>{row.gseHash}</code> },
]

function Result({ results, durationMs, verbose }: ResultProps) {
  const rows = mismatches(results)
  const passed = results.every((result) => result.PassCheck)
  return (
    <div className={classes.result} role="status">
      <StatusBadge look="plain" status={passed ? 'success' : 'danger'}>
        {passed ? 'passed' : 'failed'}
        {rows.length > 0 && `: ${counted(rows.length, 'segment differs', 'segments differ')}`},
        answered after {formatDuration(durationMs)}
      </StatusBadge>
      {rows.length > 0 && (
        <>
          <DataTable
            label="Segments that differ"
            rows={rows}
            columns={columns}
            rowKey={(row) => `${row.engine} ${row.vertexType} ${row.segment}`}
            maxHeight="240px"
          />
          <div>
            <Button
              variant="default"
              onClick={() =>
                downloadText('deleted-vertex-check.csv', mismatchesCsv(rows), 'text/csv')
              }
            >
              Export CSV
            </Button>
          </div>
        </>
      )}
      {verbose > 0 && (
        <TextBlock
          label="Details of the check"
          text={stringifyLossless(results, 2)}
          maxHeight="260px"
        />
      )}
    </div>
  )
}

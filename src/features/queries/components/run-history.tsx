/** Earlier runs of this query from this browser; one chosen gives its parameters back. */
import { Button } from '@mantine/core'
import { formatBytes, formatDateTime, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/preferences.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import type { PastRun } from '../model/run-history.ts'

interface RunHistoryProps {
  readonly runs: readonly PastRun[]
  readonly onUse: (texts: ReadonlyMap<string, string>) => void
}

const badges = {
  done: ['success', 'done'],
  failed: ['danger', 'failed'],
  stopped: ['neutral', 'stopped'],
} as const

export function RunHistory({ runs, onUse }: RunHistoryProps) {
  const { timeZone } = usePreferences()
  const columns: readonly Column<PastRun>[] = [
    {
      id: 'at',
      header: 'Started',
      cell: ({ at }) => formatDateTime(at, timeZone),
      sortValue: ({ at }) => at,
    },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: ({ outcome }) => {
        const [status, words] = badges[outcome]
        return (
          <StatusBadge status={status} look="plain">
            {words}
          </StatusBadge>
        )
      },
      sortValue: ({ outcome }) => outcome,
    },
    {
      id: 'duration',
      header: 'Took',
      align: 'end',
      cell: ({ durationMs }) => formatDuration(durationMs),
      sortValue: ({ durationMs }) => durationMs,
    },
    {
      id: 'size',
      header: 'Answer',
      align: 'end',
      cell: ({ sizeBytes }) => (sizeBytes === 0 ? '–' : formatBytes(sizeBytes)),
      sortValue: ({ sizeBytes }) => sizeBytes,
    },
    { id: 'parameters', header: 'Parameters', cell: ({ texts }) => parameterText(texts) },
    {
      id: 'use',
      header: 'Use',
      hideHeader: true,
      align: 'end',
      cell: ({ at, texts }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Use the parameters of ${formatDateTime(at, timeZone)}`}
          onClick={() => onUse(new Map(texts))}
        >
          Use again
        </Button>
      ),
    },
  ]
  return (
    <DataTable
      label="Earlier runs"
      rows={runs}
      columns={columns}
      rowKey={({ at }) => String(at)}
      emptyText="No run from this browser yet."
      maxHeight="fill"
    />
  )
}

function parameterText(texts: PastRun['texts']): string {
  const given = texts.filter(([, text]) => text.trim() !== '')
  if (given.length === 0) return 'defaults'
  return given.map(([name, text]) => `${name} = ${text.replaceAll('\n', ', ')}`).join('; ')
}

/** One's earlier runs of this query; one chosen gives its parameters back. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatDateTime, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/preferences.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import { runHistoryQuery } from '../api/kept.ts'
import type { PastRun } from '../model/run-history.ts'

interface RunHistoryProps {
  readonly graph: string
  readonly name: string
  readonly onUse: (texts: ReadonlyMap<string, string>) => void
}

const badges = {
  done: ['success', 'done'],
  failed: ['danger', 'failed'],
  stopped: ['neutral', 'stopped'],
} as const

export function RunHistory({ graph, name, onUse }: RunHistoryProps) {
  const { timeZone } = usePreferences()
  const runs = useQuery(runHistoryQuery(graph, name))
  if (runs.data === undefined) {
    if (!runs.isError) return <Loading what="earlier runs" />
    return (
      <ErrorNotice
        title="Earlier runs could not be read"
        error={runs.error}
        onRetry={runs.refetch}
      />
    )
  }
  return (
    <DataTable
      label="Earlier runs"
      rows={runs.data}
      columns={columnsOf(timeZone, onUse)}
      rowKey={({ at }) => String(at)}
      emptyText="You have not run it yet."
      maxHeight="fill"
    />
  )
}

function columnsOf(
  timeZone: Parameters<typeof formatDateTime>[1],
  onUse: RunHistoryProps['onUse'],
): readonly Column<PastRun>[] {
  return [
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
}

function parameterText(texts: PastRun['texts']): string {
  const given = texts.filter(([, text]) => text.trim() !== '')
  if (given.length === 0) return 'defaults'
  return given.map(([name, text]) => `${name} = ${text.replaceAll('\n', ', ')}`).join('; ')
}

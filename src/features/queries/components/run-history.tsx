/** One's earlier runs of this query and of drafts of it; each gives its parameters and text back. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes, formatDateTime, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { runHistoryQuery } from '../api/kept.ts'
import type { PastRun } from '../model/run-history.ts'
import classes from '../queries-page.module.css'

interface RunHistoryProps {
  readonly graph: string
  readonly name: string
  readonly onUse: (texts: ReadonlyMap<string, string>) => void
  /** With the text of a draft that ran. */
  readonly onText: (text: string) => void
}

const badges = {
  done: ['success', 'done'],
  failed: ['danger', 'failed'],
  stopped: ['neutral', 'stopped'],
} as const

export function RunHistory({ graph, name, onUse, onText }: RunHistoryProps) {
  const { timeZone } = usePreferences()
  const [chosen, setChosen] = useState(0)
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
  const draft = runs.data.find(({ at }) => at === chosen)?.draft
  return (
    <div className={classes.history}>
      <DataTable
        id="queries.history"
        label="Earlier runs"
        rows={runs.data}
        columns={columnsOf({ timeZone, onUse, chosen, onShow: setChosen })}
        rowKey={({ at }) => String(at)}
        emptyText="You have not run it yet."
        maxHeight="fill"
      />
      {draft !== undefined && (
        <section className={classes.runDetails} aria-label="The draft that ran">
          <p>
            The text that ran on {formatDateTime(chosen, timeZone)}, without being installed.{' '}
            <Button size="compact-xs" variant="default" onClick={() => onText(draft)}>
              Put it into the editor
            </Button>
          </p>
          <TextBlock label="Text of the draft" text={draft} maxHeight="240px" />
        </section>
      )}
    </div>
  )
}

interface HistoryColumns extends Pick<RunHistoryProps, 'onUse'> {
  readonly timeZone: Parameters<typeof formatDateTime>[1]
  /** Start of the run whose draft is shown; 0: of none. */
  readonly chosen: number
  readonly onShow: (at: number) => void
}

function columnsOf({
  timeZone,
  onUse,
  chosen,
  onShow,
}: HistoryColumns): readonly Column<PastRun>[] {
  return [
    {
      id: 'at',
      header: 'Started',
      lead: true,
      cell: ({ at }) => formatDateTime(at, timeZone),
      sortValue: ({ at }) => at,
    },
    {
      id: 'outcome',
      header: 'Outcome',
      fold: 'narrow',
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
      id: 'text',
      header: 'Text',
      cell: ({ at, draft }) =>
        draft === undefined ? (
          'installed'
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={at === chosen}
            onClick={() => onShow(at === chosen ? 0 : at)}
          >
            {at === chosen ? 'Hide draft' : 'Show draft'}
          </Button>
        ),
      sortValue: ({ draft }) => (draft === undefined ? 'installed' : 'draft'),
    },
    {
      id: 'duration',
      header: 'Took',
      fold: 'narrow',
      align: 'end',
      cell: ({ durationMs }) => formatDuration(durationMs),
      sortValue: ({ durationMs }) => durationMs,
    },
    {
      id: 'size',
      header: 'Answer',
      align: 'end',
      fold: 'narrow',
      cell: ({ sizeBytes }) => (sizeBytes === 0 ? '–' : formatBytes(sizeBytes)),
      sortValue: ({ sizeBytes }) => sizeBytes,
    },
    {
      id: 'parameters',
      header: 'Parameters',
      cell: ({ texts }) => <Given text={parameterText(texts)} />,
      fold: 'narrow',
    },
    {
      id: 'use',
      header: 'Use',
      hideHeader: true,
      align: 'end',
      cell: ({ at, texts }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Use parameters of ${formatDateTime(at, timeZone)}`}
          onClick={() => onUse(new Map(texts))}
        >
          Use
        </Button>
      ),
    },
  ]
}

const Given = ({ text }: { readonly text: string }) => (
  <span className={classes.pastGiven} title={text}>
    {text}
  </span>
)

function parameterText(texts: PastRun['texts']): string {
  const given = texts.filter(([, text]) => text.trim() !== '')
  if (given.length === 0) return 'defaults'
  return given.map(([name, text]) => `${name} = ${text.replaceAll('\n', ', ')}`).join('; ')
}

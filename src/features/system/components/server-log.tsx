/** The last lines of the server's log: filtered by the server, followed as they come. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useRefusal } from '#api/rights.ts'
import { type LogLine, serverLogQuery } from '#api/server-log.ts'
import { readServerLog } from '#contract/server-log.ts'
import { formatDateTime } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Section } from '#ui/layout/page.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'

const FOLLOW_MS = 2_000
const LINES = 200
const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

const statuses = { warn: 'warning', error: 'danger', fatal: 'danger' } as const

function NotAllowed() {
  const refusal = useRefusal(readServerLog, '')
  return <EmptyState icon={<Lock size={28} />} text={refusal ?? ''} />
}

export function ServerLog() {
  const { timeZone } = usePreferences()
  const [address, setAddress] = useSearchParams()
  const level: Level = levels.find((name) => name === address.get('level')) ?? 'info'
  const [search, setSearch] = useState('')
  const [isFollowing, setFollowing] = useState(true)
  const [before, setBefore] = useState<number | null>(null)
  const [chosen, setChosen] = useState<LogLine | null>(null)
  const query = { level, limit: LINES, ...(search && { search }), ...(before && { before }) }
  const follows = isFollowing && before === null
  const log = useQuery({
    ...serverLogQuery(query, follows ? FOLLOW_MS : null),
    placeholderData: keepPreviousData,
  })
  if (log.data === null) return <NotAllowed />
  const lines = log.data?.lines.toReversed() ?? []
  const older = olderThan(lines)
  return (
    <>
      <Section
        title="Server log"
        hint={log.data && `since the start, ${log.data.loggedLevel} and above (--log-level)`}
        layout="flush"
        actions={
          <>
            <Switch
              label="Follow"
              checked={follows}
              onChange={(event) => {
                setFollowing(event.currentTarget.checked)
                setBefore(null)
              }}
            />
            <NativeSelect
              aria-label="Least level"
              data={levels.map((name) => ({ value: name, label: `${name} and above` }))}
              value={level}
              onChange={(event) => {
                setBefore(null)
                setAddress({ tab: 'log', level: event.currentTarget.value }, { replace: true })
              }}
            />
            <TextInput
              aria-label="Search the log"
              placeholder="Search the log"
              value={search}
              onChange={(event) => {
                setBefore(null)
                setSearch(event.currentTarget.value)
              }}
            />
            <Button variant="default" disabled={older === null} onClick={() => setBefore(older)}>
              Older
            </Button>
          </>
        }
      >
        {log.isPending && <Loading what="the log" />}
        {log.isError && (
          <ErrorNotice title="The log could not be read" error={log.error} onRetry={log.refetch} />
        )}
        {log.data !== undefined && (
          <DataTable
            id="system.log"
            label="Server log"
            rows={lines}
            columns={columnsOf((timeMs) => (timeMs === 0 ? '' : formatDateTime(timeMs, timeZone)))}
            rowKey={({ number }) => String(number)}
            selectedKey={chosen === null ? undefined : String(chosen.number)}
            onSelect={setChosen}
            maxHeight="calc(100dvh - 260px)"
            emptyText={search === '' ? 'Nothing of this level was logged.' : 'No line fits.'}
          />
        )}
      </Section>
      {chosen !== null && (
        <div
          key={chosen.number}
          ref={bringIntoView}
          style={{ scrollMarginBlockEnd: 'var(--q-s-4)' }}
        >
          <Section title={chosen.text || 'Line'} hint={`line ${chosen.number}`} layout="flush">
            <TextBlock
              label="Details of the line"
              text={pretty(chosen.details)}
              maxHeight="40dvh"
            />
          </Section>
        </div>
      )}
    </>
  )
}

/** Below a table as high as the screen nobody looks for what a click brought. */
const bringIntoView = (details: HTMLElement | null) => details?.scrollIntoView({ block: 'nearest' })

/** Before which number to go on; null: these are the oldest. */
function olderThan(lines: readonly LogLine[]): number | null {
  return lines.length < LINES ? null : lines.at(-1)?.number || null
}

const columnsOf = (timeText: (timeMs: number) => string): readonly Column<LogLine>[] => [
  { id: 'time', header: 'Time', width: '160px', cell: ({ timeMs }) => timeText(timeMs) },
  {
    id: 'level',
    header: 'Level',
    width: '80px',
    cell: ({ level }) => (
      <StatusBadge look="plain" status={statuses[level as keyof typeof statuses] ?? 'neutral'}>
        {level}
      </StatusBadge>
    ),
  },
  { id: 'text', header: 'Line', cell: ({ text, details }) => lineText(text, details) },
]

const DETAIL_LETTERS = 160

/** What was asked stands before what else is known of it. */
const lineText = (text: string, details: string): string => {
  const [, method, url, status] =
    /"method":"(\w+)","url":"([^"]*)","status":(\d+)/.exec(details) ?? []
  const asked = method === undefined ? '' : ` ${method} ${url} ${status}`
  const more = details.length > DETAIL_LETTERS ? `${details.slice(0, DETAIL_LETTERS)}…` : details
  return `${text}${asked} ${more}`
}

/** Lines of a stack are lines. */
function pretty(details: string): string {
  if (details === '') return 'The line holds nothing else.'
  try {
    return JSON.stringify(JSON.parse(details), null, 2).replaceAll('\\n', '\n    ')
  } catch {
    return details
  }
}

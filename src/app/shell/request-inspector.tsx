/** The last hundred HTTP calls of this tab: what the console did, and the command that repeats it. */
import { Button, CopyButton, Drawer, Switch, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { type RequestEntry, requestLog } from '#api/request-log.ts'
import { formatBytes, formatClock, formatDuration } from '#lib/format.ts'
import { type Preferences, preferences, usePreferences } from '#lib/storage/preferences.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { WidthButton } from '#ui/layout/width-button.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import classes from './request-inspector.module.css'

/** In pixels, beside the page. */
const SIDE_WIDTH = 760

interface RequestInspectorProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** Number of the request that is shown at once; it may be gone from the log. */
  readonly start: number | null
}

export function RequestInspector({ opened, onClose, start }: RequestInspectorProps) {
  const { wideInspector } = usePreferences()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title="Requests of this tab"
      size={wideInspector ? '100%' : SIDE_WIDTH}
      padding={0}
    >
      <Requests start={start} isWide={wideInspector} />
    </Drawer>
  )
}

interface RequestsProps extends Pick<RequestInspectorProps, 'start'> {
  readonly isWide: boolean
}

function Requests({ start, isWide }: RequestsProps) {
  const entries = useSyncExternalStore(requestLog.subscribe, requestLog.entries)
  const { timeZone } = usePreferences()
  const [search, setSearch] = useState('')
  const [failedOnly, setFailedOnly] = useState(false)
  const [chosen, setChosen] = useState(start)
  const entry = entries.find(({ id }) => id === chosen)
  const shown = entries.filter((entry) => fits(entry, search) && !(failedOnly && isFine(entry)))
  return (
    <div className={classes.requests} data-wide={isWide || undefined}>
      <div className={classes.tools}>
        <TextInput
          aria-label="Search requests"
          placeholder="Method, address or status"
          className={classes.search ?? ''}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label="Failed only"
          checked={failedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
        <Button variant="default" onClick={requestLog.clear}>
          Clear
        </Button>
        {/* Where the screen is no wider than the drawer there is nothing to choose. */}
        <WidthButton
          className={classes.width}
          isWide={isWide}
          onChange={(wideInspector) => preferences.set({ wideInspector })}
        />
      </div>
      <div className={classes.list}>
        <DataTable
          id="requests"
          label="Requests"
          rows={shown}
          columns={columnsOf(timeZone)}
          rowKey={(entry) => String(entry.id)}
          emptyText={entries.length === 0 ? 'No request yet.' : 'No request fits.'}
          maxHeight={isWide ? 'fill' : '60vh'}
          selectedKey={chosen === null ? undefined : String(chosen)}
          onSelect={({ id }) => setChosen(id === chosen ? null : id)}
        />
      </div>
      {entry !== undefined && <Details entry={entry} isWide={isWide} />}
      {entry === undefined && (chosen !== null || isWide) && (
        <p className={classes.details} role="status">
          {chosen === null
            ? 'Choose a request to see its payload and its answer.'
            : 'That request is no longer among the last hundred.'}
        </p>
      )}
    </div>
  )
}

function columnsOf(timeZone: Preferences['timeZone']): readonly Column<RequestEntry>[] {
  return [
    {
      id: 'at',
      header: 'Time',
      fold: 'narrow',
      cell: (entry) => formatClock(entry.startedAt, timeZone),
    },
    {
      id: 'status',
      header: 'Status',
      cell: (entry) => (
        <StatusBadge look="plain" status={isFine(entry) ? 'success' : 'danger'}>
          {entry.status === 0 ? 'no answer' : entry.status}
        </StatusBadge>
      ),
      sortValue: (entry) => entry.status,
    },
    {
      id: 'request',
      header: 'Request',
      lead: true,
      cell: (entry) => (
        <code className={classes.url} title={entry.url}>
          {entry.method} {entry.url}
        </code>
      ),
      sortValue: (entry) => entry.url,
    },
    {
      id: 'duration',
      header: 'Took',
      fold: 'narrow',
      align: 'end',
      cell: (entry) => formatDuration(entry.durationMs),
      sortValue: (entry) => entry.durationMs,
    },
    {
      id: 'size',
      header: 'Size',
      fold: 'narrow',
      align: 'end',
      cell: (entry) => formatBytes(entry.sizeBytes),
      sortValue: (entry) => entry.sizeBytes,
    },
    {
      id: 'curl',
      header: 'Command line',
      hideHeader: true,
      cell: (entry) => (
        <CopyButton value={entry.curl}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="compact-xs" onClick={copy}>
              {copied ? 'Copied' : 'curl'}
            </Button>
          )}
        </CopyButton>
      ),
    },
  ]
}

interface DetailsProps extends Pick<RequestsProps, 'isWide'> {
  readonly entry: RequestEntry
}

/** Where an entry's line has no room: the whole address, the payload, what reports are asked for. */
function Details({ entry, isWide }: DetailsProps) {
  const { method, url, requestId, curl, answer, failure } = entry
  return (
    <section className={classes.details} aria-label={`${method} ${url}`}>
      {requestId !== undefined && (
        <p>
          Request id <code>{requestId}</code>
        </p>
      )}
      {failure !== undefined && <p>{failure}</p>}
      <h3>Command line</h3>
      <TextBlock label="Command line with its payload" text={curl} maxHeight="24vh" />
      {answer !== '' && (
        <>
          <h3>Answer</h3>
          <TextBlock label="Answer" text={answer} maxHeight={isWide ? '60vh' : '24vh'} />
        </>
      )}
    </section>
  )
}

/** Answers may tell an error under a status that does not. */
const isFine = ({ status, failure }: RequestEntry): boolean =>
  status > 0 && status < 400 && failure === undefined

/** Every word occurs in the request's line. */
function fits({ method, url, status, requestId }: RequestEntry, search: string): boolean {
  const line = `${method} ${url} ${status} ${requestId ?? ''}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word))
}

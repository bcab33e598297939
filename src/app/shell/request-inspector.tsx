/** The last hundred HTTP calls of this tab: what the console did, and the command that repeats it. */
import { Button, CopyButton, Drawer, Switch, TextInput } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { type RequestEntry, requestLog } from '#api/request-log.ts'
import { formatBytes, formatClock, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/preferences.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import { TextBlock } from '#ui/text-block.tsx'
import classes from './request-inspector.module.css'

interface RequestInspectorProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** Number of the request that is shown at once; it may be gone from the log. */
  readonly start: number | null
}

export function RequestInspector({ opened, onClose, start }: RequestInspectorProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Requests of this tab" size={760} padding={0}>
      <Requests start={start} />
    </Drawer>
  )
}

function Requests({ start }: Pick<RequestInspectorProps, 'start'>) {
  const entries = useSyncExternalStore(requestLog.subscribe, requestLog.entries)
  const { timeZone } = usePreferences()
  const [search, setSearch] = useState('')
  const [failedOnly, setFailedOnly] = useState(false)
  const [chosen, setChosen] = useState(start)
  const entry = entries.find(({ id }) => id === chosen)
  const shown = entries.filter((entry) => fits(entry, search) && !(failedOnly && isFine(entry)))
  const columns: readonly Column<RequestEntry>[] = [
    { id: 'at', header: 'Time', cell: (entry) => formatClock(entry.startedAt, timeZone) },
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
      align: 'end',
      cell: (entry) => formatDuration(entry.durationMs),
      sortValue: (entry) => entry.durationMs,
    },
    {
      id: 'size',
      header: 'Size',
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
  return (
    <>
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
      </div>
      <DataTable
        label="Requests"
        rows={shown}
        columns={columns}
        rowKey={(entry) => String(entry.id)}
        emptyText={entries.length === 0 ? 'No request yet.' : 'No request fits.'}
        maxHeight="60vh"
        selectedKey={chosen === null ? undefined : String(chosen)}
        onSelect={({ id }) => setChosen(id === chosen ? null : id)}
      />
      {entry !== undefined && <Details entry={entry} />}
      {entry === undefined && chosen !== null && (
        <p className={classes.details} role="status">
          That request is no longer among the last hundred.
        </p>
      )}
    </>
  )
}

/** Where an entry's line has no room: the whole address, the payload, what reports are asked for. */
function Details({ entry }: { readonly entry: RequestEntry }) {
  const { method, url, requestId, curl, answer, failure } = entry
  return (
    <section className={classes.details} aria-label={`${method} ${url}`}>
      {requestId !== undefined && (
        <p>
          Request id <code>{requestId}</code>
        </p>
      )}
      {failure !== undefined && <p>{failure}</p>}
      <TextBlock label="Command line with its payload" text={curl} maxHeight="24vh" />
      {answer !== '' && <TextBlock label="Answer" text={answer} maxHeight="24vh" />}
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

/** The last hundred HTTP calls of this tab: what the console did, and the command that repeats it. */
import { Button, CopyButton, Drawer } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { type RequestEntry, requestLog } from '#api/request-log.ts'
import { formatBytes, formatClock, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/preferences.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import classes from './request-inspector.module.css'

interface RequestInspectorProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function RequestInspector({ opened, onClose }: RequestInspectorProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Requests of this tab" size={760} padding={0}>
      <Requests />
    </Drawer>
  )
}

function Requests() {
  const entries = useSyncExternalStore(requestLog.subscribe, requestLog.entries)
  const { timeZone } = usePreferences()
  const columns: readonly Column<RequestEntry>[] = [
    { id: 'at', header: 'Time', cell: (entry) => formatClock(entry.startedAt, timeZone) },
    {
      id: 'status',
      header: 'Status',
      cell: (entry) => (
        <StatusBadge
          look="plain"
          status={entry.status > 0 && entry.status < 400 ? 'success' : 'danger'}
        >
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
    <DataTable
      label="Requests"
      rows={entries}
      columns={columns}
      rowKey={(entry) => String(entry.id)}
      emptyText="No request yet."
    />
  )
}

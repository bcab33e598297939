/** Sign-ins, refusals and changes, also of earlier starts of the server, newest first. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { AUDIT_PAGE_ROWS, type AuditEntry, auditQuery } from '../api/access.ts'

const badges = { done: 'success', denied: 'warning', failed: 'danger' } as const

export function AuditLog() {
  const { timeZone } = usePreferences()
  const [before, setBefore] = useState<number | null>(null)
  const log = useQuery(auditQuery(before))
  const oldest = log.data?.at(-1)?.number
  const columns: readonly Column<AuditEntry>[] = [
    {
      id: 'time',
      header: 'Time',
      fold: 'narrow',
      cell: ({ timeMs }) => formatDateTime(timeMs, timeZone),
    },
    { id: 'user', header: 'User', fold: 'narrow', cell: ({ user }) => user ?? 'nobody' },
    { id: 'action', header: 'Action', lead: true, cell: ({ action }) => <code>{action}</code> },
    { id: 'target', header: 'About', fold: 'medium', cell: ({ target }) => target ?? '' },
    { id: 'graph', header: 'Graph', fold: 'medium', cell: ({ graph }) => graph ?? '' },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: ({ outcome }) => (
        <StatusBadge status={badges[outcome]} look="plain">
          {outcome}
        </StatusBadge>
      ),
    },
  ]
  return (
    <Section
      title="Log"
      layout="flush"
      actions={
        <>
          {before !== null && (
            <Button variant="default" onClick={() => setBefore(null)}>
              Newest
            </Button>
          )}
          <Button
            variant="default"
            disabled={oldest === undefined || (log.data?.length ?? 0) < AUDIT_PAGE_ROWS}
            onClick={() => oldest !== undefined && setBefore(oldest)}
          >
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
          id="access.log"
          label="Log of access"
          rows={log.data}
          columns={columns}
          rowKey={({ number }) => String(number)}
          emptyText="Nothing has happened yet."
        />
      )}
    </Section>
  )
}

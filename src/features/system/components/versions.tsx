import { Button, CopyButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { sessionQuery } from '#api/session.ts'
import { versionsQuery } from '#api/versions.ts'
import type { componentVersion } from '#contract/system.ts'
import { releaseNote } from '#lib/release.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { versionsMarkdown } from '../model/versions-markdown.ts'

type ComponentVersion = z.output<typeof componentVersion>

const columns: readonly Column<ComponentVersion>[] = [
  {
    id: 'name',
    header: 'Component',
    lead: true,
    cell: (row) => row.name,
    sortValue: (row) => row.name,
  },
  { id: 'version', header: 'Release', cell: (row) => row.version, sortValue: (row) => row.version },
  { id: 'hash', header: 'Git hash', fold: 'narrow', cell: (row) => <code>{row.hash}</code> },
  {
    id: 'datetime',
    header: 'Date',
    fold: 'narrow',
    cell: (row) => row.datetime,
    sortValue: (row) => row.datetime,
  },
]

export function Versions() {
  const versions = useQuery(versionsQuery)
  const session = useQuery(sessionQuery)
  const note = session.data === undefined ? null : releaseNote(session.data.version)
  return (
    <Section
      title="Component versions"
      layout="flush"
      {...(note !== null && { hint: note })}
      actions={
        versions.data !== undefined && (
          <CopyButton value={versionsMarkdown(versions.data)}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy as Markdown'}
              </Button>
            )}
          </CopyButton>
        )
      }
    >
      {versions.isPending && <Loading what="versions" />}
      {versions.isError && (
        <ErrorNotice
          title="The versions could not be read"
          error={versions.error}
          onRetry={versions.refetch}
        />
      )}
      {versions.data !== undefined && (
        <DataTable
          label="Component versions"
          rows={versions.data}
          columns={columns}
          rowKey={(row) => row.name}
        />
      )}
    </Section>
  )
}

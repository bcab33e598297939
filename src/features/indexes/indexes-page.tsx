/** The secondary indexes of a graph: what there is, one more, one less. */
import { Button } from '@mantine/core'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { ListTree, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { useRefusal } from '#api/rights.ts'
import { createIndexes, dropIndexes } from '#contract/indexes.ts'
import { counted, formatAge, formatDateTime } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { type Preferences, usePreferences } from '#lib/storage/preferences.ts'
import { useCommand } from '#ui/commands/commands.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { NeedsSchema } from '#ui/feedback/needs-schema.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Page, Section } from '#ui/layout/page.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import {
  type IndexUsage,
  indexesQuery,
  indexFactsQuery,
  indexUsageQuery,
  useCreateIndex,
  useDropIndex,
  vertexCountsQuery,
} from './api/indexes.ts'
import { BenchmarkDialog } from './components/benchmark-dialog.tsx'
import { CreateIndexDialog } from './components/create-index-dialog.tsx'
import { indexColumns, QueryLinks } from './components/index-columns.tsx'
import classes from './components/indexes.module.css'
import { LookupFigures } from './components/lookup-figures.tsx'
import { WouldHelp } from './components/would-help.tsx'
import { missedAttributes } from './model/index-marks.ts'
import { type IndexRow, indexRows, rowKey } from './model/indexes.ts'

export function IndexesPage({ graph }: { readonly graph: string }) {
  const indexes = useQuery(indexesQuery(graph))
  const schema = useQuery(graphSchemaQuery(graph))
  const [creating, setCreating] = useState(false)
  const [dropping, setDropping] = useState<IndexRow | null>(null)
  const [measuring, setMeasuring] = useState<IndexRow | null>(null)
  const { timeZone } = usePreferences()
  const rows = useMemo(
    () => indexRows(indexes.data ?? [], schema.data),
    [indexes.data, schema.data],
  )
  const counts = useQuery(vertexCountsQuery(graph))
  const usage = useQuery(indexUsageQuery(graph)).data
  const facts = useQuery({ ...indexFactsQuery(graph), enabled: rows.length > 0 }).data
  const mayNotDrop = useRefusal(dropIndexes, graph)
  const columns = useMemo(() => {
    const figures = { graph, counts: counts.data, usage, facts, timeZone, refusal: mayNotDrop }
    return indexColumns({ ...figures, onBenchmark: setMeasuring, onDrop: setDropping })
  }, [graph, counts.data, usage, facts, timeZone, mayNotDrop])
  const mayNotCreate = useRefusal(createIndexes, graph)
  const create = () => setCreating(true)
  useCommand({
    ...{ id: 'indexes.create', group: 'Indexes', label: 'New index', keys: 'n' },
    enabled: mayNotCreate === null,
    run: create,
  })

  const button = (
    <Refusable refusal={mayNotCreate}>
      <Button leftSection={<Plus size={14} aria-hidden="true" />} onClick={create}>
        New index
      </Button>
    </Refusable>
  )
  return (
    <Page title="Indexes" actions={rows.length === 0 ? undefined : button}>
      {indexes.isPending && <Loading what="indexes" />}
      {indexes.isError && (
        <ErrorNotice
          error={indexes.error}
          title="The indexes could not be read"
          onRetry={indexes.refetch}
        />
      )}
      {schema.data !== undefined && usage !== undefined && (
        <WouldHelp
          graph={graph}
          missed={missedAttributes(usage.missed, {
            schema: schema.data,
            rows,
            counts: counts.data,
          })}
          hint={sinceText(usage.since, timeZone)}
        />
      )}
      {indexes.data !== undefined && rows.length === 0 && (
        <NoIndexes graph={graph} hasTypes={schema.data?.vertices.length !== 0} button={button} />
      )}
      {rows.length > 0 && (
        <Section title="Secondary indexes" hint={sinceText(usage?.since, timeZone)} layout="flush">
          <DataTable
            id="indexes"
            label={`Indexes of ${graph}`}
            rows={rows}
            columns={columns}
            rowKey={rowKey}
          />
        </Section>
      )}
      {rows.length > 0 && <LookupFigures />}
      {schema.data !== undefined && (
        <CreateIndexDialog
          graph={graph}
          opened={creating}
          schema={schema.data}
          rows={rows}
          counts={counts.data}
          onClose={() => setCreating(false)}
        />
      )}
      {measuring !== null && (
        <BenchmarkDialog graph={graph} row={measuring} onClose={() => setMeasuring(null)} />
      )}
      <DropIndexDialog
        graph={graph}
        row={dropping}
        use={dropping === null ? undefined : usage?.ofIndex.get(rowKey(dropping))}
        onClose={() => setDropping(null)}
      />
    </Page>
  )
}

IndexesPage.prepare = (client: QueryClient, graph: string) =>
  Promise.all([
    client.prefetchQuery(indexesQuery(graph)),
    client.prefetchQuery(graphSchemaQuery(graph)),
  ])

interface NoIndexesProps {
  readonly graph: string
  readonly hasTypes: boolean
  /** Makes the first. */
  readonly button: ReactNode
}

function NoIndexes({ graph, hasTypes, button }: NoIndexesProps) {
  const icon = <ListTree size={28} />
  if (hasTypes) {
    const text = 'A secondary index lets filters on an attribute find vertices without reading all.'
    return <EmptyState icon={icon} text={text} actions={button} />
  }
  return <NeedsSchema icon={icon} what="An index" designer={paths.schema(graph)} />
}

/** A restart begins the count anew, so the page says where it begins. */
function sinceText(since: number | undefined, zone: Preferences['timeZone']): string | undefined {
  return since === undefined
    ? undefined
    : `Counted since the server started, ${formatDateTime(since, zone)}`
}

interface DropIndexDialogProps {
  readonly graph: string
  /** Null: closed. */
  readonly row: IndexRow | null
  /** Undefined: not read. */
  readonly use: IndexUsage | undefined
  readonly onClose: () => void
}

function DropIndexDialog({ graph, row, use, onClose }: DropIndexDialogProps) {
  const queries = use?.queries ?? []
  const drop = useDropIndex(graph)
  const restore = useCreateIndex(graph)
  const confirm = (dropped: IndexRow) =>
    drop.mutate(dropped, {
      onSuccess: () => {
        onClose()
        notify(`Dropped index ${dropped.name}`, {
          action: { label: 'Undo', run: () => restore.mutate(dropped) },
        })
      },
    })
  return (
    <ConfirmDialog
      opened={row !== null}
      title={`Drop index ${row?.name ?? ''}?`}
      confirmLabel={`Drop index ${row?.name ?? ''}`}
      danger
      busy={drop.isPending}
      error={drop.error}
      onConfirm={() => row !== null && confirm(row)}
      onClose={onClose}
    >
      <p>
        Filters on {row?.vertexType}.{row?.attribute} will read every vertex of the type. No data is
        lost, and the index can be built again.
      </p>
      {use?.lastUsedAt != null && (
        <p>
          Since the server started {counted(use.uses, 'read or run', 'reads and runs')} went by it,
          the last {formatAge(Date.now() - use.lastUsedAt)}.
        </p>
      )}
      {queries.length > 0 && (
        <p className={classes['queries']}>
          {queries.length === 1 ? 'One query begins' : `${queries.length} queries begin`} with it
          and will scan instead: <QueryLinks graph={graph} names={queries} />.
        </p>
      )}
    </ConfirmDialog>
  )
}

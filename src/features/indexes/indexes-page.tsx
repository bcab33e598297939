/** The secondary indexes of a graph: what there is, one more, one less. */
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ListTree, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { formatCount } from '#lib/format.ts'
import { useCommand } from '#ui/commands.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { Page, Section } from '#ui/page.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/states.tsx'
import { notify } from '#ui/toasts.tsx'
import { TypeTag } from '#ui/type-tag.tsx'
import { indexesQuery, useCreateIndex, useDropIndex, vertexCountsQuery } from './api/indexes.ts'
import { CreateIndexDialog } from './components/create-index-dialog.tsx'
import { LookupFigures } from './components/lookup-figures.tsx'
import { type IndexRow, indexRows } from './model/indexes.ts'

export function IndexesPage({ graph }: { readonly graph: string }) {
  const indexes = useQuery(indexesQuery(graph))
  const schema = useQuery(graphSchemaQuery(graph))
  const [creating, setCreating] = useState(false)
  const [dropping, setDropping] = useState<IndexRow | null>(null)
  const rows = useMemo(
    () => indexRows(indexes.data ?? [], schema.data),
    [indexes.data, schema.data],
  )
  const counts = useQuery(vertexCountsQuery(graph))
  const columns = useMemo(() => columnsOf(setDropping, counts.data), [counts.data])
  const create = () => setCreating(true)
  useCommand({ id: 'indexes.create', group: 'Indexes', label: 'New index', keys: 'n', run: create })

  const button = (
    <Button leftSection={<Plus size={14} aria-hidden="true" />} onClick={create}>
      New index
    </Button>
  )
  return (
    <Page title="Indexes" status={graph} actions={rows.length === 0 ? undefined : button}>
      {indexes.isPending && <Loading what="indexes" />}
      {indexes.isError && (
        <ErrorNotice
          error={indexes.error}
          title="The indexes could not be read"
          onRetry={indexes.refetch}
        />
      )}
      {indexes.data !== undefined && rows.length === 0 && (
        <EmptyState
          icon={<ListTree size={28} />}
          text="A secondary index lets filters on an attribute find vertices without reading all."
          actions={button}
        />
      )}
      {rows.length > 0 && (
        <Section title="Secondary indexes" layout="flush">
          <DataTable
            label={`Indexes of ${graph}`}
            rows={rows}
            columns={columns}
            rowKey={({ vertexType, name }) => `${vertexType} ${name}`}
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
      <DropIndexDialog graph={graph} row={dropping} onClose={() => setDropping(null)} />
    </Page>
  )
}

interface DropIndexDialogProps {
  readonly graph: string
  /** Null: closed. */
  readonly row: IndexRow | null
  readonly onClose: () => void
}

function DropIndexDialog({ graph, row, onClose }: DropIndexDialogProps) {
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
    </ConfirmDialog>
  )
}

function columnsOf(
  onDrop: (row: IndexRow) => void,
  counts: ReadonlyMap<string, number> | undefined,
): readonly Column<IndexRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: (row) => <code>{row.name}</code>,
      sortValue: (row) => row.name,
    },
    {
      id: 'vertex',
      header: 'Vertex type',
      cell: (row) => <TypeTag name={row.vertexType} />,
      sortValue: (row) => row.vertexType,
    },
    {
      id: 'attribute',
      header: 'Attribute',
      cell: (row) => row.attribute,
      sortValue: (row) => row.attribute,
    },
    {
      id: 'type',
      header: 'Type',
      cell: (row) => <code>{row.attributeType}</code>,
      sortValue: (row) => row.attributeType,
    },
    {
      id: 'vertices',
      header: 'Vertices',
      align: 'end',
      width: '110px',
      cell: ({ vertexType }) => countText(counts?.get(vertexType)),
      sortValue: ({ vertexType }) => counts?.get(vertexType),
    },
    {
      id: 'drop',
      header: 'Drop',
      hideHeader: true,
      align: 'end',
      width: '56px',
      cell: (row) => (
        <Tooltip label={`Drop ${row.name}`}>
          <ActionIcon aria-label={`Drop index ${row.name}`} onClick={() => onDrop(row)}>
            <Trash2 size={14} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ]
}

function countText(count: number | undefined): string {
  return count === undefined ? '' : formatCount(count)
}

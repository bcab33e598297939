/** Attributes that reads and queries filter by without an index: each is a click from having one. */
import { Button } from '@mantine/core'
import { useRefusal } from '#api/rights.ts'
import { createIndexes } from '#contract/indexes.ts'
import { counted, formatAge, formatCount } from '#lib/format.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { useCreateIndex, useDropIndex } from '../api/indexes.ts'
import type { MissedAttribute } from '../model/index-marks.ts'
import classes from './indexes.module.css'

interface WouldHelpProps {
  readonly graph: string
  readonly missed: readonly MissedAttribute[]
  readonly hint: string | undefined
}

export function WouldHelp({ graph, missed, hint }: WouldHelpProps) {
  const create = useCreateIndex(graph)
  const drop = useDropIndex(graph)
  const refusal = useRefusal(createIndexes, graph)
  if (missed.length === 0 && !create.isError) return null
  const build = (row: MissedAttribute) => {
    const { indexName: name, vertex: vertexType, attribute, attributeType } = row
    const index = { name, vertexType, attribute, attributeType }
    create.mutate(index, {
      onSuccess: () =>
        notify(`Index ${name} on ${vertexType}.${attribute} is there`, {
          action: { label: 'Undo', run: () => drop.mutate(index) },
        }),
    })
  }
  const busy = create.isPending ? create.variables.name : null
  return (
    <Section title="An index would help" hint={hint} layout="flush">
      {create.isError && <ErrorNotice error={create.error} title="The index was not created" />}
      <DataTable
        label={`Attributes of ${graph} without an index`}
        rows={missed}
        columns={[...columns, createColumn({ busy, refusal, onCreate: build })]}
        rowKey={({ vertex, attribute }) => `${vertex} ${attribute}`}
      />
    </Section>
  )
}

const columns: readonly Column<MissedAttribute>[] = [
  {
    id: 'vertex',
    header: 'Vertex type',
    fold: 'narrow',
    cell: ({ vertex }) => (
      <span className={classes['name']} title={vertex}>
        <TypeTag name={vertex} />
      </span>
    ),
    sortValue: (row) => row.vertex,
  },
  {
    id: 'attribute',
    header: 'Filtered by',
    lead: true,
    cell: ({ attribute, attributeType }) => (
      <span className={classes['name']} title={attribute}>
        {attribute} <code>{attributeType}</code>
      </span>
    ),
    sortValue: (row) => row.attribute,
  },
  {
    id: 'scans',
    header: 'Scans',
    fold: 'narrow',
    align: 'end',
    cell: ({ scans }) => (
      <span title="Filtered reads and runs of queries that looked at every vertex of the type">
        {formatCount(scans)}
      </span>
    ),
    sortValue: (row) => row.scans,
  },
  {
    id: 'last',
    header: 'Last scan',
    fold: 'narrow',
    cell: ({ lastScannedAt }) => formatAge(Date.now() - lastScannedAt),
    sortValue: (row) => row.lastScannedAt,
  },
  {
    id: 'cost',
    header: 'Building costs',
    fold: 'narrow',
    cell: (row) => costText(row),
    sortValue: (row) => row.vertexCount,
  },
]

interface CreateColumn {
  /** Name of the index that is being created. */
  readonly busy: string | null
  readonly refusal: string | null
  readonly onCreate: (row: MissedAttribute) => void
}

function createColumn({ busy, refusal, onCreate }: CreateColumn): Column<MissedAttribute> {
  return {
    id: 'create',
    header: 'Create',
    hideHeader: true,
    align: 'end',
    cell: (row) => (
      <Refusable refusal={refusal}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Create index ${row.indexName}`}
          loading={busy === row.indexName}
          disabled={busy !== null}
          onClick={() => onCreate(row)}
        >
          Create index
        </Button>
      </Refusable>
    ),
  }
}

function costText({ vertexCount, isSmall }: MissedAttribute): string {
  if (vertexCount === undefined) return ''
  const cost = `reads ${counted(vertexCount, 'vertex', 'vertices')} once`
  return isSmall ? `${cost}; so few are scanned as fast` : cost
}

/** What is in the graph, counted live. */
import { useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { counted, formatAge, formatCount } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { Spark } from '#ui/chart/spark.tsx'
import { NeedsSchema } from '#ui/feedback/needs-schema.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { countsQuery } from '../api/home.ts'
import {
  type Observations,
  observe,
  type TypeRow,
  totalCount,
  typeRows,
} from '../model/type-rows.ts'
import classes from './type-table.module.css'

const columnsOf = (graph: string): readonly Column<TypeRow>[] => [
  {
    id: 'name',
    header: 'Type',
    lead: true,
    cell: (row) => (
      <Link className={classes.link} to={paths.schema(graph, { type: row.name })} title={row.name}>
        <TypeTag name={row.name} kind={row.kind} />
      </Link>
    ),
    sortValue: (row) => row.name,
  },
  {
    id: 'kind',
    header: 'Kind',
    fold: 'narrow',
    cell: (row) => row.kind,
    sortValue: (row) => row.kind,
  },
  {
    id: 'count',
    header: 'Count',
    align: 'end',
    cell: (row) => formatCount(row.count),
    sortValue: (row) => row.count,
  },
  {
    id: 'change',
    header: 'Last 60 s',
    fold: 'narrow',
    align: 'end',
    cell: (row) => <span className={classes.change}>{changeText(row.change)}</span>,
    sortValue: (row) => row.change,
  },
  {
    id: 'attributes',
    header: 'Attributes',
    fold: 'narrow',
    align: 'end',
    cell: ({ attributes }) => <Names names={attributes} />,
    sortValue: ({ attributes }) => attributes?.length,
  },
  {
    id: 'indexes',
    header: 'Indexes',
    fold: 'narrow',
    align: 'end',
    cell: ({ indexed, name }) =>
      indexed === undefined ? null : indexed.length === 0 ? (
        <Names names={indexed} />
      ) : (
        <Link
          to={paths.indexes(graph)}
          aria-label={`${counted(indexed.length, 'index', 'indexes')} of ${name}`}
        >
          <Names names={indexed} />
        </Link>
      ),
    sortValue: ({ indexed }) => indexed?.length,
  },
  {
    id: 'explore',
    header: 'Explorer',
    hideHeader: true,
    align: 'end',
    cell: ({ kind, name }) =>
      kind === 'vertex' && (
        <Link to={paths.explorer(graph, { find: name })} aria-label={`Explore ${name}`}>
          Explore
        </Link>
      ),
  },
  {
    id: 'trend',
    header: 'Trend',
    width: '140px',
    cell: (row) => (
      <div className={classes.trend}>
        <Spark values={row.trend} scale="range" label={`Count of ${row.name}, last minute`} />
      </div>
    ),
  },
]

/** How many there are; which, where the pointer rests. */
function Names({ names }: { readonly names: readonly string[] | undefined }) {
  return (
    <span title={names?.join(', ')}>{names === undefined ? '' : formatCount(names.length)}</span>
  )
}

export function TypeTable({ graph }: { readonly graph: string }) {
  const counts = useQuery(countsQuery(graph))
  const [past, setPast] = useState<Observations>([])
  const { data, dataUpdatedAt } = counts
  useEffect(() => {
    if (data !== undefined) setPast((seen) => observe(seen, data, dataUpdatedAt))
  }, [data, dataUpdatedAt])
  const columns = useMemo(() => columnsOf(graph), [graph])
  const schema = useQuery(graphSchemaQuery(graph))
  const rows = data === undefined ? [] : typeRows(data, past, schema.data)

  return (
    <Section
      title="Types"
      layout="flush"
      hint={
        data !== undefined &&
        `${counted(totalCount(rows, 'vertex'), 'vertex', 'vertices')}, ${counted(totalCount(rows, 'edge'), 'edge', 'edges')}`
      }
    >
      {counts.isPending && <Loading what="counts" />}
      {counts.isError && (
        <ErrorNotice
          title={
            data === undefined
              ? 'The counts could not be read'
              : `The counts below are from ${formatAge(Date.now() - dataUpdatedAt)}`
          }
          error={counts.error}
          onRetry={counts.refetch}
        />
      )}
      {rows.length > 0 && (
        <div className={classes.table}>
          <DataTable
            id="home.types"
            label={`Types of ${graph}`}
            rows={rows}
            columns={columns}
            rowKey={(row) => `${row.kind} ${row.name}`}
          />
        </div>
      )}
      {rows.length === 0 && data !== undefined && (
        <NeedsSchema icon={<Shapes size={28} />} what="Data" designer={paths.schema(graph)} />
      )}
    </Section>
  )
}

const changeText = (change: number): string =>
  change === 0 ? '0' : `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`

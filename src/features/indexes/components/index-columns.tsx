/** The columns of the index table: what each covers, and what it is good for. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { Timer, Trash2 } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPercent,
} from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import type { Preferences } from '#lib/storage/preferences.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import type { GraphIndexUsage, IndexFacts, IndexUsage } from '../api/indexes.ts'
import { unusedMs } from '../model/index-marks.ts'
import { type IndexRow, rowKey } from '../model/indexes.ts'
import classes from './indexes.module.css'

interface IndexColumns {
  readonly graph: string
  /** Live vertices per type; absent until they are read, as is the usage. */
  readonly counts: ReadonlyMap<string, number> | undefined
  readonly usage: GraphIndexUsage | undefined
  readonly facts: ReadonlyMap<string, IndexFacts> | undefined
  readonly timeZone: Preferences['timeZone']
  /** Why none may be dropped. */
  readonly refusal: string | null
  readonly onBenchmark: (row: IndexRow) => void
  readonly onDrop: (row: IndexRow) => void
}

export function indexColumns(parts: IndexColumns): readonly Column<IndexRow>[] {
  return [...placeColumns, ...factColumns(parts), ...usageColumns(parts), actions(parts)]
}

const placeColumns: readonly Column<IndexRow>[] = [
  {
    id: 'name',
    header: 'Name',
    lead: true,
    cell: ({ name }) => (
      <code className={classes['name']} title={name}>
        {name}
      </code>
    ),
    sortValue: (row) => row.name,
  },
  {
    id: 'vertex',
    header: 'Vertex type',
    fold: 'narrow',
    cell: ({ vertexType }) => (
      <span className={classes['name']} title={vertexType}>
        <TypeTag name={vertexType} />
      </span>
    ),
    sortValue: (row) => row.vertexType,
  },
  {
    id: 'attribute',
    header: 'Attribute',
    fold: 'narrow',
    cell: ({ attribute, attributeType }) => (
      <span className={classes['name']} title={attribute}>
        {attribute} <code>{attributeType}</code>
      </span>
    ),
    sortValue: (row) => row.attribute,
  },
]

function factColumns({ counts, facts, timeZone }: IndexColumns): readonly Column<IndexRow>[] {
  const of = (row: IndexRow) => facts?.get(rowKey(row))
  return [
    {
      id: 'values',
      header: 'Values',
      fold: 'narrow',
      align: 'end',
      cell: (row) => (
        <span title="Different values among the vertices it covers">
          {valuesText(of(row), counts?.get(row.vertexType))}
        </span>
      ),
      sortValue: (row) => of(row)?.distinctValues ?? undefined,
    },
    {
      id: 'size',
      header: 'Memory',
      fold: 'medium',
      align: 'end',
      cell: (row) => {
        const size = of(row)?.sizeBytes
        return size === undefined ? '' : formatBytes(size)
      },
      sortValue: (row) => of(row)?.sizeBytes,
    },
    {
      id: 'created',
      header: 'Created',
      fold: 'medium',
      cell: (row) => {
        const createdAt = of(row)?.createdAt
        if (createdAt == null) return ''
        const time = formatDateTime(createdAt, timeZone)
        return <span title={time}>{time.split(' ')[0]}</span>
      },
      sortValue: (row) => of(row)?.createdAt ?? undefined,
    },
  ]
}

function usageColumns({ graph, usage, facts }: IndexColumns): readonly Column<IndexRow>[] {
  const of = (row: IndexRow) => usage?.ofIndex.get(rowKey(row))
  return [
    {
      id: 'hits',
      header: 'Hits',
      fold: 'narrow',
      align: 'end',
      cell: (row) => (
        <span title="Filtered reads and runs of queries since the server started">
          {countText(of(row)?.uses)}
        </span>
      ),
      sortValue: (row) => of(row)?.uses,
    },
    {
      id: 'last',
      header: 'Last used',
      fold: 'narrow',
      cell: (row) => <LastUse use={of(row)} since={usage?.since} facts={facts?.get(rowKey(row))} />,
      sortValue: (row) => of(row)?.lastUsedAt,
    },
    {
      id: 'queries',
      header: 'Used by',
      fold: 'medium',
      cell: (row) => {
        const names = of(row)?.queries ?? []
        return names.length > 0 && <QueryLinks graph={graph} names={names} />
      },
      sortValue: (row) => of(row)?.queries?.length,
    },
  ]
}

function actions({ refusal, onBenchmark, onDrop }: IndexColumns): Column<IndexRow> {
  return {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    align: 'end',
    width: '76px',
    cell: (row) => (
      <span className={classes['buttons']}>
        <Tooltip label={`Benchmark ${row.name}`}>
          <ActionIcon aria-label={`Benchmark index ${row.name}`} onClick={() => onBenchmark(row)}>
            <Timer size={14} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
        <Refusable refusal={refusal} label={`Drop ${row.name}`}>
          <ActionIcon aria-label={`Drop index ${row.name}`} onClick={() => onDrop(row)}>
            <Trash2 size={14} aria-hidden="true" />
          </ActionIcon>
        </Refusable>
      </span>
    ),
  }
}

const NAMED_MAX = 3

interface QueryLinksProps {
  readonly graph: string
  readonly names: readonly string[]
}

/** The first few by name. */
export function QueryLinks({ graph, names }: QueryLinksProps) {
  const others = names.slice(NAMED_MAX)
  return (
    <>
      {names.slice(0, NAMED_MAX).map((name, place) => (
        <Fragment key={name}>
          {place > 0 && ', '}
          <Link to={paths.queries(graph, { query: name })}>{name}</Link>
        </Fragment>
      ))}
      {others.length > 0 && (
        <span title={others.join(', ')}> and {formatCount(others.length)} more</span>
      )}
    </>
  )
}

function valuesText(facts: IndexFacts | undefined, vertices: number | undefined): string {
  if (facts?.state === 'building') return `being built, ${formatPercent(facts.builtShare)}`
  if (facts?.state === 'unbuilt') return 'not built'
  return facts == null ? '' : `${countText(facts.distinctValues ?? 0)} of ${countText(vertices)}`
}

interface LastUseProps {
  readonly use: IndexUsage | undefined
  readonly since: number | undefined
  readonly facts: IndexFacts | undefined
}

/** The mark says for how long nobody needed the index: that is the whole of its evidence. */
function LastUse({ use, since, facts }: LastUseProps) {
  if (use === undefined || since === undefined) return null
  if (use.lastUsedAt !== null) return formatAge(Date.now() - use.lastUsedAt)
  const idleMs = unusedMs({ since, createdAt: facts?.createdAt ?? null, now: Date.now() })
  if (idleMs === null) return 'never yet'
  return (
    <span title="No filtered read and no run of a query went by it in this time">
      <StatusBadge status="warning" look="plain">
        unused for {formatDuration(idleMs)}
      </StatusBadge>
    </span>
  )
}

const countText = (count: number | undefined): string =>
  count === undefined ? '' : formatCount(count)

/** The draft as a table: the same types, the same selection, the same inspector beside it. */
import type { SchemaModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { typeState } from '../model/schema-diff.ts'
import { Renamed } from './renamed.tsx'
import classes from './schema.module.css'

interface Row {
  readonly type: TypeModel
  readonly state: 'new' | 'changed' | 'same'
}

interface SchemaTableProps {
  readonly graph: string
  readonly live: SchemaModel
  readonly schema: SchemaModel
  readonly selected: string | null
  readonly onSelect: (name: string) => void
}

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Type',
    lead: true,
    cell: ({ type }) => (
      <span className={classes['nameClip']} title={type.name}>
        <Renamed type={type} />
        <TypeTag name={type.name} kind={type.kind} />
      </span>
    ),
    sortValue: ({ type }) => type.name,
  },
  {
    id: 'kind',
    header: 'Kind',
    fold: 'narrow',
    width: '90px',
    cell: ({ type }) => type.kind,
    sortValue: ({ type }) => type.kind,
  },
  {
    id: 'shape',
    header: 'Id or ends',
    fold: 'narrow',
    cell: ({ type }) => <Clipped text={shapeText(type)} />,
  },
  {
    id: 'attributes',
    header: 'Attributes',
    fold: 'narrow',
    cell: ({ type }) => type.attributes.length > 0 && <Clipped text={attributesText(type)} />,
    sortValue: ({ type }) => type.attributes.length,
  },
  {
    id: 'state',
    header: 'State',
    width: '110px',
    cell: ({ state }) => <StateBadge state={state} />,
    sortValue: ({ state }) => state,
  },
]

/** There only where something is said: without it the others have room. */
const description: Column<Row> = {
  id: 'description',
  header: 'Description',
  cell: ({ type }) => <Clipped text={type.description ?? ''} />,
  sortValue: ({ type }) => type.description ?? '',
}

export function SchemaTable({ graph, live, schema, selected, onSelect }: SchemaTableProps) {
  const rows = [...schema.vertices, ...schema.edges].map((type) => ({
    type,
    state: typeState(live, schema, type),
  }))
  const isDescribed = rows.some(({ type }) => type.description !== undefined)
  return (
    <DataTable
      id="schema.types"
      label={`Types of ${graph}`}
      rows={rows}
      columns={isDescribed ? [...columns, description] : columns}
      rowKey={({ type }) => type.name}
      selectedKey={selected ?? undefined}
      onSelect={({ type }) => onSelect(type.name)}
      maxHeight="fill"
      emptyText="No types yet."
    />
  )
}

function Clipped({ text }: { readonly text: string }) {
  return (
    <span className={classes['clip']} title={text}>
      {text}
    </span>
  )
}

function StateBadge({ state }: { readonly state: Row['state'] }) {
  if (state === 'same') return 'published'
  return (
    <StatusBadge look="plain" status={state === 'new' ? 'success' : 'warning'}>
      {state}
    </StatusBadge>
  )
}

function shapeText(type: TypeModel): string {
  if (type.kind === 'vertex') return `${type.primaryId.names.join(', ')} ${type.primaryId.type}`
  const arrow = type.directed ? '→' : '—'
  return type.pairs.map(({ from, to }) => `${from} ${arrow} ${to}`).join(', ')
}

function attributesText(type: TypeModel): string {
  return type.attributes.map(({ name, type: kind }) => `${name} ${kind}`).join(', ')
}

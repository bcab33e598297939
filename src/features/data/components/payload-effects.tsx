/** Which elements of a payload are there already, so what writing it would do. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatCount } from '#lib/format.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { type Status, StatusBadge } from '#ui/feedback/status-badge.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { existingQuery } from '../api/existing.ts'
import {
  type Effect,
  effectsOf,
  elementsOf,
  type PayloadElement,
  PREVIEW_ELEMENTS_MAX,
} from '../model/payload-effects.ts'
import type { UpsertOptions } from '../model/upsert-options.ts'
import classes from './data.module.css'

const LOOK_DELAY_MS = 400

interface PayloadEffectsProps {
  readonly graph: string
  readonly schema: SchemaModel
  readonly payload: unknown
  readonly options: UpsertOptions
  /** It was just written, so this is about the next time. */
  readonly isWritten: boolean
}

interface Row extends PayloadElement {
  readonly effect: Effect
}

export function PayloadEffects(props: PayloadEffectsProps) {
  const { graph, schema, payload, options, isWritten } = props
  const [settled] = useDebouncedValue(payload, LOOK_DELAY_MS)
  const elements = useMemo(() => elementsOf(schema, settled), [schema, settled])
  const existing = useQuery({ ...existingQuery(graph, elements), enabled: elements.length > 0 })
  const rows = useMemo((): readonly Row[] => {
    if (existing.data === undefined) return []
    const effects = effectsOf(elements, existing.data, options)
    return elements.map((element, at) => ({ ...element, effect: effects[at] ?? 'insert' }))
  }, [elements, existing.data, options])
  if (existing.isError) {
    return (
      <ErrorNotice
        title="What exists already could not be read"
        error={existing.error}
        onRetry={existing.refetch}
      />
    )
  }
  if (settled !== payload || rows.length === 0) return null
  const count = (effect: Effect) => rows.filter((row) => row.effect === effect).length
  const told = (['insert', 'update', 'skip'] as const)
    .filter((effect) => count(effect) > 0)
    .map((effect) => `${formatCount(count(effect))} to ${effect}`)
  return (
    <>
      <p role="status">
        {isWritten && 'Written again: '}
        {rows.length === PREVIEW_ELEMENTS_MAX && `Of the first ${formatCount(rows.length)}: `}
        {told.join(', ')}.
      </p>
      <DataTable
        label="What writing does"
        rows={rows}
        columns={columns}
        rowKey={({ key }) => key}
        maxHeight="240px"
      />
    </>
  )
}

const looks: Readonly<Record<Effect, Status>> = {
  insert: 'success',
  update: 'info',
  skip: 'warning',
}

const columns: readonly Column<Row>[] = [
  {
    id: 'effect',
    header: 'Effect',
    width: '92px',
    cell: ({ effect }) => <StatusBadge status={looks[effect]}>{effect}</StatusBadge>,
    sortValue: ({ effect }) => effect,
  },
  { id: 'type', header: 'Type', cell: ({ type }) => type, sortValue: ({ type }) => type },
  {
    id: 'id',
    header: 'Id',
    cell: ({ ends }) => (
      <span className={classes['ends']}>{ends.map(({ id }) => id).join(' – ')}</span>
    ),
  },
]

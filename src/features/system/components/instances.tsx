/** The servers over one store: who writes, how far the others are, and where a write lies. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Instance, type Instances, instancesQuery } from '#api/instances.ts'
import { useRefusal } from '#api/rights.ts'
import { handOver } from '#contract/instances.ts'
import { formatAge, formatBytes, formatCount, formatDuration } from '#lib/format.ts'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { type Status, StatusBadge } from '#ui/feedback/status-badge.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { useHandOver } from '../api/instances.ts'
import { handOverProblem, type InstanceState, noticesOf, stateOf } from '../model/instances.ts'
import classes from './instances.module.css'

export function InstancesTab() {
  const { data, isPending, error, refetch } = useQuery(instancesQuery)
  return (
    <>
      {error !== null && (
        <ErrorNotice title="The instances could not be read" error={error} onRetry={refetch} />
      )}
      {isPending && (
        <Section title="Instances">
          <Loading what="instances" rows={3} />
        </Section>
      )}
      {data?.role === 'alone' && (
        <Section title="Instances">
          <EmptyState
            text="This server has a store of its own."
            hint="Servers that share one store follow each other: another one takes over when the writer stops."
          />
        </Section>
      )}
      {data !== undefined && data.role !== 'alone' && <Overview view={data} />}
    </>
  )
}

function Overview({ view }: { readonly view: Instances }) {
  const notices = noticesOf(view)
  return (
    <>
      <FigureRow>
        <FigureTile label="This instance" value={view.self ?? view.role} context={view.role} />
        <FigureTile
          label="Writer"
          value={view.writer ?? 'none'}
          context={`epoch ${formatCount(view.epoch)}`}
        />
        <FigureTile
          label="Position"
          value={formatCount(view.position)}
          context={`at most ${formatDuration(view.stalenessMs)} old`}
        />
        <FigureTile
          label="Copies of a write"
          value={view.durableCopies === null ? 'not known' : formatCount(view.durableCopies)}
          context={view.durableCopies === 1 ? 'on one machine' : 'each on another machine'}
        />
      </FigureRow>
      {notices.length > 0 && (
        <ul className={classes.notices} aria-label="What to know">
          {notices.map(({ status, text }) => (
            <li key={text}>
              <StatusBadge look="plain" status={status}>
                {text}
              </StatusBadge>
            </li>
          ))}
        </ul>
      )}
      <Section title="Instances" layout="flush" actions={<HandOver view={view} />}>
        <DataTable
          label="Instances"
          rows={view.instances}
          columns={columns}
          rowKey={({ name }) => name}
        />
      </Section>
    </>
  )
}

function HandOver({ view }: { readonly view: Instances }) {
  const [asked, setAsked] = useState(false)
  const resigning = useHandOver()
  const refusal = useRefusal(handOver, '') ?? handOverProblem(view)
  const writer = view.writer === null ? 'The writer' : `Instance ${view.writer}`
  return (
    <>
      <Refusable refusal={refusal}>
        <Button variant="default" loading={resigning.isPending} onClick={() => setAsked(true)}>
          Hand over
        </Button>
      </Refusable>
      <ConfirmDialog
        opened={asked}
        title="Hand over the writing?"
        confirmLabel="Hand over"
        busy={resigning.isPending}
        error={resigning.error}
        onConfirm={() =>
          resigning.mutate(undefined, {
            onSuccess: () => {
              setAsked(false)
              notify(`${writer} has resigned. Another instance takes over.`)
            },
          })
        }
        onClose={() => setAsked(false)}
      >
        <p>
          {writer} ends the writes that are under way and resigns, and another instance takes over.
          Writes wait meanwhile, mostly for less than two seconds. Reads go on.
        </p>
      </ConfirmDialog>
    </>
  )
}

const looks: Readonly<Record<InstanceState, Status>> = {
  writer: 'success',
  follower: 'info',
  silent: 'warning',
}

const columns: readonly Column<Instance>[] = [
  {
    id: 'name',
    header: 'Name',
    lead: true,
    cell: ({ name, self, url }) => (
      <span title={url}>
        {name}
        {self && <span className={classes.self}> this one</span>}
      </span>
    ),
    sortValue: ({ name }) => name,
  },
  {
    id: 'role',
    header: 'Role',
    cell: (row) => (
      <StatusBadge look="plain" status={looks[stateOf(row)]}>
        {stateOf(row) === 'silent' ? `${row.role}, silent` : row.role}
      </StatusBadge>
    ),
    sortValue: stateOf,
  },
  {
    id: 'version',
    header: 'Version',
    fold: 'medium',
    cell: ({ version }) => version,
    sortValue: ({ version }) => version,
  },
  {
    id: 'position',
    header: 'Position',
    align: 'end',
    fold: 'narrow',
    cell: ({ position }) => formatCount(position),
    sortValue: ({ position }) => position,
  },
  {
    id: 'lag',
    header: 'Lag',
    align: 'end',
    fold: 'narrow',
    cell: ({ lag }) => formatCount(lag),
    sortValue: ({ lag }) => lag,
  },
  {
    id: 'memory',
    header: 'Memory limit',
    align: 'end',
    fold: 'medium',
    cell: ({ memoryLimitBytes }) => formatBytes(memoryLimitBytes),
    sortValue: ({ memoryLimitBytes }) => memoryLimitBytes,
  },
  {
    id: 'beat',
    header: 'Last beat',
    align: 'end',
    fold: 'narrow',
    cell: ({ silentMs, self }) => beatText(silentMs, self),
    sortValue: ({ silentMs }) => silentMs,
  },
]

function beatText(silentMs: number | null, isSelf: boolean): string {
  if (silentMs === null) return isSelf ? 'now' : 'not seen'
  return silentMs < 1_000 ? 'now' : formatAge(silentMs)
}

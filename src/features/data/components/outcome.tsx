/** What the server says became of an upsert. */
import { useEffect, useMemo, useRef } from 'react'
import { counted, formatCount, formatDuration } from '#lib/format.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import type { UpsertCounts, UpsertOutcome } from '../api/upsert.ts'
import { writtenNames } from '../model/payload-effects.ts'
import { CreatedEndpoints } from './created-endpoints.tsx'
import classes from './data.module.css'
import { ExploreWritten } from './explore-written.tsx'

const LISTED_MAX = 100

interface OutcomeProps {
  readonly graph: string
  readonly outcome: UpsertOutcome
  /** What was sent. */
  readonly payload: string
}

interface WriteResultProps {
  readonly graph: string
  readonly send: {
    readonly error: Error | null
    readonly data: UpsertOutcome | undefined
    readonly variables: { readonly payload: string } | undefined
  }
}

/** Brought into view: on a phone it stands below everything that was filled in. */
export function WriteResult({ graph, send: { error, data, variables } }: WriteResultProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null || data !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [error, data])
  if (error === null && data === undefined) return null
  return (
    <div ref={place}>
      {error !== null && <ErrorNotice error={error} title="Nothing was written" />}
      {data !== undefined && (
        <Outcome graph={graph} outcome={data} payload={variables?.payload ?? ''} />
      )}
    </div>
  )
}

function Outcome({ graph, outcome, payload }: OutcomeProps) {
  const { counts, createdEndpoints, durationMs } = outcome
  const names = useMemo(() => writtenNames(payload), [payload])
  const skipped = (counts.skipped_vertices ?? 0) + (counts.skipped_edges ?? 0)
  return (
    <section className={classes['outcome']} aria-label="Result" role="status">
      <p className={classes['counts']}>
        <StatusBadge status={skipped > 0 ? 'warning' : 'success'}>Written</StatusBadge>
        <span>
          {counted(counts.accepted_vertices, 'vertex', 'vertices')} and{' '}
          {counted(counts.accepted_edges, 'edge', 'edges')} accepted in {formatDuration(durationMs)}
        </span>
        <CreatedEndpoints count={createdEndpoints} />
        {skipped > 0 && <span>{formatCount(skipped)} skipped</span>}
      </p>
      <ExploreWritten graph={graph} names={names} />
      <SkippedList title="Vertices that exist already" vertices={counts.vertices_already_exist} />
      <SkippedList title="Vertices that do not exist" vertices={counts.vertices_not_exist} />
      <SkippedList title="Missing endpoints of edges" vertices={counts.edge_vertices_not_exist} />
    </section>
  )
}

interface SkippedListProps {
  readonly title: string
  readonly vertices: UpsertCounts['vertices_not_exist']
}

function SkippedList({ title, vertices = [] }: SkippedListProps) {
  if (vertices.length === 0) return null
  return (
    <div>
      <h3 className={classes['subtitle']}>
        {title} ({formatCount(vertices.length)})
      </h3>
      <ul className={classes['ids']}>
        {vertices.slice(0, LISTED_MAX).map(({ v_type, v_id }) => (
          <li key={`${v_type} ${v_id}`}>
            <code>
              {v_type} {v_id}
            </code>
          </li>
        ))}
      </ul>
      {vertices.length > LISTED_MAX && (
        <p className={classes['hint']}>
          The first {LISTED_MAX} of {formatCount(vertices.length)}.
        </p>
      )}
    </div>
  )
}

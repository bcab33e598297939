/** Counts before edges: what hangs on a vertex, by kind, and the ways to bring it in. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check, List, Shuffle } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { counted, formatCount } from '#lib/format.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { degreesQuery } from '../api/explorer.ts'
import { EXPAND_ALL_MAX, type PageSize, totalDegree } from '../model/expansion.ts'
import { drawnKinds } from '../model/remainders.ts'
import { type DegreeRow, type ListedKind, remainderKey, type SceneVertex } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './inspector.module.css'
import { KindName, kindWords } from './kind-name.tsx'

interface NeighboursProps {
  readonly graph: string
  readonly vertex: SceneVertex
  readonly explorer: Explorer
  readonly pageSize: PageSize
  readonly onList: (kind: ListedKind) => void
}

export function Neighbours({ graph, vertex, explorer, pageSize, onList }: NeighboursProps) {
  const degrees = useQuery(degreesQuery(graph, vertex.key))
  const { noteDegree, scene } = explorer
  const drawn = useMemo(() => drawnKinds(scene, vertex.key), [scene, vertex.key])
  useEffect(() => {
    if (degrees.data !== undefined) noteDegree(vertex.key, degrees.data)
  }, [degrees.data, vertex.key, noteDegree])

  if (degrees.isPending) return <Loading what="neighbour counts" rows={3} />
  if (degrees.isError) {
    return (
      <ErrorNotice
        title="The counts could not be read"
        error={degrees.error}
        onRetry={degrees.refetch}
      />
    )
  }
  const rows = degrees.data
  if (rows.length === 0) return <p className={classes.note}>This vertex has no edges.</p>
  const total = totalDegree(rows)
  const shown = (row: DegreeRow) => drawn.get(remainderKey(vertex.key, row)) ?? 0
  const isDone = rows.every((row) => shown(row) >= row.count)
  return (
    <>
      <div className={classes.expandAll}>
        <span>{counted(total, 'edge', 'edges')}</span>
        <Button
          variant="default"
          disabled={explorer.busy || isDone}
          onClick={() => void explorer.expandAll(vertex.key, pageSize)}
        >
          {expandWords(total, rows.length, pageSize)}
        </Button>
      </div>
      <ul className={classes.kinds}>
        {rows.map((row) => (
          <Kind
            key={remainderKey(vertex.key, row)}
            {...{ row, vertex, explorer, pageSize, onList }}
            drawn={shown(row)}
          />
        ))}
      </ul>
    </>
  )
}

function expandWords(total: number, kinds: number, pageSize: PageSize): string {
  if (total <= EXPAND_ALL_MAX) return 'Expand all'
  return kinds === 1 ? `Expand ${pageSize}` : `Expand, ${pageSize} of each kind`
}

interface KindProps {
  readonly row: DegreeRow
  readonly vertex: SceneVertex
  readonly explorer: Explorer
  readonly pageSize: PageSize
  /** Edges of this kind on the canvas. */
  readonly drawn: number
  readonly onList: (kind: ListedKind) => void
}

function Kind({ row, vertex, explorer, pageSize, drawn, onList }: KindProps) {
  const count = formatCount(row.count)
  const name = kindWords(row)
  const many = row.count > EXPAND_ALL_MAX
  return (
    <li className={classes.kind}>
      <KindName row={row} />
      <span className={classes.kindCount}>
        {drawn === 0 ? count : `${formatCount(Math.min(drawn, row.count))} of ${count}`}
      </span>
      <span className={classes.kindActions}>
        {drawn >= row.count ? (
          <Check size={14} role="img" aria-label={`All ${name} are drawn`} />
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={explorer.busy}
            aria-label={many ? `Show ${pageSize} more of ${name}` : `Show all ${name}`}
            onClick={() => void explorer.expandRow(vertex.key, row, pageSize)}
          >
            {many ? `+${pageSize}` : 'Show'}
          </Button>
        )}
        {many && (
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={explorer.busy}
            aria-label={`Random sample of ${pageSize} of ${name}`}
            title={`Random sample of ${pageSize}`}
            onClick={() => void explorer.sampleRow(vertex.key, row, pageSize)}
          >
            <Shuffle size={12} aria-hidden="true" />
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`List ${name}`}
          title="List them, without drawing"
          onClick={() => onList({ vertex, row })}
        >
          <List size={12} aria-hidden="true" />
        </Button>
      </span>
    </li>
  )
}

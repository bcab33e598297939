/** Counts before edges: what hangs on a vertex, by kind, and the ways to bring it in. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Minus, Shuffle } from 'lucide-react'
import { useEffect } from 'react'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { degreesQuery } from '../api/explorer.ts'
import { EXPAND_ALL_MAX, type PageSize, totalDegree } from '../model/expansion.ts'
import { type DegreeRow, type Direction, remainderKey, type SceneVertex } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './inspector.module.css'

interface NeighboursProps {
  readonly graph: string
  readonly vertex: SceneVertex
  readonly explorer: Explorer
  readonly pageSize: PageSize
}

const arrows: Readonly<Record<Direction, { icon: typeof Minus; words: string }>> = {
  out: { icon: ArrowRight, words: 'to' },
  in: { icon: ArrowLeft, words: 'from' },
  undirected: { icon: Minus, words: 'with' },
}

export function Neighbours({ graph, vertex, explorer, pageSize }: NeighboursProps) {
  const degrees = useQuery(degreesQuery(graph, vertex.key))
  const { noteDegree } = explorer
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
  return (
    <>
      <div className={classes.expandAll}>
        <span>{total.toLocaleString('en')} edges</span>
        <Button
          variant="default"
          disabled={explorer.busy}
          onClick={() => void explorer.expandAll(vertex.key, pageSize)}
        >
          {total <= EXPAND_ALL_MAX ? 'Expand all' : `Expand, ${pageSize} of each kind`}
        </Button>
      </div>
      <ul className={classes.kinds}>
        {rows.map((row) => (
          <Kind key={remainderKey(vertex.key, row)} {...{ row, vertex, explorer, pageSize }} />
        ))}
      </ul>
    </>
  )
}

interface KindProps {
  readonly row: DegreeRow
  readonly vertex: SceneVertex
  readonly explorer: Explorer
  readonly pageSize: PageSize
}

function Kind({ row, vertex, explorer, pageSize }: KindProps) {
  const { icon: Arrow, words } = arrows[row.direction]
  const remainder = explorer.scene.remainders.get(remainderKey(vertex.key, row))
  const count = row.count.toLocaleString('en')
  const name = `${row.edgeType} ${words} ${row.targetType}`
  const many = row.count > EXPAND_ALL_MAX
  return (
    <li className={classes.kind}>
      <span className={classes.kindName}>
        <span>{row.edgeType}</span>
        <Arrow size={12} aria-label={words} />
        <span>{row.targetType}</span>
      </span>
      <span className={classes.kindCount}>
        {remainder === undefined ? count : `${remainder.shown.toLocaleString('en')} of ${count}`}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={explorer.busy}
        aria-label={many ? `Show ${pageSize} more of ${name}` : `Show all ${name}`}
        onClick={() => void explorer.expandRow(vertex.key, row, pageSize)}
      >
        {many ? `+${pageSize}` : 'Show'}
      </Button>
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
    </li>
  )
}

/** Takes all neighbours of a kind into a file without drawing one: with progress, and a way to stop. */
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { downloadBlob } from '#lib/download.ts'
import { formatCount } from '#lib/format.ts'
import { messageOf } from '#ui/feedback/states.tsx'
import { degreesQuery } from '../api/explorer.ts'
import { neighbourCsv } from '../api/neighbour-csv.ts'
import { type ListedKind, parseVertexKey, remainderKey } from '../model/scene.ts'
import classes from './neighbour-list.module.css'

interface KindCsvProps extends ListedKind {
  readonly graph: string
  /** Only edges that fit; empty: all. */
  readonly filter?: string
  readonly sort?: string
}

export function KindCsv({ graph, vertex, row, filter = '', sort = '' }: KindCsvProps) {
  const client = useQueryClient()
  const running = useRef<AbortController | null>(null)
  const [told, setTold] = useState('')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => () => running.current?.abort(), [])

  /** What the server counts now; a filter is not counted. */
  const countNow = async (): Promise<number> => {
    const rows = await client.fetchQuery({ ...degreesQuery(graph, vertex.key), staleTime: 0 })
    const key = remainderKey(vertex.key, row)
    return rows.find((other) => remainderKey(vertex.key, other) === key)?.count ?? 0
  }
  const save = async () => {
    const run = new AbortController()
    const { signal } = run
    running.current = run
    let rowCount = 0
    const onRows = (count: number) => {
      rowCount = count
      setTold(
        filter === '' ? `${formatCount(count)} of ${formatCount(row.count)}` : formatCount(count),
      )
    }
    setBusy(true)
    setTold('Reading…')
    try {
      const wanted = { graph, vertex: vertex.key, row, filter, sort }
      const file = await neighbourCsv({ ...wanted, signal, onRows })
      const counted = filter === '' ? await countNow() : null
      downloadBlob(fileName(graph, vertex.key, row.edgeType), file.blob)
      setTold(outcome(file.rowCount, counted))
    } catch (error) {
      const why = signal.aborted ? `Stopped at row ${formatCount(rowCount)}` : messageOf(error)
      setTold(`${why}. Nothing was saved.`)
    }
    setBusy(false)
  }
  return (
    <div className={classes.csv}>
      {isBusy ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<X size={13} aria-hidden="true" />}
          onClick={() => running.current?.abort()}
        >
          Stop
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Download size={13} aria-hidden="true" />}
          title="Every one of them into a file, without drawing"
          onClick={() => void save()}
        >
          {filter === '' ? `All ${formatCount(row.count)} as CSV` : 'All that fit as CSV'}
        </Button>
      )}
      <span role="status">{told}</span>
    </div>
  )
}

function outcome(rows: number, counted: number | null): string {
  const saved = `${formatCount(rows)} rows saved`
  if (counted === null) return `${saved}.`
  return rows === counted
    ? `${saved}, as many as the server counts.`
    : `${saved}; the server counts ${formatCount(counted)} by now.`
}

const fileName = (graph: string, vertex: string, edgeType: string): string =>
  `${[graph, parseVertexKey(vertex).id, edgeType].join('-').replaceAll(/[^\w.-]+/g, '_')}.csv`

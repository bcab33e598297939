/** Time to the right, latency upwards, and the stronger the colour the more requests. */
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useMemo, useState } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { counted, formatCount, formatDuration } from '#lib/format.ts'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { bandEnds, type HeatCell, type HeatMap, heatMapOf } from '../model/heat.ts'
import classes from './latency-heat-map.module.css'

interface LatencyHeatMapProps {
  readonly history: StatisticsHistory
  /** Whose latencies they are. */
  readonly of: string
  readonly formatTime: (seconds: number) => string
}

/** The same as of the charts around it, so that times stand below each other. */
const LEFT = 64
const RIGHT = 8
const ROW_HEIGHT = 14

export function LatencyHeatMap({ history, of, formatTime }: LatencyHeatMapProps) {
  const [asTable, setAsTable] = useState(false)
  const map = useMemo(() => heatMapOf(history), [history])
  const words = useWords(history, formatTime)
  return (
    <figure className={classes.figure} aria-label={`Latency heat map of ${of}`}>
      <figcaption className={classes.head}>
        <span className={classes.note}>{summaryOf(map)}</span>
        <button
          type="button"
          className={classes.toggle}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'View as map' : 'View as table'}
        </button>
      </figcaption>
      {asTable ? <HeatTable map={map} words={words} /> : <Picture map={map} words={words} />}
    </figure>
  )
}

function summaryOf({ cells, greatest }: HeatMap): string {
  if (cells.length === 0) return 'No request completed in this window.'
  return `Up to ${counted(greatest, 'request', 'requests')} in one field.`
}

interface Words {
  readonly time: (step: number) => string
  readonly band: (band: number) => string
  readonly top: (band: number) => string
}

function useWords({ from, stepSeconds, heat }: StatisticsHistory, format: (at: number) => string) {
  return useMemo((): Words => {
    const bounds = heat?.boundsMs ?? []
    return {
      time: (step) => format(from + step * stepSeconds),
      band: (band) => {
        const [low, high] = bandEnds(bounds, band)
        if (high === null) return `over ${formatDuration(low ?? 0)}`
        return low === null
          ? `up to ${formatDuration(high)}`
          : `${formatDuration(low)} to ${formatDuration(high)}`
      },
      top: (band) => {
        const [, high] = bandEnds(bounds, band)
        return high === null ? '' : formatDuration(high)
      },
    }
  }, [from, stepSeconds, heat, format])
}

interface PictureProps {
  readonly map: HeatMap
  readonly words: Words
}

function Picture({ map, words }: PictureProps) {
  const { ref, width } = useElementSize()
  const [under, setUnder] = useState<HeatCell | null>(null)
  const { bands, cells, steps } = map
  const height = Math.max(1, bands.length) * ROW_HEIGHT
  const cellWidth = Math.max(0, width - LEFT - RIGHT) / Math.max(1, steps)
  const top = (row: number) => (bands.length - 1 - row) * ROW_HEIGHT
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const step = Math.floor((event.clientX - box.left - LEFT) / cellWidth)
    const row = bands.length - 1 - Math.floor((event.clientY - box.top) / ROW_HEIGHT)
    setUnder(cells.find((cell) => cell.step === step && cell.row === row) ?? null)
  }
  return (
    <div ref={ref} className={classes.picture} aria-hidden="true">
      <svg
        width={width}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => setUnder(null)}
        aria-hidden="true"
      >
        {bands.map((band, row) =>
          row % 2 === 0 ? (
            <text key={band} x={LEFT - 8} y={top(row) + 4} className={classes.tick}>
              {words.top(band)}
            </text>
          ) : null,
        )}
        {cells.map(({ step, row, band, strength }) => (
          <rect
            key={`${step} ${band}`}
            x={LEFT + step * cellWidth}
            y={top(row)}
            width={Math.max(1, cellWidth)}
            height={ROW_HEIGHT - 1}
            className={classes.cell}
            fillOpacity={strength}
          />
        ))}
      </svg>
      {under !== null && (
        <p
          className={classes.tip}
          style={{
            left: Math.min(LEFT + (under.step + 1) * cellWidth, Math.max(0, width - 220)),
            top: top(under.row) + ROW_HEIGHT + 4,
          }}
        >
          {words.time(under.step)}, {words.band(under.band)}:{' '}
          <strong>{formatCount(under.count)}</strong>
        </p>
      )}
    </div>
  )
}

function HeatTable({ map, words }: PictureProps) {
  const columns: readonly Column<HeatCell>[] = [
    { id: 'time', header: 'Time', cell: ({ step }) => words.time(step), sortValue: (c) => c.step },
    {
      id: 'band',
      header: 'Latency',
      cell: ({ band }) => words.band(band),
      sortValue: ({ band }) => band,
    },
    {
      id: 'count',
      header: 'Requests',
      align: 'end',
      cell: ({ count }) => formatCount(count),
      sortValue: ({ count }) => count,
    },
  ]
  return (
    <DataTable
      label="Latency heat map as table"
      rows={map.cells.toReversed()}
      columns={columns}
      rowKey={({ step, band }) => `${step} ${band}`}
      maxHeight="240px"
      emptyText="No request completed."
    />
  )
}

/** Latencies beside each other: how they are spread, and their ends. */
import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { Chart, type ChartModel } from '#ui/chart/chart.tsx'
import { Section } from '#ui/layout/page.tsx'
import { latencySeries, spreadSeries } from '../model/charts.ts'
import type { StatisticsView } from '../model/view.ts'
import { LatencyLimit } from './latency-limit.tsx'
import classes from './statistics-body.module.css'

interface LatencyPairProps {
  readonly history: StatisticsHistory
  readonly view: StatisticsView
  readonly onLook: (view: StatisticsView) => void
  /** Null: all together. */
  readonly endpoint: string | null
  /** Whose latencies they are, in words. */
  readonly of: string
  /** Back to all endpoints. */
  readonly clear: ReactNode
  /** What all charts of the page share. */
  readonly time: Omit<ChartModel, 'label' | 'series' | 'format'>
}

export function LatencyPair(props: LatencyPairProps) {
  const { history, view, onLook, endpoint, of, clear, time } = props
  const { latencyLimitMs } = usePreferences()
  const limit =
    latencyLimitMs === 0
      ? undefined
      : { value: latencyLimitMs, text: `p95 limit ${formatDuration(latencyLimitMs)}` }
  const scale = (
    <SegmentedControl
      aria-label="Latency scale"
      value={view.scale}
      data={[
        { value: 'linear', label: 'linear' },
        { value: 'log', label: 'log' },
      ]}
      onChange={(value) => onLook({ ...view, scale: value === 'log' ? 'log' : 'linear' })}
    />
  )
  return (
    <div className={classes.pair}>
      <Section
        title="Latency percentiles"
        hint={of}
        actions={
          <>
            {clear}
            <LatencyLimit history={history} live={view.end === null} />
          </>
        }
      >
        <Chart
          label={`Latency percentiles of ${of}`}
          series={latencySeries(history, endpoint)}
          format={formatDuration}
          scale={view.scale}
          controls={scale}
          limit={limit}
          {...time}
        />
      </Section>
      <Section title="Latency, average and range" hint={of} actions={clear}>
        <Chart
          label={`Average, least and greatest latency of ${of}`}
          series={spreadSeries(history, endpoint)}
          format={formatDuration}
          scale={view.scale}
          {...time}
        />
      </Section>
    </div>
  )
}

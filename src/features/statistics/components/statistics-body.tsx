import { Button, SegmentedControl } from '@mantine/core'
import { useCallback } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { formatClock, formatDuration, formatRate, formatShort } from '#lib/format.ts'
import { usePreferences } from '#lib/preferences.ts'
import { Chart } from '#ui/chart.tsx'
import { FigureRow, FigureTile } from '#ui/figure-tile.tsx'
import { Section } from '#ui/page.tsx'
import { Spark } from '#ui/spark.tsx'
import { latencySeries, rateSeries, spreadSeries, stepTimes } from '../model/charts.ts'
import { type StatisticsView, zoom } from '../model/view.ts'
import { EndpointTable } from './endpoint-table.tsx'
import { LatencyHeatMap } from './latency-heat-map.tsx'
import { LatencyLimit } from './latency-limit.tsx'
import { SlowRuns } from './slow-runs.tsx'
import classes from './statistics-body.module.css'

interface StatisticsBodyProps {
  readonly graph: string
  readonly history: StatisticsHistory
  readonly view: StatisticsView
  readonly onLook: (view: StatisticsView) => void
}

export function StatisticsBody({ graph, history, view, onLook }: StatisticsBodyProps) {
  const { timeZone, latencyLimitMs } = usePreferences()
  const isCalled = history.endpoints.some((entry) => entry.endpoint === view.endpoint)
  const endpoint = isCalled ? view.endpoint : null
  const choose = (wanted: string | null) => onLook({ ...view, endpoint: wanted })
  const formatTime = useCallback(
    (seconds: number) => formatClock(seconds * 1000, timeZone),
    [timeZone],
  )
  const common = {
    times: stepTimes(history),
    formatTime,
    onBrush: (from: number, to: number) => onLook(zoom(view, from, to)),
    markers: history.markers,
    onPick: (seconds: number) =>
      onLook({ ...view, end: Math.min(history.to, Math.ceil(seconds + view.seconds / 2)) }),
  }
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
  const of = endpoint ?? 'all endpoints'
  const clear = endpoint !== null && (
    <Button variant="subtle" size="compact-xs" onClick={() => choose(null)}>
      Show all endpoints
    </Button>
  )

  return (
    <>
      <Figures history={history} />
      {history.endpoints.length === 0 && <Silence />}
      <Section title="Requests per second" hint="completed, by endpoint">
        <Chart
          label="Requests per second"
          series={rateSeries(history)}
          format={formatShort}
          {...common}
        />
      </Section>
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
            {...common}
          />
        </Section>
        <Section title="Latency, average and range" hint={of} actions={clear}>
          <Chart
            label={`Average, least and greatest latency of ${of}`}
            series={spreadSeries(history, endpoint)}
            format={formatDuration}
            scale={view.scale}
            {...common}
          />
        </Section>
      </div>
      <Section title="Latency heat map" hint={of} actions={clear}>
        <LatencyHeatMap history={history} of={of} formatTime={formatTime} />
      </Section>
      <SlowRuns graph={graph} from={history.from} to={history.to} />
      <EndpointTable history={history} selected={endpoint} onSelect={choose} />
    </>
  )
}

/** The charts stay: a minute without requests is a figure, too. */
function Silence() {
  const { includeConsoleTraffic } = usePreferences()
  return (
    <p className={classes.silence} role="status">
      No request reached this graph in this window.{' '}
      {includeConsoleTraffic
        ? 'Choose a longer window, or send some requests.'
        : 'The console’s own requests are left out; the switch above includes them.'}
    </p>
  )
}

function Figures({ history }: { readonly history: StatisticsHistory }) {
  const { series, summary } = history.total
  const seconds = Math.max(1, history.to - history.from)
  const latency = (value: number | null): string => (value === null ? '–' : formatDuration(value))
  return (
    <FigureRow>
      <FigureTile
        label="Requests"
        value={formatShort(summary.completed / seconds)}
        unit="/s"
        context={`${formatShort(summary.completed)} in this window`}
      >
        <Spark values={series.completed} label="Requests per step" />
      </FigureTile>
      <FigureTile
        label="Latency p95"
        value={latency(summary.p95Ms)}
        context={`p50 ${latency(summary.p50Ms)} · p99 ${latency(summary.p99Ms)}`}
      >
        <Spark values={series.p95Ms} label="95th percentile in milliseconds" />
      </FigureTile>
      <FigureTile
        label="Timeouts"
        value={formatShort(summary.timeouts)}
        context={`${formatRate(summary.timeouts / seconds)} on average`}
      >
        <Spark values={series.timeouts} label="Timeouts per step" />
      </FigureTile>
      <FigureTile
        label="Slowest"
        value={latency(summary.maxMs)}
        context={`${formatShort(history.inFlight)} in flight now`}
      >
        <Spark values={series.maxMs} label="Greatest latency in milliseconds" />
      </FigureTile>
    </FigureRow>
  )
}

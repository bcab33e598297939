import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { useRefusal } from '#api/rights.ts'
import { loadSample, SAMPLE_GRAPH, SAMPLE_TRAFFIC_SECONDS } from '#contract/sample.ts'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { counted, formatClock, formatDuration, formatShort } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { Chart } from '#ui/chart/chart.tsx'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'
import { Spark } from '#ui/chart/spark.tsx'
import { useCommand } from '#ui/commands/commands.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { useAfterPaint } from '#ui/layout/use-after-paint.ts'
import { rateSeries, stepTimes } from '../model/charts.ts'
import { comparedWords } from '../model/compared.ts'
import { type StatisticsView, type TimePart, zoom } from '../model/view.ts'
import { EndpointTable } from './endpoint-table.tsx'
import { LatencyHeatMap } from './latency-heat-map.tsx'
import { LatencyPair } from './latency-pair.tsx'
import { SlowRuns } from './slow-runs.tsx'
import classes from './statistics-body.module.css'
import { WhatRan } from './what-ran.tsx'

interface StatisticsBodyProps {
  readonly graph: string
  readonly history: StatisticsHistory
  readonly view: StatisticsView
  readonly onLook: (view: StatisticsView) => void
}

export function StatisticsBody({ graph, history, view, onLook }: StatisticsBodyProps) {
  const { timeZone } = usePreferences()
  const { marked } = view
  const isPainted = useAfterPaint()
  const isCalled = history.endpoints.some((entry) => entry.endpoint === view.endpoint)
  const endpoint = isCalled ? view.endpoint : null
  const choose = (wanted: string | null) => onLook({ ...view, endpoint: wanted })
  const formatTime = useCallback(
    (seconds: number) => formatClock(seconds * 1000, timeZone),
    [timeZone],
  )
  const { slowOf, setSlowOf, mark, toggle } = useMarkedTime({ history, view, onLook })
  const common = {
    times: stepTimes(history),
    formatTime,
    onBrush: (from: number, to: number) => {
      mark({ from, to: Math.min(history.to, to + history.stepSeconds) })
    },
    marked: marked ?? undefined,
    markers: history.markers,
    onPick: (seconds: number) =>
      onLook({ ...view, end: Math.min(history.to, Math.ceil(seconds + view.seconds / 2)) }),
  }
  const of = endpoint ?? 'all endpoints'
  const clear = endpoint !== null && (
    <Button variant="subtle" size="compact-xs" onClick={() => choose(null)}>
      Show all endpoints
    </Button>
  )

  return (
    <>
      <Figures history={history} />
      <p className={classes.compared}>{comparedWords(history, endpoint, formatTime)}</p>
      {history.endpoints.length === 0 && (
        <Silence offersTraffic={graph === SAMPLE_GRAPH && view.end === null} />
      )}
      <Section
        title="Requests per second"
        hint="completed, by endpoint; drag over a time to see what ran in it"
        actions={
          marked === null && (
            <Button variant="subtle" size="compact-xs" onClick={toggle}>
              What ran in this window
            </Button>
          )
        }
      >
        <Chart
          label="Requests per second"
          series={rateSeries(history)}
          format={formatShort}
          {...common}
        />
      </Section>
      <LatencyPair {...{ history, view, onLook, endpoint, of, clear }} time={common} />
      {marked !== null && (
        <WhatRan
          graph={graph}
          part={marked}
          formatTime={formatTime}
          onSlow={setSlowOf}
          onZoom={() => onLook(zoom(view, marked))}
          onClear={() => mark(null)}
        />
      )}
      {isPainted && (
        <>
          <Section title="Latency heat map" hint={of} actions={clear}>
            <LatencyHeatMap history={history} of={of} formatTime={formatTime} />
          </Section>
          <SlowRuns
            graph={graph}
            from={(marked ?? history).from}
            to={(marked ?? history).to}
            query={slowOf}
            onAll={() => setSlowOf(null)}
          />
          <EndpointTable history={history} selected={endpoint} onSelect={choose} />
        </>
      )}
    </>
  )
}

/** The part of which it is told what ran: marked by dragging, or the whole window by key. */
function useMarkedTime({ history, view, onLook }: Omit<StatisticsBodyProps, 'graph'>) {
  const [slowOf, setSlowOf] = useState<string | null>(null)
  const mark = (marked: TimePart | null) => {
    setSlowOf(null)
    onLook({ ...view, marked })
  }
  const toggle = () => mark(view.marked === null ? { from: history.from, to: history.to } : null)
  useCommand({
    id: 'statistics.ran',
    label: view.marked === null ? 'What ran in this window' : 'Close what ran',
    group: 'Statistics',
    keys: 'w',
    run: toggle,
  })
  return { slowOf, setSlowOf, mark, toggle }
}

/** The charts stay: a minute without requests is a figure, too. */
function Silence({ offersTraffic }: { readonly offersTraffic: boolean }) {
  const { includeConsoleTraffic } = usePreferences()
  return (
    <div className={classes.silence}>
      <p role="status">
        No request reached this graph in this window.{' '}
        {includeConsoleTraffic
          ? 'Choose a longer window, or send some requests.'
          : 'The console’s own requests are left out; the switch above includes them.'}
      </p>
      {offersTraffic && <SampleTraffic />}
    </div>
  )
}

/** For who looks around on the sample graph: its first traffic ended soon after it was loaded. */
function SampleTraffic() {
  const traffic = useMutation({
    mutationFn: () => call(loadSample),
    meta: activity(() => 'Send traffic to the sample graph'),
  })
  return (
    <>
      <Refusable refusal={useRefusal(loadSample, '')}>
        <Button variant="default" loading={traffic.isPending} onClick={() => traffic.mutate()}>
          Send sample traffic for {SAMPLE_TRAFFIC_SECONDS} s
        </Button>
      </Refusable>
      {traffic.isError && <ErrorNotice title="No traffic was sent" error={traffic.error} />}
    </>
  )
}

/** Broken between the parts only, so that a figure stays with its unit. */
const sideBySide = (...parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll(' ', '\u00a0')).join(' · ')

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
        context={sideBySide(`p50 ${latency(summary.p50Ms)}`, `p99 ${latency(summary.p99Ms)}`)}
      >
        <Spark values={series.p95Ms} label="95th percentile in milliseconds" />
      </FigureTile>
      <FigureTile
        label="Errors and timeouts"
        value={formatShort(summary.errors + summary.timeouts)}
        context={sideBySide(
          counted(summary.errors, 'error', 'errors'),
          counted(summary.timeouts, 'timeout', 'timeouts'),
        )}
      >
        <Spark
          values={series.errors.map((count, step) => count + (series.timeouts[step] ?? 0))}
          label="Errors and timeouts per step"
        />
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

/** Four figures of the last minute; each leads to its evidence. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type MetricsSnapshot, metricsQuery } from '#api/metrics.ts'
import { historyQuery } from '#api/statistics.ts'
import { formatBytes, formatDuration, formatShort } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { FigureRow, FigureTile } from '#ui/figure-tile.tsx'
import { Spark } from '#ui/spark.tsx'
import { ErrorNotice } from '#ui/states.tsx'

const WINDOW_SECONDS = 60
const TREND_POINTS_MAX = 60

export function Activity({ graph }: { readonly graph: string }) {
  const range = { graph, seconds: WINDOW_SECONDS, end: null, includeConsole: false }
  const history = useQuery(historyQuery(range, 2))
  const metrics = useQuery(metricsQuery)
  const memory = memoryTrend(metrics.data)
  const inFlight = useTrend(history.data?.inFlight, history.dataUpdatedAt)
  const total = history.data?.total
  const rates = total?.series.completed.map((count) => count / (history.data?.stepSeconds ?? 1))
  const statistics = <Link to={paths.statistics(graph)}>Statistics</Link>
  const system = <Link to={paths.system()}>System</Link>

  if (history.isError && history.data === undefined) {
    return (
      <ErrorNotice
        title="The statistics could not be read"
        error={history.error}
        onRetry={history.refetch}
      />
    )
  }
  return (
    <FigureRow>
      <FigureTile
        label="Requests"
        value={total === undefined ? '–' : formatShort(total.summary.completed / WINDOW_SECONDS)}
        unit="/s"
        context={<>last minute · {statistics}</>}
      >
        <Spark values={rates ?? []} label="Requests per second, last minute" />
      </FigureTile>
      <FigureTile
        label="Latency p95"
        value={formatOptional(total?.summary.p95Ms, formatDuration)}
        context={
          <>
            p99 {formatOptional(total?.summary.p99Ms, formatDuration)} · {statistics}
          </>
        }
      >
        <Spark values={total?.series.p95Ms ?? []} label="95th percentile of latency in ms" />
      </FigureTile>
      <FigureTile
        label="Memory"
        value={formatOptional(memory.at(-1), (megabytes) => formatBytes(megabytes * 1024 ** 2))}
        context={<>of this server · {system}</>}
      >
        <Spark values={memory} scale="range" label="Memory of the server in megabytes" />
      </FigureTile>
      <FigureTile
        label="In flight"
        value={formatOptional(history.data?.inFlight, formatShort)}
        context={
          <>
            {timeoutText(total?.summary.timeouts)} · {statistics}
          </>
        }
      >
        <Spark values={inFlight} label="Requests in flight, as seen by this page" />
      </FigureTile>
    </FigureRow>
  )
}

const formatOptional = (
  value: number | null | undefined,
  format: (value: number) => string,
): string => (value === null || value === undefined ? '–' : format(value))

const timeoutText = (count = 0): string =>
  count === 0 ? 'no timeouts' : `${formatShort(count)} ${count === 1 ? 'timeout' : 'timeouts'}`

/** What this tab saw of the memory of the engine, else of the whole server, in megabytes. */
function memoryTrend(snapshot: MetricsSnapshot | undefined): readonly number[] {
  if (snapshot === undefined) return []
  const { series } = snapshot.trend
  const keys = [...series.keys()].filter((key) => key.startsWith('tigergraph_memory_usage'))
  const key = keys.find((name) => name.includes('service_name=GPE')) ?? keys[0]
  const values = (key === undefined ? undefined : series.get(key)) ?? []
  return values.filter((value) => value !== null).slice(-TREND_POINTS_MAX)
}

/** The answers hold the present only; the trend is what this page saw of them. */
function useTrend(value: number | undefined, updatedAt: number): readonly number[] {
  const [trend, setTrend] = useState<readonly number[]>([])
  useEffect(() => {
    if (value === undefined || updatedAt === 0) return
    setTrend((past) => [...past, value].slice(-TREND_POINTS_MAX))
  }, [value, updatedAt])
  return trend
}

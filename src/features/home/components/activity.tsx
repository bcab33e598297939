/** Four figures of the last minute; each leads to its evidence. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type MetricsSnapshot, metricsQuery } from '#api/metrics.ts'
import { historyQuery } from '#api/statistics.ts'
import { formatBytes, formatDuration, formatShort } from '#lib/format.ts'
import { sampleValue } from '#lib/open-metrics.ts'
import { paths } from '#lib/paths.ts'
import { FigureRow, FigureTile } from '#ui/figure-tile.tsx'
import { Spark } from '#ui/spark.tsx'
import { ErrorNotice } from '#ui/states.tsx'

const WINDOW_SECONDS = 60
const MEMORY_POINTS_MAX = 60

export function Activity({ graph }: { readonly graph: string }) {
  const range = { graph, seconds: WINDOW_SECONDS, end: null, includeConsole: false }
  const history = useQuery(historyQuery(range, 2))
  const metrics = useQuery(metricsQuery)
  const memory = useMemoryTrend(metrics.data)
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
        <Spark values={memory} label="Memory of the server in megabytes" />
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
        <Spark values={total?.series.timeouts ?? []} label="Timeouts per step, last minute" />
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

/** The metrics hold the present only; the trend is what this page saw of them. */
function useMemoryTrend(snapshot: MetricsSnapshot | undefined): readonly number[] {
  const [trend, setTrend] = useState<readonly number[]>([])
  useEffect(() => {
    if (snapshot === undefined) return
    const value = sampleValue(snapshot.parsed, 'tigergraph_memory_usage', { service_name: 'GPE' })
    const whole = value ?? sampleValue(snapshot.parsed, 'tigergraph_memory_usage')
    if (whole !== undefined) setTrend((past) => [...past, whole].slice(-MEMORY_POINTS_MAX))
  }, [snapshot])
  return trend
}

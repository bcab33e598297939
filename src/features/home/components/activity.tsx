/** Four figures of the last minute; each leads to its evidence. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type MetricsSnapshot, metricsQuery } from '#api/metrics.ts'
import { historyQuery } from '#api/statistics.ts'
import { formatBytes, formatDuration, formatShort } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'
import { Spark } from '#ui/chart/spark.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { ageOr } from '../model/figure-age.ts'

const WINDOW_SECONDS = 60
const TREND_POINTS_MAX = 60

export function Activity({ graph }: { readonly graph: string }) {
  const range = { graph, seconds: WINDOW_SECONDS, end: null, includeConsole: false }
  const history = useQuery(historyQuery(range, 2))
  const metrics = useQuery(metricsQuery)
  const memory = trendOf(metrics.data, 'quiver_engine_memory_used_bytes')
  const limit = trendOf(metrics.data, 'quiver_engine_memory_limit_bytes').at(-1)
  const running = trendOf(metrics.data, 'quiver_queries_running')
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
        context={
          <>
            {ageOr('last minute', history)} · {statistics}
          </>
        }
      >
        <Spark values={rates ?? []} label="Requests per second, last minute" />
      </FigureTile>
      <FigureTile
        label="Latency p95"
        value={formatOptional(total?.summary.p95Ms, formatDuration)}
        context={
          <>
            {ageOr(`p99 ${formatOptional(total?.summary.p99Ms, formatDuration)}`, history)} ·{' '}
            {statistics}
          </>
        }
      >
        <Spark values={total?.series.p95Ms ?? []} label="95th percentile of latency in ms" />
      </FigureTile>
      <FigureTile
        label="Graph memory"
        value={formatOptional(memory.at(-1), formatBytes)}
        context={
          <>
            {ageOr(limit === undefined ? 'of this server' : `of ${formatBytes(limit)}`, metrics)} ·{' '}
            {system}
          </>
        }
      >
        <Spark values={memory} scale="range" label="Memory of the graphs in bytes" />
      </FigureTile>
      <FigureTile
        label="Running queries"
        value={formatOptional(running.at(-1), formatShort)}
        context={
          <>
            {ageOr(timeoutText(total?.summary.timeouts), metrics)} ·{' '}
            <Link to={paths.queries(graph, { outcome: 'running' })}>Queries</Link>
          </>
        }
      >
        <Spark values={running} label="Running queries, as seen by this page" />
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

/** What this tab saw of a metric. */
function trendOf(snapshot: MetricsSnapshot | undefined, key: string): readonly number[] {
  const values = snapshot?.trend.series.get(key) ?? []
  return values.filter((value) => value !== null).slice(-TREND_POINTS_MAX)
}

/** The figures above the charts: the machine, then the engine on it. */
import type { MetricsSnapshot } from '#api/metrics.ts'
import {
  counted,
  formatAge,
  formatBytes,
  formatCount,
  formatPercent,
  formatShort,
} from '#lib/format.ts'
import { sampleValue } from '#lib/open-metrics.ts'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'
import { MEGABYTE, sumOf } from '../model/machine.ts'

interface FiguresProps {
  readonly snapshot: MetricsSnapshot
}

export function MachineFigures({ snapshot }: FiguresProps) {
  const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sampleValue(snapshot.parsed, name, labels)
  const cores = value('tigergraph_cpu_logical_cores_total')
  return (
    <FigureRow>
      <FigureTile
        label="CPU in use"
        value={text(value('tigergraph_cpu_usage', { service_name: '' }), (percent) =>
          formatPercent(percent / 100),
        )}
        context={cores === undefined ? 'of the machine' : `of ${counted(cores, 'core', 'cores')}`}
      />
      <FigureTile
        label="Memory available"
        value={text(value('tigergraph_memory_available'), inMegabytes)}
        context={`of ${text(value('tigergraph_memory_total'), inMegabytes)}`}
      />
      <FigureTile
        label="Connections"
        value={text(value('tigergraph_network_connections'), formatShort)}
        context="open TCP connections"
      />
      <FigureTile
        label="Requests"
        value={text(sumOf(snapshot.parsed, 'tigergraph_qps'), formatShort)}
        unit="/s"
        context={`last minute · sampled ${formatAge(Date.now() - snapshot.takenAt).replaceAll(' ', '\u00a0')}`}
      />
    </FigureRow>
  )
}

export function EngineFigures({ snapshot }: FiguresProps) {
  const value = (name: string) => sampleValue(snapshot.parsed, `quiver_${name}`)
  if (value('engine_vertices') === undefined) return null
  return (
    <FigureRow>
      <FigureTile
        label="Graph memory"
        value={text(value('engine_memory_used_bytes'), formatBytes)}
        context={`writes are refused from ${text(value('engine_memory_limit_bytes'), formatBytes)}`}
      />
      <FigureTile
        label="Vertices"
        value={text(value('engine_vertices'), formatCount)}
        context="in all graphs"
      />
      <FigureTile
        label="Edges"
        value={text(value('engine_edges'), formatCount)}
        context="in all graphs"
      />
      <FigureTile
        label="Waiting in the log"
        value={text(value('store_log_entries'), formatShort)}
        context={`${text(value('store_log_size_bytes'), formatBytes)}, until the next rebuild`}
      />
      <FigureTile
        label="Running queries"
        value={text(value('queries_running'), formatShort)}
        context="in all graphs, with those that wait"
      />
    </FigureRow>
  )
}

const inMegabytes = (amount: number): string => formatBytes(amount * MEGABYTE)

const text = (value: number | undefined, format: (value: number) => string): string =>
  value === undefined ? '–' : format(value)

/**
 * Metrics as OpenMetrics text: the product's names, and under `quiver_` what our own
 * engine, store and query pool count.
 */
import { Counter, Gauge, Registry } from 'prom-client'
import type { StoreStatistics } from '#storage/store.ts'
import type { Sharing } from '../instances/sharing.ts'
import type { LoadMetrics } from './load-metrics.ts'
import { type Monitor, megabytes } from './monitor.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { sharedCounters, sharedGauges } from './shared-metrics.ts'
import type { BuildInfo } from './versions.ts'

export interface MetricsSources {
  readonly monitor: Monitor
  readonly dataDirectory: string | null
  readonly services: readonly string[]
  store(): StoreStatistics & { readonly isReady: boolean }
  memory(): {
    readonly usedBytes: number
    readonly limitBytes: number
    readonly copiedPagesBytes: number
  }
  counts(): { readonly vertices: number; readonly edges: number }
  /** The process with the vector indexes, and what searches it answered. */
  vectors(): { readonly memoryBytes: number; readonly searches: number }
  runningQueries(): number
  waitingQueries(): number
  /** JavaScript heaps by thread; a thread that does not answer is left out. */
  heaps(): Promise<readonly ThreadHeap[]>
  inFlightRequests(): number
  lookups(): { readonly indexed: number; readonly scanned: number }
  readonly requests: RequestMetrics
  readonly load: LoadMetrics
  readonly build: BuildInfo
  readonly startedAtMs: number
  /** Absent or null: the store is of this server alone. */
  readonly sharing?: Sharing | null
}

/** Status numbers of docs/reference/rest.md. */
const ONLINE = 6
const READ_ONLY = 12
const host = { host_id: 'm1' }
const node = { ...host, service_name: '' }

interface GaugeSpec {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  collect(gauge: Gauge): void | Promise<void>
}

export interface ThreadHeap {
  /** `main`, or `query-1`, `query-2`, … */
  readonly thread: string
  readonly usedBytes: number
  readonly limitBytes: number
}

export class Metrics {
  readonly #registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>()

  constructor(sources: MetricsSources) {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
    sources.requests.register(this.#registry)
    sources.load.register(this.#registry)
    const specs = [
      ...machineGauges(sources),
      ...serviceGauges(sources),
      ...processGauges(sources),
      ...engineGauges(sources),
      ...heapGauges(sources),
      ...(sources.sharing == null ? [] : sharedGauges(sources.sharing)),
    ]
    for (const { name, help, labels = [], collect } of specs) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [this.#registry],
        collect() {
          return collect(this)
        },
      })
    }
    const counted = [
      ...counters(sources),
      ...processCounters(sources),
      ...(sources.sharing == null ? [] : sharedCounters(sources.sharing)),
    ]
    for (const { name, help, read } of counted) {
      new Counter({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    }
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}

/**
 * The same for readers of the older Prometheus text (`Accept: text/plain`): there a counter's name
 * is that of its samples, and nothing marks the end.
 */
export function asPrometheusText(openMetrics: string): string {
  const counters = new Set(
    [...openMetrics.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name),
  )
  return openMetrics
    .replace(/^# (HELP|TYPE) (\S+)/gm, (line, _kind, name: string) =>
      counters.has(name) ? `${line}_total` : line,
    )
    .replace(/^# EOF\n/m, '')
}

function machineGauges({ monitor, dataDirectory }: MetricsSources): GaugeSpec[] {
  const cpuLabels = ['host_id', 'service_name']
  const diskLabels = ['host_id', 'mount_point', 'path', 'path_name']
  const store = {
    ...host,
    mount_point: monitor.mountPoint,
    path: dataDirectory ?? '',
    path_name: 'Gstore',
  }
  const server = { ...host, service_name: 'GPE' }
  const sample = () => monitor.latest()
  return [
    {
      name: 'tigergraph_cpu_available',
      help: 'Free CPU of the node in percent',
      labels: cpuLabels,
      collect: (gauge) => gauge.set(node, 100 - sample().cpuUsage),
    },
    {
      name: 'tigergraph_cpu_logical_cores_total',
      help: 'Logical cores this process may use',
      labels: cpuLabels,
      collect: (gauge) => gauge.set(node, sample().machine.coreCount),
    },
    {
      name: 'tigergraph_cpu_usage',
      help: 'CPU usage in percent of all cores, an empty service is the whole node',
      labels: cpuLabels,
      collect: (gauge) => {
        gauge.set(node, sample().cpuUsage)
        gauge.set(server, sample().processCpuUsage)
      },
    },
    {
      name: 'tigergraph_memory_available',
      help: 'Available memory of the node in megabytes',
      labels: cpuLabels,
      collect: (gauge) => gauge.set(node, megabytes(sample().machine.memoryAvailableBytes)),
    },
    {
      name: 'tigergraph_memory_total',
      help: 'Total memory of the node in megabytes',
      labels: cpuLabels,
      collect: (gauge) => gauge.set(node, megabytes(sample().machine.memoryTotalBytes)),
    },
    {
      name: 'tigergraph_memory_usage',
      help: 'Memory usage in megabytes, an empty service is the whole node',
      labels: cpuLabels,
      collect: (gauge) => {
        const { memoryTotalBytes, memoryAvailableBytes, processMemoryBytes } = sample().machine
        gauge.set(node, megabytes(memoryTotalBytes - memoryAvailableBytes))
        gauge.set(server, megabytes(processMemoryBytes))
      },
    },
    {
      name: 'tigergraph_diskspace_free',
      help: 'Free space under the path in megabytes',
      labels: diskLabels,
      collect: (gauge) => {
        const { disk } = sample().machine
        if (disk) gauge.set(store, megabytes(disk.freeBytes))
      },
    },
    {
      name: 'tigergraph_diskspace_usage',
      help: 'Used space of the file system under the path in megabytes',
      labels: diskLabels,
      collect: (gauge) => {
        const { disk } = sample().machine
        if (disk) gauge.set(store, megabytes(disk.usedBytes))
      },
    },
  ]
}

function serviceGauges({ monitor, services, store }: MetricsSources): GaugeSpec[] {
  const sample = () => monitor.latest()
  return [
    {
      name: 'tigergraph_network_connections',
      help: 'Open TCP connections of the server',
      labels: ['host_id'],
      collect: (gauge) => gauge.set(host, sample().connectionCount),
    },
    {
      name: 'tigergraph_network_traffic',
      help: 'Bytes over all interfaces but loopback since the machine started',
      labels: ['direction', 'host_id'],
      collect: (gauge) => {
        const { network } = sample().machine
        if (network === null) return
        gauge.set({ ...host, direction: 'incoming' }, network.incomingBytes)
        gauge.set({ ...host, direction: 'outgoing' }, network.outgoingBytes)
      },
    },
    {
      name: 'tigergraph_service_status',
      help: 'Service status, empty partition or replica means not applicable',
      labels: ['partition', 'replica', 'service_name'],
      collect: (gauge) => {
        const status = store().isReady ? ONLINE : READ_ONLY
        for (const service_name of services) {
          gauge.set({ partition: '1', replica: '1', service_name }, status)
        }
      },
    },
    {
      name: 'tigergraph_qps',
      help: 'Requests per second over the last minute',
      labels: ['endpoint', 'host_id'],
      collect: (gauge) => {
        gauge.reset()
        for (const { key, qps } of sample().qps) gauge.set({ ...host, endpoint: key }, qps)
      },
    },
  ]
}

/** Under the names that every dashboard of processes knows. */
function processGauges({ monitor, build, startedAtMs }: MetricsSources): GaugeSpec[] {
  return [
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the process',
      collect: (gauge) => gauge.set(monitor.latest().machine.processMemoryBytes),
    },
    {
      name: 'process_start_time_seconds',
      help: 'Start of the process in seconds since the epoch',
      collect: (gauge) => gauge.set(startedAtMs / 1000),
    },
    {
      name: 'quiver_build_info',
      help: '1, with the release and its commit',
      labels: ['version', 'git_hash'],
      collect: (gauge) => gauge.set({ version: build.version, git_hash: build.gitHash }, 1),
    },
  ]
}

function heapGauges({ heaps }: MetricsSources): GaugeSpec[] {
  const gauge = (name: string, help: string, read: (heap: ThreadHeap) => number): GaugeSpec => ({
    name: `quiver_heap_${name}_bytes`,
    help,
    labels: ['thread'],
    collect: async (target) => {
      target.reset()
      for (const heap of await heaps()) target.set({ thread: heap.thread }, read(heap))
    },
  })
  return [
    gauge('used', 'JavaScript heap in use, by thread', ({ usedBytes }) => usedBytes),
    gauge(
      'limit',
      'Size of the JavaScript heap at which a thread ends, by thread',
      ({ limitBytes }) => limitBytes,
    ),
  ]
}

function processCounters({ monitor }: MetricsSources) {
  const machine = () => monitor.latest().machine
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time of the process, all threads',
      read: () => machine().processCpuMs / 1000,
    },
    {
      name: 'quiver_event_loop_busy_seconds_total',
      help: 'Time that the answering thread was at work',
      read: () => machine().eventLoopBusyMs / 1000,
    },
  ]
}

function engineGauges(sources: MetricsSources): GaugeSpec[] {
  const gauge = (name: string, help: string, read: () => number): GaugeSpec => ({
    name: `quiver_${name}`,
    help,
    collect: (target) => target.set(read()),
  })
  const { memory, counts, store } = sources
  return [
    gauge('engine_memory_used_bytes', 'Memory of the graphs', () => memory().usedBytes),
    gauge(
      'engine_memory_limit_bytes',
      'Memory from which on writes are refused',
      () => memory().limitBytes,
    ),
    gauge(
      'engine_copied_pages_bytes',
      'Pages kept for readers of older versions',
      () => memory().copiedPagesBytes,
    ),
    gauge(
      'vector_index_memory_bytes',
      'Memory of the process that holds the vector indexes, part of that of the graphs',
      () => sources.vectors().memoryBytes,
    ),
    gauge('engine_vertices', 'Live vertices of all graphs', () => counts().vertices),
    gauge('engine_edges', 'Live edges of all graphs', () => counts().edges),
    gauge('store_log_size_bytes', 'Size of the commit log', () => store().logSizeBytes),
    gauge(
      'store_log_entries',
      'Log entries not yet folded into segments',
      () => store().logEntryCount,
    ),
    gauge('store_segment_size_bytes', 'Size of the segments', () => store().segmentSizeBytes),
    gauge('store_writable', '1 while the store takes writes', () => (store().isReady ? 1 : 0)),
    gauge('queries_running', 'Queries that run or wait for a worker', () =>
      sources.runningQueries(),
    ),
    gauge('queries_waiting', 'Queries that wait for a worker', () => sources.waitingQueries()),
    gauge('requests_in_flight', 'Requests being answered', () => sources.inFlightRequests()),
  ]
}

/** Counters of the parts, read when asked. Names get `_total` from the format. */
function counters({ store, lookups, vectors }: MetricsSources) {
  const counter = (name: string, help: string, read: () => number) => ({
    name: `quiver_${name}_total`,
    help,
    read,
  })
  return [
    counter('store_commits', 'Commits made durable', () => store().commitCount),
    counter(
      'store_commit_groups',
      'Groups of commits that shared one sync',
      () => store().commitGroupCount,
    ),
    counter('store_sync_seconds', 'Time spent in syncs', () => store().syncMsTotal / 1000),
    counter(
      'vector_searches_indexed',
      'Searches for the nearest vectors that an index answered',
      () => vectors().searches,
    ),
    counter('reads_indexed', 'Filtered reads served by an index', () => lookups().indexed),
    counter('reads_scanned', 'Filtered reads that scanned their type', () => lookups().scanned),
  ]
}

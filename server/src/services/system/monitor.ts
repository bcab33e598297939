/**
 * Samples of machine and server over time: the newest feeds the metrics, the ring answers
 * `/informant/metrics/get/…` (contract 3.6).
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import type { MachineSample } from './machine.ts'

export interface MonitorOptions {
  readonly clock: Clock
  machine(): MachineSample
  /** Open TCP connections of the server. */
  connectionCount(): number
  /** Requests of the last minute per endpoint. */
  lastMinute(): readonly { readonly key: string; readonly completed: number }[]
  readonly dataDirectory: string | null
}

export interface MonitorSample {
  readonly atMs: number
  readonly machine: MachineSample
  /** Percent of all cores since the sample before: the whole node, and this process. */
  readonly cpuUsage: number
  readonly processCpuUsage: number
  readonly connectionCount: number
  readonly qps: readonly { readonly key: string; readonly qps: number }[]
}

export type MetricCategory = 'cpu-memory' | 'diskspace' | 'network' | 'qps'

export interface MetricFilter {
  readonly fromNs: bigint | null
  readonly toNs: bigint | null
  readonly latest: number | null
}

/** An hour at one sample in five seconds. */
const SAMPLES_MAX = 720
export const SAMPLE_INTERVAL_MS = 5_000
const HOST_ID = 'm1'

export class Monitor {
  readonly #options: MonitorOptions
  readonly #samples: MonitorSample[] = []

  constructor(options: MonitorOptions) {
    this.#options = options
    this.sample()
  }

  /** Called every SAMPLE_INTERVAL_MS. */
  sample(): MonitorSample {
    const { clock, connectionCount, lastMinute } = this.#options
    const machine = this.#options.machine()
    const before = this.#samples.at(-1)?.machine
    const totalMs = machine.cpuTotalMs - (before?.cpuTotalMs ?? 0)
    const idleMs = machine.cpuIdleMs - (before?.cpuIdleMs ?? 0)
    const processMs = machine.processCpuMs - (before?.processCpuMs ?? 0)
    const share = (ms: number) =>
      totalMs <= 0 ? 0 : Math.min(100, Math.max(0, (100 * ms) / totalMs))
    const sample: MonitorSample = {
      atMs: clock.nowMs(),
      machine,
      cpuUsage: share(totalMs - idleMs),
      processCpuUsage: share(processMs),
      connectionCount: connectionCount(),
      qps: lastMinute().map(({ key, completed }) => ({ key, qps: completed / 60 })),
    }
    this.#samples.push(sample)
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift()
    return sample
  }

  /** The last sample, a fresh one when it is older than the interval. */
  latest(): MonitorSample {
    const last = this.#samples.at(-1)
    const isFresh =
      last !== undefined && this.#options.clock.nowMs() - last.atMs < SAMPLE_INTERVAL_MS
    return isFresh ? last : this.sample()
  }

  /** Newest first, in the shapes of contract 3.6. */
  history(category: MetricCategory, filter: MetricFilter): Record<string, unknown[]> {
    this.latest()
    const rows = this.#samples
      .filter(({ atMs }) => isWithin(atMs, filter))
      .reverse()
      .slice(0, filter.latest ?? SAMPLES_MAX)
    switch (category) {
      case 'cpu-memory':
        return { CPUMemoryMetrics: rows.map((row) => ({ ...headOf(row), ...cpuMemory(row) })) }
      case 'diskspace':
        return { DiskMetrics: rows.flatMap((row) => this.#disk(row)) }
      case 'network':
        return { NetworkMetrics: rows.map((row) => ({ ...headOf(row), Network: network(row) })) }
      case 'qps':
        return {
          QPSMetrics: rows.flatMap((row) =>
            row.qps.map(({ key, qps }) => ({ ...headOf(row), QPS: { Endpoint: key, QPS: qps } })),
          ),
        }
    }
  }

  #disk(row: MonitorSample): unknown[] {
    const { disk } = row.machine
    if (disk === null) return []
    const Disk = {
      PathName: 'Gstore',
      Path: this.#options.dataDirectory,
      MountPoint: '/',
      UsedSizeMB: megabytes(disk.usedBytes),
      FreeSizeMB: megabytes(disk.freeBytes),
    }
    return [{ ...headOf(row), Disk }]
  }
}

function isWithin(atMs: number, { fromNs, toNs }: MetricFilter): boolean {
  const ns = nanoseconds(atMs)
  return (fromNs === null || ns >= fromNs) && (toNs === null || ns <= toNs)
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n
}

/** Quantities of 64 bits are texts. */
function headOf(row: MonitorSample) {
  const time = nanoseconds(row.atMs).toString()
  return { EventMeta: eventMeta(time), HostID: HOST_ID, CollectTimeStamps: time }
}

export function eventMeta(timeNs: string) {
  return {
    Targets: [{ ServiceName: 'IFM' }],
    EventId: randomBytes(16).toString('hex'),
    TimestampNS: timeNs,
    Source: { ServiceName: 'EXE', Partition: 1 },
  }
}

function cpuMemory(row: MonitorSample) {
  return {
    ServiceDescriptor: { ServiceName: 'GPE', Partition: 1, Replica: 1 },
    CPU: { CPUUsage: Math.round(row.processCpuUsage * 100) / 100 },
    Memory: { MemoryUsageMB: megabytes(row.machine.processMemoryBytes) },
  }
}

function network(row: MonitorSample) {
  return {
    IP: '127.0.0.1',
    TCPConnectionNum: row.connectionCount,
    IncomingBytesNum: String(row.machine.network?.incomingBytes ?? 0),
    OutgoingBytesNum: String(row.machine.network?.outgoingBytes ?? 0),
  }
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

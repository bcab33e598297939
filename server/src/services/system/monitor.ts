/**
 * Samples of machine and server over time: the newest feeds the metrics, the ring answers
 * `/informant/metrics/get/…`.
 */

import { randomBytes } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { type MachineSample, mountPointOf } from './machine.ts'
import { graphOfKey } from './metric-names.ts'
import { type PackedRates, RateNames } from './packed-rates.ts'

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

/** As the hour holds it: 83 rates as objects took 5.4 KB of each sample. */
type PackedSample = Omit<MonitorSample, 'qps'> & { readonly rates: PackedRates }

export type MetricCategory = 'cpu-memory' | 'diskspace' | 'network' | 'qps'

/** Absent: no such condition. Each category looks at the ones it knows. */
export interface MetricFilter {
  readonly fromNs: bigint | null
  readonly toNs: bigint | null
  readonly latest: number | null
  readonly hostId?: string | undefined
  readonly services?: readonly string[] | undefined
  /** Lower bounds: percent, and megabytes. */
  readonly cpuUsage?: number | undefined
  readonly memoryUsage?: number | undefined
  readonly pathName?: string | undefined
  readonly endpoint?: string | undefined
  /** Whether the caller may learn names of a graph; absent: of every one. */
  readonly mayName?: ((graph: string) => boolean) | undefined
}

/** An hour at one sample in five seconds. */
const SAMPLES_MAX = 720
export const SAMPLE_INTERVAL_MS = 5_000
/** Who asks for the metrics each second gets new ones each second; the timers of both drift. */
const LIVE_INTERVAL_MS = 900
const HOST_ID = 'm1'
const PATH_NAME = 'Gstore'
const SERVICE_NAME = 'GPE'

function isNameable(key: string, { mayName }: MetricFilter): boolean {
  const graph = graphOfKey(key)
  return graph === null || mayName === undefined || mayName(graph)
}

export class Monitor {
  readonly #options: MonitorOptions
  readonly #samples: PackedSample[] = []
  #names = new RateNames()
  /** The last one taken for a reader; it is not kept in the hour. */
  #live: MonitorSample | undefined
  /** Where the file system of the data directory is mounted. */
  readonly mountPoint: string

  constructor(options: MonitorOptions) {
    this.#options = options
    this.mountPoint = mountPointOf(options.dataDirectory ?? '/')
    this.sample()
  }

  /** Called every SAMPLE_INTERVAL_MS. */
  sample(): MonitorSample {
    const sample = this.#measure(this.#samples.at(-1))
    const { qps, ...figures } = sample
    if (this.#names.isFull) this.#names = new RateNames()
    this.#samples.push({ ...figures, rates: this.#names.pack(qps) })
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift()
    return sample
  }

  /** @param since the shares of the processors are of the time since then */
  #measure(since: Pick<MonitorSample, 'machine'> | undefined): MonitorSample {
    const { clock, connectionCount, lastMinute } = this.#options
    const machine = this.#options.machine()
    const before = since?.machine
    const totalMs = machine.cpuTotalMs - (before?.cpuTotalMs ?? 0)
    const idleMs = machine.cpuIdleMs - (before?.cpuIdleMs ?? 0)
    const processMs = machine.processCpuMs - (before?.processCpuMs ?? 0)
    const share = (ms: number) =>
      totalMs <= 0 ? 0 : Math.min(100, Math.max(0, (100 * ms) / totalMs))
    return {
      atMs: clock.nowMs(),
      machine,
      cpuUsage: share(totalMs - idleMs),
      processCpuUsage: share(processMs),
      connectionCount: connectionCount(),
      qps: lastMinute().map(({ key, completed }) => ({ key, qps: completed / 60 })),
    }
  }

  /** The state of this second: measured now unless it just was. */
  latest(): MonitorSample {
    const packed = this.#samples.at(-1)
    const isLive = this.#live !== undefined && this.#live.atMs > (packed?.atMs ?? 0)
    const last = isLive ? this.#live : packed && unpacked(packed)
    if (last !== undefined && this.#options.clock.nowMs() - last.atMs < LIVE_INTERVAL_MS)
      return last
    this.#live = this.#measure(last)
    return this.#live
  }

  /** Newest first, in the shapes of docs/reference/rest.md. */
  history(category: MetricCategory, filter: MetricFilter): Record<string, unknown[]> {
    const last = this.#samples.at(-1)
    if (last === undefined || this.#options.clock.nowMs() - last.atMs >= SAMPLE_INTERVAL_MS) {
      this.sample()
    }
    const latest = filter.latest ?? SAMPLES_MAX
    const all = this.#samples.filter(({ atMs }) => isWithin(atMs, filter)).reverse()
    const rows = isWanted(HOST_ID, filter.hostId) ? all.slice(0, latest) : []
    switch (category) {
      case 'cpu-memory':
        return {
          CPUMemoryMetrics: rows
            .map((row) => ({ ...headOf(row), ...cpuMemory(row) }))
            .filter((row) => isCpuMemoryWanted(row, filter)),
        }
      case 'diskspace':
        return {
          DiskMetrics: isWanted(PATH_NAME, filter.pathName)
            ? rows.flatMap((row) => this.#disk(row))
            : [],
        }
      case 'network':
        return { NetworkMetrics: rows.map((row) => ({ ...headOf(row), Network: network(row) })) }
      case 'qps':
        return {
          QPSMetrics: rows.flatMap((row) =>
            unpacked(row)
              .qps.filter(({ key }) => isWanted(key, filter.endpoint) && isNameable(key, filter))
              .map(({ key, qps }) => ({ ...headOf(row), QPS: { Endpoint: key, QPS: qps } })),
          ),
        }
    }
  }

  #disk(row: PackedSample): unknown[] {
    const { disk } = row.machine
    if (disk === null) return []
    const Disk = {
      PathName: PATH_NAME,
      Path: this.#options.dataDirectory,
      MountPoint: this.mountPoint,
      UsedSizeMB: megabytes(disk.usedBytes),
      FreeSizeMB: megabytes(disk.freeBytes),
    }
    return [{ ...headOf(row), Disk }]
  }
}

function unpacked({ rates, ...figures }: PackedSample): MonitorSample {
  return { ...figures, qps: rates.unpacked() }
}

/** Names are compared without their case. */
function isWanted(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === name.toLowerCase()
}

function isCpuMemoryWanted(row: ReturnType<typeof cpuMemory>, filter: MetricFilter): boolean {
  const { services = [], cpuUsage = 0, memoryUsage = 0 } = filter
  const isNamed = services.length === 0 || services.some((name) => isWanted(SERVICE_NAME, name))
  return isNamed && row.CPU.CPUUsage >= cpuUsage && row.Memory.MemoryUsageMB >= memoryUsage
}

function isWithin(atMs: number, { fromNs, toNs }: MetricFilter): boolean {
  const ns = nanoseconds(atMs)
  return (fromNs === null || ns >= fromNs) && (toNs === null || ns <= toNs)
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n
}

/** Quantities of 64 bits are texts. */
function headOf(row: PackedSample) {
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

function cpuMemory(row: PackedSample) {
  return {
    ServiceDescriptor: { ServiceName: SERVICE_NAME, Partition: 1, Replica: 1 },
    CPU: { CPUUsage: Math.round(row.processCpuUsage * 100) / 100 },
    Memory: { MemoryUsageMB: megabytes(row.machine.processMemoryBytes) },
  }
}

function network(row: PackedSample) {
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

/** What the machine says about itself: the raw figures behind the metrics of docs/reference/rest.md. */
import { readFileSync, statfsSync, statSync } from 'node:fs'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

export interface MachineSample {
  /** CPU time since boot over all cores, in milliseconds: of everyone, and the idle part. */
  readonly cpuTotalMs: number
  readonly cpuIdleMs: number
  readonly coreCount: number
  /** CPU time of this process, all threads, in milliseconds. */
  readonly processCpuMs: number
  readonly memoryTotalBytes: number
  readonly memoryAvailableBytes: number
  readonly processMemoryBytes: number
  /** Since the start, of the thread that answers; what waits for it is not in it. */
  readonly eventLoopBusyMs: number
  readonly disk: { readonly usedBytes: number; readonly freeBytes: number } | null
  /** Bytes over all interfaces but loopback since boot; null where the system does not tell. */
  readonly network: { readonly incomingBytes: number; readonly outgoingBytes: number } | null
}

export function readMachine(dataDirectory: string | null): MachineSample {
  const times = cpus().map((cpu) => cpu.times)
  const sum = (part: (time: (typeof times)[number]) => number) =>
    times.reduce((total, time) => total + part(time), 0)
  const { user, system } = process.cpuUsage()
  return {
    cpuTotalMs: sum((time) => time.user + time.nice + time.sys + time.idle + time.irq),
    cpuIdleMs: sum((time) => time.idle),
    coreCount: availableParallelism(),
    processCpuMs: (user + system) / 1000,
    memoryTotalBytes: totalmem(),
    memoryAvailableBytes: availableMemory(),
    processMemoryBytes: process.memoryUsage.rss(),
    eventLoopBusyMs: performance.eventLoopUtilization().active,
    disk: dataDirectory === null ? null : readDisk(dataDirectory),
    network: readNetwork(),
  }
}

/** What could be had without swapping, page cache included; `freemem` leaves that out. */
function availableMemory(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readText('/proc/meminfo'))?.[1]
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024
}

function readDisk(directory: string): MachineSample['disk'] {
  const { bsize, blocks, bfree, bavail } = statfsSync(directory)
  return { usedBytes: (blocks - bfree) * bsize, freeBytes: bavail * bsize }
}

/** The highest directory above `directory` on the same file system. */
export function mountPointOf(directory: string): string {
  let path = resolve(directory)
  const device = deviceOf(path)
  while (dirname(path) !== path && deviceOf(dirname(path)) === device) path = dirname(path)
  return path
}

function deviceOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev
}

function readNetwork(): MachineSample['network'] {
  const rows = [...readText('/proc/net/dev').matchAll(/^\s*(\S+):\s*(\d+)(?:\s+\d+){7}\s+(\d+)/gm)]
  if (rows.length === 0) return null
  const others = rows.filter(([, name]) => name !== 'lo')
  const sum = (column: 2 | 3) => others.reduce((total, row) => total + Number(row[column]), 0)
  return { incomingBytes: sum(2), outgoingBytes: sum(3) }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

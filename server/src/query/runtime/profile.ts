/** PROFILE: what each statement of a run has cost. Off unless it was asked for. */
import { ById } from '#kernel/by-id.ts'
import type { RunControl } from './control.ts'

export interface StatementProfile {
  /** As in the plan. */
  readonly id: number
  readonly executions: number
  readonly timeMs: number
  readonly rows: number
  readonly edges: number
  /** Most threads that worked on it at the same time. */
  readonly threads: number
  /** Rows that the conditions of a SELECT's start, and of each hop, have kept. */
  readonly kept: readonly number[]
}

/** By the levels of a SELECT: its start, then each hop. */
export type KeptCounters = BigInt64Array<SharedArrayBuffer>

export function newKeptCounters(levels: number): KeptCounters {
  return new BigInt64Array(new SharedArrayBuffer(levels * BigInt64Array.BYTES_PER_ELEMENT))
}

interface Totals {
  readonly id: number
  executions: number
  timeMs: number
  rows: number
  edges: number
  threads: number
  kept: KeptCounters | null
}

export class Profiler {
  private readonly totals = new ById<Totals>()
  private current: Totals | null = null
  private startedMs = 0
  private rows = 0
  private edges = 0
  private readonly control: RunControl
  private readonly nowMs: () => number

  constructor(control: RunControl, nowMs: () => number) {
    this.control = control
    this.nowMs = nowMs
  }

  /** A statement begins; what went on since the last one began was that one's. */
  enter(id: number): void {
    this.leave()
    this.current = this.totals.get(id) ?? this.#first(id)
    this.current.executions++
  }

  /** Of the statement at hand, in all its executions. */
  keptRows(levels: number): KeptCounters {
    const { current } = this
    if (current === null) return newKeptCounters(levels)
    current.kept ??= newKeptCounters(levels)
    return current.kept
  }

  noteThreads(threads: number): void {
    if (this.current !== null) this.current.threads = Math.max(this.current.threads, threads)
  }

  finish(): readonly StatementProfile[] {
    this.leave()
    return this.totals.all().map((totals) => ({
      ...totals,
      kept: Array.from(totals.kept ?? [], Number),
    }))
  }

  #first(id: number): Totals {
    const totals = { id, executions: 0, timeMs: 0, rows: 0, edges: 0, threads: 1, kept: null }
    this.totals.set(id, totals)
    return totals
  }

  private leave(): void {
    const now = this.nowMs()
    const { rows, edges } = this.control.counters()
    if (this.current !== null) {
      this.current.timeMs += now - this.startedMs
      this.current.rows += rows - this.rows
      this.current.edges += edges - this.edges
    }
    this.startedMs = now
    this.rows = rows
    this.edges = edges
  }
}

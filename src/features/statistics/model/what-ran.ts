/** What ran in a part of the time, ordered by how much of its work it was. */
import type { StatisticsHistory } from '#contract/statistics.ts'

export interface RanRow {
  readonly endpoint: string
  /** Name of the installed query that it ran; null: another endpoint. */
  readonly query: string | null
  readonly completed: number
  /** Of the completed ones. */
  readonly errors: number
  readonly timeouts: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  /** Of the time that all answers of the part took together; timeouts have no latency. */
  readonly share: number
}

/** The heaviest first. */
export function ranRows({ endpoints }: StatisticsHistory): readonly RanRow[] {
  const rows = endpoints.map(({ endpoint, summary }) => ({
    endpoint,
    query: queryOf(endpoint),
    totalMs: summary.completed * (summary.averageMs ?? 0),
    ...summary,
  }))
  const wholeMs = rows.reduce((sum, { totalMs }) => sum + totalMs, 0)
  return rows
    .sort((a, b) => b.totalMs - a.totalMs || b.timeouts - a.timeouts)
    .map(({ totalMs, ...row }) => ({ ...row, share: wholeMs === 0 ? 0 : totalMs / wholeMs }))
}

/** Runs are counted by name: `GET /query/{graph}/{name}`. */
function queryOf(endpoint: string): string | null {
  return /^[A-Z]+ \/query\/[^/{]+\/([^/{]+)$/.exec(endpoint)?.[1] ?? null
}

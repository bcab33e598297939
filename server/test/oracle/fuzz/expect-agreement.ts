/** What a run of the fuzzer has to show. */
import { expect } from 'vitest'
import type { Counts, FuzzReport } from './fuzzing.ts'

/** Shares of the queries, in percent, that a run stays below: else it would try next to nothing. */
const PERCENT_MAX = { refused: 4, unknown: 3, failures: 15, empty: 15 }

/** Fewer queries say nothing of a share. */
const QUERIES_MIN = 100

export function expectAgreement({ counts, differences }: FuzzReport): void {
  expect(differences.join('\n\n')).toBe('')
  const text = summary(counts)
  expect(counts.pairs, text).toBeGreaterThan(counts.queries)
  if (counts.queries < QUERIES_MIN) return
  const shares = {
    refused: sum(counts.refused),
    unknown: sum(counts.unknown),
    failures: counts.failures,
    empty: counts.empty,
  }
  for (const [name, count] of Object.entries(shares)) {
    const most = PERCENT_MAX[name as keyof typeof PERCENT_MAX]
    expect((100 * count) / counts.queries, `${name} of ${text}`).toBeLessThan(most)
  }
  // Errors are part of what is compared.
  expect(counts.failures, text).toBeGreaterThan(0)
  expect(counts.rebuiltPairs, text).toBeGreaterThan(counts.queries / 2)
}

export function summary(counts: Counts): string {
  const { refused, unknown, ...numbers } = counts
  return JSON.stringify({ ...numbers, refused: plain(refused), unknown: plain(unknown) })
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}

/** The most frequent ones first. */
function plain(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]).slice(0, 20))
}

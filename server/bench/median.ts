import type { RowResult } from './contender.ts'

/** Of the rounds' seconds, the upper one of two middle values; null without rounds. */
export function median(rounds: readonly RowResult[]): number | null {
  const values = rounds.map(({ seconds }) => seconds).sort((a, b) => a - b)
  return values[values.length >> 1] ?? null
}

/** The window against the time before it, as long as itself: figures for the table, and words. */
import type { StatisticsHistory } from '#contract/statistics.ts'
import { counted, formatDuration, formatPercent, formatRate } from '#lib/format.ts'

/** What was there before; null in its place: it cannot be told. */
export interface Before {
  readonly rate: number
  readonly p95Ms: number | null
  readonly errors: number
}

/** Of an endpoint, or of all together; null: requests were not counted all that time. */
export function beforeOf(
  { before }: Pick<StatisticsHistory, 'before'>,
  endpoint: string | null,
): Before | null {
  if (before === undefined || before.since > before.from) return null
  const found =
    endpoint === null
      ? before.total
      : before.endpoints.find((entry) => entry.endpoint === endpoint)?.summary
  const seconds = Math.max(1, before.to - before.from)
  const { completed = 0, p95Ms = null, errors = 0 } = found ?? {}
  return { rate: completed / seconds, p95Ms, errors }
}

/** `+12 %`, `−30 %`, `=`; empty: one of the two is not there, `new`: it was not there before. */
export function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return ''
  if (before === 0) return now === 0 ? '=' : 'new'
  const text = formatPercent(Math.abs(now / before - 1))
  if (text === formatPercent(0)) return '='
  return `${now > before ? '+' : '−'}${text}`
}

/** `+3`, `−2`; empty: as many as before. */
export const countChangeText = (now: number, before: number): string =>
  now === before ? '' : `${now > before ? '+' : '−'}${Math.abs(now - before)}`

/** In one sentence, of an endpoint or of all together. */
export function comparedWords(
  history: StatisticsHistory,
  endpoint: string | null,
  formatTime: (seconds: number) => string,
): string {
  const { before, total, endpoints, from, to } = history
  if (before === undefined) return ''
  const was = beforeOf(history, endpoint)
  const length = formatDuration((before.to - before.from) * 1_000)
  if (was === null) {
    return `There is nothing to compare with: the time before this window, ${length}, begins at ${formatTime(before.from)}, and requests are counted since ${formatTime(before.since)}.`
  }
  const found = endpoints.find((entry) => entry.endpoint === endpoint)?.summary
  const { completed, p95Ms, errors } = found ?? total.summary
  const rate = completed / Math.max(1, to - from)
  const parts = [
    `${moreOrLess(changeText(rate, was.rate), 'requests')} (${formatRate(was.rate)}, now ${formatRate(rate)})`,
    p95Ms === null || was.p95Ms === null
      ? ''
      : `p95 ${slowerOrFaster(changeText(p95Ms, was.p95Ms))} (${formatDuration(was.p95Ms)}, now ${formatDuration(p95Ms)})`,
    errors + was.errors === 0
      ? 'no errors'
      : `${counted(errors, 'error', 'errors')} (${was.errors} before)`,
  ]
  const subject = endpoint === null ? 'All endpoints' : endpoint
  return `${subject} against the ${length} before: ${parts.filter((part) => part !== '').join(', ')}.`
}

function moreOrLess(change: string, what: string): string {
  if (change === '=') return `as many ${what}`
  if (change === 'new') return `${what} where there were none`
  return `${change.slice(1)} ${change.startsWith('+') ? 'more' : 'fewer'} ${what}`
}

const slowerOrFaster = (change: string): string =>
  change === '=' ? 'the same' : `${change.slice(1)} ${change.startsWith('+') ? 'slower' : 'faster'}`

/** What a soak found, as text, and whether every promise was held. */
import { GROWTH_SHARE_MAX, judgeMemory, WARM_UP_SECONDS, WINDOW_SECONDS } from './memory-windows.ts'
import type { SoakOptions } from './options.ts'
import type { SoakResult } from './soak.ts'

export const POINT_READ_P99_MS_MAX = 50

export interface SoakReport {
  readonly lines: readonly string[]
  /** Empty when everything was held. */
  readonly broken: readonly string[]
}

export function reportOf(result: SoakResult, options: SoakOptions): SoakReport {
  const broken = [...brokenAnswers(result), ...brokenFigures(result)]
  return {
    broken,
    lines: [
      ...summary(result, options),
      ...kindTable(result),
      ...memoryTable(result),
      ...counted('Errors', result.ledger.errors),
      ...counted('Refusals under load (sent again)', result.ledger.refusals),
      ...result.ledger.wrong.map((line) => `WRONG ${line}`),
      broken.length === 0
        ? 'Every promise was held.'
        : `Broken promises:\n${broken.map((line) => `  - ${line}`).join('\n')}`,
    ],
  }
}

/** Promises of correctness: they hold on every machine, whatever else runs there. */
export function brokenAnswers({ ledger, probes, crashes, stopCodes }: SoakResult): string[] {
  const wrong = ledger.wrongCount + probes.reduce((sum, probe) => sum + probe.wrong.length, 0)
  const errors = [...ledger.errors.values()].reduce((sum, count) => sum + count, 0)
  const badStops = stopCodes.filter((code) => code !== 0)
  return [
    ...(wrong > 0 ? [`${wrong} wrong answers`] : []),
    ...(errors > 0 ? [`${errors} requests failed`] : []),
    ...crashes.map((ending) => `the server ended by itself: ${ending}`),
    ...(badStops.length > 0 ? [`a clean stop ended with ${badStops.join(', ')}`] : []),
  ]
}

/** Promises of speed and memory, for a machine that does nothing else. */
function brokenFigures({ probes, samples }: SoakResult): string[] {
  const p99Ms = Math.max(...probes.map((probe) => probe.p99Ms))
  const { isFlat, growthShare } = judgeMemory(samples)
  return [
    ...(p99Ms > POINT_READ_P99_MS_MAX
      ? [`p99 of point reads is ${p99Ms.toFixed(1)} ms, more than ${POINT_READ_P99_MS_MAX} ms`]
      : []),
    ...(isFlat === false
      ? [`resident memory grew by ${percent(growthShare!)}, more than ${percent(GROWTH_SHARE_MAX)}`]
      : []),
  ]
}

function summary(result: SoakResult, options: SoakOptions): string[] {
  const { ledger, probes, killCount, quietChecks, startMs } = result
  return [
    `seed ${options.seed}, ${options.clientCount} clients, ${(options.durationMs / 60_000).toFixed(1)} minutes, ${killCount} kills, ${quietChecks} quiet checks`,
    `${ledger.acknowledgedWrites} acknowledged writes, ${ledger.checkedElements} checks, ${ledger.wrongCount} wrong`,
    `starts: ${startMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ')}`,
    ...probes.map(
      ({ count, p50Ms, p99Ms, maxMs }) =>
        `point reads of the prober: ${count}, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(0)} ms`,
    ),
  ]
}

function kindTable({ ledger }: SoakResult): string[] {
  const rows = ledger
    .figures()
    .sort((left, right) => right.count - left.count)
    .map(({ kind, count, p50Ms, p99Ms, maxMs }) =>
      [kind.padEnd(28), count, p50Ms.toFixed(1), p99Ms.toFixed(1), maxMs.toFixed(0)]
        .map((cell) => String(cell).padStart(10))
        .join(''),
    )
  return ['kind                             count    p50 ms    p99 ms    max ms', ...rows]
}

/** One line per window of the whole run; only those after the warm-up are judged. */
function memoryTable({ samples }: SoakResult): string[] {
  const lines = [
    '     minute resident MB    graph MB     heap MB    arrays MB loop p99 ms loop max ms',
  ]
  const last = samples.at(-1)?.second ?? 0
  for (let from = 0; from < last; from += WINDOW_SECONDS) {
    const inside = samples.filter(({ second }) => second >= from && second < from + WINDOW_SECONDS)
    const middle = inside.toSorted((a, b) => a.residentBytes - b.residentBytes)[inside.length >> 1]
    if (middle === undefined) continue
    const worst = Math.max(...inside.map(({ loopDelayMsMax }) => loopDelayMsMax))
    const p99 = Math.max(...inside.map(({ loopDelayMsP99 }) => loopDelayMsP99))
    const cells = [
      middle.residentBytes,
      middle.engineBytes,
      middle.heapBytes,
      middle.arrayBufferBytes,
    ].map(megabytes)
    lines.push(
      [String(from / 60), ...cells, p99.toFixed(0), worst.toFixed(0)]
        .map((cell) => cell.padStart(11))
        .join(' '),
    )
  }
  const { growthShare, lastShare } = judgeMemory(samples)
  const windows = `medians of ${WINDOW_SECONDS} s from second ${WARM_UP_SECONDS} on`
  return [
    ...lines,
    growthShare === null
      ? `resident memory: too short to judge (${windows}, at least three)`
      : `resident memory, ${windows}: highest ${percent(growthShare)} above the first, last ${percent(lastShare!)}`,
  ]
}

function counted(title: string, counts: ReadonlyMap<string, number>): string[] {
  if (counts.size === 0) return [`${title}: none`]
  const sorted = [...counts].sort(([, left], [, right]) => right - left)
  return [`${title}:`, ...sorted.map(([text, count]) => `  ${count} × ${text}`)]
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/**
 * In what a metric counts: its UNIT line where there is one, else the end of its name after the
 * Prometheus habit, else what its description says.
 */
import { formatBytes, formatDuration, formatPercent, formatShort } from '#lib/format.ts'
import type { MetricFamily } from '#lib/open-metrics.ts'
import { MEGABYTE } from './machine.ts'

type MetricUnit = 'bytes' | 'megabytes' | 'seconds' | 'percent' | 'ratio' | 'none'

const named = ['bytes', 'megabytes', 'seconds', 'percent', 'ratio'] as const

export function unitOf({ name, unit, help }: Omit<MetricFamily, 'samples' | 'type'>): MetricUnit {
  const base = name.replace(/_(total|sum)$/, '')
  const found =
    named.find((known) => known === unit) ??
    named.find((known) => base.endsWith(`_${known}`)) ??
    named.find((known) => new RegExp(`\\b(in )?${known}\\b`, 'i').test(help))
  return found ?? 'none'
}

/** @param perSecond the values are rates of a counter */
export function formatterOf(unit: MetricUnit, perSecond: boolean): (value: number) => string {
  const format = plainFormatter(unit)
  // Seconds per second are a share of the time; everything else becomes a rate.
  if (perSecond && unit === 'seconds') return (value) => formatPercent(value)
  return perSecond ? (value) => `${format(value)}/s` : format
}

function plainFormatter(unit: MetricUnit): (value: number) => string {
  switch (unit) {
    case 'bytes':
      return formatBytes
    case 'megabytes':
      return (value) => formatBytes(value * MEGABYTE)
    case 'seconds':
      return (value) => formatDuration(value * 1_000)
    case 'percent':
      return (value) => formatPercent(value / 100)
    case 'ratio':
      return formatPercent
    case 'none':
      return formatShort
  }
}

/** Labels that tell series apart; the host, which is one, and empty ones do not. */
export function seriesLabel(labels: ReadonlyMap<string, string>): string {
  const telling = [...labels].filter(([name, value]) => name !== 'host_id' && value !== '')
  if (telling.length === 0) return labels.size === 0 ? 'all' : 'whole node'
  return telling.map(([name, value]) => `${name}=${value}`).join(', ')
}

/** The limit that the 95th percentile should keep to: set here, and told when it does not. */
import { useEffect } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { counted, formatDuration } from '#lib/format.ts'
import { preferenceBounds, preferences, usePreferences } from '#lib/preferences.ts'
import { NumberField } from '#ui/number-field.tsx'
import { StatusBadge } from '#ui/status-badge.tsx'
import { notify } from '#ui/toasts.tsx'
import { GRACE_SECONDS, secondsAbove } from '../model/limit.ts'
import classes from './latency-limit.module.css'

interface LatencyLimitProps {
  readonly history: StatisticsHistory
  readonly live: boolean
}

const [, limitMax] = preferenceBounds.latencyLimitMs

export function LatencyLimit({ history, live }: LatencyLimitProps) {
  const { latencyLimitMs: limit } = usePreferences()
  const seconds = limit === 0 ? 0 : secondsAbove(history, limit)
  const isExceeded = seconds >= GRACE_SECONDS
  useEffect(() => {
    if (!live || !isExceeded) return
    notify(`The 95th percentile is above ${formatDuration(limit)}.`, { status: 'warning' })
  }, [live, isExceeded, limit])
  return (
    <div className={classes.limit}>
      {isExceeded && (
        <StatusBadge status="warning">
          above the limit for {counted(seconds, 'second', 'seconds')}
        </StatusBadge>
      )}
      <span id="latency-limit" className={classes.label}>
        p95 limit
      </span>
      <NumberField
        aria-labelledby="latency-limit"
        className={classes.field}
        value={limit === 0 ? undefined : limit}
        min={1}
        max={limitMax}
        unit="ms"
        placeholder="none"
        optional
        onChange={(value) => preferences.set({ latencyLimitMs: value ?? 0 })}
      />
    </div>
  )
}

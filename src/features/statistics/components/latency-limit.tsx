/** The limit that the 95th percentile should keep to: set here, and told when it does not. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { Bell, BellRing } from 'lucide-react'
import { useEffect } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { counted, formatDuration } from '#lib/format.ts'
import { preferenceBounds, preferences, usePreferences } from '#lib/storage/preferences.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { NumberField } from '#ui/inputs/number-field.tsx'
import { secondsAbove } from '../model/limit.ts'
import { askToNotify, mayNotify, notifyByBrowser } from '../notification.ts'
import classes from './latency-limit.module.css'

interface LatencyLimitProps {
  readonly history: StatisticsHistory
  readonly live: boolean
}

const [, limitMax] = preferenceBounds.latencyLimitMs

export function LatencyLimit({ history, live }: LatencyLimitProps) {
  const { latencyLimitMs: limit, latencyGraceSeconds: grace } = usePreferences()
  const isLocked = preferences.lockReason('latencyLimitMs') !== null
  const seconds = limit === 0 ? 0 : secondsAbove(history, limit)
  const isExceeded = seconds >= grace
  useEffect(() => {
    if (!live || !isExceeded) return
    const text = `The 95th percentile is above ${formatDuration(limit)}.`
    notify(text, { status: 'warning' })
    notifyByBrowser(text)
  }, [live, isExceeded, limit])
  return (
    <div className={classes.limit}>
      {isExceeded && (
        <StatusBadge status="warning">
          above the limit for {counted(seconds, 'second', 'seconds')}
        </StatusBadge>
      )}
      <div className={classes.limit}>
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
          disabled={isLocked}
          onChange={(value) => preferences.set({ latencyLimitMs: value ?? 0 })}
        />
        {limit !== 0 && <NotificationButton />}
      </div>
    </div>
  )
}

/** The browser is asked for leave by this button only, never by itself. */
function NotificationButton() {
  const { latencyNotification } = usePreferences()
  const isOn = latencyNotification && mayNotify()
  const label = isOn ? 'No browser notifications' : 'Notify by the browser'
  const toggle = async () => {
    const mayNow = !isOn && (await askToNotify())
    if (!isOn && !mayNow)
      notify('This browser does not allow notifications.', { status: 'warning' })
    preferences.set({ latencyNotification: mayNow })
  }
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={toggle}>
        {isOn ? <BellRing size={14} /> : <Bell size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}

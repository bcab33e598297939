/** What runs and what ran: rebuilds, loads, installs, publications. It survives navigation. */
import { ActionIcon, Loader, Popover, Tooltip } from '@mantine/core'
import { Activity as ActivityIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Activity, useActivities } from '#api/activity.ts'
import { counted, formatAge, formatDuration } from '#lib/format.ts'
import { messageOf } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import classes from './activity-tray.module.css'

const SHOWN_MAX = 20

export function ActivityTray() {
  const activities = useActivities()
  const [opened, setOpened] = useState(false)
  const running = activities.filter(({ state }) => state === 'running').length
  const label = running === 0 ? 'Activity' : `Activity, ${counted(running, 'running', 'running')}`
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Tooltip label={label} disabled={opened}>
          <ActionIcon aria-label={label} onClick={() => setOpened(!opened)}>
            {running > 0 ? (
              <Loader size={14} color="ink" aria-hidden="true" />
            ) : (
              <ActivityIcon size={16} aria-hidden="true" />
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Activity">
        <h2 className={classes.title}>Activity</h2>
        {activities.length === 0 ? (
          <p className={classes.none}>
            Rebuilds, loads, installs and publications of this tab appear here.
          </p>
        ) : (
          <Entries activities={activities.slice(0, SHOWN_MAX)} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

const looks = {
  running: { status: 'info', text: 'running' },
  done: { status: 'success', text: 'done' },
  failed: { status: 'danger', text: 'failed' },
} as const

function Entries({ activities }: { readonly activities: readonly Activity[] }) {
  const now = useNow()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul className={classes.list} tabIndex={0} aria-label="Latest activities">
      {activities.map(({ id, label, state, startedAt, error }) => (
        <li key={id} className={classes.entry}>
          <span className={classes.label}>{label}</span>
          <StatusBadge look="plain" status={looks[state].status}>
            {looks[state].text}
          </StatusBadge>
          <span className={classes.detail}>
            {state === 'running'
              ? `for ${formatDuration(now - startedAt)}`
              : formatAge(now - startedAt)}
            {state === 'failed' && ` · ${messageOf(error)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

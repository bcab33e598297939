/** Whether the server answers, and how fast: one small request every five seconds. */
import { Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAgain, pingQuery } from '#api/ping.ts'
import { formatDuration } from '#lib/format.ts'
import classes from './top-bar.module.css'

export function HealthDot() {
  const ping = useQuery(pingQuery)
  const down = ping.isError
  const client = useQueryClient()
  useEffect(() => {
    if (!down) void askAgain(client)
  }, [down, client])
  const text = down
    ? 'The server does not answer'
    : ping.data === undefined
      ? 'Asking the server'
      : `The server answers in ${formatDuration(ping.data)}`
  return (
    <Tooltip label={text}>
      <span className={classes.health} data-down={down} role="status">
        <span className={classes.dot} aria-hidden="true" />
        <span className={classes.healthText}>{down ? 'offline' : 'online'}</span>
      </span>
    </Tooltip>
  )
}

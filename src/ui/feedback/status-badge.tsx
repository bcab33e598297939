/** A word with a dot, in a status colour: never the colour alone. */
import type { ReactNode } from 'react'
import classes from './status-badge.module.css'

export type Status = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

interface StatusBadgeProps {
  readonly status: Status
  readonly children: ReactNode
  /** `plain` leaves out the fill, for dense rows. */
  readonly look?: 'filled' | 'plain'
}

export function StatusBadge({ status, children, look = 'filled' }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-status={status} data-look={look}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  )
}

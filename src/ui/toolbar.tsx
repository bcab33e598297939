/** A strip of controls above a view. */
import type { ReactNode } from 'react'
import classes from './toolbar.module.css'

interface ToolbarProps {
  readonly label: string
  readonly children: ReactNode
}

export function Toolbar({ label, children }: ToolbarProps) {
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={label}>
      {children}
    </div>
  )
}

/** Pushes what follows to the far end. */
export function ToolbarSpace() {
  return <span className={classes.space} />
}

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

/** Stands at the far end; where there is no room, all of it goes to the next line. */
export function ToolbarEnd({ children }: { readonly children: ReactNode }) {
  return <div className={classes.end}>{children}</div>
}

/** A large number with its name, a line of context and, if there is one, its trend. */
import type { ReactNode } from 'react'
import classes from './figure-tile.module.css'

interface FigureTileProps {
  readonly label: string
  readonly value: string
  readonly unit?: string
  readonly context?: ReactNode
  readonly children?: ReactNode
}

export function FigureTile({ label, value, unit, context, children }: FigureTileProps) {
  return (
    <div className={classes.tile}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {value}
        {unit !== undefined && <span className={classes.unit}> {unit}</span>}
      </dd>
      {context !== undefined && <dd className={classes.context}>{context}</dd>}
      {children !== undefined && <dd className={classes.chart}>{children}</dd>}
    </div>
  )
}

/** Tiles side by side, one border around and between them; a list of terms and values. */
export function FigureRow({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.row}>{children}</dl>
}

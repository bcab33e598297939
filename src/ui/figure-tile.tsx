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
    <section className={classes.tile} aria-label={label}>
      <h3 className={classes.label}>{label}</h3>
      <p className={classes.value}>
        {value}
        {unit !== undefined && <span className={classes.unit}> {unit}</span>}
      </p>
      {context !== undefined && <p className={classes.context}>{context}</p>}
      {children !== undefined && <div className={classes.chart}>{children}</div>}
    </section>
  )
}

/** Tiles side by side, one border around and between them. */
export function FigureRow({ children }: { readonly children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}

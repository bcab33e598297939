/** The frame of every route: a title bar with its actions, and a body that scrolls by itself. */
import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** Beside the title: counts, a live dot, a badge. */
  readonly status?: ReactNode
  /** At the right end of the title bar; the primary action last. */
  readonly actions?: ReactNode
  /** `padded` scrolls with margins; `fill` gives the children the whole area, and no scroll bar. */
  readonly layout?: 'padded' | 'fill'
  readonly children: ReactNode
}

export function Page({ title, status, actions, layout = 'padded', children }: PageProps) {
  return (
    <main className={classes.page} id="main" tabIndex={-1}>
      <title>{`${title} · Quiver`}</title>
      <header className={classes.header}>
        <h1 className={classes.title}>{title}</h1>
        {status !== undefined && <div className={classes.status}>{status}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={layout === 'fill' ? classes.fill : classes.padded}>{children}</div>
    </main>
  )
}

interface SectionProps {
  readonly title: string
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  /** `flush` lets a table or chart reach the borders. */
  readonly layout?: 'padded' | 'flush'
  readonly children: ReactNode
}

/** A bordered panel with a heading. */
export function Section({ title, hint, actions, layout = 'padded', children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.sectionHeader}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        {hint !== undefined && <div className={classes.hint}>{hint}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={layout === 'flush' ? classes.flush : classes.sectionBody}>{children}</div>
    </section>
  )
}

/**
 * The frame of every route. Its title is the last word of the breadcrumb in the bar, and its actions
 * are at the right of it; the body scrolls by itself.
 */
import { type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'
import classes from './page.module.css'
import { PageHeadContext } from './page-head.tsx'

interface PageProps {
  readonly title: string
  /** Beside the title: counts, a live dot, a badge. */
  readonly status?: ReactNode
  /** The primary action last. */
  readonly actions?: ReactNode
  /** `padded` scrolls with margins; `fill` gives the children the whole area, and no scroll bar. */
  readonly layout?: 'padded' | 'fill'
  readonly children: ReactNode
}

export function Page({ title, status, actions, layout = 'padded', children }: PageProps) {
  const head = use(PageHeadContext)
  const heading = <h1 className={classes.title}>{title}</h1>
  const stripStatus = head?.isWide !== true && status !== undefined
  const stripActions = head?.isWide !== true && actions !== undefined
  return (
    <main className={classes.page} id="main" tabIndex={-1}>
      <title>{`${title} · Quiver`}</title>
      {head?.title && createPortal(heading, head.title)}
      {head?.isWide && (
        <>
          {head.title &&
            status !== undefined &&
            createPortal(<div className={classes.status}>{status}</div>, head.title)}
          {head.actions &&
            actions !== undefined &&
            createPortal(<div className={classes.actions}>{actions}</div>, head.actions)}
        </>
      )}
      {(head === null || stripStatus || stripActions) && (
        <header className={classes.header}>
          {head === null && heading}
          {stripStatus && <div className={classes.status}>{status}</div>}
          {stripActions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
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

/** The changes by what they cost, dearest first. */
import { Fragment, type ReactNode } from 'react'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import {
  classOrder,
  classTitles,
  type ImpactView,
  type Refusal,
  reviewLines,
} from '../model/impact.ts'
import type { Change, ChangeClass } from '../model/schema-diff.ts'
import classes from './schema.module.css'

interface ReviewSummaryProps {
  readonly changes: readonly Change[]
  readonly impact: ImpactView | undefined
  readonly refusals: readonly Refusal[]
  /** What else breaks, before what is safe. */
  readonly children?: ReactNode
}

const statuses = { destroys: 'danger', rewrites: 'warning', safe: 'success' } as const

export function ReviewSummary(props: ReviewSummaryProps) {
  return (
    <div className={classes['summary']}>
      {classOrder.map((changeClass) => (
        <Fragment key={changeClass}>
          {changeClass === 'safe' && props.children}
          <ClassGroup {...props} changeClass={changeClass} />
        </Fragment>
      ))}
    </div>
  )
}

function ClassGroup(props: ReviewSummaryProps & { readonly changeClass: ChangeClass }) {
  const { changeClass, changes, impact, refusals } = props
  const lines = reviewLines(changes, impact, changeClass, refusals)
  if (lines.length === 0) return null
  return (
    <section aria-label={classTitles[changeClass]} className={classes['classGroup']}>
      <h3>
        <StatusBadge status={statuses[changeClass]}>{classTitles[changeClass]}</StatusBadge>
      </h3>
      <ul className={classes['lines']}>
        {lines.map(({ text, details, refusal }) => (
          <li key={text} data-refused={refusal !== undefined}>
            <span>{text}</span>
            {details.length > 0 && (
              <span className={classes['details']}>{details.join(' · ')}</span>
            )}
            {refusal !== undefined && <p className={classes['refusal']}>{refusal}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

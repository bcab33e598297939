/** The changes by what they cost, dearest first. */
import { StatusBadge } from '#ui/status-badge.tsx'
import { classOrder, classTitles, type ImpactView, reviewLines } from '../model/impact.ts'
import type { Change, ChangeClass } from '../model/schema-diff.ts'
import classes from './schema.module.css'

interface ReviewSummaryProps {
  readonly changes: readonly Change[]
  readonly impact: ImpactView | undefined
}

const statuses = { destroys: 'danger', rewrites: 'warning', safe: 'success' } as const

export function ReviewSummary({ changes, impact }: ReviewSummaryProps) {
  return (
    <div className={classes['summary']}>
      {classOrder.map((changeClass) => (
        <ClassGroup key={changeClass} changeClass={changeClass} changes={changes} impact={impact} />
      ))}
    </div>
  )
}

function ClassGroup(props: ReviewSummaryProps & { readonly changeClass: ChangeClass }) {
  const { changeClass, changes, impact } = props
  const lines = reviewLines(changes, impact, changeClass)
  if (lines.length === 0) return null
  return (
    <section aria-label={classTitles[changeClass]} className={classes['classGroup']}>
      <h3>
        <StatusBadge status={statuses[changeClass]}>{classTitles[changeClass]}</StatusBadge>
      </h3>
      <ul className={classes['lines']}>
        {lines.map(({ text, details }) => (
          <li key={text}>
            <span>{text}</span>
            {details.length > 0 && (
              <span className={classes['details']}>{details.join(' · ')}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

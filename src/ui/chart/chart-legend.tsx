import { Breakable } from '../layout/breakable.tsx'
import classes from './chart.module.css'
import { type ChartSeries, seriesColor, seriesDash } from './model.ts'

export function ChartLegend({ series }: { readonly series: readonly ChartSeries[] }) {
  return (
    <ul className={classes.legend}>
      {series.map((entry, index) => (
        <li key={entry.id} className={classes.entry}>
          <Key look={entry.look ?? 'line'} index={index} />
          <span>
            <Breakable path={unbroken(entry.label)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A method stays with its path. */
const unbroken = (label: string): string => label.replace(/^([A-Z]+) /, '$1\u00a0')

interface KeyProps {
  readonly look: NonNullable<ChartSeries['look']>
  readonly index: number
}

function Key({ look, index }: KeyProps) {
  const color = seriesColor(index)
  return (
    <svg width="16" height="10" viewBox="0 0 16 10" aria-hidden="true">
      {look === 'area' && <rect y="1" width="16" height="8" rx="1" fill={color} />}
      {look === 'dots' && <circle cx="8" cy="5" r="2.5" fill={color} />}
      {look === 'line' && (
        <path d="M0 5h16" stroke={color} strokeWidth="2" strokeDasharray={seriesDash(index)} />
      )}
    </svg>
  )
}

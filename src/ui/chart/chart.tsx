/**
 * Time charts: lines, stacked areas, dots. Recharts is loaded with the first chart that is shown,
 * and nothing outside this folder knows of it.
 *
 * ```tsx
 * <Chart label="Latency" times={times} format={formatDuration} series={[
 *   { id: 'p50', label: 'p50', values: p50 }, { id: 'max', label: 'Max', values: max, look: 'dots' },
 * ]} />
 * ```
 *
 * `times` are epoch seconds, ascending, at most 300; every series has a value or a gap (null) for
 * each. The text summary and the table behind "View as table" come from the same numbers.
 */
import { Suspense, useDeferredValue, useState } from 'react'
import { later } from '../layout/later.tsx'
import { useAfterPaint } from '../layout/use-after-paint.ts'
import classes from './chart.module.css'
import { ChartCursor } from './chart-cursor.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTable } from './chart-table.tsx'
import { type ChartModel, chartSummary, isEmptyChart } from './model.ts'

export type { ChartModel, ChartSeries } from './model.ts'

const Drawing = later(async () => (await import('./drawing.tsx')).Drawing)

/** For a page that will show one. */
export const prefetchChart: () => Promise<unknown> = Drawing.fetch

interface ChartProps extends ChartModel {
  readonly height?: number
  /** Beside the legend: a scale switch. */
  readonly controls?: React.ReactNode
}

export function Chart({ height = 200, controls, ...model }: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  // A page is on screen before its charts are drawn, which takes several frames.
  const isTime = useDeferredValue(useAfterPaint(), false)
  const picture = (content: React.ReactNode) => (
    <div className={classes.drawing} style={{ height }} aria-hidden="true">
      {content}
    </div>
  )
  return (
    <figure className={classes.figure} aria-label={model.label}>
      <div className={classes.head}>
        <ChartLegend series={model.series} />
        <div className={classes.controls}>
          {controls}
          <button
            type="button"
            className={classes.toggle}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'View as chart' : 'View as table'}
          </button>
        </div>
      </div>
      <figcaption className="visually-hidden">{chartSummary(model)}</figcaption>
      {asTable && (
        <div className={classes.numbers}>
          <ChartTable model={model} />
        </div>
      )}
      {!asTable &&
        isEmptyChart(model) &&
        picture(<p className={classes.empty}>No data in this time</p>)}
      {!asTable && !isEmptyChart(model) && (
        <ChartCursor model={model}>
          {picture(<Suspense>{isTime && <Drawing model={model} />}</Suspense>)}
        </ChartCursor>
      )}
    </figure>
  )
}

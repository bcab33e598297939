/** The series as Recharts draws them, without animations, labels and an element per dot. */
import { Fragment } from 'react'
import { Area, Line } from 'recharts'
import { dotsCurve } from './dots-curve.ts'
import {
  type ChartModel,
  type ChartSeries,
  hasIsolated,
  isolatedKey,
  seriesColor,
  seriesDash,
  seriesKey,
} from './model.ts'

/** What all have in common; pointing at a moment draws its dots for all charts (`moment.tsx`). */
const plain = { dot: false, activeDot: false, isAnimationActive: false } as const
const dots = { ...plain, type: dotsCurve, strokeWidth: 3.5, strokeLinecap: 'round' } as const

export function Series({ model }: { readonly model: ChartModel }) {
  return model.series.map((entry, index) => {
    if (entry.look === 'area') return stackedArea(entry, index)
    return entry.look === 'dots' ? dotsOf(entry, index) : lineOf(entry, index)
  })
}

const stackedArea = ({ id }: ChartSeries, index: number) => (
  <Area
    {...plain}
    key={id}
    dataKey={seriesKey(index)}
    stackId="areas"
    type="linear"
    stroke={seriesColor(index)}
    fill={seriesColor(index)}
    fillOpacity={0.55}
  />
)

const dotsOf = ({ id }: ChartSeries, index: number) => (
  <Line {...dots} key={id} dataKey={seriesKey(index)} stroke={seriesColor(index)} />
)

const lineOf = (entry: ChartSeries, index: number) => (
  <Fragment key={entry.id}>
    <Line
      {...plain}
      dataKey={seriesKey(index)}
      type="linear"
      stroke={seriesColor(index)}
      strokeWidth={1.5}
      strokeDasharray={seriesDash(index)}
    />
    {hasIsolated(entry) && (
      <Line {...dots} dataKey={isolatedKey(index)} stroke={seriesColor(index)} />
    )}
  </Fragment>
)

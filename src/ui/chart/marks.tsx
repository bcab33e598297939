/** What is marked in a chart beside its series: events, a limit, a part of the time. */
import { memo } from 'react'
import { ReferenceArea, ReferenceLine, usePlotArea } from 'recharts'
import classes from './chart.module.css'
import { type ChartModel, markerLabels, type TimePart } from './model.ts'

interface MarksProps {
  readonly model: ChartModel
  readonly marked: TimePart | null
}

export function Marks({ model, marked }: MarksProps) {
  const area = usePlotArea()
  const { times, limit, markers = [] } = model
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1]
  const inView = markers.filter(({ at }) => at >= from && at <= to)
  const labels = markerLabels(inView, { from, to, width: area?.width ?? 0 })
  return (
    <>
      {marked !== null && <MarkedPart from={marked.from} to={marked.to} />}
      {[...new Set(inView.map(({ at }) => at))].map((at) => {
        const label = labels.find((candidate) => candidate.at === at)
        return <EventLine key={at} at={at} text={label?.text} side={label?.side} />
      })}
      {limit !== undefined && <LimitLine value={limit.value} text={limit.text} />}
    </>
  )
}

const label = { className: classes.note ?? '', fontSize: 11, offset: 5 }

// Recharts registers a mark anew with each render: these are rendered when something of them changed.

const MarkedPart = memo(({ from, to }: TimePart) => (
  <ReferenceArea x1={from} x2={to} fill="var(--q-accent)" fillOpacity={0.15} stroke="none" />
))

interface EventLineProps {
  /** Epoch seconds. */
  readonly at: number
  /** Undefined: the label of another event stands for this one. */
  readonly text: string | undefined
  readonly side: 'left' | 'right' | undefined
}

const EventLine = memo(({ at, text, side }: EventLineProps) => (
  <ReferenceLine
    x={at}
    stroke="var(--q-ink-2)"
    strokeDasharray="3 3"
    label={
      text !== undefined && {
        ...label,
        value: text,
        position: side === 'left' ? 'insideTopRight' : 'insideTopLeft',
        fill: 'var(--q-ink-2)',
      }
    }
  />
))

interface LimitLineProps {
  readonly value: number
  readonly text: string
}

const LimitLine = memo(({ value, text }: LimitLineProps) => (
  <ReferenceLine
    y={value}
    stroke="var(--q-warn)"
    strokeDasharray="6 3"
    label={{
      ...label,
      value: text,
      position: 'insideBottomRight',
      fill: 'var(--q-warn)',
    }}
  />
))

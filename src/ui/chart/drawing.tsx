/**
 * The picture. Recharts measures, scales and draws the axes; what stands between them is ours, as a
 * path for each series: measured, no dots and at most 300 points keep a tick under 40 ms.
 */
import { useState } from 'react'
import { createPortal } from 'react-dom'
import {
  ComposedChart,
  ResponsiveContainer,
  usePlotArea,
  useXAxisScale,
  XAxis,
  YAxis,
} from 'recharts'
import { setActiveTime, useActiveTime } from './active-time.ts'
import classes from './chart.module.css'
import {
  axisOf,
  type ChartModel,
  partInView,
  seriesColor,
  type TimePart,
  timeTicks,
} from './model.ts'
import { Plot } from './plot.tsx'

const TIME_TICKS = 6

const tick = { fill: 'var(--q-faint)', fontSize: 11 }

export function Drawing({ model }: { readonly model: ChartModel }) {
  const { times, format, formatTime, scale = 'linear' } = model
  const axis = axisOf(model)
  const brush = useBrush(model)
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  const pointed = useActiveTime()
  const active = pointed !== null && times.includes(pointed) ? pointed : null
  return (
    <div ref={setHost} className={classes.host}>
      <ResponsiveContainer
        width="100%"
        height="100%"
        initialDimension={{ width: 600, height: 200 }}
      >
        <ComposedChart
          data={times.map((time) => ({ time }))}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          {...brush.handlers}
        >
          <XAxis
            dataKey="time"
            type="number"
            domain={[times[0] ?? 0, times.at(-1) ?? 1]}
            allowDataOverflow
            ticks={[...timeTicks(times[0] ?? 0, times.at(-1) ?? 1, TIME_TICKS)]}
            tickFormatter={formatTime}
            tick={tick}
            tickLine={false}
            axisLine={{ stroke: 'var(--q-border-strong)' }}
            minTickGap={48}
            height={22}
          />
          <YAxis
            scale={scale}
            domain={[...axis.domain]}
            ticks={[...axis.ticks]}
            allowDataOverflow
            tickFormatter={format}
            tick={tick}
            tickLine={false}
            axisLine={false}
            width={64}
          />
          <Plot model={model} marked={brush.marked ?? partInView(model)} active={active} />
          {active !== null && host !== null && <Tip model={model} time={active} host={host} />}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

interface PointerState {
  readonly activeLabel?: string | number | undefined
}

/** A drag marks a part of the time, a click picks one moment; the pointer alone looks. */
function useBrush({ onPick, onBrush }: ChartModel) {
  const [marked, setMarked] = useState<TimePart | null>(null)
  const timeOf = ({ activeLabel }: PointerState) =>
    activeLabel === undefined ? null : Number(activeLabel)
  const begin = (state: PointerState) => {
    const time = timeOf(state)
    if (time !== null) setMarked({ from: time, to: time })
  }
  const move = (state: PointerState) => {
    const time = timeOf(state)
    setActiveTime(time)
    if (time !== null && marked !== null) setMarked({ from: marked.from, to: time })
  }
  const end = () => {
    setMarked(null)
    if (marked === null) return
    if (marked.from === marked.to) onPick?.(marked.from)
    else onBrush?.(Math.min(marked.from, marked.to), Math.max(marked.from, marked.to))
  }
  const leave = () => {
    setMarked(null)
    setActiveTime(null)
  }
  return {
    marked: onBrush === undefined || marked?.from === marked?.to ? null : marked,
    handlers: { onMouseDown: begin, onMouseMove: move, onMouseUp: end, onMouseLeave: leave },
  }
}

interface TipProps {
  readonly model: ChartModel
  readonly time: number
  readonly host: HTMLElement
}

const TIP_DISTANCE = 10

/** On the side of the moment where there is room. */
function Tip({ model, time, host }: TipProps) {
  const x = useXAxisScale()
  const area = usePlotArea()
  const index = model.times.indexOf(time)
  if (x === undefined || area === undefined) return null
  const left = Number(x(time))
  const isRight = left > area.x + area.width / 2
  const style = isRight
    ? { right: host.clientWidth - left + TIP_DISTANCE }
    : { left: left + TIP_DISTANCE }
  const isOfStep = ({ at }: { readonly at: number }) =>
    at >= time && at < (model.times[index + 1] ?? Number.POSITIVE_INFINITY)
  return createPortal(
    <div className={classes.tip} style={{ ...style, top: area.y }}>
      <span className={classes.tipTime}>{model.formatTime(time)}</span>
      {(model.markers ?? []).filter(isOfStep).map(({ at, text }) => (
        <span key={`${at} ${text}`}>{text}</span>
      ))}
      {model.series.map((entry, position) => {
        const value = entry.values[index] ?? null
        return (
          <span key={entry.id} className={classes.tipRow}>
            <i style={{ background: seriesColor(position) }} />
            {entry.label}
            <strong>{value === null ? '–' : model.format(value)}</strong>
          </span>
        )
      })}
    </div>,
    host,
  )
}

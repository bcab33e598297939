/** The picture, drawn by Recharts: axes, grid, series, marks and the moment under the pointer. */
import { useMemo, useState } from 'react'
import {
  CartesianGrid,
  ComposedChart,
  ResponsiveContainer,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts'
import { setActiveTime } from './active-time.ts'
import classes from './chart.module.css'
import { Marks } from './marks.tsx'
import {
  axisOf,
  type ChartModel,
  chartRows,
  partInView,
  type TimePart,
  timeTicks,
} from './model.ts'
import { Moment } from './moment.tsx'
import { Series } from './series.tsx'

const TIME_TICKS = 6

const tick = { fill: 'var(--q-ink-3)', fontSize: 11 }

export function Drawing({ model }: { readonly model: ChartModel }) {
  const { times, series, format, formatTime, scale = 'linear' } = model
  const axis = axisOf(model)
  const brush = useBrush(model)
  const rows = useMemo(() => chartRows({ times, series, scale }), [times, series, scale])
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1]
  return (
    <div className={classes.host}>
      <ResponsiveContainer
        width="100%"
        height="100%"
        initialDimension={{ width: 600, height: 200 }}
      >
        <ComposedChart
          data={rows}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          {...brush.handlers}
        >
          <Grid values={axis.ticks} />
          <XAxis
            dataKey="time"
            type="number"
            domain={[from, to]}
            ticks={[...timeTicks(from, to, TIME_TICKS)]}
            tickFormatter={formatTime}
            tick={tick}
            tickLine={false}
            axisLine={{ stroke: 'var(--q-line-2)' }}
            minTickGap={48}
            height={22}
          />
          <YAxis
            scale={scale}
            domain={[...axis.domain]}
            ticks={[...axis.ticks]}
            tickFormatter={format}
            tick={tick}
            tickLine={false}
            axisLine={false}
            width={64}
          />
          <Marks model={model} marked={brush.marked ?? partInView(model)} />
          <Series model={model} />
          <Moment model={model} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

/** A line at each value, also where the axis has no room for its text. */
function Grid({ values }: { readonly values: readonly number[] }) {
  const y = useYAxisScale()
  if (y === undefined) return null
  const places = values.map((value) => Number(y(value)))
  return <CartesianGrid vertical={false} horizontalPoints={places} stroke="var(--q-line)" />
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

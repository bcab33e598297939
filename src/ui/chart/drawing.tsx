/** The picture. Measured: no dots, no animation and at most 300 points keep a tick under 40 ms. */

import { useState } from 'react'
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts'
import classes from './chart.module.css'
import {
  axisOf,
  type ChartModel,
  type ChartSeries,
  chartRows,
  isolated,
  markerLabels,
  seriesColor,
  seriesDash,
  timeTicks,
} from './model.ts'

const TIME_TICKS = 6

const tick = { fill: 'var(--q-faint)', fontSize: 11 }

export function Drawing({ model }: { readonly model: ChartModel }) {
  const { times, series, format, formatTime, scale = 'linear', markers = [], limit } = model
  const axis = axisOf(model)
  const brush = useBrush(model)
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 200 }}>
      <ComposedChart
        data={chartRows(model) as Record<string, number | null>[]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        syncId="time"
        syncMethod="value"
        {...brush.handlers}
      >
        <CartesianGrid stroke="var(--q-grid)" vertical={false} />
        <XAxis
          dataKey="time"
          type="number"
          domain={[times[0] ?? 0, times.at(-1) ?? 1]}
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
        <Tooltip
          content={({ active, label }) =>
            active ? <Tip model={model} time={Number(label)} /> : null
          }
          cursor={{ stroke: 'var(--q-border-control)' }}
          isAnimationActive={false}
        />
        {markerLabels(markers, times[0] ?? 0, times.at(-1) ?? 1).map(({ at, text, side }) => (
          <ReferenceLine
            key={`label ${at}`}
            x={at}
            stroke="none"
            label={{
              value: text,
              position: side === 'left' ? 'insideTopRight' : 'insideTopLeft',
              fill: 'var(--q-muted)',
              fontSize: 11,
            }}
          />
        ))}
        {brush.marked !== null && (
          <ReferenceArea
            x1={brush.marked.from}
            x2={brush.marked.to}
            fill="var(--q-accent)"
            fillOpacity={0.15}
          />
        )}
        {markers.map((marker) => (
          <ReferenceLine
            key={`${marker.at} ${marker.text}`}
            x={marker.at}
            stroke="var(--q-muted)"
            strokeDasharray="3 3"
          />
        ))}
        {limit !== undefined && (
          <ReferenceLine
            y={limit.value}
            stroke="var(--q-warning)"
            strokeDasharray="6 3"
            label={{
              value: limit.text,
              position: 'insideBottomRight',
              fill: 'var(--q-warning)',
              fontSize: 11,
            }}
          />
        )}
        {series.map((entry, index) => seriesElement(entry, index, times))}
        {series.map((entry, index) =>
          (entry.look ?? 'line') === 'line' ? (
            <Dots
              key={`alone ${entry.id}`}
              times={times}
              values={isolated(entry.values)}
              color={seriesColor(index)}
            />
          ) : null,
        )}
      </ComposedChart>
    </ResponsiveContainer>
  )
}

interface PointerState {
  readonly activeLabel?: string | number | undefined
}

interface Marked {
  readonly from: number
  readonly to: number
}

/** A drag marks a part of the time, a click picks one moment. */
function useBrush({ onPick, onBrush }: ChartModel) {
  const [marked, setMarked] = useState<Marked | null>(null)
  const timeOf = ({ activeLabel }: PointerState) =>
    activeLabel === undefined ? null : Number(activeLabel)
  const begin = (state: PointerState) => {
    const time = timeOf(state)
    if (time !== null) setMarked({ from: time, to: time })
  }
  const move = (state: PointerState) => {
    const time = timeOf(state)
    if (time !== null && marked !== null) setMarked({ from: marked.from, to: time })
  }
  const end = () => {
    setMarked(null)
    if (marked === null) return
    if (marked.from === marked.to) onPick?.(marked.from)
    else onBrush?.(Math.min(marked.from, marked.to), Math.max(marked.from, marked.to))
  }
  const isWanted = onPick !== undefined || onBrush !== undefined
  return {
    marked: onBrush === undefined || marked?.from === marked?.to ? null : marked,
    handlers: isWanted
      ? {
          onMouseDown: begin,
          onMouseMove: move,
          onMouseUp: end,
          onMouseLeave: () => setMarked(null),
        }
      : {},
  }
}

/** A function, not a component: the library looks at the types of the chart's children. */
function seriesElement(entry: ChartSeries, index: number, times: readonly number[]) {
  const color = seriesColor(index)
  const common = { dataKey: entry.id, name: entry.label, isAnimationActive: false } as const
  switch (entry.look ?? 'line') {
    case 'area':
      return (
        <Area
          key={entry.id}
          {...common}
          stackId="stack"
          type="linear"
          stroke={color}
          strokeWidth={1}
          fill={color}
          fillOpacity={0.55}
          dot={false}
          activeDot={false}
        />
      )
    case 'dots':
      return <Dots key={entry.id} times={times} values={entry.values} color={color} />
    case 'line':
      return (
        <Line
          key={entry.id}
          {...common}
          type="linear"
          stroke={color}
          strokeWidth={1.5}
          strokeDasharray={seriesDash(index)}
          dot={false}
          activeDot={{ r: 3 }}
          connectNulls={false}
        />
      )
  }
}

interface DotsProps {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  readonly color: string
}

/** All dots of a series as one path: one element per dot made a tick ten times as expensive. */
function Dots({ times, values, color }: DotsProps) {
  const x = useXAxisScale()
  const y = useYAxisScale()
  if (x === undefined || y === undefined) return null
  const path = times
    .map((time, index) => {
      const value = values[index] ?? null
      const [left, top] = [x(time), value === null ? undefined : y(value)]
      return Number.isFinite(left) && Number.isFinite(top) ? `M${left} ${top}h0` : ''
    })
    .join('')
  return <path d={path} fill="none" stroke={color} strokeWidth={3.5} strokeLinecap="round" />
}

function Tip({ model, time }: { readonly model: ChartModel; readonly time: number }) {
  const index = model.times.indexOf(time)
  if (index === -1) return null
  return (
    <div className={classes.tip}>
      <span className={classes.tipTime}>{model.formatTime(time)}</span>
      {(model.markers ?? [])
        .filter(({ at }) => at >= time && at < (model.times[index + 1] ?? Number.POSITIVE_INFINITY))
        .map(({ at, text }) => (
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
    </div>
  )
}

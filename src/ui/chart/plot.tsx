/** What stands between the axes: lines across, markers, the series, and what is marked. */
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts'
import classes from './chart.module.css'
import {
  areaPath,
  axisOf,
  type ChartModel,
  dotsPath,
  isolated,
  linePath,
  markerLabels,
  onScale,
  type Place,
  seriesColor,
  seriesDash,
  stackedTops,
} from './model.ts'

interface PlotProps {
  readonly model: ChartModel
  /** A part of the time that is being marked. */
  readonly marked: { readonly from: number; readonly to: number } | null
  /** Epoch seconds of the moment under the pointer. */
  readonly active: number | null
}

const LABEL_SIZE = 11

export function Plot({ model, marked, active }: PlotProps) {
  const x = useXAxisScale()
  const y = useYAxisScale()
  const area = usePlotArea()
  if (x === undefined || y === undefined || area === undefined) return null
  const { times, limit, markers = [] } = model
  const place: Place = (time, value) => [Number(x(time)), Number(y(value))]
  const across = (value: number) => `M${area.x} ${Number(y(value))}h${area.width}`
  const upright = (time: number) => `M${Number(x(time))} ${area.y}v${area.height}`
  const from = times[0] ?? 0
  const to = times.at(-1) ?? 1
  const inView = ({ at }: { readonly at: number }) => at >= from && at <= to
  return (
    <g fill="none">
      <path d={axisOf(model).ticks.map(across).join('')} stroke="var(--q-grid)" />
      {marked !== null && (
        <rect
          x={Math.min(Number(x(marked.from)), Number(x(marked.to)))}
          y={area.y}
          width={Math.abs(Number(x(marked.to)) - Number(x(marked.from)))}
          height={area.height}
          fill="var(--q-accent)"
          fillOpacity={0.15}
        />
      )}
      <path
        d={markers
          .filter(inView)
          .map(({ at }) => upright(at))
          .join('')}
        stroke="var(--q-muted)"
        strokeDasharray="3 3"
      />
      {limit !== undefined && (
        <path d={across(limit.value)} stroke="var(--q-warning)" strokeDasharray="6 3" />
      )}
      {active !== null && <path d={upright(active)} stroke="var(--q-border-control)" />}
      <Series model={model} place={place} active={active} />
      {markerLabels(markers.filter(inView), { from, to, width: area.width }).map(
        ({ at, text, side }) => (
          <text
            key={at}
            className={classes.note}
            x={Number(x(at)) + (side === 'left' ? -5 : 5)}
            y={area.y + LABEL_SIZE + 2}
            textAnchor={side === 'left' ? 'end' : 'start'}
            fill="var(--q-muted)"
            fontSize={LABEL_SIZE}
          >
            {text}
          </text>
        ),
      )}
      {limit !== undefined && (
        <text
          className={classes.note}
          x={area.x + area.width - 5}
          y={Number(y(limit.value)) - 4}
          textAnchor="end"
          fill="var(--q-warning)"
          fontSize={LABEL_SIZE}
        >
          {limit.text}
        </text>
      )}
    </g>
  )
}

interface SeriesProps {
  readonly model: ChartModel
  readonly place: Place
  readonly active: number | null
}

function Series({ model, place, active }: SeriesProps) {
  const { times, series } = model
  const tops = stackedTops(series, times.length)
  const position = active === null ? -1 : times.indexOf(active)
  return series.map((entry, index) => {
    const color = seriesColor(index)
    const values = onScale(entry.values, model.scale)
    if (entry.look === 'area') {
      return (
        <g key={entry.id}>
          <path
            d={areaPath(times, tops[index] ?? [], tops[index - 1] ?? [], place)}
            fill={color}
            fillOpacity={0.55}
          />
          <path d={linePath(times, tops[index] ?? [], place)} stroke={color} />
        </g>
      )
    }
    if (entry.look === 'dots') {
      return <Dots key={entry.id} path={dotsPath(times, values, place)} color={color} />
    }
    const value = values[position] ?? null
    return (
      <g key={entry.id}>
        <path
          d={linePath(times, values, place)}
          stroke={color}
          strokeWidth={1.5}
          strokeDasharray={seriesDash(index)}
        />
        <Dots path={dotsPath(times, isolated(values), place)} color={color} />
        {value !== null && active !== null && (
          <Dots path={dotsPath([active], [value], place)} color={color} size={6} />
        )}
      </g>
    )
  })
}

interface DotsProps {
  readonly path: string
  readonly color: string
  readonly size?: number
}

/** All dots of a series as one path: one element per dot made a tick ten times as expensive. */
function Dots({ path, color, size = 3.5 }: DotsProps) {
  return <path d={path} stroke={color} strokeWidth={size} strokeLinecap="round" />
}

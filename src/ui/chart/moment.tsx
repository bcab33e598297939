/**
 * The moment under the pointer, in every chart of the page: a line, a dot on each series and the
 * values. Recharts marks a moment only in the chart that has the pointer; this one may come from
 * another chart or from the keyboard, so that its place is given.
 */
import { memo } from 'react'
import { ReferenceDot, ReferenceLine, Tooltip, usePlotArea, useXAxisScale } from 'recharts'
import { useActiveTime } from './active-time.ts'
import classes from './chart.module.css'
import { type ChartModel, onScale, seriesColor } from './model.ts'

/** Between the line and the values, in pixels. */
const TIP_DISTANCE = 10

/** Recharts registers a mark anew with each render: these are rendered when they have moved. */
const MomentLine = memo(ReferenceLine)
const MomentDot = memo(ReferenceDot)

export function Moment({ model }: { readonly model: ChartModel }) {
  const pointed = useActiveTime()
  const index = pointed === null ? -1 : model.times.indexOf(pointed)
  const time = index < 0 ? null : pointed
  return (
    <>
      {time !== null && <MomentLine x={time} stroke="var(--q-field)" />}
      {time !== null && <Dots model={model} time={time} index={index} />}
      <Values model={model} time={time} index={index} />
    </>
  )
}

interface MomentProps {
  readonly model: ChartModel
  /** Epoch seconds. */
  readonly time: number
  readonly index: number
}

function Dots({ model, time, index }: MomentProps) {
  return model.series.map(({ id, look = 'line', values }, position) => {
    const value = onScale(values, model.scale)[index] ?? null
    if (look !== 'line' || value === null) return null
    return (
      <MomentDot key={id} x={time} y={value} r={3} fill={seriesColor(position)} stroke="none" />
    )
  })
}

interface ValuesProps {
  readonly model: ChartModel
  /** Null: nothing is marked. */
  readonly time: number | null
  readonly index: number
}

/** Beside the line, on the side that has room. */
function Values({ model, time, index }: ValuesProps) {
  const x = useXAxisScale()
  const area = usePlotArea()
  if (x === undefined || area === undefined) return null
  const left = time === null ? area.x : Number(x(time))
  const side = left > area.x + area.width / 2 ? 'left' : 'right'
  const place = { x: left + (side === 'left' ? -TIP_DISTANCE : TIP_DISTANCE), y: area.y }
  return (
    <Tooltip
      // A tip that was dismissed by Escape is back with the next moment.
      key={String(time !== null)}
      active={time !== null}
      {...(time !== null && { defaultIndex: index })}
      content={
        <Tip model={model} time={time} index={index} side={side} widthMax={area.width * 0.6} />
      }
      // Moments without values have a tip, too.
      filterNull={false}
      cursor={false}
      isAnimationActive={false}
      position={place}
      wrapperStyle={{ zIndex: 1 }}
    />
  )
}

interface TipProps extends ValuesProps {
  /** Of the line. */
  readonly side: 'left' | 'right'
  /** In pixels. */
  readonly widthMax: number
}

function Tip({ model, time, index, side, widthMax }: TipProps) {
  if (time === null) return null
  const isOfStep = ({ at }: { readonly at: number }) =>
    at >= time && at < (model.times[index + 1] ?? Number.POSITIVE_INFINITY)
  return (
    <div className={classes.tip} data-side={side} style={{ maxWidth: widthMax }}>
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
    </div>
  )
}

/** The moment that all charts mark, moved by keys: each step tells the values it stands on. */
import type { KeyboardEvent, ReactNode } from 'react'
import { setActiveTime, useActiveTime } from './active-time.ts'
import { type ChartModel, movedCursor, valuesAt } from './model.ts'

interface ChartCursorProps {
  readonly model: ChartModel
  /** The picture. */
  readonly children: ReactNode
}

export function ChartCursor({ model, children }: ChartCursorProps) {
  const active = useActiveTime()
  const { times } = model
  const last = times.length - 1
  const index = active === null ? -1 : times.indexOf(active)
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = movedCursor(event.key, index, last)
    if (moved === index) return
    event.preventDefault()
    setActiveTime(times[moved] ?? null)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Moment of ${model.label}`}
      aria-valuemin={times[0]}
      aria-valuemax={times[last]}
      aria-valuenow={times[index < 0 ? last : index]}
      aria-valuetext={index < 0 ? 'none chosen' : valuesAt(model, index)}
      onKeyDown={onKeyDown}
      onBlur={() => setActiveTime(null)}
    >
      {children}
    </div>
  )
}

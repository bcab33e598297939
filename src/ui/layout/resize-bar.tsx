/**
 * A bar that gives what stands beside it another size: dragged, or by arrow keys. Home and a double
 * click give it its own size again.
 */
import { type PointerEvent, useRef } from 'react'

interface ResizeBarProps {
  readonly label: string
  /** `vertical`: it moves sideways. */
  readonly orientation: 'vertical' | 'horizontal'
  /** In pixels; 0: its own, which the element around the bar has. */
  readonly size: number
  readonly min: number
  readonly max: number
  /** -1: what it sizes stands behind the bar. */
  readonly sign?: 1 | -1
  readonly hidden?: boolean
  readonly className: string | undefined
  readonly onResize: (size: number) => void
  readonly onReset: () => void
}

const KEY_STEP = 16

export function ResizeBar(props: ResizeBarProps) {
  const { label, orientation, size, min, max, sign = 1, onResize, onReset } = props
  const drag = useRef<{ readonly at: number; readonly size: number } | null>(null)
  const isVertical = orientation === 'vertical'
  const [less, more] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  const sizeNow = (bar: HTMLElement) => size || (bar.parentElement?.offsetWidth ?? min)
  const resize = (next: number) => onResize(Math.round(Math.min(max, Math.max(min, next))))
  const place = (event: PointerEvent) => (isVertical ? event.clientX : event.clientY)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves has no native element
    <div
      role="separator"
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuetext={size === 0 ? 'its own width' : undefined}
      aria-valuemin={Math.min(min, size)}
      aria-valuemax={max}
      tabIndex={0}
      hidden={props.hidden}
      className={props.className}
      onKeyDown={(event) => {
        const step = event.key === more ? sign : -sign
        if (event.key === 'Home') onReset()
        else if (event.key === less || event.key === more)
          resize(sizeNow(event.currentTarget) + step * KEY_STEP)
        else return
        event.preventDefault()
      }}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { at: place(event), size: sizeNow(event.currentTarget) }
      }}
      onPointerMove={(event) => {
        if (drag.current === null) return
        const moved = place(event) - drag.current.at
        // Where it was pressed is no wish for a size yet.
        if (moved !== 0 || size !== 0) resize(drag.current.size + moved * sign)
      }}
      onLostPointerCapture={() => {
        drag.current = null
      }}
    />
  )
}

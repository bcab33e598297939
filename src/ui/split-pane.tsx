/**
 * Two panes with a bar between them that mouse and arrow keys move; the size is remembered per
 * `id`. Below 700 px of width side-by-side panes stack.
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import classes from './split-pane.module.css'

interface SplitPaneProps {
  /** Names the remembered size: `queries.list`. */
  readonly id: string
  /** `row`: side by side; `column`: one above the other. */
  readonly direction?: 'row' | 'column'
  /** Which of the two panes keeps its size in pixels when the window changes. */
  readonly fixed?: 'first' | 'second'
  readonly size: number
  readonly min?: number
  readonly max?: number
  readonly first: ReactNode
  readonly second: ReactNode
  /** Names the bar: `Resize inspector`. */
  readonly label: string
  /** The fixed pane lies over the whole; what is below it goes on, out of reach. */
  readonly isWide?: boolean
}

const KEY_STEP = 16

export function SplitPane(props: SplitPaneProps) {
  const { id, direction = 'row', fixed = 'first', min = 160, max = 900, label } = props
  const isWide = props.isWide === true
  const [size, setSize] = useState(() => rememberedSize(id) ?? props.size)
  const drag = useRef<{ readonly at: number; readonly size: number } | null>(null)
  const sign = fixed === 'first' ? 1 : -1

  const resize = (next: number) => {
    const limited = Math.round(Math.min(max, Math.max(min, next)))
    setSize(limited)
    remember(id, limited)
  }
  const place = (event: PointerEvent) => (direction === 'row' ? event.clientX : event.clientY)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keyStep(event.key, direction) * sign
    if (step === 0) return
    event.preventDefault()
    resize(size + step * KEY_STEP)
  }

  const style = isWide ? undefined : { [direction === 'row' ? 'width' : 'height']: size }
  return (
    <div className={classes.split} data-direction={direction} data-wide={isWide || undefined}>
      <div
        className={fixed === 'first' ? classes.fixed : classes.free}
        style={fixed === 'first' ? style : undefined}
        inert={isWide && fixed === 'second'}
      >
        {props.first}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves has no native element */}
      <div
        role="separator"
        aria-label={label}
        aria-orientation={direction === 'row' ? 'vertical' : 'horizontal'}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={max}
        tabIndex={0}
        hidden={isWide}
        className={classes.bar}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.current = { at: place(event), size }
        }}
        onPointerMove={(event) => {
          if (drag.current !== null) {
            resize(drag.current.size + (place(event) - drag.current.at) * sign)
          }
        }}
        onPointerUp={() => {
          drag.current = null
        }}
      />
      <div
        className={fixed === 'second' ? classes.fixed : classes.free}
        style={fixed === 'second' ? style : undefined}
        inert={isWide && fixed === 'first'}
      >
        {props.second}
      </div>
    </div>
  )
}

function keyStep(key: string, direction: 'row' | 'column'): number {
  if (key === (direction === 'row' ? 'ArrowRight' : 'ArrowDown')) return 1
  if (key === (direction === 'row' ? 'ArrowLeft' : 'ArrowUp')) return -1
  return 0
}

const storageKey = (id: string): string => `quiver.pane.${id}`

function rememberedSize(id: string): number | undefined {
  try {
    const size = Number(localStorage.getItem(storageKey(id)))
    return size > 0 ? size : undefined
  } catch {
    return undefined
  }
}

function remember(id: string, size: number): void {
  try {
    localStorage.setItem(storageKey(id), String(size))
  } catch {
    // the size holds for this visit
  }
}

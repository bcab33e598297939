/**
 * Two panes with a bar between them that mouse and arrow keys move; the size is remembered per
 * `id`. Below 700 px of width side-by-side panes stack.
 */
import { type ReactNode, useState } from 'react'
import { keep, kept } from '#lib/storage/kept.ts'
import { ResizeBar } from './resize-bar.tsx'
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

export function SplitPane(props: SplitPaneProps) {
  const { id, direction = 'row', fixed = 'first', min = 160, max = 900, label } = props
  const isWide = props.isWide === true
  const [size, setSize] = useState(() => Number(kept(keyOf(id))) || props.size)
  const resize = (next: number) => {
    setSize(next)
    keep(keyOf(id), next)
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
      <ResizeBar
        label={label}
        orientation={direction === 'row' ? 'vertical' : 'horizontal'}
        size={size}
        min={min}
        max={max}
        sign={fixed === 'first' ? 1 : -1}
        hidden={isWide}
        className={classes.bar}
        onResize={resize}
        onReset={() => resize(props.size)}
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

const keyOf = (id: string): string => `quiver.pane.${id}`

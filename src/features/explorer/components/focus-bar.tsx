/** What is in focus, how far it reaches, and the way out. */
import { Button } from '@mantine/core'
import { X } from 'lucide-react'
import { counted } from '#lib/format.ts'
import type { Scene as CanvasScene } from '#ui/graph-canvas/scene.ts'
import classes from '../explorer-page.module.css'
import { HOPS } from '../model/focus.ts'
import { sceneActions } from '../scene-actions.ts'
import type { Explorer } from '../use-explorer.ts'

interface FocusBarProps {
  readonly explorer: Explorer
  readonly drawn: CanvasScene
  /** What is not dimmed. */
  readonly lit: ReadonlySet<string>
}

export function FocusBar({ explorer, drawn, lit }: FocusBarProps) {
  const { leaveFocus, widenFocus } = sceneActions(explorer)
  const bright = drawn.nodes.filter(({ id }) => lit.has(id)).length
  return (
    <fieldset className={classes.focus} aria-label="Focus">
      <span role="status">{counted(bright, 'node', 'nodes')} within</span>
      {HOPS.map((hops) => (
        <Button
          key={hops}
          size="compact-xs"
          variant={explorer.scene.focus?.hops === hops ? 'filled' : 'default'}
          aria-pressed={explorer.scene.focus?.hops === hops}
          aria-label={counted(hops, 'edge', 'edges')}
          onClick={() => widenFocus(hops)}
        >
          {hops}
        </Button>
      ))}
      <span aria-hidden="true">edges</span>
      <Button
        size="compact-xs"
        variant="subtle"
        px={6}
        aria-label="Leave focus"
        title="Leave focus (Esc)"
        onClick={leaveFocus}
      >
        <X size={13} aria-hidden="true" />
      </Button>
    </fieldset>
  )
}

/** What the keys of a canvas do, as the help sheet and the palette tell it; see keys.ts. */
import { type Command, registerCommands } from '../../commands/commands.ts'
import type { CanvasEngine } from '../engine/engine.ts'

const group = 'Canvas'
const where = 'on the canvas'

/** Returns their removal. */
export function registerCanvasShortcuts(engine: CanvasEngine, selectAll: () => void): () => void {
  return registerCommands(
    canvasShortcuts({
      zoomIn: () => engine.zoomBy(1.25),
      zoomOut: () => engine.zoomBy(0.8),
      fit: () => engine.fit(),
      selectAll,
    }),
  )
}

interface CanvasActions {
  readonly zoomIn: () => void
  readonly zoomOut: () => void
  readonly fit: () => void
  readonly selectAll: () => void
}

function canvasShortcuts(actions: CanvasActions): readonly Command[] {
  return [
    { id: 'canvas.zoom-in', label: 'Zoom in', keys: '+', group, where, run: actions.zoomIn },
    { id: 'canvas.zoom-out', label: 'Zoom out', keys: '-', group, where, run: actions.zoomOut },
    { id: 'canvas.fit', label: 'Fit everything', keys: '0', group, where, run: actions.fit },
    { id: 'canvas.walk', label: 'Go to the next node that way', keys: 'arrows', group, where },
    { id: 'canvas.next', label: 'Go round the neighbours', keys: ']', group, where },
    { id: 'canvas.previous', label: 'Go round them the other way', keys: '[', group, where },
    { id: 'canvas.open', label: 'Open the node', keys: 'enter', group, where },
    { id: 'canvas.select', label: 'Select the node', keys: 'space', group, where },
    { id: 'canvas.all', label: 'Select all', keys: 'mod+a', group, where, run: actions.selectAll },
  ]
}

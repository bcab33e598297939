/** What keys do on a canvas. Everything else is the page's. */
import type { CanvasEngine } from '../engine/engine.ts'
import type { CanvasEvents, Scene } from '../scene.ts'
import { type Direction, nearestInDirection, nextNeighbour } from './walk.ts'

export interface KeyContext {
  readonly scene: Scene
  readonly selection: readonly string[]
  readonly cursor: string | null
  /** Null while it loads: what needs no picture is done all the same. */
  readonly engine: CanvasEngine | null
  readonly events: CanvasEvents
  readonly setCursor: (id: string) => void
}

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

const ZOOM_STEP = 1.25

/** True: the key was for the canvas. */
export function canvasKey(press: KeyPress, context: KeyContext): boolean {
  const direction = directions[press.key]
  if (direction !== undefined) return walk(direction, context)
  if ((press.ctrlKey || press.metaKey) && press.key.toLowerCase() === 'a') {
    context.events.onSelect?.(context.scene.nodes.map(({ id }) => id))
    return true
  }
  if (press.ctrlKey || press.metaKey) return false
  return actOn(press, context)
}

function actOn(press: KeyPress, context: KeyContext): boolean {
  const { engine, events, cursor } = context
  switch (press.key) {
    case '[':
    case ']':
      return circle(press.key === ']' ? 1 : -1, context)
    case 'Enter':
      if (cursor !== null) (events.onEnter ?? events.onOpen)?.(cursor)
      return cursor !== null
    case ' ':
      if (cursor !== null) events.onSelect?.(toggled(context.selection, cursor, press.shiftKey))
      return true
    case 'ContextMenu':
      if (engine !== null) events.onMenu?.(cursor, engine.clientPosition(cursor ?? ''))
      return true
    case '+':
    case '=':
      engine?.zoomBy(ZOOM_STEP)
      return true
    case '-':
      engine?.zoomBy(1 / ZOOM_STEP)
      return true
    case '0':
      engine?.fit()
      return true
    case 'Escape':
      engine?.cancelLayout()
      return false
    default:
      return false
  }
}

function walk(direction: Direction, { engine, cursor, scene, setCursor }: KeyContext): boolean {
  const beside = (id: string) =>
    engine === null ? undefined : nearestInDirection(engine.positions(), id, direction)
  const next = cursor === null ? scene.nodes[0]?.id : beside(cursor)
  if (next !== undefined) setCursor(next)
  return true
}

/** Round the neighbours of the selected node, so that the centre stays while the cursor moves. */
function circle(step: 1 | -1, { scene, selection, cursor, setCursor }: KeyContext): boolean {
  const center = selection.find((id) => scene.nodes.some((node) => node.id === id)) ?? cursor
  if (center === null || center === undefined) return true
  const next = nextNeighbour(scene, center, cursor === center ? null : cursor, step)
  if (next !== undefined) setCursor(next)
  return true
}

function toggled(selection: readonly string[], id: string, adds: boolean): readonly string[] {
  if (selection.includes(id)) return selection.filter((other) => other !== id)
  return adds ? [...selection, id] : [id]
}

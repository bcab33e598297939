/** The view that shows all of a box in the middle of the canvas, with room around it. */
import type { Point } from '../scene.ts'

export const FIT_PADDING = 48

export interface Bounds {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

interface Canvas {
  readonly width: number
  readonly height: number
  readonly zoomMin: number
  readonly zoomMax: number
}

export interface FittedView {
  readonly zoom: number
  readonly pan: Point
}

/**
 * Null: the canvas or the box has no size.
 * @param inset what is left free at the left and at the bottom
 */
export function viewOf(
  { x1, y1, x2, y2 }: Bounds,
  { width, height, zoomMin, zoomMax }: Canvas,
  { left, bottom } = { left: 0, bottom: 0 },
): FittedView | null {
  if (!(width > 0 && height > 0 && x2 > x1 && y2 > y1)) return null
  const [roomX, roomY] = [width - left - 2 * FIT_PADDING, height - bottom - 2 * FIT_PADDING]
  const wanted = Math.min(roomX / (x2 - x1), roomY / (y2 - y1))
  const zoom = Math.max(zoomMin, Math.min(zoomMax, wanted))
  const x = (width + left - zoom * (x1 + x2)) / 2
  return { zoom, pan: { x, y: (height - bottom - zoom * (y1 + y2)) / 2 } }
}

/** What lies over the lower left corner of a canvas, and no node is to lie under. */
export interface Cover {
  readonly width: number
  readonly height: number
}

/** Whether a box of the model, seen so, lies under the cover. */
export function isUnder(
  { x1, y2 }: Pick<Bounds, 'x1' | 'y2'>,
  { zoom, pan }: FittedView,
  { cover, canvasHeight }: { readonly cover: Cover; readonly canvasHeight: number },
): boolean {
  return x1 * zoom + pan.x < cover.width && y2 * zoom + pan.y > canvasHeight - cover.height
}

/** Beside the cover or above it, where all is larger. */
export function viewBeside(bounds: Bounds, canvas: Canvas, cover: Cover): FittedView | null {
  const beside = viewOf(bounds, canvas, { left: cover.width, bottom: 0 })
  const above = viewOf(bounds, canvas, { left: 0, bottom: cover.height })
  return (beside?.zoom ?? 0) > (above?.zoom ?? 0) ? beside : above
}

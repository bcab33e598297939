/** The view that shows all of a box in the middle of the canvas, with room around it. */
import type { Point } from './scene.ts'

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

/** Null: the canvas or the box has no size. */
export function viewOf(
  { x1, y1, x2, y2 }: Bounds,
  { width, height, zoomMin, zoomMax }: Canvas,
): { readonly zoom: number; readonly pan: Point } | null {
  if (!(width > 0 && height > 0 && x2 > x1 && y2 > y1)) return null
  const [roomX, roomY] = [width - 2 * FIT_PADDING, height - 2 * FIT_PADDING]
  const wanted = Math.min(roomX / (x2 - x1), roomY / (y2 - y1))
  const zoom = Math.max(zoomMin, Math.min(zoomMax, wanted))
  return { zoom, pan: { x: (width - zoom * (x1 + x2)) / 2, y: (height - zoom * (y1 + y2)) / 2 } }
}

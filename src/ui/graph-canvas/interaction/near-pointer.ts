/**
 * What lies under the pointer, found among the few elements around it. Cytoscape looks at every
 * element and its label each time the pointer moves, which for ten thousand takes a tenth of a
 * second; here a comparison of coordinates leaves it a handful.
 */
import type { Core } from 'cytoscape'
import { type DrawnElement, edgePoints, rendererOf } from '../engine/cytoscape-renderer.ts'

type Placed = Pick<DrawnElement, 'isNode' | 'position' | 'outerWidth' | 'outerHeight'>

/** Beyond this distance nothing is hit: of the pointer, in pixels, and of arrows, in units. */
const REACH_PIXELS = 24
const REACH_UNITS = 32

export function attachNearPointer(cy: Core): void {
  const renderer = rendererOf(cy)
  if (renderer === undefined) return
  const find = renderer.findNearestElements
  renderer.findNearestElements = (x, y, interactive, isTouch) => {
    const sorted = renderer.getCachedZSortedEles()
    const all = sorted.interactive
    const reach = REACH_UNITS + REACH_PIXELS / cy.zoom()
    sorted.interactive = all.filter((element) => isNear(element, { x, y }, reach))
    try {
      return find.call(renderer, x, y, interactive, isTouch)
    } finally {
      sorted.interactive = all
    }
  }
}

/** Whether the box around an element comes so near to a point. */
export function isNear(
  element: Placed,
  { x, y }: { readonly x: number; readonly y: number },
  reach: number,
): boolean {
  if (element.isNode()) {
    const place = element.position()
    return (
      Math.abs(place.x - x) <= element.outerWidth() / 2 + reach &&
      Math.abs(place.y - y) <= element.outerHeight() / 2 + reach
    )
  }
  const points = edgePoints(element)
  if (points === null) return true
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let place = 0; place + 1 < points.length; place += 2) {
    const [px, py] = [points[place]!, points[place + 1]!]
    left = Math.min(left, px)
    right = Math.max(right, px)
    top = Math.min(top, py)
    bottom = Math.max(bottom, py)
  }
  return x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach
}

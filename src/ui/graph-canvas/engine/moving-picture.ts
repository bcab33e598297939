/**
 * What a large scene shows while the view moves: a picture of all its elements, drawn before and
 * scaled to where the view is, so that a frame costs the same for ten elements and for ten
 * thousand. It may be less sharp than the scene at rest; until there is one, nodes are dots.
 *
 * The pictures are those that cytoscape makes itself, one for each power of two of the zoom, bit
 * by bit in the time that frames leave over. It shows them only where one of just the right level
 * is complete, and otherwise draws element by element: that takes most of a second here.
 */
import type { Core } from 'cytoscape'
import { type Box, type DrawnElement, type LayerCache, rendererOf } from './cytoscape-renderer.ts'

/** Levels at which cytoscape makes pictures: a level's picture has 2^level pixels to a unit. */
const LEVEL_MIN = -4
const LEVEL_MAX = 2
/** A larger picture is never made. */
const PIXELS_MAX = 4_000 * 4_000

/** Answers with the switch that turns the pictures on and off. */
export function attachMovingPicture(cy: Core): (on: boolean) => void {
  const renderer = rendererOf(cy)
  if (renderer === undefined) return () => {}
  const drawNodes = renderer.drawCachedNodes
  // Called instead of the full drawing while the view moves, where edges are to be hidden then.
  renderer.drawCachedNodes = (context, elements, pixelRatio, extent) => {
    if (renderer.hoverData.draggingEles === true) {
      drawNodes.call(renderer, context, elements, pixelRatio, extent)
    } else if (elements.length > 0) {
      drawMoving(renderer.data.lyrTxrCache, context, {
        elements,
        pixelRatio,
        scale: cy.zoom() * pixelRatio,
      })
    }
  }
  return (on) => {
    renderer.hideEdgesOnViewport = on
  }
}

interface View {
  readonly elements: readonly DrawnElement[]
  readonly pixelRatio: number
  /** Pixels to a unit. */
  readonly scale: number
}

function drawMoving(
  cache: LayerCache,
  context: CanvasRenderingContext2D,
  { elements, pixelRatio, scale }: View,
): void {
  const isComplete = (level: number) => {
    cache.validateLayersElesOrdering(level, elements)
    return cache.levelIsComplete(level, elements)
  }
  const level = nearestLevel(levelFor(scale), isComplete)
  const layers = level === null ? [] : (cache.layersByLevel[level] ?? [])
  for (const { canvas, bb } of layers) context.drawImage(canvas, bb.x1, bb.y1, bb.w, bb.h)
  const box = layers[0]?.bb ?? drawDots(context, elements)
  const wanted = finestLevel(levelFor(scale), box)
  if (wanted !== level) cache.getLayers(elements, pixelRatio, wanted)
}

/** The level at which a picture is not enlarged. */
export const levelFor = (scale: number): number =>
  Math.min(LEVEL_MAX, Math.max(LEVEL_MIN, Math.ceil(Math.log2(scale))))

/** The level closest to the wanted one, finer rather than coarser, that there is; null: none. */
export function nearestLevel(wanted: number, isThere: (level: number) => boolean): number | null {
  for (let level = wanted; level <= LEVEL_MAX; level++) if (isThere(level)) return level
  for (let level = wanted - 1; level >= LEVEL_MIN; level--) if (isThere(level)) return level
  return null
}

/** The finest level up to the wanted one at which a picture of the box may be made. */
export function finestLevel(wanted: number, { w, h }: Box): number {
  let level = wanted
  while (level > LEVEL_MIN && w * h * 4 ** level > PIXELS_MAX) level--
  return level
}

/** Returns the box around what was drawn. */
function drawDots(context: CanvasRenderingContext2D, elements: readonly DrawnElement[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const element of elements) {
    if (!element.isNode() || !element.visible()) continue
    const { x, y } = element.position()
    const size = element.width()
    context.fillStyle = String(element.data('color'))
    context.fillRect(x - size / 2, y - size / 2, size, size)
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { x1: left, y1: top, w: right - left, h: bottom - top }
}

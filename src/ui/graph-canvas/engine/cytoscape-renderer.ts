/**
 * The parts of Cytoscape's canvas renderer that its documented interface leaves out: what the console
 * calls or replaces so that scenes above 1,500 elements move and redraw without long tasks
 * (docs/decisions/0035 and 0054 have the figures). Nothing else in the console knows these names, and
 * nothing in the package is changed: functions are replaced at run time, on the renderer of one canvas,
 * and fall back on the original.
 *
 * Made for the release below. Its test fails when another one is installed or one of the functions has
 * another text; then measure the canvas (`npm run bench:console`) before taking the release.
 */
import type { Core } from 'cytoscape'

export const CYTOSCAPE_VERSION = '3.34.4'

/** In units of the scene. */
export interface Box {
  readonly x1: number
  readonly y1: number
  readonly w: number
  readonly h: number
}

/** An element as the renderer hands it out. */
export interface DrawnElement {
  isNode(): boolean
  visible(): boolean
  position(): { readonly x: number; readonly y: number }
  width(): number
  outerWidth(): number
  outerHeight(): number
  data(name: string): unknown
}

/** A picture of some elements at one level; a level's picture has 2^level pixels to a unit. */
export interface Layer {
  readonly canvas: CanvasImageSource
  readonly bb: Box
}

export interface LayerCache {
  readonly layersByLevel: Readonly<Record<number, readonly Layer[] | undefined>>
  /** True: nothing is queued for a quarter of a second after a change. */
  skipping: boolean
  validateLayersElesOrdering(level: number, elements: readonly DrawnElement[]): void
  levelIsComplete(level: number, elements: readonly DrawnElement[]): boolean
  /** Also queues the level for drawing. */
  getLayers(elements: readonly DrawnElement[], pixelRatio: number, level: number): unknown
  /** Draws the next queued element; an empty answer means that the queue is empty. */
  dequeue(pixelRatio: number): readonly unknown[]
}

export interface CanvasRenderer {
  hideEdgesOnViewport: boolean
  readonly hoverData: { readonly draggingEles?: boolean }
  readonly data: { readonly lyrTxrCache: LayerCache }
  /** Draws the scene; called instead of it while the view moves and edges are hidden. */
  drawCachedNodes(
    context: CanvasRenderingContext2D,
    elements: readonly DrawnElement[],
    pixelRatio: number,
    extent: object,
  ): void
  findNearestElements(x: number, y: number, interactive: boolean, isTouch: boolean): DrawnElement[]
  getCachedZSortedEles(): {
    interactive: readonly DrawnElement[]
    readonly nondrag: readonly DrawnElement[]
  }
  getPixelRatio(): number
  render(options?: { readonly forcedContext?: unknown }): void
  redraw(): void
  redrawHint(group: string, on: boolean): void
}

/** Undefined without a canvas, as in tests. */
export const rendererOf = (cy: Core): CanvasRenderer | undefined =>
  (cy as unknown as { renderer(): CanvasRenderer | undefined }).renderer()

interface RenderedStyle {
  /** The element's bounds are known. */
  clean?: boolean
  /** The node's last move is known to its edges. */
  cleanConnected?: boolean
}

interface Internal {
  dirtyBoundingBoxCache(): unknown
  readonly _private: {
    readonly rstyle: RenderedStyle
    readonly rscratch: { readonly allpts?: readonly number[] | null }
  }
}

const internal = (element: unknown) => element as Internal

export const renderedStyle = (element: unknown): RenderedStyle => internal(element)._private.rstyle

/** Has the next frame work the bounds out, for a node with those of its edges. */
export const forgetBounds = (element: unknown): unknown => internal(element).dirtyBoundingBoxCache()

/** The ends of an edge and the points that it bends towards, x and y in turn; null: not worked out. */
export const edgePoints = (element: unknown): readonly number[] | null =>
  internal(element)._private.rscratch.allpts ?? null

/**
 * Where many nodes have just been moved, what follows from it comes bit by bit, so that no task
 * holds the page up: the lines of edges, the boxes around everything, the picture. Cytoscape does
 * all of it in the next frame, which for two thousand nodes is longer than a tenth of a second.
 *
 * The old picture stays until the new one is there; whoever takes the view in hand ends the wait.
 */
import type { Collection, Core } from 'cytoscape'
import {
  type Box,
  type CanvasRenderer,
  forgetBounds,
  renderedStyle,
  rendererOf,
} from './cytoscape-renderer.ts'
import { finestLevel, levelFor } from './moving-picture.ts'
import type { Bounds } from './view.ts'

/** Elements of one task. */
const SLICE = 400
/** A picture that takes longer is not waited for. */
const WAIT_MS_MAX = 2_000
const FRAME_MS = 16
/** One task of drawing: what is pressed meanwhile waits no longer. */
const DRAW_MS = 10

interface Wishes {
  /** Aborted: what is left to do is left to the next frame. */
  readonly signal: AbortSignal
  /** Chooses the view once the box around all elements is known. */
  readonly onBounds?: ((box: Bounds) => void) | undefined
}

/** Call it in the task that moved the nodes: after it cytoscape would do all of it by itself. */
export async function redrawGradually(cy: Core, { signal, onBounds }: Wishes): Promise<void> {
  const renderer = rendererOf(cy)
  if (renderer === undefined) return onBounds?.(cy.elements().boundingBox())
  const hold = holdPicture(cy, renderer)
  const isOver = () => signal.aborted || cy.destroyed()
  // Else the next frame would tell all edges at once.
  for (const node of cy.nodes()) renderedStyle(node).cleanConnected = true
  try {
    const box = await boundsOf(cy, isOver)
    if (box === null) return forgetAllBounds(cy)
    onBounds?.(box)
    hold.endAtMoves()
    await drawPicture(cy, renderer, { box, isOver: () => isOver() || hold.isOver() })
  } finally {
    hold.end()
  }
}

/** Leaves it to the next frame to tell the edges. */
function forgetAllBounds(cy: Core): void {
  if (!cy.destroyed()) for (const node of cy.nodes()) forgetBounds(node)
}

/** Works out where everything lies, which the drawing needs; null: it is over before that. */
async function boundsOf(cy: Core, isOver: () => boolean): Promise<Bounds | null> {
  let box: Bounds = { x1: Infinity, y1: Infinity, x2: -Infinity, y2: -Infinity }
  // Edges need the sizes of their ends.
  for (const slice of slices(cy.nodes().union(cy.edges()))) {
    await turn()
    if (isOver()) return null
    box = around(box, slice)
  }
  return box.x1 < box.x2 ? box : null
}

/** A box that has these in it, too; they need not be looked at again. */
function around(box: Bounds, elements: Collection): Bounds {
  for (const element of elements) renderedStyle(element).clean = false
  const { x1, y1, x2, y2, w } = elements.boundingBox()
  for (const element of elements)
    Object.assign(renderedStyle(element), { clean: true, cleanConnected: true })
  // Of elements that are not shown.
  if (w === 0) return box
  return {
    x1: Math.min(box.x1, x1),
    y1: Math.min(box.y1, y1),
    x2: Math.max(box.x2, x2),
    y2: Math.max(box.y2, y2),
  }
}

/**
 * Makes cytoscape's picture of the scene. By itself it draws in the time that frames leave over: in
 * those that come late, on a busy machine, nothing.
 */
async function drawPicture(
  cy: Core,
  renderer: CanvasRenderer,
  { box, isOver }: { readonly box: Bounds; readonly isOver: () => boolean },
): Promise<void> {
  const cache = renderer.data.lyrTxrCache
  const ratio = renderer.getPixelRatio()
  const level = levelFor(cy.zoom() * ratio)
  const sides: Box = { x1: box.x1, y1: box.y1, w: box.x2 - box.x1, h: box.y2 - box.y1 }
  if (finestLevel(level, sides) < level) return
  const elements = () => renderer.getCachedZSortedEles().nondrag
  const queue = () => {
    // Else it waits for a quarter of a second in which nothing changes.
    cache.skipping = false
    cache.getLayers(elements(), ratio, level)
  }
  await turn()
  if (isOver()) return
  queue()
  await turn()
  const until = performance.now() + WAIT_MS_MAX
  while (!isOver() && performance.now() < until && !cache.levelIsComplete(level, elements())) {
    const end = performance.now() + DRAW_MS
    let isDrawing = true
    while (isDrawing && performance.now() < end) isDrawing = cache.dequeue(ratio).length > 0
    // An element that was changed meanwhile, as by attributes that were read, took its layer out of line.
    if (!isDrawing) queue()
    await turn(isDrawing ? 0 : FRAME_MS)
  }
}

/** Keeps what is on the canvas until it is ended, or until the view or a node is taken in hand. */
function holdPicture(cy: Core, renderer: CanvasRenderer) {
  const { render } = renderer
  let isOver = false
  const held: CanvasRenderer['render'] = (options) => {
    // An export draws elsewhere.
    if (options?.forcedContext !== undefined) render.call(renderer, options)
  }
  const end = () => {
    if (isOver) return
    isOver = true
    cy.off('tapstart viewport', end)
    if (cy.destroyed()) return
    // Another hold may have begun.
    if (renderer.render === held) Reflect.deleteProperty(renderer, 'render')
    renderer.redrawHint('eles', true)
    renderer.redraw()
  }
  renderer.render = held
  cy.on('tapstart', end)
  return { end, isOver: () => isOver, endAtMoves: () => cy.on('viewport', end) }
}

function* slices(all: Collection): Generator<Collection> {
  for (let start = 0; start < all.length; start += SLICE) yield all.slice(start, start + SLICE)
}

const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Where nodes are and the view with them: layouts, room for new nodes, gliding, fitting. */
import type { Core, NodeSingular, SingularAnimationOptionsPos } from 'cytoscape'
import { redrawGradually } from '../engine/gradual-redraw.ts'
import {
  type Bounds,
  type Cover,
  type FittedView,
  isUnder,
  viewBeside,
  viewOf,
} from '../engine/view.ts'
import type { LayoutName, Point, Positions } from '../scene.ts'
import { computeLayout, isNotLoaded, positionsOf, refine } from './layouts.ts'

const ANIMATION_MS = 260
const FIT_ZOOM_MAX = 1.4
/** Nodes added by one step beyond which forces do not settle them: the fan is good enough. */
const SETTLE_NODES_MAX = 400
/** For so long the second tap of a double one may come. */
const DOUBLE_TAP_MS = 300
/** A node nearer to the border than this counts as out of view. */
const VIEW_MARGIN = 24

export class Arrangement {
  readonly #cy: Core
  readonly #cover: () => Cover | null
  #running = new AbortController()
  #size: Size
  #tappedMs = -DOUBLE_TAP_MS
  /** Showed all, when it was chosen. */
  #whole: FittedView | null = null

  constructor(cy: Core, cover: () => Cover | null = () => null) {
    this.#cy = cy
    this.#cover = cover
    this.#size = sizeOf(cy)
    cy.on('tap', () => {
      this.#tappedMs = performance.now()
    })
    cy.on('resize', () => {
      // What a tap has opened beside the canvas moves nothing away from the finger.
      const waitMs = this.#tappedMs + DOUBLE_TAP_MS - performance.now()
      if (waitMs > 0) setTimeout(() => this.#resized(), waitMs)
      else this.#resized()
    })
  }

  /** What is in the middle stays there; where all was fitted and nobody has moved it, all is again. */
  #resized(): void {
    if (this.#cy.destroyed()) return
    const [cy, before, now] = [this.#cy, this.#size, sizeOf(this.#cy)]
    const grown = { x: now.width - before.width, y: now.height - before.height }
    // Out of sight it has no size.
    if (now.width * now.height === 0 || (grown.x === 0 && grown.y === 0)) return
    this.#size = now
    if (isSeen(cy, this.#whole)) this.fit()
    else cy.panBy({ x: grown.x / 2, y: grown.y / 2 })
  }

  fit(ids?: readonly string[]): void {
    const elements = ids?.map((id) => this.#cy.getElementById(id))
    const wanted = elements?.reduce((all, one) => all.union(one), this.#cy.collection())
    if (this.#cy.nodes().empty()) return
    this.#cy.resize()
    if (wanted === undefined) this.#fitWhole(this.#cy.elements().boundingBox())
    else this.#show(this.#viewOf(wanted.boundingBox()))
  }

  #fitWhole(bounds: Bounds): void {
    this.#whole = this.#viewOf(bounds)
    this.#show(this.#whole)
  }

  #show(view: FittedView | null): void {
    // A view that still moves elsewhere would move on over this one.
    this.#cy.stop()
    if (view !== null) this.#cy.viewport(view)
  }

  /** With room for what lies over the corner, where nodes would lie under it. */
  #viewOf(bounds: Bounds) {
    const cy = this.#cy
    const [zoomMin, zoomMax] = [cy.minZoom(), Math.min(FIT_ZOOM_MAX, cy.maxZoom())]
    const canvas = { width: cy.width(), height: cy.height(), zoomMin, zoomMax }
    const view = viewOf(bounds, canvas)
    const cover = this.#cover()
    if (view === null || cover === null) return view
    const place = { cover, canvasHeight: canvas.height }
    // Of many the boxes take too long.
    const areMany = cy.nodes().length > SETTLE_NODES_MAX
    const under = cy.nodes().map((node) => {
      const { x, y } = node.position()
      return isUnder(areMany ? { x1: x, y2: y } : node.boundingBox(), view, place)
    })
    return under.includes(true) ? viewBeside(bounds, canvas, cover) : view
  }

  /** Answers with where nodes were and are; null: it was cancelled. */
  async layout(
    name: LayoutName,
  ): Promise<{ readonly before: Positions; readonly after: Positions } | null> {
    const signal = this.#startRun()
    const before = positionsOf(this.#cy)
    try {
      const after = await computeLayout(this.#cy, name, signal)
      if (signal.aborted) return null
      await this.#glide(after, true)
      return { before, after }
    } catch (error) {
      if (!signal.aborted) throw error
      return null
    }
  }

  cancel(): void {
    this.#running.abort()
    if (!this.#cy.destroyed()) this.#cy.nodes().stop()
  }

  /** Nodes are there at once; where they are many the picture follows. */
  moveTo(positions: Positions): void {
    this.#startRun()
    void this.#move(positions)
  }

  /** Ends once all is on the canvas. */
  async #move(positions: Positions, onBounds?: (bounds: Bounds) => void): Promise<void> {
    const [cy, { signal }] = [this.#cy, this.#running]
    if (place(cy, positions) > SETTLE_NODES_MAX) await redrawGradually(cy, { signal, onBounds })
    else onBounds?.(cy.elements().boundingBox())
  }

  /** Lets new nodes find room while the old ones stay; a first scene is laid out as a whole. */
  async settle(fresh: ReadonlySet<string>, isFirst: boolean): Promise<void> {
    if (fresh.size < 2 || fresh.size > SETTLE_NODES_MAX) return this.#reveal(fresh)
    const signal = this.#startRun()
    try {
      if (isFirst) {
        const after = await computeLayout(this.#cy, 'force', signal)
        if (!signal.aborted) await this.#glide(after, true)
        return
      }
      const start = positionsOf(this.#cy)
      const fixed = new Set([...start.keys()].filter((id) => !fresh.has(id)))
      const after = await refine(this.#cy, { start, fixed, signal })
      if (signal.aborted) return
      await this.#glide(after, false)
      this.#reveal(fresh)
    } catch (error) {
      // Without a server nodes stay where they were put first.
      if (!signal.aborted && !isNotLoaded(error)) throw error
    }
  }

  isInView(node: NodeSingular): boolean {
    const { x, y } = node.renderedPosition()
    const [cover, { x1, y2 }] = [this.#cover(), node.renderedBoundingBox()]
    if (cover !== null && x1 < cover.width && y2 > this.#cy.height() - cover.height) return false
    return (
      x > VIEW_MARGIN &&
      y > VIEW_MARGIN &&
      x < this.#cy.width() - VIEW_MARGIN &&
      y < this.#cy.height() - VIEW_MARGIN
    )
  }

  /** What has just been added is worth a look: zooms out when it lies outside the view. */
  #reveal(fresh: ReadonlySet<string>): void {
    if (this.#cy.destroyed()) return
    const isHidden = [...fresh].some((id) => {
      const node = this.#cy.getElementById(id)
      return node.nonempty() && !this.isInView(node)
    })
    if (!isHidden) return
    const view = isCalm(fresh.size) ? null : this.#viewOf(this.#cy.elements().boundingBox())
    if (view === null) this.fit()
    else this.#cy.animate(view)
    this.#whole = view ?? this.#whole
  }

  #startRun(): AbortSignal {
    this.#running.abort()
    this.#running = new AbortController()
    return this.#running.signal
  }

  /** Moves nodes to their new places: at once when motion is unwelcome or the scene is large. */
  #glide(positions: Positions, fits: boolean): Promise<void> {
    if (isCalm(positions.size)) {
      if (fits) this.#cy.resize()
      return this.#move(positions, fits ? (bounds) => this.#fitWhole(bounds) : undefined)
    }
    const moves = this.#cy
      .nodes()
      .map((node) => animation(node, positions.get(node.id()) ?? node.position()))
    return Promise.all(moves).then(() => {
      if (fits && !this.#cy.destroyed()) this.fit()
    })
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

const sizeOf = (cy: Core): Size => ({ width: cy.width(), height: cy.height() })

/** As nearly as an animation ends. */
function isSeen(cy: Core, view: FittedView | null): boolean {
  if (view === null) return false
  const { x, y } = cy.pan()
  return Math.hypot(cy.zoom() - view.zoom, x - view.pan.x, y - view.pan.y) < 0.01
}

/** Answers with how many nodes have moved. */
function place(cy: Core, positions: Positions): number {
  let moved = 0
  cy.batch(() => {
    for (const [id, { x, y }] of positions) {
      const node = cy.getElementById(id)
      // A node that is set to its place counts as moved, with all its edges.
      if (node.empty() || (node.position().x === x && node.position().y === y)) continue
      node.position({ x, y })
      moved++
    }
  })
  return moved
}

function animation(node: NodeSingular, position: Point): Promise<unknown> {
  return node
    .animation({
      position: { ...position },
      style: {},
      duration: ANIMATION_MS,
      easing: 'ease-out',
    } as SingularAnimationOptionsPos)
    .play()
    .promise()
}

/** Things move at once when motion is unwelcome or there are many of them. */
function isCalm(nodeCount: number): boolean {
  return (
    nodeCount > SETTLE_NODES_MAX ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches ||
    document.documentElement.dataset['reducedMotion'] === 'true'
  )
}

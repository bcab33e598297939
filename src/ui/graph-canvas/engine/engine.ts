/**
 * The only code that speaks to cytoscape. It is made once per mounted canvas, changed imperatively
 * and told about scenes; it finds the difference, keeps old nodes where they are, and reports what
 * the user did.
 */
import cytoscape, { type Core, type ElementDefinition } from 'cytoscape'
import { attachConnecting, type Connecting } from '../interaction/connecting.ts'
import { attachHover } from '../interaction/hover.ts'
import { attachNearPointer } from '../interaction/near-pointer.ts'
import { Arrangement } from '../layout/arrangement.ts'
import { positionsOf } from '../layout/layouts.ts'
import { placedNodes, placeNewNodes } from '../layout/placement.ts'
import type { CanvasEvents, LayoutName, Point, Positions, Scene, View } from '../scene.ts'
import { Arrival, CHUNK } from './arrival.ts'
import {
  type Dress,
  drawableEdges,
  type ElementData,
  edgeData,
  edgeElement,
  nodeData,
  nodeElement,
  sameData,
} from './elements.ts'
import { labelMeter, type WidthOf } from './label.ts'
import { attachMinimap } from './minimap.ts'
import { attachMovingPicture } from './moving-picture.ts'
import { detailOf, stylesheet } from './stylesheet.ts'
import { svgOf } from './svg.ts'
import { readThemeColors } from './theme-colors.ts'
import type { Cover } from './view.ts'

const ZOOM_MAX = 3
const ZOOM_MIN = 0.05

export class CanvasEngine {
  readonly #cy: Core
  readonly #container: HTMLElement
  readonly #connecting: Connecting
  readonly #arrangement: Arrangement
  readonly #arrival: Arrival
  readonly #setPictured: (on: boolean) => void
  readonly #endHover: () => void
  #events: CanvasEvents = {}
  #scene: Scene = { nodes: [], edges: [] }
  #markOf: Dress['markOf'] | null = null
  #dressed: ReadonlyMap<string, ElementData> = new Map()
  #sheetText = ''
  #widthOf: WidthOf | null = null
  #hover = { quietEdges: false, dimsRest: false }
  #hoverDims = false
  #selecting = false
  #selected: readonly string[] = []
  #lit: ReadonlySet<string> | null = null
  /** Until all of the first scene has come. */
  #isFirst = false
  /** Nodes that have still to find room. */
  #fresh = new Set<string>()
  #cover: HTMLElement | null = null
  /** What is to be seen once all of the first scene has come. */
  #wanted: View | null = null

  constructor(container: HTMLElement) {
    this.#container = container
    this.#cy = cytoscape({
      container,
      elements: [],
      minZoom: ZOOM_MIN,
      maxZoom: ZOOM_MAX,
      selectionType: 'single',
      boxSelectionEnabled: true,
    })
    this.#connecting = attachConnecting(this.#cy, (source, target) =>
      this.#events.onConnect?.(source, target),
    )
    this.#arrangement = new Arrangement(this.#cy, () => coverOf(this.#cover))
    this.#arrival = new Arrival(this.#cy)
    this.#setPictured = attachMovingPicture(this.#cy)
    attachNearPointer(this.#cy)
    this.#endHover = attachHover(this.#cy, () => ({
      ...this.#hover,
      dimsRest: this.#hoverDims && this.#hover.dimsRest,
    }))
    this.#listen()
  }

  /** Events are looked up when they happen, so a page may pass new functions at any time. */
  setEvents(events: CanvasEvents): void {
    this.#events = events
  }

  /** What lies over the lower left corner. */
  setCover(element: HTMLElement | null): void {
    this.#cover = element
  }

  view(): View {
    const { x1, y1, w, h } = this.#cy.extent()
    return { x: x1 + w / 2, y: y1 + h / 2, zoom: this.#cy.zoom() }
  }

  showView(view: View): void {
    // A first scene is fitted when it has come, but for this.
    if (this.#isFirst || this.#cy.nodes().empty()) this.#wanted = view
    this.#cy.resize()
    const pan = (middle: number, size: number) => size / 2 - middle * view.zoom
    const [width, height] = [this.#cy.width(), this.#cy.height()]
    this.#cy.viewport({ zoom: view.zoom, pan: { x: pan(view.x, width), y: pan(view.y, height) } })
  }

  /**
   * Shows a scene. Nodes that were there keep their places; new ones take `known` positions or fan
   * out beside what they hang on. The first scene is laid out and fitted.
   */
  setScene(scene: Scene, markOf: Dress['markOf'], known: Positions = new Map()): void {
    this.#endHover()
    const kept = new Map([...this.#arrival.places(), ...positionsOf(this.#cy)])
    this.#arrival.cancel()
    this.#isFirst ||= this.#cy.nodes().empty()
    this.#scene = scene
    this.#markOf = markOf
    const placed = placedNodes(scene, kept, known)
    const placedNow = placeNewNodes(scene, placed)
    for (const id of placedNow.keys()) this.#fresh.add(id)
    this.#restyle()
    const isUnknown = known.size === 0
    const elements = this.#change(scene, new Map([...placed, ...placedNow]))
    // Nobody is to see half of a first scene.
    this.#container.toggleAttribute('data-unsettled', this.#isFirst && elements.length > CHUNK)
    this.#arrival.begin({
      elements,
      unseen: this.#isFirst,
      onDone: () => this.#arrived(isUnknown),
    })
  }

  /** All of a scene is on the canvas. */
  #arrived(isUnknown: boolean): void {
    const [isFirst, fresh] = [this.#isFirst, this.#fresh]
    this.#isFirst = false
    this.#fresh = new Set()
    this.#container.removeAttribute('data-unsettled')
    this.select(this.#selected)
    this.spotlight(this.#lit)
    if (this.#wanted !== null) this.showView(this.#wanted)
    else if (isFirst) this.fit()
    this.#wanted = null
    if (fresh.size > 0) void this.#settleIn(fresh, isFirst && isUnknown)
  }

  select(ids: readonly string[]): void {
    this.#selected = ids
    const wanted = new Set(ids)
    this.#selecting = true
    this.#cy.batch(() => {
      for (const element of this.#cy.elements()) {
        if (element.selected() !== wanted.has(element.id())) {
          if (element.selected()) element.unselect()
          else element.select()
        }
      }
    })
    this.#selecting = false
  }

  /** Marks the node the keyboard is on, and brings it into view. */
  setCursor(id: string | null): void {
    this.#cy.nodes('.cursor').removeClass('cursor')
    if (id === null) return
    const node = this.#cy.getElementById(id)
    node.addClass('cursor')
    if (node.nonempty() && !this.#arrangement.isInView(node))
      this.#cy.animate({ center: { eles: node } })
  }

  /** Dims all but these; null: dims nothing. */
  spotlight(ids: ReadonlySet<string> | null): void {
    this.#lit = ids
    this.#cy.batch(() => {
      this.#cy.elements('.dimmed').removeClass('dimmed')
      if (ids !== null)
        this.#cy
          .elements()
          .filter((e) => !ids.has(e.id()))
          .addClass('dimmed')
    })
  }

  /** Whether a node under the pointer dims what is not beside it, where the scene is not too large. */
  setHoverDims(on: boolean): void {
    this.#hoverDims = on
  }

  setConnecting(on: boolean): void {
    this.#connecting.setEnabled(on)
  }

  refreshTheme(): void {
    this.#arrival.finish()
    this.#cy.batch(() => this.#dressAll())
    this.#restyle()
  }

  fit(ids?: readonly string[]): void {
    this.#arrangement.fit(ids)
  }

  zoomBy(factor: number): void {
    const middle = { x: this.#cy.width() / 2, y: this.#cy.height() / 2 }
    this.#cy.zoom({ level: this.#cy.zoom() * factor, renderedPosition: middle })
  }

  async layout(name: LayoutName): Promise<void> {
    this.#arrival.finish()
    const moved = await this.#arrangement.layout(name)
    if (moved !== null) this.#events.onMove?.(moved.before, moved.after)
  }

  cancelLayout(): void {
    this.#arrangement.cancel()
  }

  positions(): Positions {
    return positionsOf(this.#cy)
  }

  moveTo(positions: Positions): void {
    this.#arrangement.moveTo(positions)
  }

  async exportPng(): Promise<Blob> {
    this.#arrival.finish()
    const { surface } = readThemeColors(this.#container)
    return await this.#cy.png({
      output: 'blob-promise',
      full: true,
      scale: 2,
      bg: surface,
      maxWidth: 8_000,
      maxHeight: 8_000,
    })
  }

  exportSvg(): string {
    this.#arrival.finish()
    return svgOf(this.#cy, readThemeColors(this.#container))
  }

  minimap(canvas: HTMLCanvasElement): () => void {
    return attachMinimap(this.#cy, canvas)
  }

  onFrame(callback: () => void): void {
    this.#cy.on('render', callback)
  }

  /** Client coordinates of a node, for a menu opened by keyboard. */
  clientPosition(id: string): Point {
    const box = this.#container.getBoundingClientRect()
    const node = this.#cy.getElementById(id)
    if (node.empty()) return { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    const { x, y } = node.renderedPosition()
    return { x: box.left + x, y: box.top + y }
  }

  resize(): void {
    this.#cy.resize()
  }

  destroy(): void {
    this.#arrangement.cancel()
    this.#arrival.cancel()
    this.#cy.destroy()
  }

  /** Takes away and dresses anew; answers with what is to come, nodes first. */
  #change(scene: Scene, positions: Positions): readonly ElementDefinition[] {
    const nodeIds = new Set(scene.nodes.map(({ id }) => id))
    const edges = drawableEdges(scene.edges, nodeIds)
    const ids = new Set([...nodeIds, ...edges.map(({ id }) => id)])
    const isNew = ({ id }: { readonly id: string }) => !this.#cy.hasElementWithId(id)
    const [newNodes, newEdges] = [scene.nodes.filter(isNew), edges.filter(isNew)]
    let dressed: ReadonlyMap<string, ElementData> = new Map()
    this.#cy.batch(() => {
      this.#cy
        .elements()
        .filter((element) => !ids.has(element.id()))
        .remove()
      dressed = this.#dressAll(new Set([...newNodes, ...newEdges].map(({ id }) => id)))
    })
    const dataOf = (id: string) => ({ ...dressed.get(id) })
    return [
      ...newNodes.map(({ id }) => nodeElement(dataOf(id), positions.get(id) ?? { x: 0, y: 0 })),
      ...newEdges.map(({ id }) => edgeElement(dataOf(id))),
    ]
  }

  /**
   * Writes only what differs from what was written last: cytoscape restyles what it is told.
   * @param absent elements that are not on the canvas yet: they are added with what is answered
   */
  #dressAll(absent: ReadonlySet<string> = new Set()): ReadonlyMap<string, ElementData> {
    const dressed = new Map<string, ElementData>()
    if (this.#markOf === null) return dressed
    const dress = this.#dress()
    for (const node of this.#scene.nodes) dressed.set(node.id, nodeData(node, dress))
    for (const edge of this.#scene.edges) dressed.set(edge.id, edgeData(edge, dress))
    for (const [id, data] of dressed) {
      if (absent.has(id) || sameData(this.#dressed.get(id), data)) continue
      const { source: _source, target: _target, ...changeable } = data
      this.#cy.getElementById(id).data(changeable)
    }
    this.#dressed = dressed
    return dressed
  }

  #dress(): Dress {
    if (this.#markOf === null) throw new Error('elements were dressed before the first scene')
    const colors = readThemeColors(this.#container)
    this.#widthOf ??= labelMeter(colors.font)
    return { markOf: this.#markOf, colors, widthOf: this.#widthOf }
  }

  #restyle(): void {
    const { nodes, edges } = this.#scene
    const cards = nodes.some(({ variant }) => variant === 'card')
    const detail = detailOf({ nodes: nodes.length, edges: edges.length, cards })
    const sheet = stylesheet(readThemeColors(this.#container), detail)
    const text = JSON.stringify(sheet)
    if (text === this.#sheetText) return
    this.#sheetText = text
    this.#cy.style(sheet)
    this.#setPictured(detail.picturedOnMove)
    this.#hover = { quietEdges: detail.quietHover, dimsRest: detail.dimsRest }
  }

  async #settleIn(fresh: ReadonlySet<string>, isFirst: boolean): Promise<void> {
    // Nobody is to see the rough places from which a first layout begins.
    this.#container.toggleAttribute('data-unsettled', isFirst)
    await this.#arrangement
      .settle(fresh, isFirst)
      .finally(() => this.#container.removeAttribute('data-unsettled'))
    if (!this.#cy.destroyed()) this.#events.onSettle?.(positionsOf(this.#cy))
  }

  #listen(): void {
    const cy = this.#cy
    cy.on('viewport', () => this.#events.onView?.())
    cy.on('select unselect', 'node, edge', () => this.#reportSelection())
    cy.on('dbltap', 'node, edge', (event) => this.#events.onOpen?.(event.target.id()))
    cy.on('cxttap', (event) => {
      const id = event.target === cy ? null : event.target.id()
      const { clientX, clientY } = event.originalEvent as MouseEvent
      this.#events.onMenu?.(id, { x: clientX, y: clientY })
    })
    cy.on('mouseover', 'node, edge', ({ target }) => this.#events.onHover?.(target.id()))
    cy.on('mouseout', 'node, edge', () => this.#events.onHover?.(null))
    let grabbed: Positions = new Map()
    cy.on('grab', 'node', () => {
      grabbed = positionsOf(cy)
    })
    cy.on('dragfree', 'node', () => this.#events.onMove?.(grabbed, positionsOf(cy)))
  }

  #pending = false

  /** One report per gesture: a box of 300 nodes is one selection. */
  #reportSelection(): void {
    if (this.#selecting || this.#pending) return
    this.#pending = true
    queueMicrotask(() => {
      this.#pending = false
      if (this.#cy.destroyed()) return
      this.#events.onSelect?.(this.#cy.elements(':selected').map((element) => element.id()))
    })
  }
}

/** Not there, or too narrow a screen for it: no size. */
function coverOf(element: HTMLElement | null): Cover | null {
  if (element === null || element.offsetWidth === 0) return null
  const { offsetLeft, offsetWidth, offsetTop, offsetParent } = element
  const bottom = (offsetParent as HTMLElement).clientHeight
  return { width: offsetLeft + offsetWidth, height: bottom - offsetTop }
}

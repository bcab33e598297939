import cytoscape from 'cytoscape'
import { describe, expect, it, vi } from 'vitest'
import { FIT_PADDING } from '../engine/view.ts'
import { Arrangement } from './arrangement.ts'

/** A canvas of four nodes in a square, and how to give it another size. */
function canvas() {
  const size = { width: 800, height: 600 }
  const at = (x: number, y: number) => ({ data: { id: `${x} ${y}` }, position: { x, y } })
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    layout: { name: 'preset' },
    elements: [at(0, 0), at(2_000, 0), at(0, 2_000), at(2_000, 2_000)],
  })
  Object.assign(cy, { width: () => size.width, height: () => size.height })
  const arrangement = new Arrangement(cy)
  const resize = (width: number, height: number) => {
    Object.assign(size, { width, height })
    cy.resize()
  }
  const middle = () => {
    const [{ x, y }, zoom] = [cy.pan(), cy.zoom()]
    return { x: (size.width / 2 - x) / zoom, y: (size.height / 2 - y) / zoom, zoom }
  }
  return { cy, arrangement, resize, middle }
}

describe('a canvas of another size', () => {
  it('keeps its middle and its zoom', () => {
    const { cy, resize, middle } = canvas()
    cy.viewport({ zoom: 0.7, pan: { x: -30, y: 55 } })
    const before = middle()
    for (const [width, height] of [
      [500, 600],
      [501, 333],
      [1_600, 900],
    ] as const) {
      resize(width, height)
      expect(middle()).toEqual({
        x: expect.closeTo(before.x),
        y: expect.closeTo(before.y),
        zoom: 0.7,
      })
    }
  })

  it('shows all again where all was fitted', () => {
    const { cy, arrangement, resize } = canvas()
    arrangement.fit()
    for (const width of [400, 300]) {
      resize(width, 600)
      const { x1, x2 } = cy.elements().renderedBoundingBox()
      expect([x1, width - x2]).toEqual([
        expect.closeTo(FIT_PADDING, 0),
        expect.closeTo(FIT_PADDING, 0),
      ])
    }
  })

  it('leaves a view alone that was moved after it had been fitted, or fitted to a part', () => {
    const { cy, arrangement, resize, middle } = canvas()
    const moves = [() => cy.panBy({ x: 1, y: 0 }), () => arrangement.fit(['0 0'])]
    for (const move of moves) {
      resize(800, 600)
      arrangement.fit()
      move()
      const { x, y, zoom } = middle()
      resize(400, 500)
      expect(middle()).toEqual({ x: expect.closeTo(x), y: expect.closeTo(y), zoom })
    }
  })

  it('moves nothing between the two taps of a double one', () => {
    vi.useFakeTimers()
    const { cy, resize, middle } = canvas()
    const { x, y, zoom } = middle()
    const pan = { ...cy.pan() }
    cy.emit('tap')
    resize(800, 400)
    expect(cy.pan()).toEqual(pan)
    vi.advanceTimersByTime(1_000)
    expect(middle()).toEqual({ x: expect.closeTo(x), y: expect.closeTo(y), zoom })
    vi.useRealTimers()
  })

  it('is the one it was when it was out of sight meanwhile', () => {
    const { cy, resize } = canvas()
    cy.viewport({ zoom: 0.7, pan: { x: -30, y: 55 } })
    resize(0, 0)
    resize(800, 600)
    expect([cy.zoom(), cy.pan()]).toEqual([0.7, { x: -30, y: 55 }])
  })
})

import { describe, expect, it } from 'vitest'
import { FIT_PADDING, isUnder, viewBeside, viewOf } from './view.ts'

const canvas = { width: 500, height: 400, zoomMin: 0.05, zoomMax: 1.4 }
const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 })

/** Where a point of the scene is on the canvas. */
function shown(bounds: ReturnType<typeof box>, x: number, y: number) {
  const view = viewOf(bounds, canvas)
  if (view === null) throw new Error('no view')
  return { x: x * view.zoom + view.pan.x, y: y * view.zoom + view.pan.y }
}

describe('the view that fits', () => {
  it('leaves the padding free at the sides that are nearest', () => {
    const wide = box(-1_000, 0, 1_000, 100)
    expect(shown(wide, -1_000, 50).x).toBeCloseTo(FIT_PADDING)
    expect(shown(wide, 1_000, 50).x).toBeCloseTo(500 - FIT_PADDING)
    expect(shown(wide, 0, 50)).toEqual({ x: 250, y: 200 })
    const high = box(10, -3_000, 20, 3_000)
    expect(shown(high, 15, -3_000).y).toBeCloseTo(FIT_PADDING)
    expect(shown(high, 15, 3_000).y).toBeCloseTo(400 - FIT_PADDING)
  })

  it('enlarges and reduces within limits, in the middle', () => {
    expect(viewOf(box(0, 0, 10, 10), canvas)).toEqual({ zoom: 1.4, pan: { x: 243, y: 193 } })
    expect(viewOf(box(0, 0, 1e6, 1e6), canvas)?.zoom).toBe(0.05)
    expect(shown(box(0, 0, 1e6, 1e6), 5e5, 5e5)).toEqual({ x: 250, y: 200 })
  })

  it('is none for what has no size, nor on a canvas without', () => {
    expect(viewOf(box(0, 0, 0, 10), canvas)).toBeNull()
    expect(viewOf(box(Infinity, Infinity, -Infinity, -Infinity), canvas)).toBeNull()
    expect(viewOf(box(0, 0, 10, 10), { ...canvas, height: 0 })).toBeNull()
  })

  it('leaves room for what lies over the corner, at the side where more is left', () => {
    const cover = { width: 120, height: 60 }
    for (const whole of [box(-1_000, 0, 1_000, 50), box(0, -1_000, 30, 1_000)]) {
      const [plain, view] = [viewOf(whole, canvas), viewBeside(whole, canvas, cover)]
      if (plain === null || view === null) throw new Error('no view')
      expect(isUnder(whole, view, { cover, canvasHeight: canvas.height })).toBe(false)
      expect(view.zoom).toBeGreaterThan(plain.zoom * 0.7)
    }
    const view = { zoom: 1, pan: { x: 0, y: 0 } }
    const under = (x1: number, y2: number) =>
      isUnder(box(x1, 0, 0, y2), view, { cover, canvasHeight: canvas.height })
    expect([under(119, 341), under(120, 341), under(119, 340)]).toEqual([true, false, false])
  })

  it('is the smallest there is on a canvas smaller than its padding', () => {
    expect(viewOf(box(0, 0, 10, 10), { ...canvas, width: 60 })?.zoom).toBe(0.05)
  })
})

import type { Core } from 'cytoscape'
import { describe, expect, it } from 'vitest'
import { attachMovingPicture, finestLevel, levelFor, nearestLevel } from './moving-picture.ts'

const box = (side: number) => ({ x1: 0, y1: 0, w: side, h: side })

describe('the picture of a moving scene', () => {
  it('is of the next power of two, within the levels there are', () => {
    expect([0.001, 0.5, 0.51, 1, 3, 9].map((scale) => levelFor(scale) + 0)).toEqual([
      -4, -1, 0, 0, 2, 2,
    ])
  })

  it('is rather finer than coarser than wanted', () => {
    const among = (...levels: number[]) => nearestLevel(-1, (level) => levels.includes(level))
    expect(among(-2, -1, 0)).toBe(-1)
    expect(among(-3, -2, 1, 2)).toBe(1)
    expect(among(-4, -3)).toBe(-3)
    expect(among()).toBeNull()
  })

  it('has at most sixteen million pixels', () => {
    expect(finestLevel(1, box(2_000))).toBe(1)
    expect(finestLevel(1, box(2_001))).toBe(0)
    expect(finestLevel(0, box(10_000))).toBe(-2)
    expect(finestLevel(2, box(1e9))).toBe(-4)
  })
})

describe('a large scene that moves', () => {
  it('is drawn as a picture where there is one, and asks for a sharper one', () => {
    const scene = movingScene({ complete: [-2], zoom: 1 })
    scene.draw()
    expect(scene.calls).toEqual(['picture of level -2', 'ask for level 0'])
  })

  it('is dots until there is a picture', () => {
    const scene = movingScene({ complete: [], zoom: 1 })
    scene.draw()
    expect(scene.calls).toEqual(['dot -5 -5 10', 'dot 95 -5 10', 'ask for level 0'])
  })

  it('asks for nothing when the picture is the one wanted', () => {
    const scene = movingScene({ complete: [0], zoom: 0.9 })
    scene.draw()
    expect(scene.calls).toEqual(['picture of level 0'])
  })

  it('is drawn as ever while nodes are dragged', () => {
    const scene = movingScene({ complete: [0], zoom: 1, draggingEles: true })
    scene.draw()
    expect(scene.calls).toEqual(['nodes'])
  })
})

/** Two nodes, an edge and a hidden node under a renderer that notes what it is told. */
function movingScene(options: {
  readonly complete: readonly number[]
  readonly zoom: number
  readonly draggingEles?: boolean
}) {
  const calls: string[] = []
  const element = (x: number, isNode = true, visible = true) => ({
    isNode: () => isNode,
    visible: () => visible,
    position: () => ({ x, y: 0 }),
    width: () => 10,
    data: () => 'red',
  })
  const context = {
    fillStyle: '',
    fillRect: (x: number, y: number, size: number) => calls.push(`dot ${x} ${y} ${size}`),
    drawImage: (picture: string) => calls.push(`picture of ${picture}`),
  }
  const layers = options.complete.map((level) => {
    return [level, [{ canvas: `level ${level}`, bb: box(100) }]] as const
  })
  const renderer = {
    hideEdgesOnViewport: false,
    hoverData: { draggingEles: options.draggingEles },
    data: {
      lyrTxrCache: {
        layersByLevel: Object.fromEntries(layers),
        validateLayersElesOrdering: () => {},
        levelIsComplete: (level: number) => options.complete.includes(level),
        getLayers: (_: unknown, __: unknown, level: number) => calls.push(`ask for level ${level}`),
      },
    },
    drawCachedNodes: (..._: unknown[]) => calls.push('nodes'),
  }
  const cy = { renderer: () => renderer, zoom: () => options.zoom } as unknown as Core
  attachMovingPicture(cy)(true)
  const elements = [element(0), element(50, false), element(70, true, false), element(100)]
  return { calls, draw: () => renderer.drawCachedNodes(context, elements, 1, {}) }
}

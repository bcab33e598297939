import cytoscape, { type Core } from 'cytoscape'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Arrangement } from '../layout/arrangement.ts'
import { redrawGradually } from './gradual-redraw.ts'

/** Notes what it draws; a level of its pictures is complete when the test says so. */
class FakeRenderer {
  readonly drawn: string[] = []
  readonly asked: number[] = []
  isComplete = false
  /** Draws one element; none is left. */
  dequeue: () => readonly unknown[] = () => []
  readonly data = {
    lyrTxrCache: {
      skipping: true,
      levelIsComplete: () => this.isComplete,
      getLayers: (_: unknown, __: unknown, level: number) => this.asked.push(level),
      dequeue: () => this.dequeue(),
    },
  }
  readonly getCachedZSortedEles = () => ({ nondrag: [] })
  readonly getPixelRatio = () => 1
  readonly redrawHint = () => {}
  readonly recalculateRenderedStyle = () => {}
  readonly notify = () => {}
  render(options?: { readonly forcedContext?: unknown }): void {
    this.drawn.push(options?.forcedContext === undefined ? 'canvas' : 'export')
  }
  redraw(): void {
    this.render()
  }
}

/** Nodes in a row, each linked to the next. */
function canvas(count: number) {
  const cy = cytoscape({ headless: true, styleEnabled: true })
  const ids = Array.from({ length: count }, (_, place) => `n${place}`)
  cy.add(ids.map((id, place) => ({ data: { id }, position: { x: place * 100, y: 0 } })))
  cy.add(ids.slice(1).map((id, place) => ({ data: { source: ids[place] ?? '', target: id } })))
  const renderer = new FakeRenderer()
  Object.assign(cy, { renderer: () => renderer })
  return { cy, renderer, running: new AbortController() }
}

const dirtied = (cy: Core) => {
  const ids: string[] = []
  cy.on('bounds', 'node', ({ target }) => ids.push(target.id()))
  return ids
}

describe('a gradual redraw', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('keeps the old picture until the new one is there', async () => {
    const { cy, renderer, running } = canvas(3)
    const onBounds = vi.fn()
    const done = redrawGradually(cy, { signal: running.signal, onBounds })
    await vi.advanceTimersByTimeAsync(200)
    renderer.render()
    expect(renderer.drawn).toEqual([])
    expect(new Set(renderer.asked)).toEqual(new Set([0]))
    const { x1, x2 } = onBounds.mock.calls[0]?.[0] ?? {}
    expect([x1 < 0, x2 > 200, x2 < 300]).toEqual([true, true, true])
    renderer.isComplete = true
    await vi.advanceTimersByTimeAsync(20)
    await done
    expect(renderer.drawn).toEqual(['canvas'])
    renderer.render()
    expect(renderer.drawn).toEqual(['canvas', 'canvas'])
  })

  it('draws in short tasks, without waiting for frames', async () => {
    const { cy, renderer, running } = canvas(3)
    let [now, left] = [0, 10]
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    renderer.dequeue = () => {
      if (left === 0) return []
      now += 4
      left--
      renderer.isComplete = left === 0
      return [true]
    }
    const seen: number[] = []
    const look = () => {
      if (seen.at(-1) !== left) seen.push(left)
      if (left > 0) setTimeout(look, 0)
    }
    setTimeout(look, 0)
    const done = redrawGradually(cy, { signal: running.signal })
    await vi.advanceTimersByTimeAsync(100)
    await done
    expect(seen).toEqual([10, 7, 4, 1, 0])
    expect(renderer.drawn).toEqual(['canvas'])
  })

  it('has drawn anew what changes while it draws', async () => {
    const { cy, renderer, running } = canvas(3)
    // The first time it is changed when half is drawn: nothing is left in line.
    renderer.dequeue = () => {
      renderer.isComplete = renderer.asked.length > 1
      return []
    }
    const done = redrawGradually(cy, { signal: running.signal })
    await vi.advanceTimersByTimeAsync(100)
    expect(renderer.drawn).toEqual(['canvas'])
    await done
  })

  it('waits two seconds at most, and not for a picture that would be too large', async () => {
    const slow = canvas(3)
    const waited = redrawGradually(slow.cy, { signal: slow.running.signal })
    await vi.advanceTimersByTimeAsync(1_900)
    expect(slow.renderer.drawn).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await waited
    expect(slow.renderer.drawn).toEqual(['canvas'])
    const wide = canvas(2)
    wide.cy.nodes().last().position({ x: 1e6, y: 1e6 })
    const direct = redrawGradually(wide.cy, { signal: wide.running.signal })
    await vi.advanceTimersByTimeAsync(50)
    await direct
    expect(wide.renderer.asked).toEqual([])
    expect(wide.renderer.drawn).toEqual(['canvas'])
  })

  it('gives the page its turn between slices', async () => {
    const { cy, renderer, running } = canvas(900)
    renderer.isComplete = true
    const ids = dirtied(cy)
    const seen: number[] = []
    let hasEnded = false
    const look = () => {
      if (seen.at(-1) !== ids.length) seen.push(ids.length)
      if (!hasEnded) setTimeout(look, 0)
    }
    setTimeout(look, 0)
    const done = redrawGradually(cy, { signal: running.signal }).then(() => {
      hasEnded = true
    })
    await vi.advanceTimersByTimeAsync(100)
    await done
    expect(seen).toEqual([0, 400, 800, 900])
  })

  it('ends when the view is moved by hand, and lets an export through', async () => {
    const { cy, renderer, running } = canvas(3)
    const fit = () => void cy.pan({ x: 7, y: 7 })
    const done = redrawGradually(cy, { signal: running.signal, onBounds: fit })
    await vi.advanceTimersByTimeAsync(200)
    renderer.render({ forcedContext: {} })
    expect(renderer.drawn).toEqual(['export'])
    cy.pan({ x: 9, y: 9 })
    expect(renderer.drawn).toEqual(['export', 'canvas'])
    await vi.advanceTimersByTimeAsync(20)
    await done
    expect(renderer.drawn).toEqual(['export', 'canvas'])
  })

  it('leaves the moves to the next frame when it is ended before all is known', async () => {
    const { cy, renderer, running } = canvas(900)
    const done = redrawGradually(cy, { signal: running.signal })
    await vi.advanceTimersByTimeAsync(1)
    const ids = dirtied(cy)
    running.abort()
    await vi.advanceTimersByTimeAsync(20)
    await done
    expect(ids.length).toBe(900)
    expect(renderer.drawn).toEqual(['canvas'])
  })

  it('draws again after a second one that began within the first', async () => {
    const { cy, renderer, running } = canvas(3)
    const first = redrawGradually(cy, { signal: running.signal })
    await vi.advanceTimersByTimeAsync(50)
    const second = redrawGradually(cy, { signal: new AbortController().signal })
    running.abort()
    await vi.advanceTimersByTimeAsync(50)
    await first
    renderer.isComplete = true
    await vi.advanceTimersByTimeAsync(50)
    await second
    renderer.drawn.length = 0
    renderer.render()
    expect(renderer.drawn).toEqual(['canvas'])
  })

  it('follows a step back, which first ends what is under way', async () => {
    const { cy, renderer } = canvas(401)
    const arrangement = new Arrangement(cy)
    arrangement.cancel()
    arrangement.moveTo(
      new Map(cy.nodes().map((node) => [node.id(), { x: 7, y: node.position().x }])),
    )
    expect(cy.nodes().last().position()).toEqual({ x: 7, y: 40_000 })
    await vi.advanceTimersByTimeAsync(100)
    expect([renderer.drawn, renderer.asked.length > 0]).toEqual([[], true])
    renderer.isComplete = true
    await vi.advanceTimersByTimeAsync(20)
    expect(renderer.drawn).toEqual(['canvas'])
  })

  it('ends with its canvas', async () => {
    const { cy, renderer, running } = canvas(3)
    const done = redrawGradually(cy, { signal: running.signal })
    cy.destroy()
    await vi.advanceTimersByTimeAsync(100)
    await done
    expect(renderer.drawn).toEqual([])
  })
})

import cytoscape, { type ElementDefinition } from 'cytoscape'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Arrival, CHUNK } from './arrival.ts'

const nodes = (count: number, prefix = 'n'): ElementDefinition[] =>
  Array.from({ length: count }, (_, place) => ({
    data: { id: `${prefix}${place}` },
    position: { x: place, y: 1 },
  }))

function canvas() {
  const cy = cytoscape({ headless: true })
  return { cy, arrival: new Arrival(cy), onDone: vi.fn() }
}

const isDrawn = (cy: object) => (cy as { notifications(): boolean }).notifications()

describe('Arrival', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
    vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('brings one chunk at once, and more a chunk at a time', () => {
    const { cy, arrival, onDone } = canvas()
    arrival.begin({ elements: nodes(CHUNK), unseen: false, onDone })
    expect(cy.nodes().length).toBe(CHUNK)
    expect(onDone).toHaveBeenCalledOnce()
    arrival.begin({ elements: nodes(2 * CHUNK + 1, 'm'), unseen: false, onDone })
    const counts = [cy.nodes().length]
    while (vi.getTimerCount() > 0) {
      vi.advanceTimersToNextTimer()
      counts.push(cy.nodes().length)
    }
    expect(counts).toEqual([400, 600, 601])
    expect(onDone).toHaveBeenCalledTimes(2)
  })

  it('is drawn while it comes, or not before all is there', () => {
    const { cy, arrival, onDone } = canvas()
    for (const unseen of [false, true]) {
      arrival.begin({ elements: nodes(CHUNK + 1, String(unseen)), unseen, onDone })
      expect(isDrawn(cy)).toBe(!unseen)
      vi.runAllTimers()
      expect(isDrawn(cy)).toBe(true)
    }
  })

  it('is finished at once for who cannot wait, and once only', () => {
    const { cy, arrival, onDone } = canvas()
    arrival.finish()
    arrival.begin({ elements: nodes(3 * CHUNK), unseen: true, onDone })
    arrival.finish()
    expect(cy.nodes().length).toBe(3 * CHUNK)
    vi.runAllTimers()
    arrival.finish()
    expect(onDone).toHaveBeenCalledOnce()
  })

  it('gives way to another, which knows where the rest was to be', () => {
    const { cy, arrival, onDone } = canvas()
    arrival.begin({ elements: nodes(CHUNK + 2), unseen: true, onDone })
    expect([...arrival.places()]).toEqual([
      [`n${CHUNK}`, { x: CHUNK, y: 1 }],
      [`n${CHUNK + 1}`, { x: CHUNK + 1, y: 1 }],
    ])
    const onOther = vi.fn()
    arrival.begin({ elements: nodes(3, 'other'), unseen: false, onDone: onOther })
    vi.runAllTimers()
    expect(cy.nodes().length).toBe(CHUNK + 3)
    expect(onDone).not.toHaveBeenCalled()
    expect(onOther).toHaveBeenCalledOnce()
    arrival.begin({ elements: nodes(CHUNK + 1, 'x'), unseen: true, onDone })
    arrival.cancel()
    cy.destroy()
    vi.runAllTimers()
    expect(onDone).not.toHaveBeenCalled()
  })
})

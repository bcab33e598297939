import cytoscape from 'cytoscape'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { detailOf } from '../engine/stylesheet.ts'
import { attachHover, type HoverDetail } from './hover.ts'

/** a - b - c, and d alone. */
function shown(detail: HoverDetail) {
  const cy = cytoscape({
    headless: true,
    elements: [
      ...['a', 'b', 'c', 'd'].map((id) => ({ data: { id } })),
      { data: { id: 'ab', source: 'a', target: 'b' } },
      { data: { id: 'bc', source: 'b', target: 'c' } },
    ],
  })
  const clear = attachHover(cy, () => detail)
  const faded = () => cy.elements('.faded').map((element) => element.id())
  return { cy, clear, faded }
}

const loud: HoverDetail = { quietEdges: false, dimsRest: true }

describe('attachHover', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('dims what is neither the node, nor beside it, nor an edge between', () => {
    const { cy, faded } = shown(loud)
    cy.$id('a').emit('mouseover')
    vi.runAllTimers()
    expect(faded()).toEqual(['c', 'd', 'bc'])
    cy.$id('a').emit('mouseout')
    expect(faded()).toEqual([])
  })

  it('dims nothing for a pointer that has gone on, for a drag, and once it is cleared', () => {
    const { cy, clear, faded } = shown(loud)
    cy.$id('a').emit('mouseover')
    cy.$id('a').emit('mouseout')
    vi.runAllTimers()
    expect(faded()).toEqual([])
    for (const end of [() => cy.$id('a').emit('grab'), clear]) {
      cy.$id('a').emit('mouseover')
      vi.runAllTimers()
      expect(faded()).not.toEqual([])
      end()
      expect(faded()).toEqual([])
    }
  })

  it('survives a node that is removed, and a canvas that ends, before it dims', () => {
    const { cy, faded } = shown(loud)
    cy.$id('a').emit('mouseover')
    cy.$id('a').remove()
    vi.runAllTimers()
    expect(faded()).toEqual([])
    cy.$id('b').emit('mouseover')
    cy.destroy()
    vi.runAllTimers()
  })

  it('leaves large scenes as they are', () => {
    const { cy, faded } = shown({ quietEdges: true, dimsRest: false })
    cy.$id('a').emit('mouseover')
    cy.$id('ab').emit('mouseover')
    vi.runAllTimers()
    expect(faded()).toEqual([])
    expect(cy.edges('.hovered').length).toBe(0)
    expect(detailOf({ nodes: 130, edges: 270, cards: false }).dimsRest).toBe(true)
    expect(detailOf({ nodes: 131, edges: 270, cards: false }).dimsRest).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { arrayView } from '../../../../test/fixtures/array-view.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { VertexLayout } from '../graph/layout.ts'
import { sentFunctions } from './sent-values.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const columns = { sources: words, targets: words, weights: none, amounts: none, sinces: none }
const layout = new VertexLayout(arrayView({ vertexCount: 100, ...columns }))
/** Of 100 sources and 50 edges. */
const BYTES_PER_FOLD = 100 * 8 + 50 * 12

function sentWithin(limitBytes: number) {
  const memory = new MemoryBudget(limitBytes)
  return { memory, sent: sentFunctions(layout, memory) }
}

describe('values that sources send', () => {
  it('need memory for every fold, or none is sent', () => {
    const { sent, memory } = sentWithin(BYTES_PER_FOLD * 2)
    expect(sent.sends(null, 1, 50, 3)).toBe(false)
    expect(sent.sends(null, 1, 50, 2)).toBe(true)
    expect(sent.takeSent(1, 50).map(({ length }) => length)).toEqual([50, 50, 100, 100])
    sent.takeSent(1, 50)
    expect(memory.usedBytes).toBe(BYTES_PER_FOLD * 2)
  })

  it('go into the arrays of the loop before, which are given up for others when memory is short', () => {
    const { sent, memory } = sentWithin(BYTES_PER_FOLD + 100)
    const first = sent.takeSent(1, 50)
    expect(sent.sends(null, 1, 50, 1)).toBe(false)
    sent.giveSent(first)
    expect(sent.sends(null, 1, 50, 1)).toBe(true)
    expect(sent.takeSent(1, 50)).toBe(first)
    sent.giveSent(first)
    expect(sent.sends(null, 1, 55, 1)).toBe(true)
    expect(memory.usedBytes).toBe(0)
    expect(sent.takeSent(1, 55)[0]).toHaveLength(55)
  })

  it('are sent by many sources only', () => {
    const { sent } = sentWithin(2 ** 20)
    expect(sent.sends(new Uint32Array(1), 1, 50, 1)).toBe(false)
    expect(sent.sends(new Uint32Array(2), 1, 50, 1)).toBe(true)
    expect(sent.sends(null, 1, 2 ** 31, 1)).toBe(false)
  })

  it('are folded in ranges to which about as many edges lead', () => {
    const { sent } = sentWithin(2 ** 20)
    const even = Uint32Array.from({ length: 101 }, (_, row) => row)
    expect(sent.rangesOf([even, 100, 100, 1], 4)).toEqual([0, 25, 50, 75, 128])
    // All edges lead to vertex 60.
    const hub = Uint32Array.from({ length: 101 }, (_, row) => (row > 60 ? 100 : 0))
    expect(sent.rangesOf([hub, 100, 100, 1], 3)).toEqual([0, 61, 61, 128])
    expect(sent.rangesOf([new Uint32Array(1), 0, 0, 1], 3)).toEqual([0, 0, 0, 128])
    expect(sent.rangesOf([even, 100, 100, 1], 1)).toEqual([0, 128])
  })
})

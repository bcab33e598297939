import { describe, expect, it } from 'vitest'
import { arrayView } from '../../../../test/fixtures/array-view.ts'
import { MemoryBudget } from '../cells/memory.ts'
import { VertexLayout } from '../graph/layout.ts'
import { collectedFunctions } from './collected-members.ts'

const none = new Float64Array(0)
const words = new Uint32Array(0)
const columns = { sources: words, targets: words, weights: none, amounts: none, sinces: none }
const layout = new VertexLayout(arrayView({ vertexCount: 100, ...columns }))

describe('members that sources collect', () => {
  it('need memory for every fold, with the numbers of its sources, or none is collected', () => {
    // Of 10 edges: four bytes each, and eight for each source.
    const needed = 3 * (10 * 4 + 100 * 8)
    for (const limit of [needed - 1, needed, needed * 2]) {
      const memory = new MemoryBudget(limit)
      const { collects, newMembers } = collectedFunctions(layout, memory)
      if (!collects(null, 1, 10, 3)) continue
      for (let fold = 0; fold < 3; fold++) [10, 100, 100].map(newMembers)
      expect(memory.usedBytes).toBe(needed)
    }
    const { collects } = collectedFunctions(layout, new MemoryBudget(needed * 2))
    expect(collects(null, 1, 10, 3)).toBe(true)
    expect(collects(null, 1, 10, 6)).toBe(false)
  })
})

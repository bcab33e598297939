import { describe, expect, it } from 'vitest'
import { WorkBlock } from './work-block.ts'

describe('the words of a divided loop', () => {
  it('give out every segment once, in order', () => {
    const block = new WorkBlock()
    const turn = block.open()
    expect([0, 1, 2, 3, 4].map(() => block.take(turn, 4))).toEqual([0, 1, 2, 3, -1])
  })

  it('give nothing to who comes with the turn before', () => {
    const block = new WorkBlock()
    const before = block.open()
    const turn = block.open()
    expect(block.take(before, 4)).toBe(-1)
    expect(block.take(turn, 4)).toBe(0)
  })

  it('give nothing more once a segment has failed, until the next turn', () => {
    const block = new WorkBlock()
    const turn = block.open()
    block.fail()
    expect(block.take(turn, 4)).toBe(-1)
    expect(block.hasFailed).toBe(true)
    expect(block.take(block.open(), 4)).toBe(0)
  })

  it('stay in order over 2^15 turns', () => {
    const block = new WorkBlock()
    for (let round = 0; round < 2 ** 15 + 3; round++) {
      const turn = block.open()
      expect(block.take(turn, 2)).toBe(0)
    }
  })

  it('let nobody wait for a helper that is gone', () => {
    const block = new WorkBlock()
    block.open()
    block.enter()
    block.noteLost()
    block.settled()
    expect(block.isLost).toBe(true)
  })

  it('call back one helper, and all at the end', () => {
    const block = new WorkBlock()
    block.recall(1)
    expect([0, 1, 2].map((helper) => block.leaves(helper))).toEqual([false, true, false])
    block.close()
    expect(block.leaves(0)).toBe(true)
  })

  it('keep what each helper has counted', () => {
    const block = new WorkBlock()
    block.addCounts(1, { edges: 5, rows: 2, segments: 1 })
    block.addCounts(1, { edges: 5, rows: 1, segments: 0 })
    expect(block.takeCounts(0)).toEqual({ edges: 0, rows: 0, segments: 0 })
    expect(block.takeCounts(1)).toEqual({ edges: 10, rows: 3, segments: 1 })
    expect(block.takeCounts(1)).toEqual({ edges: 0, rows: 0, segments: 0 })
  })
})

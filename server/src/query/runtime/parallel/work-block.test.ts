import { describe, expect, it } from 'vitest'
import { WorkBlock } from './work-block.ts'

describe('the words of a divided loop', () => {
  it('give out every segment once, in order', () => {
    const block = new WorkBlock()
    const turn = block.open(4)
    expect([0, 1, 2, 3, 4].map(() => block.take(turn, 0))).toEqual([0, 1, 2, 3, -1])
  })

  it('give each thread the segments of its lane first, then those of others', () => {
    const block = new WorkBlock()
    const turn = block.open(7, 3)
    expect([2, 2, 1, 2, 2].map((lane) => block.take(turn, lane))).toEqual([4, 5, 2, 6, 0])
    expect([1, 1, 1].map((lane) => block.take(turn, lane))).toEqual([3, 1, -1])
  })

  it('know whether one has been taken, of whatever lane', () => {
    const block = new WorkBlock()
    expect(block.hasTurned).toBe(false)
    const turn = block.open(8, 2)
    expect([block.hasTurned, block.hasBegun(turn)]).toEqual([true, false])
    block.take(turn, 1)
    expect(block.hasBegun(turn)).toBe(true)
  })

  it('give nothing to who comes with the turn before', () => {
    const block = new WorkBlock()
    const before = block.open(4)
    const turn = block.open(4)
    expect(block.take(before, 0)).toBe(-1)
    expect(block.take(turn, 0)).toBe(0)
  })

  it('give no segment behind one that has failed, and all before it, until the next turn', () => {
    const block = new WorkBlock()
    const turn = block.open(6, 2)
    block.fail(4)
    block.fail(5)
    expect([1, 1, 0, 1].map((lane) => block.take(turn, lane))).toEqual([3, 0, 1, 2])
    expect(block.take(turn, 1)).toBe(-1)
    expect(block.hasFailed).toBe(true)
    expect(block.take(block.open(4), 0)).toBe(0)
  })

  it('stay in order over 2^15 turns', () => {
    const block = new WorkBlock()
    for (let round = 0; round < 2 ** 15 + 3; round++) {
      expect(block.take(block.open(2), 0)).toBe(0)
    }
  })

  it('let nobody wait for a helper that is gone', () => {
    const block = new WorkBlock()
    block.open(1)
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

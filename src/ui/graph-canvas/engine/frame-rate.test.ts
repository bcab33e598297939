import { describe, expect, it } from 'vitest'
import { FrameCounter } from './frame-rate.ts'

describe('frames of a gesture', () => {
  it('are counted from its first move, over the last second', () => {
    const counter = new FrameCounter()
    counter.frame(0)
    counter.move(1_000)
    for (let at = 1_000; at < 1_500; at += 20) counter.frame(at)
    expect(counter.rateAt(1_100)).toBeNull()
    expect(counter.rateAt(1_500)).toBe(50)
    for (let at = 1_550; at < 3_000; at += 100) counter.frame(at)
    expect(counter.rateAt(3_000)).toBe(10)
  })

  it('fall to none while the page hangs, and are not told at rest', () => {
    const counter = new FrameCounter()
    counter.move(0)
    counter.frame(10)
    expect(counter.rateAt(5_000)).toBe(0)
    counter.rest()
    counter.frame(5_010)
    expect(counter.rateAt(5_020)).toBeNull()
    counter.move(6_000)
    expect(counter.rateAt(6_500)).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { rowWindow } from './row-window.ts'

describe('rowWindow', () => {
  it('draws what is in sight and twelve rows around it', () => {
    expect(rowWindow(1_000, 34, { top: 3_400, height: 340 })).toEqual({
      start: 88,
      end: 122,
      before: 88 * 34,
      after: 878 * 34,
    })
  })

  it('begins before anything is measured', () => {
    expect(rowWindow(1_000, 34, { top: 0, height: 0 })).toMatchObject({ start: 0, end: 12 })
  })

  it('ends with the list, also when the list got shorter than what was scrolled to', () => {
    expect(rowWindow(130, 34, { top: 130 * 34, height: 340 })).toMatchObject({ end: 130, after: 0 })
    expect(rowWindow(110, 34, { top: 90_000, height: 340 })).toEqual({
      start: 110,
      end: 110,
      before: 3_740,
      after: 0,
    })
  })

  it('shows every row for some place, and leaves the height of the whole the same', () => {
    const count = 500
    const shown = new Set<number>()
    for (let top = 0; top <= count * 28; top += 97) {
      const { start, end, before, after } = rowWindow(count, 28, { top, height: 300 })
      for (let row = start; row < end; row++) shown.add(row)
      expect(before + (end - start) * 28 + after).toBe(count * 28)
      const firstInSight = Math.min(count, Math.floor(top / 28))
      expect(start).toBeLessThanOrEqual(firstInSight)
    }
    expect(shown.size).toBe(count)
  })
})

import { describe, expect, it } from 'vitest'
import { judgeMemory, type MemorySample } from '../../tools/soak/memory-windows.ts'

const MINUTES = 20

/** One sample a second, of one process. */
function run(bytesAt: (second: number) => number, minutes = MINUTES, start = 1): MemorySample[] {
  return Array.from({ length: minutes * 60 + 1 }, (_, second) => ({
    second,
    start,
    residentBytes: bytesAt(second),
  }))
}

describe('resident memory over time', () => {
  it('is flat within 5 %, whatever the first ten minutes were', () => {
    expect(judgeMemory(run((second) => (second < 600 ? second : 1_000)))).toMatchObject({
      growthShare: 0,
      isFlat: true,
    })
    expect(judgeMemory(run((second) => (second < 900 ? 1_000 : 1_050))).isFlat).toBe(true)
  })

  it('is not flat above 5 %, nor when it grows and falls again', () => {
    expect(judgeMemory(run((second) => (second < 900 ? 1_000 : 1_051))).isFlat).toBe(false)
    const bulge = run((second) => (second > 840 && second < 960 ? 1_100 : 1_000))
    expect(judgeMemory(bulge)).toMatchObject({ isFlat: false, lastShare: 0 })
    expect(judgeMemory(run((second) => 1_000 + second)).isFlat).toBe(false)
  })

  it('counts no single peak', () => {
    const peaks = run((second) => (second % 10 === 0 ? 5_000 : 1_000))
    expect(judgeMemory(peaks)).toMatchObject({ growthShare: 0, isFlat: true })
  })

  it('is not judged before three windows of two minutes have passed', () => {
    expect(judgeMemory(run(() => 1_000, 15)).isFlat).toBeNull()
    expect(judgeMemory(run(() => 1_000, 16)).isFlat).toBe(true)
    expect(judgeMemory([]).isFlat).toBeNull()
  })

  it('is that of the process that ran longest', () => {
    const long = run(() => 1_000)
    const after = run(() => 9_000, 2, 2).map((sample) => ({
      ...sample,
      second: sample.second + MINUTES * 60,
    }))
    expect(judgeMemory([...long, ...after])).toMatchObject({ growthShare: 0, isFlat: true })
  })
})

import { describe, expect, it } from 'vitest'
import { sparkPaths } from './spark.tsx'

describe('sparkPaths', () => {
  it('draws zero at the bottom and the largest value at the top', () => {
    expect(sparkPaths([0, 10])).toEqual(['M0.0 34.0h0.1L160.0 2.0'])
  })

  it('draws a large number that stands still in the middle, if asked for its range', () => {
    expect(sparkPaths([7, 7], 'range')).toEqual(['M0.0 18.0h0.1L160.0 18.0'])
  })

  it('leaves a gap where a value is missing', () => {
    expect(sparkPaths([1, null, 1])).toHaveLength(2)
  })

  it('draws nothing without values', () => {
    expect(sparkPaths([null, null])).toEqual([])
    expect(sparkPaths([])).toEqual([])
  })

  it('draws nothing of a single value, but a lonely one among gaps', () => {
    expect(sparkPaths([7], 'range')).toEqual([])
    expect(sparkPaths([null, 7, null])).toEqual(['M80.0 2.0h3'])
  })
})

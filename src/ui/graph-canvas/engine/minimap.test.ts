import { describe, expect, it } from 'vitest'
import { boxOf, fromMap, mappingOf, toMap } from './minimap.ts'

describe('the map of a scene', () => {
  it('has no box without nodes', () => {
    expect(boxOf([])).toBeNull()
  })

  it('holds every node, whatever the shape of the scene', () => {
    const points = [
      { x: -5000, y: 3 },
      { x: 12, y: 900 },
      { x: 40, y: -20 },
    ]
    const mapping = mappingOf(boxOf(points)!)
    for (const point of points) {
      const { x, y } = toMap(mapping, point)
      expect(x).toBeGreaterThan(7.9)
      expect(x).toBeLessThan(160.1)
      expect(y).toBeGreaterThan(7.9)
      expect(y).toBeLessThan(104.1)
    }
  })

  it('leads back to where a press means', () => {
    const mapping = mappingOf(boxOf([{ x: 10, y: 10 }])!)
    const back = fromMap(mapping, toMap(mapping, { x: 17, y: -4 }))
    expect(back.x).toBeCloseTo(17)
    expect(back.y).toBeCloseTo(-4)
  })
})

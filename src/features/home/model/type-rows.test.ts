import { describe, expect, it } from 'vitest'
import { type CountedTypes, observe, totalCount, typeRows } from './type-rows.ts'

const counted = (person: number): CountedTypes => ({
  vertices: [{ type: 'Person', count: person }],
  edges: [{ type: 'Person', count: 7 }],
})

describe('typeRows', () => {
  it('tells a vertex type from an edge type of the same name', () => {
    expect(typeRows(counted(3), []).map(({ kind, count }) => [kind, count])).toEqual([
      ['vertex', 3],
      ['edge', 7],
    ])
  })

  it('compares with the oldest observation of the last minute', () => {
    let past = observe([], counted(10), 0)
    past = observe(past, counted(15), 30_000)
    past = observe(past, counted(40), 70_000)
    const [person] = typeRows(counted(40), past)
    expect(person?.change).toBe(25)
    expect(person?.trend).toEqual([15, 40])
  })

  it('shows no change before anything was observed', () => {
    expect(typeRows(counted(3), [])[0]?.change).toBe(0)
  })

  it('adds up each kind', () => {
    const rows = typeRows(counted(3), [])
    expect(totalCount(rows, 'vertex')).toBe(3)
    expect(totalCount(rows, 'edge')).toBe(7)
  })
})

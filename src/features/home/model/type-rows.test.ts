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

  it('tells of attributes and indexes as soon as the schema is known', () => {
    const attribute = { name: 'age', type: 'INT', defaultText: null, isNew: false }
    const vertex = {
      kind: 'vertex' as const,
      name: 'Person',
      isNew: false,
      isLocal: true,
      primaryId: {
        syntax: 'PRIMARY_ID',
        names: ['id'],
        type: 'STRING',
        asAttribute: false,
      } as const,
      stats: 'NONE' as const,
      attributes: [attribute, { ...attribute, name: 'name' }],
      indexes: [{ name: 'by_age', attribute: 'age' }],
    }
    const edge = {
      kind: 'edge' as const,
      name: 'Person',
      isNew: false,
      isLocal: true,
      directed: true,
      pairs: [{ from: 'Person', to: 'Person' }],
      reverseName: null,
      discriminatorCount: 0,
      attributes: [{ ...attribute, name: 'since' }],
    }
    const rows = typeRows(counted(3), [], { vertices: [vertex], edges: [edge] })
    expect(rows.map((row) => [row.attributes, row.indexed])).toEqual([
      [['age', 'name'], ['age']],
      [['since'], undefined],
    ])
    expect(typeRows(counted(3), [])[0]?.attributes).toBeUndefined()
  })

  it('adds up each kind', () => {
    const rows = typeRows(counted(3), [])
    expect(totalCount(rows, 'vertex')).toBe(3)
    expect(totalCount(rows, 'edge')).toBe(7)
  })
})

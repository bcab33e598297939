import { describe, expect, it } from 'vitest'
import { meantType } from './meant-type.ts'

const edge = (name: string, reverseName: string | null) => ({
  kind: 'edge' as const,
  name,
  reverseName,
  isNew: false,
  isLocal: true,
  directed: true,
  pairs: [{ from: 'Card', to: 'Shop' }],
  discriminatorCount: 0,
  attributes: [],
})

describe('meantType', () => {
  const schema = { vertices: [], edges: [edge('Uses', null), edge('Pays', 'Paid_By')] }

  it('is the edge type where the name is that of its reverse edge', () => {
    expect(meantType(schema, 'Paid_By')).toBe('Pays')
  })

  it('is the name itself for any other, known or not', () => {
    expect(['Uses', 'Pays', 'Nope', 'null'].map((name) => meantType(schema, name))).toEqual([
      'Uses',
      'Pays',
      'Nope',
      'null',
    ])
  })
})

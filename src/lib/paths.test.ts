import { describe, expect, it } from 'vitest'
import { paths, vertexList, withGraph } from './paths.ts'

describe('paths', () => {
  it('keeps a graph name with any characters in one segment', () => {
    expect(paths.schema('a/b c')).toBe('/a%2Fb%20c/schema')
  })

  it('writes only the search values that are set', () => {
    expect(paths.explorer('g', { type: 'Person', id: '', hops: 2, all: undefined })).toBe(
      '/g/explorer?type=Person&hops=2',
    )
  })

  it('names as many vertices as an address of 2,000 letters holds', () => {
    expect(vertexList(['A:1', 'B:x,y', 'C:a\nb'])).toBe('A:1\nB:x,y')
    const many = Array.from({ length: 300 }, (_, n) => `Person:é${n}`)
    const link = paths.explorer('g', { vertex: vertexList(many) })
    expect(link.length).toBeGreaterThan(1_600)
    expect(link.length).toBeLessThan(1_800)
    expect(new URLSearchParams(link.split('?')[1]).get('vertex')?.split('\n')[1]).toBe('Person:é1')
  })

  it('changes the graph and stays on the page', () => {
    expect(withGraph('/old/statistics', 'new')).toBe('/new/statistics')
  })

  it('has no other address for a page without a graph', () => {
    expect(withGraph('/system', 'new')).toBeUndefined()
  })
})

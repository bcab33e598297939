import { describe, expect, it } from 'vitest'
import { paths, withGraph } from './paths.ts'

describe('paths', () => {
  it('keeps a graph name with any characters in one segment', () => {
    expect(paths.schema('a/b c')).toBe('/a%2Fb%20c/schema')
  })

  it('writes only the search values that are set', () => {
    expect(paths.explorer('g', { type: 'Person', id: '', hops: 2, all: undefined })).toBe(
      '/g/explorer?type=Person&hops=2',
    )
  })

  it('changes the graph and stays on the page', () => {
    expect(withGraph('/old/statistics', 'new')).toBe('/new/statistics')
  })

  it('has no other address for a page without a graph', () => {
    expect(withGraph('/system', 'new')).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { affectedDataUrl, affectedTypes } from './affected-data.ts'
import { type Change, type ChangeKind, classOfKind } from './schema-diff.ts'

const live = {
  vertices: [{ name: 'A' }, { name: 'B' }],
  edges: [
    { name: 'AB', pairs: [{ from: 'A', to: 'B' }] },
    { name: 'BB', pairs: [{ from: 'B', to: 'B' }] },
  ],
} as unknown as Parameters<typeof affectedTypes>[1]

const change = (owner: 'vertex' | 'edge', typeName: string, kind: ChangeKind): Change => ({
  ...{ kind, owner, typeName, publishedName: typeName, part: null, sentence: '' },
  changeClass: classOfKind[kind],
})

describe('affected data', () => {
  it('of a vertex type that goes has its edges, of an attribute it has none', () => {
    const dropped = [change('vertex', 'A', 'typeDropped')]
    expect(affectedTypes(dropped, live)).toEqual({ vertexTypes: ['A'], edgeTypes: ['AB'] })
    const replaced = [change('vertex', 'B', 'typeReplaced')]
    expect(affectedTypes(replaced, live).edgeTypes).toEqual(['AB', 'BB'])
    const less = [
      change('vertex', 'A', 'attributeDropped'),
      change('edge', 'BB', 'attributeRetyped'),
    ]
    expect(affectedTypes(less, live)).toEqual({ vertexTypes: ['A'], edgeTypes: ['BB'] })
  })

  it('is none of what is safe or new', () => {
    const safe = [change('vertex', 'A', 'attributeAdded'), change('edge', 'AB', 'indexDropped')]
    expect(affectedTypes(safe, live)).toEqual({ vertexTypes: [], edgeTypes: [] })
    expect(affectedTypes([change('vertex', 'C', 'typeDropped')], live).vertexTypes).toEqual([])
  })

  it('has an address only where there is any', () => {
    expect(affectedDataUrl('g', { vertexTypes: [], edgeTypes: [] })).toBeNull()
    expect(affectedDataUrl('g', { vertexTypes: ['A', 'B'], edgeTypes: ['AB'] })).toBe(
      '/quiver/v1/graphs/g/elements?vertex_types=A&vertex_types=B&edge_types=AB',
    )
  })
})

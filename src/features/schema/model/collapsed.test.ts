import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import type { EdgeModel, SchemaModel, VertexModel } from '#lib/graph-schema/schema-model.ts'
import { closedComponents, componentsOf, endsOf, isLarge, LARGE_TYPES } from './collapsed.ts'

const [person] = sampleSchema.vertices
const [worksAt] = sampleSchema.edges
const vertex = (name: string): VertexModel => ({ ...person!, name })
const edge = (name: string, ...ends: readonly string[]): EdgeModel => ({
  ...worksAt!,
  name,
  pairs: ends.map((pair) => ({ from: pair[0]!, to: pair[1]! })),
})
const schema: SchemaModel = {
  vertices: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(vertex),
  edges: [edge('ab', 'ab'), edge('cb', 'cb'), edge('loop', 'dd'), edge('two', 'ef', 'fe')],
}

describe('components of a schema', () => {
  it('hold what edge types join, by whichever of their pairs, and are named by the busiest', () => {
    expect(componentsOf(schema)).toEqual([
      { hub: 'b', vertices: ['a', 'b', 'c'], edgeCount: 2 },
      { hub: 'd', vertices: ['d'], edgeCount: 1 },
      { hub: 'e', vertices: ['e', 'f'], edgeCount: 1 },
      { hub: 'g', vertices: ['g'], edgeCount: 0 },
    ])
    const joined = { ...schema, edges: [...schema.edges, edge('far', 'gd', 'fa', 'gb')] }
    expect(componentsOf(joined)).toEqual([
      { hub: 'b', vertices: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], edgeCount: 5 },
    ])
    expect(componentsOf({ vertices: [], edges: [] })).toEqual([])
  })

  it('are closed until one of their types is opened; what stands alone is never one', () => {
    const hubs = (...opened: string[]) =>
      closedComponents(schema, new Set(opened)).map(({ hub }) => hub)
    expect(hubs()).toEqual(['b', 'e'])
    expect(hubs('c')).toEqual(['e'])
    expect(hubs('c', 'f', 'ghost')).toEqual([])
  })

  it('are many in a large schema, in a chain as in any other order', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `v${at}`)
    const chain: SchemaModel = {
      vertices: names.map(vertex),
      edges: names.slice(1).map((name, at) => ({
        ...edge(`e${at}`),
        pairs: [{ from: name, to: names[at]! }],
      })),
    }
    expect(componentsOf(chain)).toHaveLength(1)
    expect(componentsOf({ ...chain, edges: chain.edges.toReversed() })).toHaveLength(1)
  })

  it('know which ends have to be shown for a type', () => {
    expect(endsOf(schema, 'a')).toEqual(['a'])
    expect(endsOf(schema, 'two')).toEqual(['e', 'f', 'f', 'e'])
    expect(endsOf(schema, 'ghost')).toEqual([])
  })
})

it('a schema is large from its two hundredth type on', () => {
  const of = (count: number): SchemaModel => ({
    vertices: Array.from({ length: count - 1 }, (_, at) => vertex(`v${at}`)),
    edges: [edge('e', 'vv')],
  })
  expect([isLarge(of(LARGE_TYPES - 1)), isLarge(of(LARGE_TYPES))]).toEqual([false, true])
})

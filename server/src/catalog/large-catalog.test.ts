/** A change of a catalogue looks at each graph and type so many times, however many there are. */
import { expect, it } from 'vitest'
import { conversionsOf } from '#graph/conversions.ts'
import { createGraph, touchedGraphs, withVersions } from './graphs.ts'
import { type Catalog, emptyCatalog, type VertexType } from './types.ts'
import { createVertexType } from './vertex-types.ts'

const typeOf = (name: string) => ({
  Name: name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'INT' as const } },
  Attributes: [],
  Config: {},
})

/** So many global types, each in a graph of its own. */
function catalogOf(count: number): Catalog {
  let catalog = emptyCatalog
  for (let number = 0; number < count; number++) {
    catalog = createVertexType(catalog, null, typeOf(`V${number}`) as never)
    catalog = createGraph(catalog, `g${number}`, { vertices: [`V${number}`], edges: [] })
  }
  return catalog
}

/** @returns the catalogue with lists that count how often an element is read, and the count */
function counted(catalog: Catalog): { readonly catalog: Catalog; reads(): number } {
  let count = 0
  const counting = <T extends object>(list: T): T =>
    new Proxy(list, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) count++
        return Reflect.get(target, key, receiver)
      },
    })
  const { graphs, vertexTypes } = catalog
  const lists = { graphs: counting(graphs), vertexTypes: counting(vertexTypes) }
  return { catalog: { ...catalog, ...lists }, reads: () => count }
}

const few = 100
const changes: Readonly<Record<string, (before: Catalog) => unknown>> = {
  'CREATE GRAPH': (before) =>
    withVersions(before, createGraph(before, 'new', { vertices: [], edges: [] })),
  'CREATE VERTEX': (before) =>
    withVersions(before, createVertexType(before, null, typeOf('New') as never)),
  'a check of the graphs that are touched': (before) =>
    touchedGraphs(before, createGraph(before, 'new', { vertices: [], edges: [] })),
  'a look for columns to convert': (before) =>
    conversionsOf(before, { ...before, vertexTypes: [...before.vertexTypes] }),
}

it.each(Object.keys(changes))(
  '%s takes four times the look-ups among four times as many',
  (name) => {
    const readsOf = (count: number) => {
      const { catalog, reads } = counted(catalogOf(count))
      changes[name]!(catalog)
      return reads()
    }
    const [small, large] = [readsOf(few), readsOf(4 * few)]
    expect(small).toBeGreaterThan(0)
    expect(large).toBeLessThan(5 * small)
  },
)

it('finds what to convert among many types', () => {
  const before = catalogOf(50)
  const [first] = before.vertexTypes
  const id = { id: 77, name: 'a', type: { kind: 'INT' } }
  const old = { ...first, attributes: [id] } as unknown as VertexType
  const next = {
    ...old,
    attributes: [{ ...id, id: 78, convertedFrom: 77 }],
  } as unknown as VertexType
  const rest = before.vertexTypes.slice(1)
  const found = conversionsOf(
    { ...before, vertexTypes: [old, ...rest] },
    { ...before, vertexTypes: [next, ...rest] },
  )
  expect(found).toMatchObject([{ typeId: first!.id, from: { id: 77 }, to: { id: 78 } }])
})

import { describe, expect, it } from 'vitest'
import { acmeCatalog, acmeEdges, acmeVertices, attribute } from '../../test/fixtures/acme.ts'
import { createEdgeType, edgeTypeToJson } from './edge-types.ts'
import { createGraph, dropGraph, graphSummary, withVersions } from './graphs.ts'
import { findGraph, findVertexType, requireEdgeType } from './lookup.ts'
import { applySchemaChange, noChange, type SchemaChange } from './schema-change.ts'
import { createTuple, dropTuple, tupleToJson } from './tuples.ts'
import { type Catalog, emptyCatalog } from './types.ts'
import { createVertexType } from './vertex-types.ts'

const acme = acmeCatalog()

const change = (part: Partial<SchemaChange>, graph: string | null = 'acme', catalog = acme) =>
  applySchemaChange(catalog, graph, { ...noChange, ...part })

describe('edge types', () => {
  it('writes back what it read', () => {
    for (const json of acmeEdges) {
      const written = edgeTypeToJson(acme, requireEdgeType(acme, 'acme', json.Name).type)
      expect(written).toMatchObject(json)
      expect('EdgePairs' in written).toBe(false)
    }
    expect(edgeTypeToJson(acme, requireEdgeType(acme, 'acme', 'Pays').type)).toMatchObject({
      DiscriminatorCount: 1,
      CompositeDiscriminator: ['month'],
    })
  })

  it('expands * and lists the pairs when there are several', () => {
    const any = (json: object) =>
      createEdgeType(acme, 'acme', {
        Name: 'Any_Edge',
        IsDirected: true,
        FromVertexTypeName: '*',
        ToVertexTypeName: '*',
        Attributes: [],
        Config: {},
        ...json,
      })
    const pairsOf = (catalog: Catalog) =>
      edgeTypeToJson(catalog, requireEdgeType(catalog, 'acme', 'Any_Edge').type)
    expect(pairsOf(any({})).EdgePairs).toHaveLength(4)
    expect(pairsOf(any({ IsDirected: false })).EdgePairs).toHaveLength(3)
    expect(pairsOf(any({ FromVertexTypeName: 'Person' }))).toMatchObject({
      FromVertexTypeName: 'Person',
      ToVertexTypeName: '*',
    })
    const listed = [
      { From: 'Person', To: 'Company' },
      { From: 'Company', To: 'Person' },
    ]
    expect(pairsOf(any({ EdgePairs: listed })).EdgePairs).toEqual(listed)
    expect(() => any({ FromVertexTypeName: 'Ghost' })).toThrow(
      'FROM or TO vertex type does not exist!',
    )
  })

  it('puts discriminators first and refuses those that cannot tell edges apart', () => {
    const made = (attributes: readonly object[], more: object = {}) =>
      createEdgeType(acme, 'acme', {
        Name: 'At',
        IsDirected: true,
        FromVertexTypeName: 'Person',
        ToVertexTypeName: 'Person',
        Attributes: attributes as [],
        Config: {},
        ...more,
      })
    const type = requireEdgeType(
      made([attribute('x', 'INT'), attribute('at', 'DATETIME')], {
        CompositeDiscriminator: ['at'],
      }),
      'acme',
      'At',
    ).type
    expect(type.attributes.map(({ name }) => name)).toEqual(['at', 'x'])
    expect(type.discriminatorCount).toBe(1)
    expect(() => made([attribute('w', 'DOUBLE', { IsDiscriminator: true })])).toThrow(
      'must be INT, UINT',
    )
    expect(() => made([], { CompositeDiscriminator: ['at'] })).toThrow('does not exist')
    expect(() => made([attribute('x', 'INT')], { DiscriminatorCount: 1 })).toThrow(
      'declares 1 discriminators',
    )
  })

  it('refuses a reverse edge where it makes no sense', () => {
    const made = (json: object) => () =>
      createEdgeType(acme, 'acme', { ...acmeEdges[0]!, Name: 'W2', ...json })
    expect(made({})).toThrow('The edge name Employs is used by another object')
    expect(made({ IsDirected: false, Config: { REVERSE_EDGE: 'R' } })).toThrow(
      'has no reverse edge',
    )
    expect(made({ Config: { REVERSE_EDGE: 'W2' } })).toThrow('needs another name')
  })

  it('keeps discriminators, and takes new pairs and attributes', () => {
    expect(() => change({ alterEdgeTypes: [{ name: 'Pays', dropAttributes: ['month'] }] })).toThrow(
      'discriminator',
    )
    expect(() =>
      change({ alterEdgeTypes: [{ name: 'Employs', dropAttributes: ['pay'] }] }),
    ).toThrow('is the reverse edge of Works_At')
    const grown = change({
      alterEdgeTypes: [
        {
          name: 'Pays',
          addAttributes: [attribute('note', 'STRING')],
          addEdgePairs: [{ From: 'Company', To: 'Company' }],
        },
      ],
    })
    const { type } = requireEdgeType(grown, 'acme', 'Pays')
    expect(type.pairs).toHaveLength(2)
    expect(type.attributes.at(-1)?.name).toBe('note')
  })
})

describe('graphs and whole changes', () => {
  it('refuses an edge without its vertices, in the words of the contract', () => {
    expect(() => createGraph(acme, 'g', { vertices: ['Person'], edges: ['Works_At'] })).toThrow(
      'Semantic Check Fails: The schema change job tries to add edge Works_At to graph g, but the TO vertex type Company does not exist on the graph.',
    )
    expect(() => createGraph(acme, 'acme', { vertices: [], edges: [] })).toThrow('already exists')
    expect(() => createGraph(acme, 'g', { vertices: ['Ghost'], edges: [] })).toThrow(
      'does not exist',
    )
  })

  it('lists names with reverse edges', () => {
    expect(graphSummary(acme, findGraph(acme, 'acme')!)).toEqual({
      graphName: 'acme',
      vertices: ['Person', 'Company'],
      edges: ['Works_At', 'Employs', 'Knows', 'Pays'],
    })
  })

  it('drops a graph with its local types only', () => {
    const local = createVertexType(acme, 'acme', { ...acmeVertices[1]!, Name: 'Tag' })
    const gone = dropGraph(local, 'acme')
    expect(gone.vertexTypes.map(({ name }) => name)).toEqual(['Person', 'Company'])
    expect(() => dropGraph(gone, 'acme')).toThrow("Graph 'acme' does not exist.")
  })

  it('counts a schema version for each graph a change touched, once per change', () => {
    const two = createGraph(acme, 'other', { vertices: ['Company'], edges: [] })
    const versions = (after: Catalog) =>
      withVersions(two, after).graphs.map(({ name, schemaVersion }) => [name, schemaVersion])
    const persons = change(
      {
        alterVertexTypes: [
          { name: 'Person', addAttributes: [attribute('a', 'INT')] },
          { name: 'Person', addAttributes: [attribute('b', 'INT')] },
        ],
      },
      null,
      two,
    )
    expect(versions(persons)).toEqual([
      ['acme', 1],
      ['other', 0],
    ])
    const companies = change(
      { alterVertexTypes: [{ name: 'Company', addAttributes: [attribute('a', 'INT')] }] },
      null,
      two,
    )
    expect(versions(companies)).toEqual([
      ['acme', 1],
      ['other', 1],
    ])
    expect(withVersions(two, two)).toBe(two)
    expect(withVersions(two, persons).version).toBe(two.version + 1)
  })

  it('changes everything or nothing, and may use a freed name again', () => {
    const again = change(
      {
        dropEdgeTypes: ['Knows'],
        addEdgeTypes: [{ ...acmeEdges[1]!, IsDirected: true }],
      },
      'acme',
      localAcme(),
    )
    expect(requireEdgeType(again, 'acme', 'Knows').type.directed).toBe(true)
    expect(() =>
      change({ addVertexTypes: [{ ...acmeVertices[1]!, Name: 'New' }], dropEdgeTypes: ['Ghost'] }),
    ).toThrow('does not exist')
    expect(findVertexType(acme, 'acme', 'New')).toBeUndefined()
  })

  it('takes a global type into the graph before the local edges that join it', () => {
    const lone = createGraph(acme, 'town', { vertices: ['Person'], edges: [] })
    const meets = {
      ...acmeEdges[1]!,
      Name: 'Meets',
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Company',
    }
    const membership = { addEdgeTypes: [], dropVertexTypes: [], dropEdgeTypes: [] }
    const grown = change(
      {
        addEdgeTypes: [meets],
        graphs: [{ graphName: 'town', addVertexTypes: ['Company'], ...membership }],
      },
      'town',
      lone,
    )
    expect(graphSummary(grown, findGraph(grown, 'town')!).vertices).toEqual(['Person', 'Company'])
    expect(requireEdgeType(grown, 'town', 'Meets').type.graph).toBe('town')
  })

  it('makes a type global that says it is not local', () => {
    const shared = change({
      addVertexTypes: [{ ...acmeVertices[1]!, Name: 'Shop', IsLocal: false }],
      addEdgeTypes: [
        {
          ...acmeEdges[1]!,
          Name: 'Buys',
          FromVertexTypeName: 'Person',
          ToVertexTypeName: 'Shop',
          IsLocal: false,
        },
      ],
    })
    expect(findVertexType(shared, null, 'Shop')?.graph).toBeNull()
    expect(requireEdgeType(shared, 'acme', 'Buys').type.graph).toBeNull()
    expect(graphSummary(shared, findGraph(shared, 'acme')!).edges).toContain('Buys')
  })

  it('lets two graphs have local types of one name', () => {
    const two = createGraph(localAcme(), 'other', { vertices: [], edges: [] })
    expect(() => createVertexType(two, 'other', acmeVertices[1]!)).not.toThrow()
    expect(() => createVertexType(two, null, acmeVertices[1]!)).toThrow('used by another object')
  })
})

/** The same types, local to the graph. */
function localAcme(): Catalog {
  const tuples = createTuple(emptyCatalog, 'Addr', [{ name: 'street', type: 'STRING(40)' }])
  const graph = createGraph(tuples, 'acme', { vertices: [], edges: [] })
  return applySchemaChange(graph, 'acme', {
    ...noChange,
    addVertexTypes: acmeVertices,
    addEdgeTypes: acmeEdges,
  })
}

describe('tuples', () => {
  it('are listed with their lengths', () => {
    expect(tupleToJson(acme.tuples[0]!)).toEqual({
      name: 'Addr',
      fields: [
        { fieldName: 'street', fieldType: 'STRING', length: 40 },
        { fieldName: 'no', fieldType: 'INT', length: 8 },
      ],
    })
  })

  it('are refused with bad fields and kept while a type uses them', () => {
    const made = (elements: readonly { name: string; type: string }[]) => () =>
      createTuple(acme, 'T', elements)
    expect(made([])).toThrow('needs 1 to')
    expect(made([{ name: 'a', type: 'INT(3)' }])).toThrow('1, 2, 4 or 8 bytes')
    expect(made([{ name: 'a', type: 'LIST' }])).toThrow('not valid')
    expect(
      made([
        { name: 'a', type: 'int' },
        { name: 'a', type: 'int' },
      ]),
    ).toThrow('twice')
    expect(() => dropTuple(acme, 'Addr')).toThrow('still used by [Person]')
    expect(() => dropTuple(acme, 'Ghost')).toThrow('does not exist')
  })
})

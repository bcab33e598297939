import { describe, expect, it } from 'vitest'
import {
  acmeCatalog,
  acmeEdges,
  acmeVertices,
  attribute,
  noChange,
} from '../../test/fixtures/acme.ts'
import { typeFromJson, typeText, typeToJson } from './attribute-type.ts'
import { defaultValueOf, parseDefault, zeroOf } from './defaults.ts'
import { createEdgeType, edgeTypeToJson } from './edge-types.ts'
import { addTypesToGraph, createGraph, dropGraph, graphSummary, withVersions } from './graphs.ts'
import {
  edgeTypeNamesOf,
  findEdgeType,
  findGraph,
  findVertexType,
  requireEdgeType,
  requireGraphInPath,
  requireVertexType,
  schemaVersionOf,
  vertexTypesOf,
} from './lookup.ts'
import { nameProblem } from './names.ts'
import { applySchemaChange, type SchemaChange } from './schema-change.ts'
import { createTuple, dropTuple, tupleToJson } from './tuples.ts'
import { type Catalog, emptyCatalog } from './types.ts'
import {
  alterVertexType,
  createVertexType,
  dropVertexType,
  vertexTypeToJson,
} from './vertex-types.ts'

const acme = acmeCatalog()

const change = (part: Partial<SchemaChange>, graph: string | null = 'acme', catalog = acme) =>
  applySchemaChange(catalog, graph, { ...noChange, ...part })

const person = (catalog: Catalog) => requireVertexType(catalog, 'acme', 'Person')

describe('names', () => {
  it('takes letters, digits and _, and words that real schemas use', () => {
    for (const name of [
      'a',
      '_x9',
      'Person',
      'count',
      'type',
      'id',
      'date',
      'name',
      'x'.repeat(256),
    ]) {
      expect(nameProblem(name), name).toBeNull()
    }
  })

  it('refuses everything else with a reason', () => {
    for (const name of [
      '',
      '9a',
      'a-b',
      'a b',
      'é',
      '__proto__ ',
      'vertex',
      'SELECT',
      'Where',
      'gsql_sys_x',
    ]) {
      expect(nameProblem(name), name).not.toBeNull()
    }
    expect(nameProblem('x'.repeat(257))).toContain('longer than 256')
  })
})

describe('lookup', () => {
  it('finds types of a graph by name and edges by their reverse name too', () => {
    expect(findVertexType(acme, 'acme', 'Person')?.name).toBe('Person')
    expect(findEdgeType(acme, 'acme', 'Works_At')).toMatchObject({ reversed: false })
    expect(findEdgeType(acme, 'acme', 'Employs')).toMatchObject({
      type: { name: 'Works_At' },
      reversed: true,
    })
    expect(edgeTypeNamesOf(acme, 'acme')).toEqual(['Works_At', 'Employs', 'Knows', 'Pays'])
  })

  it('says what is missing in the words of the contract', () => {
    expect(() => requireGraphInPath(acme, 'x', '/graph/x?y=1')).toThrow(
      "The graph name 'x' parsed from the url = '/graph/x' is not found, please provide a valid graph name.",
    )
    expect(() => requireVertexType(acme, 'acme', '__proto__')).toThrow(
      "The input parameter vertex_type = '__proto__' is not a valid vertex type in graph acme.",
    )
    expect(() => requireEdgeType(acme, 'acme', 'constructor')).toThrow('is not a valid edge type')
    expect(schemaVersionOf(acme, 'nowhere')).toBe(0)
  })
})

describe('attribute types', () => {
  it('reads and writes every JSON form', () => {
    for (const json of [
      { Name: 'INT' },
      { Name: 'DATETIME' },
      { Name: 'FIXED_BINARY', FixedBinaryLength: 16 },
      { Name: 'LIST', ValueTypeName: 'STRING' },
      { Name: 'SET', ValueTypeName: 'Addr' },
      { Name: 'MAP', KeyTypeName: 'DATETIME', ValueTypeName: 'DOUBLE' },
      { Name: 'UDT', ValueTypeName: 'Addr' },
    ]) {
      expect(typeToJson(typeFromJson(acme, json))).toEqual(json)
    }
  })

  it('reads types spelled out, in any letter case', () => {
    const text = (name: string) => typeText(typeFromJson(acme, { Name: name }))
    expect(text('map<string, Int>')).toBe('MAP<STRING, INT>')
    expect(text('fixed_binary(8)')).toBe('FIXED_BINARY(8)')
    expect(text('STRING COMPRESS')).toBe('STRING')
    expect(text('Addr')).toBe('Addr')
  })

  it('refuses what the contract does not allow', () => {
    for (const json of [
      { Name: 'VARCHAR' },
      { Name: 'LIST' },
      { Name: 'LIST', ValueTypeName: 'UINT' },
      { Name: 'MAP', KeyTypeName: 'BOOL', ValueTypeName: 'INT' },
      { Name: 'MAP', ValueTypeName: 'INT' },
      { Name: 'FIXED_BINARY' },
      { Name: 'FIXED_BINARY(0)' },
      { Name: '' },
    ]) {
      expect(() => typeFromJson(acme, json), json.Name).toThrow('Semantic Check Fails')
    }
  })
})

describe('defaults', () => {
  it('reads the declared text as a value of the type', () => {
    expect(parseDefault({ kind: 'INT' }, '-9223372036854775808')).toBe(-(2n ** 63n))
    expect(parseDefault({ kind: 'UINT' }, '18446744073709551615')).toBe(2n ** 64n - 1n)
    expect(parseDefault({ kind: 'INT' }, '7')).toBe(7)
    expect(parseDefault({ kind: 'DOUBLE' }, '1.5e3')).toBe(1500)
    expect(parseDefault({ kind: 'BOOL' }, 'TRUE')).toBe(true)
    expect(parseDefault({ kind: 'STRING' }, ' x ')).toBe(' x ')
    expect(parseDefault({ kind: 'DATETIME' }, '1970-01-02')).toBe(86_400)
  })

  it('refuses text that is no value of the type', () => {
    for (const [kind, text] of [
      ['INT', '9223372036854775808'],
      ['INT', '1.5'],
      ['UINT', '-1'],
      ['UINT', '18446744073709551616'],
      ['BOOL', 'yes'],
      ['DATETIME', 'soon'],
      ['DOUBLE', 'NaN'],
    ] as const) {
      expect(() => parseDefault({ kind }, text), `${kind} ${text}`).toThrow('is not a valid')
    }
  })

  it('knows the zero of every type', () => {
    expect(zeroOf(acme, { kind: 'TUPLE', name: 'Addr' })).toEqual(['', 0])
    expect(zeroOf(acme, { kind: 'FIXED_BINARY', length: 2 })).toEqual(new Uint8Array(2))
    expect(defaultValueOf(acme, { id: 1, name: 'x', type: { kind: 'BOOL' } })).toBe(false)
    expect(
      defaultValueOf(acme, { id: 1, name: 'x', type: { kind: 'INT' }, defaultText: '3' }),
    ).toBe(3)
  })
})

describe('vertex types', () => {
  it('writes back what it read, with the flags of the contract', () => {
    const json = vertexTypeToJson(person(acme))
    expect(json).toMatchObject({ ...acmeVertices[0], Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' } })
    expect(json.EmbeddingAttributes).toEqual([])
    expect('IsLocal' in json).toBe(false)
  })

  it('makes local types with a graph, global ones that belong to no graph without', () => {
    const tag = { ...acmeVertices[1]!, Name: 'Tag' }
    const local = createVertexType(acme, 'acme', tag)
    expect(vertexTypeToJson(requireVertexType(local, 'acme', 'Tag')).IsLocal).toBe(true)
    expect(findVertexType(local, null, 'Tag')).toBeUndefined()
    const global = createVertexType(acme, null, tag)
    expect(findVertexType(global, 'acme', 'Tag')).toBeUndefined()
    expect(
      findVertexType(
        addTypesToGraph(global, 'acme', { vertices: ['Tag'], edges: [] }),
        'acme',
        'Tag',
      ),
    ).toBeDefined()
  })

  it('declares primary keys and composite keys among the attributes', () => {
    const keyed = createVertexType(acme, 'acme', {
      Name: 'Movie',
      PrimaryId: attribute('id', 'UINT', { IsPrimaryKey: true }),
      Attributes: [attribute('title', 'STRING')],
      Config: {},
    })
    const movie = requireVertexType(keyed, 'acme', 'Movie')
    expect(movie.attributes.map(({ name }) => name)).toEqual(['id', 'title'])
    expect(vertexTypeToJson(movie).Attributes[0]).toEqual({
      AttributeName: 'id',
      AttributeType: { Name: 'UINT' },
      IsPrimaryKey: true,
      IsUsingNewSyntax: true,
    })
    const composite = createVertexType(acme, 'acme', {
      Name: 'Seat',
      PrimaryId: attribute('row,no', 'STRING'),
      Attributes: [attribute('no', 'INT'), attribute('row', 'STRING'), attribute('x', 'INT')],
      Config: {},
    })
    const seat = requireVertexType(composite, 'acme', 'Seat')
    expect(seat.primaryId).toEqual({
      syntax: 'COMPOSITE',
      names: ['row', 'no'],
      type: 'STRING',
      asAttribute: true,
    })
    const json = vertexTypeToJson(seat)
    expect(json.PrimaryId.AttributeName).toBe('row,no')
    const again = createVertexType(acme, 'acme', json)
    expect(requireVertexType(again, 'acme', 'Seat').primaryId).toEqual(seat.primaryId)
  })

  it('reads PRIMARY_ID_AS_ATTRIBUTE and never lets the id repeat as an attribute then', () => {
    const json = {
      Name: 'Tag',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [attribute('id', 'STRING')],
      Config: {},
    }
    expect(
      requireVertexType(createVertexType(acme, 'acme', json), 'acme', 'Tag').primaryId.asAttribute,
    ).toBe(false)
    expect(() =>
      createVertexType(acme, 'acme', { ...json, Config: { PRIMARY_ID_AS_ATTRIBUTE: 'true' } }),
    ).toThrow('repeats its primary id')
  })

  it('refuses taken names, bad id types, repeated attributes and bad defaults', () => {
    const tag = { ...acmeVertices[1]!, Name: 'Tag' }
    const refused = (json: object) => () =>
      createVertexType(acme, 'acme', { ...tag, ...json } as typeof tag)
    for (const Name of ['Person', 'Knows', 'Employs']) {
      expect(refused({ Name })).toThrow(
        `The vertex name ${Name} is used by another object! Please use a different name.`,
      )
    }
    expect(refused({ Name: 'vertex' })).toThrow('reserved word')
    expect(refused({ Name: '__proto__' })).toThrow('reserved')
    expect(refused({ PrimaryId: attribute('id', 'DOUBLE') })).toThrow('must be STRING, INT')
    expect(refused({ Attributes: [attribute('a', 'INT'), attribute('a', 'INT')] })).toThrow(
      'already exists',
    )
    expect(refused({ Attributes: [attribute('a', 'INT', { DefaultValue: 'x' })] })).toThrow(
      "'x' is not a valid INT",
    )
    expect(refused({ Config: { STATS: 'all' } })).toThrow('STATS must be')
  })

  it('appends and drops attributes without ever using an id again', () => {
    const dropped = alterVertexType(acme, 'acme', 'Company', { dropAttributes: ['founded'] })
    const grown = alterVertexType(dropped, 'acme', 'Company', {
      addAttributes: [attribute('founded', 'DATETIME')],
    })
    const before = requireVertexType(acme, 'acme', 'Company').attributes
    const after = requireVertexType(grown, 'acme', 'Company').attributes
    expect(after.map(({ name }) => name)).toEqual(['sector', 'founded'])
    expect(after[1]!.id).toBeGreaterThan(before[1]!.id)
    expect(() => alterVertexType(acme, 'acme', 'Company', { dropAttributes: ['x'] })).toThrow(
      'does not exist',
    )
    expect(() => alterVertexType(acme, 'acme', 'Nobody', {})).toThrow('does not exist')
  })

  it('indexes scalar attributes once, under one name, and keeps what is indexed', () => {
    const indexed = alterVertexType(acme, 'acme', 'Person', {
      addIndexAttributes: [{ indexName: 'by_name', attributeName: 'name' }],
    })
    expect(vertexTypeToJson(person(indexed)).Attributes[0]).toMatchObject({
      HasIndex: true,
      IndexName: 'by_name',
    })
    const add = (indexName: string, attributeName: string) => () =>
      alterVertexType(indexed, 'acme', 'Person', {
        addIndexAttributes: [{ indexName, attributeName }],
      })
    expect(add('by_name', 'age')).toThrow('already exists')
    expect(add('other', 'name')).toThrow('already has an index')
    expect(add('x', 'nothing')).toThrow('does not exist')
    expect(add('x', 'langs')).toThrow('its type is LIST<STRING>')
    expect(() => alterVertexType(indexed, 'acme', 'Person', { dropAttributes: ['name'] })).toThrow(
      'drop it first',
    )
    const both = alterVertexType(indexed, 'acme', 'Person', {
      dropAttributes: ['name'],
      dropIndexAttributes: ['by_name'],
    })
    expect(person(both).indexes).toEqual([])
    expect(() =>
      alterVertexType(acme, 'acme', 'Person', { dropIndexAttributes: ['by_name'] }),
    ).toThrow('does not exist')
  })

  it('is dropped only when no edge and no graph uses it', () => {
    expect(() => dropVertexType(acme, 'acme', 'Company')).toThrow('[Works_At, Pays]')
    expect(() => dropVertexType(acme, null, 'Nobody')).toThrow('does not exist')
    const free = change({ dropEdgeTypes: ['Works_At', 'Pays'] })
    expect(findVertexType(dropVertexType(free, 'acme', 'Company'), null, 'Company')).toBeDefined()
    const edgesGone = change({ dropEdgeTypes: ['Works_At', 'Pays'] }, null, dropGraph(acme, 'acme'))
    expect(
      vertexTypesOf(dropVertexType(edgesGone, null, 'Company'), null).map(({ name }) => name),
    ).toEqual(['Person'])
    expect(() =>
      change({ dropVertexTypes: ['Company'], dropEdgeTypes: ['Works_At', 'Pays'] }, null),
    ).toThrow('still used by the graphs [acme]')
  })
})

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

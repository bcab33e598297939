import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import {
  type AttributeModel,
  type EdgeModel,
  findEdge,
  findVertex,
  type SchemaModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { applyOperation, type Operation } from './operations.ts'

const attribute = (name: string, type = 'STRING'): AttributeModel => ({
  name,
  type,
  defaultText: null,
  isNew: true,
})

const newVertex = (name: string): VertexModel => ({
  kind: 'vertex',
  name,
  isNew: true,
  isLocal: true,
  primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: false },
  stats: 'OUTDEGREE_BY_EDGETYPE',
  attributes: [],
  indexes: [],
})

const newEdge = (name: string, from: string, to: string): EdgeModel => ({
  kind: 'edge',
  name,
  isNew: true,
  isLocal: true,
  directed: true,
  pairs: [{ from, to }],
  reverseName: null,
  discriminatorCount: 0,
  attributes: [],
})

function apply(...operations: Operation[]): SchemaModel {
  let schema = sampleSchema
  for (const operation of operations) {
    const applied = applyOperation(schema, operation)
    if (!applied.ok) throw new Error(applied.problem)
    schema = applied.schema
  }
  return schema
}

describe('applyOperation', () => {
  it('takes the pairs of a dropped vertex type out of every edge', () => {
    const schema = apply({ kind: 'dropType', name: 'Company' })
    expect(schema.edges.map(({ name }) => name)).toEqual(['Knows', 'Likes'])
    expect(findEdge(schema, 'Likes')?.pairs).toEqual([{ from: 'Person', to: 'Person' }])
  })

  it('lets edges follow the rename of a new vertex type', () => {
    const schema = apply(
      { kind: 'addType', type: newVertex('Tag') },
      { kind: 'addType', type: newEdge('Tagged', 'Person', 'Tag') },
      { kind: 'renameType', name: 'Tag', to: 'Label' },
    )
    expect(findEdge(schema, 'Tagged')?.pairs).toEqual([{ from: 'Person', to: 'Label' }])
  })

  it('allows loops', () => {
    expect(
      findEdge(apply({ kind: 'addType', type: newEdge('Self', 'Person', 'Person') }), 'Self'),
    ).toBeDefined()
  })

  it('makes a published edge type new when its shape changes, attributes included', () => {
    const shape = { directed: false, pairs: [{ from: 'Person', to: 'Company' }], reverseName: 'X' }
    const edge = findEdge(apply({ kind: 'changeEdge', name: 'Works_At', shape }), 'Works_At')
    expect(edge).toMatchObject({ isNew: true, directed: false, reverseName: null })
    expect(edge?.attributes.every(({ isNew }) => isNew)).toBe(true)
  })

  it('drops an index with its attribute, and when the new type cannot be indexed', () => {
    const dropped = apply({ kind: 'dropAttribute', name: 'Person', attribute: 'name' })
    expect(findVertex(dropped, 'Person')?.indexes).toEqual([])
    const retyped = apply({
      kind: 'changeAttribute',
      name: 'Person',
      attribute: 'name',
      to: attribute('name', 'LIST<STRING>'),
    })
    expect(findVertex(retyped, 'Person')?.indexes).toEqual([])
  })

  it('changes nothing of a global type that is only about to enter the graph', () => {
    const company = findVertex(sampleSchema, 'Company')!
    const entering: Operation = { kind: 'addType', type: { ...company, name: 'Firm' } }
    const entered = apply(entering)
    const more: Operation = { kind: 'addAttributes', name: 'Firm', attributes: [attribute('x')] }
    const problem = 'Firm is about to enter the graph: publish that before you change it.'
    expect(applyOperation(entered, more)).toEqual({ ok: false, problem })
    expect(findVertex(apply(entering, { kind: 'dropType', name: 'Firm' }), 'Firm')).toBeUndefined()
    const fresh: Operation = { kind: 'addType', type: { ...company, name: 'Firm', isNew: true } }
    expect(findVertex(apply(fresh, more), 'Firm')?.attributes).toHaveLength(2)
  })

  it('keeps discriminators in front of other attributes', () => {
    const base: Operation[] = [
      { kind: 'addType', type: newEdge('E', 'Person', 'Person') },
      {
        kind: 'addAttributes',
        name: 'E',
        attributes: ['a', 'b', 'c'].map((name) => attribute(name)),
      },
    ]
    const on = apply(...base, { kind: 'setDiscriminator', name: 'E', attribute: 'b', on: true })
    expect(findEdge(on, 'E')?.attributes.map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect(findEdge(on, 'E')?.discriminatorCount).toBe(1)
    const off = apply(
      ...base,
      { kind: 'setDiscriminator', name: 'E', attribute: 'b', on: true },
      { kind: 'setDiscriminator', name: 'E', attribute: 'c', on: true },
      { kind: 'setDiscriminator', name: 'E', attribute: 'b', on: false },
    )
    expect(findEdge(off, 'E')?.attributes.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    expect(findEdge(off, 'E')?.discriminatorCount).toBe(1)
  })

  const refusals: [string, Operation, string][] = [
    [
      'a rename of a global type',
      { kind: 'renameType', name: 'Company', to: 'Firm' },
      'cannot change in one graph',
    ],
    [
      'another default of a published attribute',
      { kind: 'changeAttribute', name: 'Person', attribute: 'age', to: attribute('years', 'UINT') },
      'its default stays',
    ],
    [
      'another type of a published discriminator',
      { kind: 'changeAttribute', name: 'Pays', attribute: 'month', to: attribute('month', 'INT') },
      'never changes',
    ],
    ['a name in use', { kind: 'addType', type: newVertex('Knows') }, 'already an edge type'],
    [
      'an edge to nowhere',
      { kind: 'addType', type: newEdge('E', 'Person', 'Nobody') },
      'no vertex type Nobody',
    ],
    [
      'a reverse name in use',
      { kind: 'addType', type: { ...newEdge('E', 'Person', 'Person'), reverseName: 'Employs' } },
      'reverse edge of Works_At',
    ],
    [
      'another type of a published id',
      {
        kind: 'changeId',
        name: 'Person',
        primaryId: { syntax: 'PRIMARY_ID', names: ['x'], type: 'UINT', asAttribute: false },
      },
      'only its name can change',
    ],
    [
      'dropping a published discriminator',
      { kind: 'dropAttribute', name: 'Pays', attribute: 'month' },
      'cannot be dropped',
    ],
    [
      'an index on a map',
      { kind: 'addIndex', name: 'Person', index: { name: 'i', attribute: 'phones' } },
      'cannot be indexed',
    ],
    [
      'a second index',
      { kind: 'addIndex', name: 'Person', index: { name: 'i', attribute: 'name' } },
      'has an index already',
    ],
    [
      'an index name in use',
      { kind: 'addIndex', name: 'Person', index: { name: 'by_name', attribute: 'age' } },
      'already has an index',
    ],
    [
      'an attribute twice',
      { kind: 'addAttributes', name: 'Person', attributes: [attribute('x'), attribute('x')] },
      'already has an attribute x',
    ],
  ]
  it.each(refusals)('refuses %s', (_, operation, problem) => {
    expect(applyOperation(sampleSchema, operation)).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    })
  })
})

describe('ids of new vertex types', () => {
  const placed = (...operations: Operation[]) => {
    const made: Operation = { kind: 'addType', type: newVertex('Place') }
    return findVertex(apply(made, ...operations), 'Place')
  }
  const idOf = (names: readonly string[], syntax: 'PRIMARY_ID' | 'PRIMARY_KEY' | 'COMPOSITE') =>
    ({
      kind: 'changeId',
      name: 'Place',
      primaryId: { syntax, names, type: 'UINT', asAttribute: true },
    }) as const

  it('moves the id into the attributes for a composite key, and back', () => {
    const key = placed(idOf(['id'], 'PRIMARY_ID'), idOf(['id', 'city'], 'COMPOSITE'))
    expect(key?.attributes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id UINT',
      'city STRING',
    ])
    const back = placed(
      idOf(['id', 'city'], 'COMPOSITE'),
      { kind: 'addIndex', name: 'Place', index: { name: 'by_id', attribute: 'id' } },
      idOf(['id'], 'PRIMARY_KEY'),
    )
    expect(back?.attributes.map(({ name }) => name)).toEqual(['city'])
    expect(back?.indexes).toEqual([])
  })

  it('lets a composite key follow the names of its members', () => {
    const place = placed(idOf(['id', 'city'], 'COMPOSITE'), {
      kind: 'changeAttribute',
      name: 'Place',
      attribute: 'city',
      to: attribute('town'),
    })
    expect(place?.primaryId.names).toEqual(['id', 'town'])
  })

  it.each([
    [idOf(['id'], 'COMPOSITE'), 'at least two members'],
    [idOf(['id', 'id'], 'COMPOSITE'), 'stands once'],
    [idOf(['1st'], 'PRIMARY_ID'), 'starts with a letter'],
  ])('refuses a key that the server would refuse', (operation, problem) => {
    expect(() => placed(operation)).toThrow(problem)
  })

  it('keeps the members of a key from types that cannot be one', () => {
    const change: Operation = {
      kind: 'changeAttribute',
      name: 'Place',
      attribute: 'city',
      to: attribute('city', 'LIST<INT>'),
    }
    expect(() => placed(idOf(['id', 'city'], 'COMPOSITE'), change)).toThrow('part of the key')
  })
})

describe('global types', () => {
  const globalEdge = { ...newEdge('Serves', 'Company', 'Person'), isLocal: false }

  it('join global vertex types only', () => {
    expect(() => apply({ kind: 'addType', type: globalEdge })).toThrow('Person is local')
    const both = { ...globalEdge, pairs: [{ from: 'Company', to: 'Company' }] }
    expect(findEdge(apply({ kind: 'addType', type: both }), 'Serves')?.isLocal).toBe(false)
  })

  it('leave the graph with a vertex type they join, instead of being replaced', () => {
    const everywhere: EdgeModel = {
      ...newEdge('Sees', 'Person', 'Person'),
      isNew: false,
      isLocal: false,
      pairs: [
        { from: 'Company', to: 'Company' },
        { from: 'Company', to: 'Person' },
      ],
    }
    const base = { ...sampleSchema, edges: [...sampleSchema.edges, everywhere] }
    const dropped = applyOperation(base, { kind: 'dropType', name: 'Person' })
    expect(dropped.ok && findEdge(dropped.schema, 'Sees')).toBeUndefined()
  })

  it('become global before they are published, not after', () => {
    const made: Operation = { kind: 'addType', type: newVertex('Place') }
    const schema = apply(made, { kind: 'setScope', name: 'Place', isLocal: false })
    expect(findVertex(schema, 'Place')?.isLocal).toBe(false)
    expect(() => apply({ kind: 'setScope', name: 'Person', isLocal: false })).toThrow('published')
  })
})

it('gives an undirected edge each pair once', () => {
  const pairs = [
    { from: 'Person', to: 'Company' },
    { from: 'Company', to: 'Person' },
  ]
  const schema = apply(
    { kind: 'addType', type: newEdge('Met', 'Person', 'Company') },
    { kind: 'changeEdge', name: 'Met', shape: { directed: false, pairs, reverseName: null } },
  )
  expect(findEdge(schema, 'Met')?.pairs).toEqual([{ from: 'Person', to: 'Company' }])
})

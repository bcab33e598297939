import { describe, expect, it } from 'vitest'
import { type DbError, isDbError } from '#kernel/errors.ts'
import { acmeCatalog, attribute } from '../../test/fixtures/acme.ts'
import { edgeTypeToJson } from './edge-types.ts'
import { createGraph, withVersions } from './graphs.ts'
import { findEdgeType, findVertexType, requireEdgeType, requireVertexType } from './lookup.ts'
import { applySchemaChange, noChange, type SchemaChange } from './schema-change.ts'
import type { Catalog } from './types.ts'
import { createVertexType, vertexTypeToJson } from './vertex-types.ts'

const acme = acmeCatalog()

const change = (part: Partial<SchemaChange>, catalog = acme, graph: string | null = 'acme') =>
  applySchemaChange(catalog, graph, { ...noChange, ...part })

function refusal(part: Partial<SchemaChange>, catalog = acme): DbError {
  try {
    change(part, catalog)
  } catch (error) {
    if (isDbError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const person = (catalog: Catalog, name = 'Person') => requireVertexType(catalog, 'acme', name)

describe('another name', () => {
  it('of a vertex type is one for the edges that join it, and for every number kept', () => {
    const next = change({ alterVertexTypes: [{ name: 'Person', newName: 'Human' }] })
    expect(findVertexType(next, 'acme', 'Person')).toBeUndefined()
    expect(person(next, 'Human')).toEqual({
      ...person(acme),
      name: 'Human',
      formerNames: ['Person'],
    })
    const works = requireEdgeType(next, 'acme', 'Works_At').type
    expect(works).toBe(requireEdgeType(acme, 'acme', 'Works_At').type)
    expect(edgeTypeToJson(next, works).FromVertexTypeName).toBe('Human')
    expect(() => requireVertexType(next, 'acme', 'Person')).toThrow('It was renamed to Human.')
    expect(withVersions(acme, next).graphs[0]?.schemaVersion).toBe(
      acme.graphs[0]!.schemaVersion + 1,
    )
  })

  it('of an edge type, and of its reverse edge', () => {
    const next = change({
      alterEdgeTypes: [{ name: 'Works_At', newName: 'Job', newReverseName: 'Staff' }],
    })
    expect(findEdgeType(next, 'acme', 'Job')).toMatchObject({ reversed: false })
    expect(findEdgeType(next, 'acme', 'Staff')).toMatchObject({ reversed: true })
    expect(() => requireEdgeType(next, 'acme', 'Employs')).toThrow('It was renamed to Staff.')
    expect(next.renames?.types).toEqual([{ graph: null, from: 'Works_At', to: 'Job' }])
  })

  it('may be that of a type that gets another one in the same change, or that goes', () => {
    const swapped = change({
      alterVertexTypes: [
        { name: 'Person', newName: 'Company', dropAttributes: ['age'] },
        { name: 'Company', newName: 'Person' },
      ],
    })
    expect(person(swapped, 'Company').id).toBe(person(acme).id)
    expect(person(swapped, 'Company').attributes.map(({ name }) => name)).not.toContain('age')
    const local = { Name: 'Likes', IsDirected: true, Attributes: [], Config: {} }
    const ends = { FromVertexTypeName: 'Person', ToVertexTypeName: 'Person' }
    const before = change({ addEdgeTypes: [{ ...local, ...ends }] })
    const taken = change(
      {
        dropEdgeTypes: ['Likes'],
        alterEdgeTypes: [{ name: 'Pays', newName: 'Likes' }],
        alterVertexTypes: [{ name: 'Person', newName: 'Human' }],
        addVertexTypes: [
          { Name: 'Person', PrimaryId: attribute('id', 'INT'), Attributes: [], Config: {} },
        ],
      },
      before,
    )
    expect(findEdgeType(taken, 'acme', 'Likes')?.type.discriminatorCount).toBe(1)
    expect(person(taken).id).toBe(before.nextTypeId)
  })

  it('of attributes, the primary id, a key, a discriminator and a vector', () => {
    const keyed = createVertexType(acme, 'acme', {
      Name: 'Keyed',
      PrimaryId: attribute('k', 'INT', { IsPrimaryKey: true }),
      Attributes: [attribute('a', 'INT', { Description: 'said' }), attribute('b', 'INT')],
      Config: {},
      EmbeddingAttributes: [{ Name: 'v', Dimension: 2 }],
    })
    const names = [
      { name: 'k', newName: 'key' },
      { name: 'a', newName: 'b' },
      { name: 'b', newName: 'a' },
      { name: 'v', newName: 'w' },
    ]
    const indexes = [{ indexName: 'by_a', attributeName: 'a' }]
    const alter = (name: string, part: object, catalog: Catalog) =>
      change({ alterVertexTypes: [{ name, ...part }] }, catalog)
    const indexed = alter('Keyed', { addIndexAttributes: indexes }, keyed)
    const next = alter('Keyed', { changeAttributes: names }, indexed)
    expect(vertexTypeToJson(person(next, 'Keyed'))).toMatchObject({
      PrimaryId: { AttributeName: 'key' },
      Attributes: [
        { AttributeName: 'key', IsPrimaryKey: true },
        { AttributeName: 'b', Description: 'said', HasIndex: true, IndexName: 'by_a' },
        { AttributeName: 'a' },
      ],
      EmbeddingAttributes: [{ Name: 'w' }],
    })
    const renamed = change({
      alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'pid', newName: 'id' }] }],
      alterEdgeTypes: [{ name: 'Pays', changeAttributes: [{ name: 'month', newName: 'day' }] }],
    })
    expect(person(renamed).primaryId).toMatchObject({ names: ['id'], formerNames: ['pid'] })
    expect(edgeTypeToJson(renamed, requireEdgeType(renamed, 'acme', 'Pays').type)).toMatchObject({
      CompositeDiscriminator: ['day'],
    })
  })

  it('frees the old one for what the change adds, which is then called by the new names', () => {
    const next = change({
      alterVertexTypes: [
        {
          name: 'Person',
          newName: 'Human',
          changeAttributes: [{ name: 'name', newName: 'title' }],
          addAttributes: [attribute('name', 'INT')],
          addIndexAttributes: [{ indexName: 'by_title', attributeName: 'title' }],
          describeAttributes: [{ name: 'title', description: 'Of old.' }],
        },
      ],
      alterEdgeTypes: [{ name: 'Knows', addEdgePairs: [{ From: 'Human', To: 'Company' }] }],
    })
    const { attributes, indexes } = person(next, 'Human')
    expect(attributes[0]).toMatchObject({ id: 1, name: 'title', description: 'Of old.' })
    expect(indexes).toEqual([{ name: 'by_title', attributeId: 1 }])
    expect(attributes.at(-1)).toMatchObject({ name: 'name', type: { kind: 'INT' } })
  })

  it('that it has already changes nothing', () => {
    const next = change({
      alterVertexTypes: [
        { name: 'Person', newName: 'Person', changeAttributes: [{ name: 'age', newName: 'age' }] },
      ],
    })
    expect(person(next)).toEqual(person(acme))
    expect(next.renames).toBeUndefined()
  })

  it('remembers the last eight', () => {
    let next = acme
    for (let round = 0; round < 12; round++) {
      const name = round === 0 ? 'Person' : `P${round}`
      next = change({ alterVertexTypes: [{ name, newName: `P${round + 1}` }] }, next)
    }
    const { formerNames = [] } = person(next, 'P12')
    expect([formerNames.length, formerNames[0], formerNames.at(-1)]).toEqual([8, 'P4', 'P11'])
  })

  it.each([
    ['a name in use', 'Company', 'NAME_TAKEN'],
    ['the name of an edge', 'Knows', 'NAME_TAKEN'],
    ['the name of a reverse edge', 'Employs', 'NAME_TAKEN'],
    ['a reserved word', 'SELECT', 'INVALID_NAME'],
    ['no identifier', 'a b', 'INVALID_NAME'],
  ])('is refused when it is %s', (_what, newName, code) => {
    const error = refusal({ alterVertexTypes: [{ name: 'Person', newName }] })
    const place = { operation: 'alterVertexTypes', index: 0, name: 'Person' }
    expect(error).toMatchObject({
      code,
      details: { place, fields: { errors: [{ ...place, message: error.message }] } },
    })
  })

  it('of an attribute is refused when it is in use or reserved, by the primary id too', () => {
    const attempt = (newName: string) =>
      refusal({
        alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'age', newName }] }],
      })
    const place = { operation: 'alterVertexTypes', index: 0, name: 'Person', detail: 'age' }
    for (const [newName, code] of [
      ['name', 'NAME_TAKEN'],
      ['pid', 'NAME_TAKEN'],
      ['SELECT', 'INVALID_NAME'],
    ] as const) {
      expect(attempt(newName)).toMatchObject({ code, details: { place } })
    }
  })

  it('is refused in a graph that has a local type of that name', () => {
    const local = createVertexType(
      createGraph(acme, 'more', { vertices: ['*'], edges: [] }),
      'more',
      {
        Name: 'Human',
        PrimaryId: attribute('id', 'INT'),
        Attributes: [],
        Config: {},
      },
    )
    const rename = { alterVertexTypes: [{ name: 'Person', newName: 'Human' }] }
    expect(refusal(rename, local)).toMatchObject({ code: 'NAME_TAKEN' })
  })

  it('is refused for what is renamed and dropped, twice, or to a name of two meanings', () => {
    expect(
      refusal({
        dropEdgeTypes: ['Works_At', 'Pays', 'Knows'],
        dropVertexTypes: ['Person'],
        alterVertexTypes: [{ name: 'Person', newName: 'Human' }],
      }).message,
    ).toContain('both renamed and dropped')
    expect(
      refusal({
        alterVertexTypes: [
          { name: 'Person', newName: 'A' },
          { name: 'Person', newName: 'B' },
        ],
      }).message,
    ).toContain('two names')
    expect(
      refusal({
        dropEdgeTypes: ['Knows'],
        alterEdgeTypes: [{ name: 'Pays', newName: 'Knows' }, { name: 'Knows' }],
      }).details['place'],
    ).toEqual({ operation: 'alterEdgeTypes', index: 1, name: 'Knows' })
    const reverse = (newReverseName: string, newName?: string) =>
      refusal({ alterEdgeTypes: [{ name: 'Works_At', newName, newReverseName }] }).message
    expect(reverse('Job', 'Job')).toContain('needs another name')
    expect(
      refusal({ alterEdgeTypes: [{ name: 'Pays', newReverseName: 'Paid' }] }).message,
    ).toContain('has no reverse edge')
    expect(refusal({ alterEdgeTypes: [{ name: 'Employs', newName: 'E' }] }).message).toContain(
      'change that one',
    )
    expect(refusal({ alterVertexTypes: [{ name: 'Ghost', newName: 'E' }] })).toMatchObject({
      code: 'VERTEX_TYPE_NOT_FOUND',
    })
  })
})

describe('a wider type', () => {
  const widened = (name: string, Name: string, more: object = {}) => ({
    name: 'Person',
    changeAttributes: [{ name, AttributeType: { Name } }],
    ...more,
  })

  it('is another attribute in the place of the old one, with its name, text and index', () => {
    const before = change({
      alterVertexTypes: [
        {
          name: 'Person',
          addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
          describeAttributes: [{ name: 'age', description: 'In years.' }],
        },
      ],
    })
    const next = change({ alterVertexTypes: [widened('age', 'DOUBLE')] }, before)
    const id = person(acme).nextAttributeId
    expect(person(next).attributes[1]).toEqual({
      id,
      name: 'age',
      type: { kind: 'DOUBLE' },
      description: 'In years.',
      convertedFrom: 2,
    })
    expect(person(next).indexes).toEqual([{ name: 'by_age', attributeId: id }])
    expect(person(next).nextAttributeId).toBe(id + 1)
  })

  it.each([
    ['INT', '+5', 'STRING', '5'],
    ['INT', '-7', 'DOUBLE', '-7'],
    ['BOOL', 'TRUE', 'INT', '1'],
    ['BOOL', '0', 'STRING', 'false'],
    ['DATETIME', '1970-01-02', 'STRING', '1970-01-02 00:00:00'],
    ['UINT', '18446744073709551615', 'STRING', '18446744073709551615'],
  ])('takes the default along: %s %s as %s', (from, DefaultValue, to, expected) => {
    const added = { addAttributes: [attribute('x', from, { DefaultValue })] }
    const before = change({ alterVertexTypes: [{ name: 'Person', ...added }] })
    const next = change({ alterVertexTypes: [widened('x', to)] }, before)
    expect(person(next).attributes.at(-1)).toMatchObject({
      type: { kind: to },
      defaultText: expected,
    })
  })

  it('is refused for a default that would not be kept', () => {
    const added = attribute('x', 'INT', { DefaultValue: '9007199254740993' })
    const before = change({ alterVertexTypes: [{ name: 'Person', addAttributes: [added] }] })
    const error = refusal({ alterVertexTypes: [widened('x', 'DOUBLE')] }, before)
    expect(error.message).toContain("default value '9007199254740993' of x cannot be kept")
    expect(error.details['place']).toMatchObject({ detail: 'x' })
  })

  it('that it has already changes nothing; STRING COMPRESS is STRING', () => {
    const next = change({ alterVertexTypes: [widened('name', 'STRING COMPRESS')] })
    expect(person(next)).toEqual(person(acme))
  })

  const refusals: readonly (readonly [
    what: string,
    part: Partial<SchemaChange>,
    detail: string,
    named?: string,
  ])[] = [
    ['no widening', { alterVertexTypes: [widened('score', 'INT')] }, 'score'],
    ['another collection', { alterVertexTypes: [widened('tags', 'LIST<STRING>')] }, 'tags'],
    ['no type', { alterVertexTypes: [widened('age', 'NUMBER')] }, 'age', 'NUMBER'],
    ['the primary id', { alterVertexTypes: [widened('pid', 'STRING')] }, 'pid'],
    ['not there', { alterVertexTypes: [widened('ghost', 'STRING')] }, 'ghost'],
    ['dropped', { alterVertexTypes: [widened('age', 'INT', { dropAttributes: ['age'] })] }, 'age'],
    [
      'a discriminator',
      {
        alterEdgeTypes: [
          { name: 'Knows' },
          {
            name: 'Pays',
            changeAttributes: [{ name: 'month', AttributeType: { Name: 'DOUBLE' } }],
          },
        ],
      },
      'month',
    ],
  ]
  const told = refusals.map(([what, part, detail, named = detail]) => ({
    what,
    part,
    detail,
    named,
  }))
  it.each(told)('is refused, with its place: $what', ({ part, detail, named }) => {
    const error = refusal(part)
    expect(error.details['place']).toMatchObject({ detail })
    expect(error.message).toContain(named)
  })

  it('is refused for a key, and where one attribute is named twice', () => {
    const keyed = createVertexType(acme, 'acme', {
      Name: 'Keyed',
      PrimaryId: attribute('a,b', 'STRING'),
      Attributes: [attribute('a', 'INT'), attribute('b', 'STRING')],
      Config: {},
    })
    const to = (Name: string) => ({ name: 'a', AttributeType: { Name } })
    const alter = (...changeAttributes: ReturnType<typeof to>[]) =>
      refusal({ alterVertexTypes: [{ name: 'Keyed', changeAttributes }] }, keyed).message
    expect(alter(to('STRING'))).toContain('part of the primary key of Keyed: it keeps its type')
    expect(alter(to('INT'), to('INT'))).toContain('Keyed.a is changed twice')
  })

  it('stays when the type is altered again, and follows a second one', () => {
    let next = change({ alterVertexTypes: [widened('age', 'INT')] })
    next = change({ alterVertexTypes: [{ name: 'Person', description: 'x' }] }, next)
    next = change({ alterVertexTypes: [widened('age', 'STRING')] }, next)
    const first = person(acme).nextAttributeId
    expect(person(next).attributes[1]).toMatchObject({ id: first + 1, convertedFrom: first })
  })
})

it('every refused entry of a change says where it stands', () => {
  const bad = { Name: 'Bad', PrimaryId: attribute('id', 'FLOAT'), Attributes: [], Config: {} }
  const edge = { Name: 'E', IsDirected: true, Attributes: [], Config: {} }
  const cases: readonly (readonly [Partial<SchemaChange>, object])[] = [
    [{ addVertexTypes: [bad] }, { operation: 'addVertexTypes', index: 0, name: 'Bad' }],
    [
      { addEdgeTypes: [{ ...edge, FromVertexTypeName: 'Ghost', ToVertexTypeName: 'Person' }] },
      { operation: 'addEdgeTypes', index: 0, name: 'E', detail: 'Ghost - Person' },
    ],
    [
      { dropEdgeTypes: ['Knows', 'Ghost'] },
      { operation: 'dropEdgeTypes', index: 1, name: 'Ghost' },
    ],
    [{ dropVertexTypes: ['Person'] }, { operation: 'dropVertexTypes', index: 0, name: 'Person' }],
    [
      {
        alterVertexTypes: [
          { name: 'Person', addIndexAttributes: [{ indexName: 'i', attributeName: 'tags' }] },
        ],
      },
      { operation: 'alterVertexTypes', index: 0, name: 'Person', detail: 'i' },
    ],
    [
      { alterVertexTypes: [{ name: 'Person', addAttributes: [attribute('age', 'INT')] }] },
      { operation: 'alterVertexTypes', index: 0, name: 'Person', detail: 'age' },
    ],
    [
      { alterEdgeTypes: [{ name: 'Pays', dropAttributes: ['month'] }] },
      { operation: 'alterEdgeTypes', index: 0, name: 'Pays', detail: 'month' },
    ],
  ]
  for (const [part, place] of cases) expect(refusal(part).details['place']).toEqual(place)
})

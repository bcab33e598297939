import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { type AttributeModel, findEdge, findVertex } from '#lib/graph-schema/schema-model.ts'
import { changeRequest } from './change-request.ts'
import { type Draft, edit, goTo, rebase, startDraft } from './draft.ts'
import type { Operation } from './operations.ts'
import { changesSentence, diffSchemas, typeState } from './schema-diff.ts'
import { schemaGraph } from './schema-graph.ts'

function drafted(...operations: Operation[]): Draft {
  let draft = startDraft(sampleSchema)
  for (const operation of operations) {
    const edited = edit(draft, operation)
    if (!edited.ok) throw new Error(edited.problem)
    draft = edited.draft
  }
  return draft
}

const requested = ({ schema }: Draft) =>
  changeRequest({ graph: 'town', live: sampleSchema, draft: schema })
const kinds = ({ schema }: Draft) => diffSchemas(sampleSchema, schema).map(({ kind }) => kind)

const rename = (name: string, to: string): Operation => ({ kind: 'renameType', name, to })
const attribute = (name: string, type: string, defaultText: string | null = null) =>
  ({ name, type, defaultText, isNew: true }) as const
const change = (name: string, attributeName: string, to: AttributeModel): Operation => ({
  ...{ kind: 'changeAttribute', name, attribute: attributeName, to },
})
const vertex = (name: string): Operation => ({
  kind: 'addType',
  type: {
    ...{ kind: 'vertex', name, isNew: true, isLocal: true, attributes: [], indexes: [] },
    primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: false },
    stats: 'NONE',
  },
})

describe('a renamed type', () => {
  it('keeps its edges, indexes and data, and changes nothing else', () => {
    const draft = drafted(rename('Person', 'Human'))
    expect(findEdge(draft.schema, 'Likes')?.pairs).toEqual([
      { from: 'Human', to: 'Company' },
      { from: 'Human', to: 'Human' },
    ])
    expect(requested(draft)).toEqual({ alterVertexTypes: [{ name: 'Person', newName: 'Human' }] })
    expect(changesSentence(diffSchemas(sampleSchema, draft.schema))).toBe('1 change')
    const marks = schemaGraph(sampleSchema, draft.schema)
    expect(marks.nodes.map(({ typeName, mark }) => `${typeName} ${mark}`)).toEqual([
      'Human changed',
      'Company same',
    ])
    expect(marks.edges.every(({ mark }) => mark === 'same')).toBe(true)
  })

  it('is as it was under its first name, however it came there', () => {
    const back = drafted(rename('Person', 'A'), rename('A', 'B'), rename('B', 'Person'))
    expect(back.schema).toEqual(sampleSchema)
    expect(requested(back)).toEqual({})
    expect(goTo(back, 2).schema.vertices[0]).toMatchObject({ name: 'B', publishedAs: 'Person' })
  })

  it('leaves its name to another type, which then is a new one', () => {
    const draft = drafted(rename('Person', 'Human'), vertex('Person'))
    expect(kinds(draft)).toEqual(['typeRenamed', 'typeAdded'])
    expect(requested(draft)).toMatchObject({
      addVertexTypes: [{ Name: 'Person' }],
      alterVertexTypes: [{ name: 'Person', newName: 'Human' }],
    })
    expect('dropVertexTypes' in requested(draft)).toBe(false)
  })

  it('takes the name of a dropped one', () => {
    const draft = drafted({ kind: 'dropType', name: 'Pays' }, rename('Likes', 'Pays'))
    expect(kinds(draft)).toEqual(['typeRenamed', 'typeDropped'])
    expect(requested(draft)).toEqual({
      dropEdgeTypes: ['Pays'],
      alterEdgeTypes: [{ name: 'Likes', newName: 'Pays' }],
    })
  })

  it('swaps its name with another in one step', () => {
    const draft = drafted(rename('Pays', 'X'), rename('Likes', 'Pays'), rename('X', 'Likes'))
    expect(requested(draft)).toEqual({
      alterEdgeTypes: [
        { name: 'Pays', newName: 'Likes' },
        { name: 'Likes', newName: 'Pays' },
      ],
    })
  })

  it('is dropped under its published name', () => {
    const draft = drafted(rename('Works_At', 'Job'), { kind: 'dropType', name: 'Job' })
    expect(requested(draft)).toEqual({ dropEdgeTypes: ['Works_At'] })
    expect(diffSchemas(sampleSchema, draft.schema)[0]?.sentence).toBe('Drop edge type Works_At')
  })

  it('takes further changes along, each under the name that the server wants there', () => {
    const draft = drafted(
      rename('Person', 'Human'),
      { kind: 'describe', name: 'Human', part: 'age', text: 'In years.' },
      { kind: 'addAttributes', name: 'Human', attributes: [attribute('size', 'INT')] },
      { kind: 'addIndex', name: 'Human', index: { name: 'by_age', attribute: 'age' } },
      { kind: 'dropAttribute', name: 'Human', attribute: 'phones' },
    )
    expect(requested(draft)).toEqual({
      alterVertexTypes: [
        {
          name: 'Person',
          newName: 'Human',
          addAttributes: [{ AttributeName: 'size', AttributeType: { Name: 'INT' } }],
          dropAttributes: ['phones'],
          addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
          describeAttributes: [{ name: 'age', description: 'In years.' }],
        },
      ],
    })
    const lost = diffSchemas(sampleSchema, draft.schema).filter(
      (one) => one.changeClass === 'destroys',
    )
    expect(lost).toMatchObject([{ typeName: 'Human', publishedName: 'Person', part: 'phones' }])
  })

  it('is a new type in the place of the old one when its shape changes as well', () => {
    const shape = { directed: true, pairs: [{ from: 'Company', to: 'Person' }], reverseName: null }
    const draft = drafted(rename('Likes', 'Loves'), { kind: 'changeEdge', name: 'Loves', shape })
    expect(kinds(draft)).toEqual(['typeAdded', 'typeDropped'])
    expect(findEdge(draft.schema, 'Loves')).not.toHaveProperty('publishedAs')
  })

  it('is told when somebody else renamed or dropped it meanwhile', () => {
    const draft = drafted(rename('Pays', 'Settles'), rename('Likes', 'Loves'))
    const others = sampleSchema.edges.filter(({ name }) => name !== 'Pays')
    const { draft: rebased, conflicts } = rebase(draft, { ...sampleSchema, edges: others })
    expect(conflicts).toMatchObject([{ problem: 'There is no type Pays.' }])
    expect(rebased.done).toHaveLength(1)
  })
})

it('a pair that the draft added goes again without a price', () => {
  const published = { from: 'Person', to: 'Company' }
  const more = [published, { from: 'Person', to: 'Person' }]
  const pairs = (list: typeof more): Operation => ({
    kind: 'changeEdge',
    name: 'Works_At',
    shape: { directed: true, pairs: list, reverseName: 'Employs' },
  })
  const renamed = drafted(pairs(more), rename('Person', 'Human'))
  const less = [{ from: 'Human', to: 'Company' }]
  const edited = edit(renamed, pairs(less))
  expect(edited.ok && kinds(edited.draft)).toEqual(['typeRenamed'])
  expect(drafted(pairs(more), pairs([published])).schema).toEqual(sampleSchema)
  const lost = drafted(pairs(more), pairs([{ from: 'Person', to: 'Person' }]))
  expect(kinds(lost)).toEqual(['typeReplaced'])
})

describe('a renamed or widened attribute', () => {
  it('keeps its values, its default and its index', () => {
    const draft = drafted(change('Person', 'name', attribute('called', 'STRING')))
    expect(findVertex(draft.schema, 'Person')?.indexes).toEqual([
      { name: 'by_name', attribute: 'called' },
    ])
    expect(requested(draft)).toEqual({
      alterVertexTypes: [
        { name: 'Person', changeAttributes: [{ name: 'name', newName: 'called' }] },
      ],
    })
    expect(typeState(sampleSchema, draft.schema, draft.schema.vertices[0]!)).toBe('changed')
  })

  it('goes by the type of the values that are there, whatever came between', () => {
    const steps = [
      change('Person', 'age', attribute('age', 'INT')),
      change('Person', 'age', attribute('age', 'STRING')),
      change('Person', 'age', attribute('age', 'DOUBLE')),
    ]
    const draft = drafted(...steps)
    expect(kinds(draft)).toEqual(['attributeWidened'])
    expect(draft.schema.vertices[0]?.attributes[1]).toEqual({
      ...{ name: 'age', type: 'DOUBLE', defaultText: '18', isNew: false, publishedType: 'UINT' },
    })
    const back = drafted(...steps, change('Person', 'age', attribute('age', 'UINT')))
    expect(back.schema).toEqual(sampleSchema)
  })

  it('comes back from another type with its values', () => {
    const away = change('Person', 'age', attribute('age', 'BOOL'))
    expect(kinds(drafted(away))).toEqual(['attributeRetyped'])
    const back = drafted(
      away,
      change('Person', 'age', attribute('age', 'DATETIME')),
      change('Person', 'age', attribute('years', 'UINT')),
    )
    expect(kinds(back)).toEqual(['attributeRenamed'])
    expect(back.schema.vertices[0]?.attributes[1]).toEqual({
      ...{ name: 'years', type: 'UINT', defaultText: '18', isNew: false, publishedAs: 'age' },
    })
  })

  it('is new in a replaced type, whatever it was before', () => {
    const shape = { directed: false, pairs: [{ from: 'Person', to: 'Company' }], reverseName: null }
    const draft = drafted(
      change('Works_At', 'pay', attribute('pay', 'BOOL')),
      { kind: 'changeEdge', name: 'Works_At', shape },
      change('Works_At', 'pay', attribute('wage', 'DOUBLE')),
    )
    expect(findEdge(draft.schema, 'Works_At')?.attributes).toEqual([attribute('wage', 'DOUBLE')])
  })

  it('is replaced, under its new name, by a type that the values do not fit', () => {
    const draft = drafted(
      change('Person', 'age', attribute('years', 'DOUBLE')),
      change('Person', 'years', attribute('years', 'BOOL')),
    )
    expect(kinds(draft)).toEqual(['attributeAdded', 'attributeDropped'])
    expect(requested(draft)).toEqual({
      alterVertexTypes: [
        {
          name: 'Person',
          addAttributes: [{ AttributeName: 'years', AttributeType: { Name: 'BOOL' } }],
          dropAttributes: ['age'],
        },
      ],
    })
  })

  it('takes the name of a dropped one, with its own index', () => {
    const draft = drafted(
      { kind: 'dropAttribute', name: 'Person', attribute: 'name' },
      change('Person', 'age', attribute('name', 'UINT', '18')),
      { kind: 'addIndex', name: 'Person', index: { name: 'by_name', attribute: 'name' } },
    )
    expect(requested(draft)).toEqual({
      alterVertexTypes: [
        {
          name: 'Person',
          changeAttributes: [{ name: 'age', newName: 'name' }],
          dropAttributes: ['name'],
          addIndexAttributes: [{ indexName: 'by_name', attributeName: 'name' }],
        },
      ],
    })
    expect(kinds(draft)).toContain('attributeDropped')
  })

  it('follows as a discriminator, which never changes its type', () => {
    const draft = drafted(change('Pays', 'month', attribute('period', 'STRING')))
    expect(findEdge(draft.schema, 'Pays')).toMatchObject({ discriminatorCount: 1, isNew: false })
    expect(() => drafted(change('Pays', 'month', attribute('month', 'LIST<INT>')))).toThrow(
      'never changes',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { sampleSchema, sampleSchemaJson } from '#lib/graph-schema/sample-schema.ts'
import { findVertex, type SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { edgeJson, readSchema, vertexJson } from '#lib/graph-schema/wire-form.ts'
import { changeCurl, changeRequest } from './change-request.ts'
import { edit, startDraft } from './draft.ts'
import type { Operation } from './operations.ts'
import { parsePastedAttributes } from './paste-attributes.ts'
import {
  type ChangeKind,
  changesSentence,
  classOfKind,
  diffSchemas,
  typeState,
} from './schema-diff.ts'
import { schemaGraph } from './schema-graph.ts'

function drafted(...operations: Operation[]): SchemaModel {
  let draft = startDraft(sampleSchema)
  for (const operation of operations) {
    const edited = edit(draft, operation)
    if (!edited.ok) throw new Error(edited.problem)
    draft = edited.draft
  }
  return draft.schema
}

const added = { name: 'x', type: 'MAP<STRING,INT>', defaultText: null, isNew: true }
const tag = {
  kind: 'vertex',
  name: 'Tag',
  isNew: true,
  isLocal: true,
  primaryId: { syntax: 'PRIMARY_KEY', names: ['tid'], type: 'UINT', asAttribute: true },
  stats: 'OUTDEGREE_BY_EDGETYPE',
  attributes: [{ name: 'label', type: 'STRING', defaultText: 'none', isNew: true }],
  indexes: [],
} as const

const shape = { directed: false, pairs: [{ from: 'Person', to: 'Company' }], reverseName: null }
const wider = {
  directed: true,
  pairs: [
    { from: 'Person', to: 'Company' },
    { from: 'Company', to: 'Company' },
  ],
  reverseName: 'Employs',
}
const retyped = { name: 'age', type: 'BOOL', defaultText: null, isNew: true }

const table: [Operation, ChangeKind[], object][] = [
  [{ kind: 'addType', type: tag }, ['typeAdded'], { addVertexTypes: [vertexJson(tag)] }],
  [
    { kind: 'addType', type: { ...tag, isNew: false, isLocal: false } },
    ['typePutIn'],
    { graphs: [{ graphName: 'town', addVertexTypes: ['Tag'] }] },
  ],
  [
    { kind: 'addType', type: { ...tag, isLocal: false } },
    ['typeAdded'],
    { addVertexTypes: [{ ...vertexJson(tag), IsLocal: false }] },
  ],
  [{ kind: 'dropType', name: 'Pays' }, ['typeDropped'], { dropEdgeTypes: ['Pays'] }],
  [
    { kind: 'dropType', name: 'Company' },
    ['typeDropped', 'typeDropped', 'typeReplaced', 'typeTakenOut'],
    {
      dropVertexTypes: ['Company'],
      dropEdgeTypes: ['Works_At', 'Pays', 'Likes'],
      addEdgeTypes: [expect.objectContaining({ Name: 'Likes', FromVertexTypeName: 'Person' })],
    },
  ],
  [
    { kind: 'changeEdge', name: 'Works_At', shape: wider },
    ['pairsAdded'],
    { alterEdgeTypes: [{ name: 'Works_At', addEdgePairs: [{ From: 'Company', To: 'Company' }] }] },
  ],
  [
    { kind: 'changeEdge', name: 'Works_At', shape },
    ['typeReplaced'],
    {
      addEdgeTypes: [expect.objectContaining({ Name: 'Works_At', IsDirected: false })],
      dropEdgeTypes: ['Works_At'],
    },
  ],
  [
    { kind: 'addAttributes', name: 'Person', attributes: [added] },
    ['attributeAdded'],
    {
      alterVertexTypes: [
        {
          name: 'Person',
          addAttributes: [
            {
              AttributeName: 'x',
              AttributeType: { Name: 'MAP', KeyTypeName: 'STRING', ValueTypeName: 'INT' },
            },
          ],
        },
      ],
    },
  ],
  [
    { kind: 'dropAttribute', name: 'Person', attribute: 'name' },
    ['attributeDropped', 'indexDropped'],
    { alterVertexTypes: [{ name: 'Person', dropAttributes: ['name'] }] },
  ],
  [
    { kind: 'changeAttribute', name: 'Person', attribute: 'age', to: retyped },
    ['attributeRetyped'],
    {
      alterVertexTypes: [
        {
          name: 'Person',
          addAttributes: [{ AttributeName: 'age', AttributeType: { Name: 'BOOL' } }],
          dropAttributes: ['age'],
        },
      ],
    },
  ],
  [
    {
      kind: 'changeAttribute',
      name: 'Person',
      attribute: 'age',
      to: { ...retyped, name: 'years', type: 'DOUBLE' },
    },
    ['attributeRenamed', 'attributeWidened'],
    {
      alterVertexTypes: [
        {
          name: 'Person',
          changeAttributes: [{ name: 'age', newName: 'years', AttributeType: { Name: 'DOUBLE' } }],
        },
      ],
    },
  ],
  [
    { kind: 'renameType', name: 'Person', to: 'Human' },
    ['typeRenamed'],
    { alterVertexTypes: [{ name: 'Person', newName: 'Human' }] },
  ],
  [
    {
      kind: 'changeEdge',
      name: 'Works_At',
      shape: { ...wider, pairs: wider.pairs.slice(0, 1), reverseName: 'Staff' },
    },
    ['reverseRenamed'],
    { alterEdgeTypes: [{ name: 'Works_At', newReverseName: 'Staff' }] },
  ],
  [
    { kind: 'describe', name: 'Person', part: null, text: 'Somebody. ' },
    ['described'],
    { alterVertexTypes: [{ name: 'Person', description: 'Somebody.' }] },
  ],
  [
    { kind: 'describe', name: 'Company', part: 'profile', text: 'Learnt.' },
    ['described'],
    {
      alterVertexTypes: [
        { name: 'Company', describeAttributes: [{ name: 'profile', description: 'Learnt.' }] },
      ],
    },
  ],
  [
    { kind: 'describe', name: 'Works_At', part: 'pay', text: 'A month.' },
    ['described'],
    {
      alterEdgeTypes: [
        { name: 'Works_At', describeAttributes: [{ name: 'pay', description: 'A month.' }] },
      ],
    },
  ],
  [{ kind: 'describe', name: 'Person', part: 'age', text: '  ' }, [], {}],
  [
    { kind: 'addIndex', name: 'Person', index: { name: 'by_age', attribute: 'age' } },
    ['indexAdded'],
    {
      alterVertexTypes: [
        { name: 'Person', addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }] },
      ],
    },
  ],
  [
    { kind: 'addVector', name: 'Person', vector: { name: 'emb', dimension: 3, metric: 'L2' } },
    ['vectorAdded'],
    {
      alterVertexTypes: [
        {
          name: 'Person',
          addEmbeddingAttributes: [{ Name: 'emb', Dimension: 3, Metric: 'L2' }],
        },
      ],
    },
  ],
  [
    { kind: 'dropVector', name: 'Company', vector: 'profile' },
    ['vectorDropped'],
    { alterVertexTypes: [{ name: 'Company', dropEmbeddingAttributes: ['profile'] }] },
  ],
  [
    { kind: 'dropIndex', name: 'Person', index: 'by_name' },
    ['indexDropped'],
    { alterVertexTypes: [{ name: 'Person', dropIndexAttributes: ['by_name'] }] },
  ],
]

describe('a draft against the published schema', () => {
  it.each(table)('%j is classed and requested', (operation, kinds, request) => {
    const draft = drafted(operation)
    const found = diffSchemas(sampleSchema, draft).map(({ kind }) => kind)
    expect(found.toSorted()).toEqual(kinds.toSorted())
    expect(changeRequest({ graph: 'town', live: sampleSchema, draft: draft })).toEqual(request)
  })

  it('is covered kind by kind in the table above', () => {
    const covered = new Set(table.flatMap(([, kinds]) => kinds))
    expect([...covered].toSorted()).toEqual(Object.keys(classOfKind).toSorted())
  })

  it('asks for nothing when the same thing was added and dropped', () => {
    const draft = drafted({ kind: 'addType', type: tag }, { kind: 'dropType', name: 'Tag' })
    expect(changeRequest({ graph: 'town', live: sampleSchema, draft: draft })).toEqual({})
    expect(diffSchemas(sampleSchema, draft)).toEqual([])
  })

  it('marks the types that differ, and no others', () => {
    const index = { name: 'by_age', attribute: 'age' }
    const draft = drafted(
      { kind: 'addType', type: tag },
      { kind: 'renameType', name: 'Tag', to: 'Label' },
      { kind: 'addIndex', name: 'Person', index },
      { kind: 'dropIndex', name: 'Person', index: 'by_age' },
      { kind: 'addAttributes', name: 'Knows', attributes: [added] },
    )
    const states = [...draft.vertices, ...draft.edges].map(
      (type) => `${type.name} ${typeState(sampleSchema, draft, type)}`,
    )
    expect(states.filter((text) => !text.endsWith('same'))).toEqual(['Label new', 'Knows changed'])
  })

  it('counts what destroys data in its sentence', () => {
    const changes = diffSchemas(
      sampleSchema,
      drafted({ kind: 'addType', type: tag }, { kind: 'dropType', name: 'Pays' }),
    )
    expect(changesSentence(changes)).toBe('2 changes, 1 deletes data')
    expect(changesSentence([])).toBe('No changes')
  })

  it('quotes the body for a shell', () => {
    const quoted = { ...tag, attributes: [{ ...tag.attributes[0], defaultText: "it's" }] }
    const request = changeRequest({
      graph: 'town',
      live: sampleSchema,
      draft: drafted({ kind: 'addType', type: quoted }),
    })
    const curl = changeCurl('http://host', 'a b', request)
    expect(curl).toContain("http://host/gsql/v1/schema/change?graph=a%20b'")
    expect(curl).toContain(`it'\\''s`)
  })
})

describe('the wire form', () => {
  it('is the same again after reading and writing', () => {
    const written = {
      VertexTypes: sampleSchema.vertices.map(vertexJson),
      EdgeTypes: sampleSchema.edges.map(edgeJson),
    }
    const strip = (schema: SchemaModel) =>
      JSON.parse(
        JSON.stringify(schema, (key, value) =>
          key === 'isLocal' || key === 'indexes' ? undefined : value,
        ),
      )
    expect(strip(readSchema(written))).toEqual(strip(readSchema(sampleSchemaJson)))
  })

  it('repeats a PRIMARY KEY among the attributes and reads it back once', () => {
    const json = vertexJson(tag)
    expect(json.Attributes.map(({ AttributeName }) => AttributeName)).toEqual(['tid', 'label'])
    const read = readSchema({ VertexTypes: [json], EdgeTypes: [] })
    expect(findVertex(read, 'Tag')).toMatchObject({
      primaryId: tag.primaryId,
      attributes: [{ name: 'label' }],
    })
  })
})

describe('pasted rows', () => {
  it('become attributes', () => {
    const rows = parsePastedAttributes(
      'name STRING\nage:int = 3, m map<string, int>\n\ns STRING DEFAULT "a b"',
    )
    expect(rows.map(({ line, result }) => [line, result])).toEqual([
      [
        1,
        { ok: true, attribute: { name: 'name', type: 'STRING', defaultText: null, isNew: true } },
      ],
      [2, { ok: true, attribute: { name: 'age', type: 'INT', defaultText: '3', isNew: true } }],
      [
        2,
        {
          ok: true,
          attribute: { name: 'm', type: 'MAP<STRING,INT>', defaultText: null, isNew: true },
        },
      ],
      [4, { ok: true, attribute: { name: 's', type: 'STRING', defaultText: 'a b', isNew: true } }],
    ])
  })

  it('say what is wrong with them', () => {
    const rows = parsePastedAttributes('alone\n1x INT\nage NUMBER\nage INT = x')
    expect(rows.map(({ result }) => (result.ok ? '' : result.problem))).toEqual([
      expect.stringContaining('a name and a type'),
      expect.stringContaining('starts with a letter'),
      expect.stringContaining('No type NUMBER'),
      'Not a whole number.',
    ])
  })
})

it('the canvas shows one node per vertex type and one edge per pair', () => {
  const graph = schemaGraph(
    sampleSchema,
    drafted({ kind: 'addType', type: tag }, { kind: 'dropType', name: 'Pays' }),
  )
  expect(graph.nodes.map(({ typeName, mark }) => [typeName, mark])).toEqual([
    ['Person', 'same'],
    ['Company', 'same'],
    ['Tag', 'new'],
  ])
  expect(graph.edges.map(({ id }) => id)).toEqual([
    'e:Works_At:v:Person:v:Company'.replaceAll('v:', ''),
    'e:Knows:Person:Person',
    'e:Likes:Person:Company',
    'e:Likes:Person:Person',
  ])
})

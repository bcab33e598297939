import { expect, it } from 'vitest'
import { scriptCommands } from '#query/syntax/script/script.ts'
import { schemaChangeForm } from '../../../contract/schema-forms.ts'
import { changeScript } from './change-script.ts'
import { schemaJobText } from './change-text.ts'
import { changeForm } from './type-forms.ts'

const attribute = (name: string, type: object, more: object = {}) => ({
  AttributeName: name,
  AttributeType: type,
  ...more,
})

const change = schemaChangeForm.parse({
  addVertexTypes: [
    {
      Name: 'P',
      PrimaryId: attribute('pid', { Name: 'INT' }, { PrimaryIdAsAttribute: true }),
      Attributes: [
        attribute('label', { Name: 'STRING' }, { DefaultValue: 'a "b"' }),
        attribute('langs', { Name: 'LIST', ValueTypeName: 'STRING' }),
        attribute('phones', { Name: 'MAP', KeyTypeName: 'STRING', ValueTypeName: 'INT' }),
        attribute('home', { Name: 'UDT', ValueTypeName: 'Addr' }),
        attribute('key', { Name: 'FIXED_BINARY', FixedBinaryLength: 16 }),
      ],
      EmbeddingAttributes: [{ Name: 'emb', Dimension: 3, Metric: 'L2' }],
    },
    {
      Name: 'K',
      PrimaryId: attribute('id', { Name: 'STRING' }),
      Attributes: [attribute('id', { Name: 'STRING' }, { IsPrimaryKey: true })],
    },
    {
      Name: 'C',
      PrimaryId: attribute('a,b', { Name: 'STRING' }),
      Attributes: [
        attribute('a', { Name: 'STRING' }, { IsPartOfCompositeKey: true }),
        attribute('b', { Name: 'INT' }, { IsPartOfCompositeKey: true }),
      ],
    },
  ],
  addEdgeTypes: [
    {
      ...{ Name: 'E', IsDirected: true, FromVertexTypeName: 'P', ToVertexTypeName: 'K' },
      Attributes: [
        attribute('month', { Name: 'STRING' }, { IsDiscriminator: true }),
        attribute('w', { Name: 'DOUBLE' }),
      ],
      Config: { REVERSE_EDGE: 'R' },
    },
    {
      Name: 'U',
      EdgePairs: [
        { From: 'P', To: 'P' },
        { From: 'P', To: 'K' },
      ],
    },
  ],
  alterVertexTypes: [
    {
      ...{ name: 'Old', addAttributes: [attribute('x', { Name: 'INT' })], dropAttributes: ['y'] },
      addIndexAttributes: [{ indexName: 'by_x', attributeName: 'x' }],
      ...{ dropIndexAttributes: ['by_y'], dropEmbeddingAttributes: ['v'] },
    },
  ],
  alterEdgeTypes: [{ name: 'OldE', addEdgePairs: [{ From: 'P', To: 'P' }] }],
  dropVertexTypes: ['A', 'B'],
  dropEdgeTypes: ['D'],
  graphs: [{ graphName: 'g', addVertexTypes: ['P'], dropEdgeTypes: ['F'] }],
})

it('says each part of a change as GSQL, in the order in which it is applied', () => {
  expect(schemaJobText('j', null, change).split('; ')).toEqual([
    'CREATE GLOBAL SCHEMA_CHANGE JOB j { DROP EDGE F FROM GRAPH g',
    'DROP EDGE D',
    'DROP VERTEX A, B',
    'ADD VERTEX P (PRIMARY_ID pid INT, label STRING DEFAULT "a \\"b\\"", langs LIST<STRING>, phones MAP<STRING, INT>, home Addr, key FIXED_BINARY(16)) WITH PRIMARY_ID_AS_ATTRIBUTE="true"',
    'ALTER VERTEX P ADD VECTOR ATTRIBUTE emb (DIMENSION=3, METRIC="L2")',
    'ADD VERTEX K (id STRING PRIMARY KEY)',
    'ADD VERTEX C (a STRING, b INT, PRIMARY KEY (a, b))',
    'ALTER VERTEX Old DROP ATTRIBUTE (y)',
    'ALTER VERTEX Old DROP INDEX by_y',
    'ALTER VERTEX Old DROP VECTOR ATTRIBUTE v',
    'ALTER VERTEX Old ADD ATTRIBUTE (x INT)',
    'ALTER VERTEX Old ADD INDEX by_x ON (x)',
    'ADD DIRECTED EDGE E (FROM P, TO K, DISCRIMINATOR (month STRING), w DOUBLE) WITH REVERSE_EDGE="R"',
    'ADD UNDIRECTED EDGE U (FROM P, TO P | FROM P, TO K)',
    'ALTER EDGE OldE ADD PAIR (FROM P, TO P)',
    'ADD VERTEX P TO GRAPH g',
    '}',
  ])
})

it('keeps the order of key members and of discriminators, however the attributes stand', () => {
  const ordered = schemaChangeForm.parse({
    addVertexTypes: [
      {
        Name: 'C',
        PrimaryId: attribute('b,a', { Name: 'STRING' }),
        Attributes: [attribute('a', { Name: 'INT' }), attribute('b', { Name: 'STRING' })],
      },
    ],
    addEdgeTypes: [
      {
        ...{ Name: 'E', FromVertexTypeName: 'C', ToVertexTypeName: 'C', IsDirected: true },
        Attributes: [
          attribute('x', { Name: 'INT' }),
          attribute('y', { Name: 'INT' }),
          attribute('z', { Name: 'INT' }),
        ],
        CompositeDiscriminator: ['z', 'x'],
      },
    ],
  })
  const text = schemaJobText('j', 'g', ordered)
  expect(text).toContain('VERTEX C (a INT, b STRING, PRIMARY KEY (b, a))')
  expect(text).toContain('EDGE E (FROM C, TO C, DISCRIMINATOR (z INT, x INT), y INT)')
})

it('is read back as the same steps', () => {
  const text = schemaJobText('j', 'g', change)
  const [item] = [...scriptCommands(text)]
  if (item?.kind === 'problem' || item?.command.kind !== 'createSchemaJob') {
    throw new Error(`not read: ${JSON.stringify(item)}`)
  }
  expect(item.command).toMatchObject({ name: 'j', graph: 'g', isGlobal: false })
  const again = changeForm(item.command.steps)
  expect(again.addVertexTypes.map(({ Name }) => Name)).toEqual(['P', 'K', 'C'])
  expect(again.addVertexTypes[0]?.Attributes[0]).toMatchObject({ DefaultValue: 'a "b"' })
  expect(again.addEdgeTypes[0]).toMatchObject({ CompositeDiscriminator: ['month'] })
  expect(again.addEdgeTypes[1]?.EdgePairs).toEqual(change.addEdgeTypes[1]?.EdgePairs)
  expect(again).toMatchObject({ dropVertexTypes: ['A', 'B'], dropEdgeTypes: ['D'] })
  expect(schemaJobText('j', 'g', { ...again, graphs: [] })).toContain('LIST<STRING>')
})

it('what GSQL cannot say stands in comments that no name gets out of', () => {
  const renames = schemaChangeForm.parse({
    alterVertexTypes: [{ name: 'P', newName: 'Q */ }\nDROP ALL /*' }],
    alterEdgeTypes: [{ name: 'E', newReverseName: 'F', dropAttributes: ['a'] }],
  })
  const text = schemaJobText('j', 'g', renames)
  const items = [...scriptCommands(text)]
  expect(items.map((item) => (item.kind === 'problem' ? item : item.command.kind))).toEqual([
    'createSchemaJob',
  ])
  expect(text).toContain('/* not GSQL: the reverse edge of E becomes F */ ALTER EDGE E DROP')
  expect(
    changeScript('g', renames, () => false)
      .trimEnd()
      .split('\n'),
  ).toSatisfy((lines: string[]) => lines.every((line) => line.startsWith('#')))
})

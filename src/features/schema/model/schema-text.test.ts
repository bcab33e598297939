import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { schemaGsql, schemaJson, schemaMarkdown } from './schema-text.ts'

const attribute = (name: string, type: string, defaultText: string | null = null) => ({
  name,
  type,
  defaultText,
  isNew: false,
})
const vertex = {
  kind: 'vertex',
  isNew: false,
  isLocal: true,
  stats: 'OUTDEGREE_BY_EDGETYPE',
  attributes: [],
  indexes: [],
} as const
const schema: SchemaModel = {
  vertices: [
    {
      ...vertex,
      name: 'Person',
      primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'STRING', asAttribute: true },
      stats: 'NONE',
      attributes: [
        attribute('name', 'STRING', 'a "b" | `c`'),
        attribute('age', 'INT', '-1'),
        attribute('phones', 'MAP<STRING,INT>'),
      ],
      indexes: [{ name: 'by_age', attribute: 'age' }],
      vectors: [{ name: 'face', dimension: 3, metric: 'L2', isNew: false }],
    },
    {
      ...vertex,
      name: 'Day',
      primaryId: { syntax: 'PRIMARY_KEY', names: ['at'], type: 'DATETIME', asAttribute: true },
    },
    {
      ...vertex,
      name: 'Seat',
      primaryId: { syntax: 'COMPOSITE', names: ['no', 'row'], type: 'STRING', asAttribute: true },
      attributes: [attribute('row', 'STRING'), attribute('no', 'INT')],
    },
  ],
  edges: [
    {
      kind: 'edge',
      name: 'Sits',
      isNew: false,
      isLocal: true,
      directed: true,
      pairs: [
        { from: 'Person', to: 'Seat' },
        { from: 'Seat', to: 'Day' },
      ],
      reverseName: 'Taken',
      discriminatorCount: 1,
      attributes: [attribute('from', 'INT'), attribute('price', 'DOUBLE', '1.5')],
    },
  ],
}

const saidSchema: SchemaModel = {
  vertices: [
    {
      ...schema.vertices[0]!,
      description: 'A "guest"\nof the hall | club',
      primaryId: { ...schema.vertices[0]!.primaryId, description: 'The card.' },
      attributes: [{ ...attribute('age', 'INT', '3'), description: 'a | b\nc' }],
      vectors: [
        {
          ...{ name: 'face', dimension: 3, metric: 'L2', isNew: false },
          ...{ description: 'Of a photo.' },
        },
      ],
    },
    {
      ...schema.vertices[1]!,
      primaryId: { ...schema.vertices[1]!.primaryId, description: 'Midnight.' },
    },
    schema.vertices[2]!,
  ],
  edges: [{ ...schema.edges[0]!, description: 'Or stands.' }],
}

describe('a schema as text', () => {
  it('says what is said of it', () => {
    const gsql = schemaGsql('hall', saidSchema)
    expect(gsql).toContain(
      'VERTEX Person (PRIMARY_ID id STRING DESCRIPTION "The card.", age INT DEFAULT 3 DESCRIPTION "a | b\\nc")',
    )
    expect(gsql).toContain(String.raw`, DESCRIPTION="A \"guest\"\nof the hall | club";`)
    expect(gsql).toContain('(at DATETIME PRIMARY KEY DESCRIPTION "Midnight.")')
    expect(gsql).toContain('WITH REVERSE_EDGE="Taken", DESCRIPTION="Or stands."')
    expect(gsql).toContain('METRIC="L2", DESCRIPTION="Of a photo.")')
    const text = schemaMarkdown('hall', saidSchema)
    expect(text).toContain(
      '### Person\n\nA "guest"\nof the hall | club\n\nId: `id` (STRING): The card.',
    )
    expect(text).toContain('| `age` | `INT` | `3` | index `by_age`; a \\| b c |')
    expect(text).toContain('- `face`: vector of 3 numbers, L2; Of a photo.')
    expect(text).toContain('### Sits\n\nOr stands.\n\nDirected')
  })

  it('is a script that makes it', () => {
    expect(schemaGsql('hall', schema)).toBe(`CREATE GRAPH hall ()
USE GRAPH hall
CREATE SCHEMA_CHANGE JOB make_hall FOR GRAPH hall {
  ADD VERTEX Person (PRIMARY_ID id STRING, name STRING DEFAULT "a \\"b\\" | \`c\`", age INT DEFAULT -1, phones MAP<STRING,INT>) WITH STATS="none", PRIMARY_ID_AS_ATTRIBUTE="true";
  ADD VERTEX Day (at DATETIME PRIMARY KEY);
  ADD VERTEX Seat (row STRING, no INT, PRIMARY KEY (no, row));
  ADD DIRECTED EDGE Sits (FROM Person, TO Seat | FROM Seat, TO Day, DISCRIMINATOR (from INT), price DOUBLE DEFAULT 1.5) WITH REVERSE_EDGE="Taken";
  ALTER VERTEX Person ADD INDEX by_age ON (age);
  ALTER VERTEX Person ADD VECTOR ATTRIBUTE face (DIMENSION=3, METRIC="L2");
}
RUN SCHEMA_CHANGE JOB make_hall
DROP JOB make_hall
`)
    expect(schemaGsql('hall', { vertices: [], edges: [] })).toBe(
      'CREATE GRAPH hall ()\nUSE GRAPH hall\n',
    )
  })

  it('is JSON that is read as the same schema', () => {
    const isLocal = true
    for (const one of [schema, sampleSchema, saidSchema]) {
      const read = readSchema(JSON.parse(schemaJson(one)))
      const local = (model: SchemaModel) => ({
        vertices: model.vertices.map((type) => ({ ...type, isLocal })),
        edges: model.edges.map((type) => ({ ...type, isLocal })),
      })
      expect(local(read)).toEqual(local(one))
    }
  })

  it('is a dictionary whose tables no name breaks', () => {
    const text = schemaMarkdown('hall', schema)
    expect(text).toContain('# Schema of hall\n\n## Vertex types\n\n### Person\n\nId: `id` (STRING)')
    expect(text).toContain('| `name` | `STRING` | `a "b" \\| \'c\'` |  |')
    expect(text).toContain('| `age` | `INT` | `-1` | index `by_age` |')
    expect(text).toContain('- `face`: vector of 3 numbers, L2')
    expect(text).toContain('Directed: Person → Seat, Seat → Day; backwards as `Taken`')
    expect(text).toContain('| `from` | `INT` |  | tells parallel edges apart |')
  })
})

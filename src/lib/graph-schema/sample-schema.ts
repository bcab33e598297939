/** A small schema for tests: two vertex types, four edge types, every kind of part once. */
import { readSchema, type SchemaJson } from './wire-form.ts'

export const sampleSchemaJson: SchemaJson = {
  VertexTypes: [
    {
      Name: 'Person',
      PrimaryId: { AttributeName: 'pid', AttributeType: { Name: 'INT' } },
      Attributes: [
        {
          AttributeName: 'name',
          AttributeType: { Name: 'STRING' },
          HasIndex: true,
          IndexName: 'by_name',
        },
        { AttributeName: 'age', AttributeType: { Name: 'UINT' }, DefaultValue: '18' },
        {
          AttributeName: 'phones',
          AttributeType: { Name: 'MAP', KeyTypeName: 'STRING', ValueTypeName: 'STRING' },
        },
      ],
      Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' },
      IsLocal: true,
    },
    {
      Name: 'Company',
      PrimaryId: { AttributeName: 'cid', AttributeType: { Name: 'STRING' } },
      Attributes: [{ AttributeName: 'sector', AttributeType: { Name: 'STRING' } }],
      Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' },
      EmbeddingAttributes: [{ Name: 'profile', Dimension: 8, Metric: 'COSINE' }],
    },
  ],
  EdgeTypes: [
    {
      Name: 'Works_At',
      IsDirected: true,
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Company',
      Config: { REVERSE_EDGE: 'Employs' },
      Attributes: [{ AttributeName: 'pay', AttributeType: { Name: 'DOUBLE' } }],
      IsLocal: true,
    },
    {
      Name: 'Knows',
      IsDirected: false,
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Person',
      Config: {},
      Attributes: [],
    },
    {
      Name: 'Pays',
      IsDirected: true,
      FromVertexTypeName: 'Company',
      ToVertexTypeName: 'Person',
      Config: {},
      IsLocal: true,
      DiscriminatorCount: 1,
      CompositeDiscriminator: ['month'],
      Attributes: [
        {
          AttributeName: 'month',
          AttributeType: { Name: 'STRING' },
          IsDiscriminator: true,
        },
        { AttributeName: 'amount', AttributeType: { Name: 'DOUBLE' } },
      ],
    },
    {
      Name: 'Likes',
      IsDirected: true,
      FromVertexTypeName: '*',
      ToVertexTypeName: '*',
      EdgePairs: [
        { From: 'Person', To: 'Company' },
        { From: 'Person', To: 'Person' },
      ],
      Config: {},
      IsLocal: true,
      Attributes: [],
    },
  ],
}

export const sampleSchema = readSchema(sampleSchemaJson)

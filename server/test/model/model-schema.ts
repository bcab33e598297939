/** The schema of the random programs: every kind of attribute, vector, id, edge and direction. */
import type { AttributeType, Catalog } from '#catalog/types.ts'
import { attributes, catalogOf, edgeType, vertexType } from '../fixtures/engine.ts'

const everyKind: Readonly<Record<string, AttributeType['kind'] | AttributeType>> = {
  i: 'INT',
  u: 'UINT',
  d: 'DOUBLE',
  f: 'FLOAT',
  b: 'BOOL',
  s: 'STRING',
  t: 'DATETIME',
  l: { kind: 'LIST', element: { kind: 'INT' } },
  st: { kind: 'SET', element: { kind: 'STRING' } },
  m: { kind: 'MAP', key: { kind: 'STRING' }, value: { kind: 'INT' } },
  tu: { kind: 'TUPLE', name: 'Pair' },
}

const withDefaults = attributes(everyKind).map((attribute) => {
  if (attribute.name === 'i') return { ...attribute, defaultText: '7' }
  return attribute.name === 's' ? { ...attribute, defaultText: 'x' } : attribute
})

const a = vertexType(1, 'A', {
  attributes: withDefaults,
  indexes: [
    { name: 'by_i', attributeId: 1 },
    { name: 'by_s', attributeId: 6 },
  ],
  vectors: [{ id: 12, name: 've', type: { kind: 'VECTOR', dimension: 3, metric: 'L2' } }],
  nextAttributeId: 13,
})

const b = vertexType(2, 'B', {
  attributes: attributes({ n: 'INT' }),
  primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false },
})

const key = vertexType(3, 'K', {
  attributes: attributes({ k: 'UINT', n: 'INT' }),
  primaryId: { syntax: 'PRIMARY_KEY', names: ['k'], type: 'UINT', asAttribute: true },
})

const composite = vertexType(4, 'C', {
  attributes: attributes({ p: 'STRING', q: 'INT', n: 'STRING' }),
  primaryId: { syntax: 'COMPOSITE', names: ['p', 'q'], type: 'STRING', asAttribute: true },
})

const weight = attributes({ w: 'INT', s: 'STRING' })

export const modelCatalog: Catalog = catalogOf(
  [a, b, key, composite],
  [
    edgeType(10, 'D', [1, 2], { attributes: weight, reverseName: 'RD' }),
    edgeType(11, 'L', [1, 1], { attributes: attributes({ w: 'DOUBLE' }) }),
    edgeType(12, 'U', [1, 1], { attributes: weight, directed: false }),
    edgeType(13, 'X', [1, 2], { attributes: attributes({ w: 'UINT' }), directed: false }),
    edgeType(14, 'M', [2, 1], {
      attributes: attributes({ k: 'STRING', t: 'DATETIME', w: 'INT' }),
      discriminatorCount: 2,
      reverseName: 'RM',
    }),
    edgeType(15, 'P', [1, 1], {
      pairs: [
        { fromTypeId: 1, toTypeId: 1 },
        { fromTypeId: 1, toTypeId: 2 },
        { fromTypeId: 2, toTypeId: 2 },
      ],
      attributes: attributes({ w: 'INT', l: everyKind['l']! }),
    }),
    edgeType(16, 'N', [2, 2], {
      attributes: attributes({ k: 'INT', b: 'BOOL' }),
      discriminatorCount: 1,
      directed: false,
    }),
  ],
  {
    tuples: [
      {
        name: 'Pair',
        fields: [
          { name: 'x', type: 'STRING' },
          { name: 'y', type: 'INT' },
        ],
      },
    ],
  },
)

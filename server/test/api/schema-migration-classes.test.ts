/**
 * Renames and wider types as the console asks for them: each value that was there is there
 * afterwards, under its new name, and what cannot be kept is refused.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeRequest } from '../../../src/features/schema/model/change-request.ts'
import { refusalsOf, reviewLines } from '../../../src/features/schema/model/impact.ts'
import type { Operation } from '../../../src/features/schema/model/operations.ts'
import {
  type ChangeKind,
  classOfKind,
  diffSchemas,
} from '../../../src/features/schema/model/schema-diff.ts'
import { typeJson, widenedTypes } from '../../../src/lib/graph-schema/attribute-type.ts'
import type { SchemaModel } from '../../../src/lib/graph-schema/schema-model.ts'
import { readSchema } from '../../../src/lib/graph-schema/wire-form.ts'
import { stringifyLossless } from '../../../src/lib/json/lossless-json.ts'
import { typeFromJson, typeText } from '../../src/catalog/attribute-type.ts'
import { emptyCatalog } from '../../src/catalog/types.ts'
import { widenedTypes as serverWidenedTypes } from '../../src/catalog/widening.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { fresh, newType, shape, town } from '../fixtures/town.ts'

let server: TestServer
const { makeTown, drafted, values, get, post } = town(() => server)
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await makeTown()
})
afterEach(() => server.close())

const likesShape = { directed: true, pairs: [{ from: 'Person', to: 'Person' }] }

const retype = (name: string, attributeName: string, type: string): Operation => ({
  kind: 'changeAttribute',
  name,
  attribute: attributeName,
  to: { ...fresh, name: attributeName, type },
})

/** Changes that keep every value: how a value is found again, by where it stood. */
const migrations: readonly (readonly [
  readonly Operation[],
  readonly ChangeKind[],
  readonly (readonly [RegExp, string])[],
])[] = [
  [
    [{ kind: 'renameType', name: 'Person', to: 'Human' }],
    ['typeRenamed'],
    [[/\bPerson\b/g, 'Human']],
  ],
  [
    [{ kind: 'renameType', name: 'Pays', to: 'Settles' }],
    ['typeRenamed'],
    [[/\bPays\b/g, 'Settles']],
  ],
  [
    [
      { kind: 'changeEdge', name: 'Likes', shape: { ...likesShape, reverseName: 'Fan_Of' } },
      { kind: 'renameType', name: 'Likes', to: 'Loves' },
    ],
    ['typeRenamed', 'reverseRenamed'],
    [
      [/\bLikes\b/g, 'Loves'],
      [/\bLiked_By\b/g, 'Fan_Of'],
    ],
  ],
  [
    [
      {
        ...retype('Person', 'name', 'STRING'),
        to: { ...fresh, name: 'called', type: 'STRING' },
      } as Operation,
    ],
    ['attributeRenamed'],
    [[/ name=/g, ' called=']],
  ],
  [
    [
      {
        ...retype('Pays', 'month', 'STRING'),
        to: { ...fresh, name: 'period', type: 'STRING' },
      } as Operation,
    ],
    ['attributeRenamed'],
    [[/ month=/g, ' period=']],
  ],
  [
    [
      {
        ...{ kind: 'changeId', name: 'Person' },
        primaryId: { syntax: 'PRIMARY_ID', names: ['number'], type: 'UINT', asAttribute: false },
      },
      { kind: 'renameVector', name: 'Person', vector: 'face', to: 'look' },
    ],
    ['attributeRenamed', 'attributeRenamed'],
    [[/ face=/g, ' look=']],
  ],
  [[retype('Person', 'age', 'INT')], ['attributeWidened'], []],
  [[retype('Person', 'age', 'DOUBLE')], ['attributeWidened'], []],
  [
    [retype('Lives_In', 'since', 'STRING')],
    ['attributeWidened'],
    [[/ since=(\d+)/g, ' since="$1"']],
  ],
  [
    [
      { kind: 'dropType', name: 'Likes' },
      { kind: 'renameType', name: 'Pays', to: 'Likes' },
      { kind: 'renameType', name: 'Person', to: 'Human' },
      { kind: 'addType', type: { ...newType, name: 'Person' } },
      { kind: 'addAttributes', name: 'Human', attributes: [fresh] },
      { kind: 'addIndex', name: 'Human', index: { name: 'by_x', attribute: 'x' } },
      { kind: 'describe', name: 'Human', part: 'age', text: 'In years.' },
      {
        kind: 'changeEdge',
        name: 'Lives_In',
        shape: {
          ...shape,
          directed: true,
          pairs: [
            { from: 'Human', to: 'Place' },
            { from: 'Person', to: 'Place' },
          ],
        },
      },
    ],
    [],
    [
      [/^(\S+) Person /g, '$1 Human '],
      [/^Person /g, 'Human '],
      [/Person (\d)/g, 'Human $1'],
      [/^Pays\b/g, 'Likes'],
    ],
  ],
]

it.each(migrations)('%j keeps every value under its new name', async (operations, kinds, moves) => {
  const { live, draft } = await drafted(operations)
  if (kinds.length > 0) {
    expect(diffSchemas(live, draft).map(({ kind }) => kind)).toEqual(kinds)
    expect(kinds.every((kind) => classOfKind[kind] === 'rewrites')).toBe(true)
  }
  const isDropping = operations.some(({ kind }) => kind === 'dropType')
  const before = [...(await values())].filter((one) => !(isDropping && /^Like/.test(one)))
  const request = changeRequest({ graph: 'town', live, draft })
  const told = (await server.request('POST', '/quiver/v1/schema/impact?graph=town', request)).body
    .results
  expect(told.problem, JSON.stringify(request)).toBeNull()
  const rewriting = told.operations.filter((one: { class: string }) => one.class === 'rewrites')
  expect(rewriting.length).toBeGreaterThanOrEqual(kinds.length)
  await post('/gsql/v1/schema/change?graph=town', request)
  const after = await values()
  const moved = before.map((one) => moves.reduce((text, [from, to]) => text.replace(from, to), one))
  expect(moved.filter((one) => !after.has(one))).toEqual([])
  const published = readSchema((await get('/gsql/v1/schema/graphs/town')).results)
  expect(namesIn(published)).toEqual(namesIn(draft))
  if (kinds.length > 0) expect(told.gsql.split('\n').every(isComment), told.gsql).toBe(true)
})

const isComment = (line: string) => /^(\/\/|#|$)/.test(line)

function namesIn({ vertices, edges }: SchemaModel) {
  return [...vertices, ...edges].map(({ name, attributes, ...type }) => [
    name,
    attributes.map((one) => `${one.name} ${one.type}`),
    type.kind === 'vertex' && [type.primaryId.names, type.vectors?.map((one) => one.name)],
  ])
}

it('values that a wider type cannot hold are counted with their ids, and the change is refused', async () => {
  const big = { vertices: { Person: { '7': { age: { value: 2n ** 53n + 1n } } } } }
  await server.request('POST', '/restpp/graph/town', stringifyLossless(big))
  const { live, draft } = await drafted([retype('Person', 'age', 'DOUBLE')])
  const request = changeRequest({ graph: 'town', live, draft })
  const told = await server.request('POST', '/quiver/v1/schema/impact?graph=town', request)
  const impact = told.body.results
  const details = reviewLines([], impact, 'rewrites', refusalsOf(null, impact))
  expect(details).toEqual([
    {
      text: expect.any(String),
      details: expect.arrayContaining(['1 value cannot be kept: 7']),
      refusal: expect.stringContaining('cannot be kept as DOUBLE'),
    },
  ])
  const refused = await server.request('POST', '/gsql/v1/schema/change?graph=town', request)
  expect(refused.body.errors).toMatchObject([{ operation: 'alterVertexTypes', detail: 'age' }])
})

it('offers just the types that the server widens to', () => {
  const types = [
    'INT',
    'UINT',
    'FLOAT',
    'DOUBLE',
    'BOOL',
    'DATETIME',
    'LIST<INT>',
    'SET<INT>',
    'LIST<STRING>',
    'MAP<INT,INT>',
    'FIXED_BINARY(3)',
  ]
  for (const text of types) {
    const type = typeFromJson(emptyCatalog, typeJson(text))
    expect(widenedTypes(text), text).toEqual(serverWidenedTypes(type).map(typeText))
  }
})

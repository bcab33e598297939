/**
 * The classes in which the console sorts schema changes, held against what the server does: every
 * kind of change is published with data in the graph, and what is lost is what was said to be.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeRequest } from '../../../src/features/schema/model/change-request.ts'
import { edit, startDraft } from '../../../src/features/schema/model/draft.ts'
import type { Operation } from '../../../src/features/schema/model/operations.ts'
import {
  type ChangeKind,
  classOfKind,
  diffSchemas,
} from '../../../src/features/schema/model/schema-diff.ts'
import { schemaGsql } from '../../../src/features/schema/model/schema-text.ts'
import type { TypeModel } from '../../../src/lib/graph-schema/schema-model.ts'
import { readSchema } from '../../../src/lib/graph-schema/wire-form.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { fresh, newType, shape, town } from '../fixtures/town.ts'

let server: TestServer
const { makeTown, drafted, values, get, post } = town(() => server)
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await makeTown()
})
afterEach(() => server.close())

const known = { ...newType, name: 'Medal', isNew: false, isLocal: false } as const

const table: readonly (readonly [Operation, readonly ChangeKind[]])[] = [
  [{ kind: 'addType', type: newType }, ['typeAdded']],
  [{ kind: 'addType', type: known }, ['typePutIn']],
  [{ kind: 'dropType', name: 'Pays' }, ['typeDropped']],
  [{ kind: 'dropType', name: 'Place' }, ['typeDropped', 'typeDropped']],
  [{ kind: 'dropType', name: 'Badge' }, ['typeTakenOut']],
  [
    { kind: 'changeEdge', name: 'Lives_In', shape: { ...shape, directed: false } },
    ['typeReplaced'],
  ],
  [
    {
      kind: 'changeEdge',
      name: 'Lives_In',
      shape: { ...shape, directed: true, pairs: [...shape.pairs, { from: 'Place', to: 'Place' }] },
    },
    ['pairsAdded'],
  ],
  [{ kind: 'addAttributes', name: 'Person', attributes: [fresh] }, ['attributeAdded']],
  [{ kind: 'addAttributes', name: 'Lives_In', attributes: [fresh] }, ['attributeAdded']],
  [{ kind: 'dropAttribute', name: 'Person', attribute: 'age' }, ['attributeDropped']],
  [{ kind: 'dropAttribute', name: 'Lives_In', attribute: 'since' }, ['attributeDropped']],
  [
    {
      kind: 'changeAttribute',
      name: 'Person',
      attribute: 'age',
      to: { ...fresh, name: 'age', type: 'BOOL' },
    },
    ['attributeRetyped'],
  ],
  [
    { kind: 'addIndex', name: 'Person', index: { name: 'by_age', attribute: 'age' } },
    ['indexAdded'],
  ],
  [{ kind: 'dropIndex', name: 'Person', index: 'by_name' }, ['indexDropped']],
  [
    { kind: 'addVector', name: 'Place', vector: { name: 'map', dimension: 2, metric: 'L2' } },
    ['vectorAdded'],
  ],
  [{ kind: 'dropVector', name: 'Person', vector: 'face' }, ['vectorDropped']],
  [{ kind: 'describe', name: 'Person', part: null, text: 'Anybody.' }, ['described']],
  [{ kind: 'describe', name: 'Pays', part: 'month', text: 'Its first day.' }, ['described']],
]

it.each(table)('%j loses data exactly where it is said to', async (operation, kinds) => {
  const live = readSchema((await get('/gsql/v1/schema/graphs/town')).results)
  const edited = edit(startDraft(live), operation)
  if (!edited.ok) throw new Error(edited.problem)
  const draft = edited.draft.schema
  expect(diffSchemas(live, draft).map(({ kind }) => kind)).toEqual(kinds)

  const request = changeRequest({ graph: 'town', live, draft })
  const told = await server.request('POST', '/quiver/v1/schema/impact?graph=town', request)
  const before = await values()
  expect(before.size).toBeGreaterThan(10)
  await post('/gsql/v1/schema/change?graph=town', request)
  const after = await values()
  const lost = [...before].filter((one) => !after.has(one))

  const dearest = dearestOf(kinds.map((kind) => classOfKind[kind]))
  expect(lost.length > 0, `lost: ${lost.join(' | ')}`).toBe(dearest === 'destroys')
  const classes = told.body.results.operations.map((one: { class: string }) => one.class)
  expect(dearestOf(classes), told.text).toBe(dearest)
})

function dearestOf(classes: readonly string[]): string | undefined {
  return ['destroys', 'rewrites', 'safe'].find((one) => classes.includes(one))
}

const said = 'A "quoted" word,\nanother line; \\ and ÄΩ🎈.'
const described = { ...fresh, name: 'note', type: 'STRING', defaultText: 'it\'s "1"\\n' } as const
const whole = {
  ...newType,
  name: 'Whole',
  description: said,
  stats: 'NONE',
  primaryId: { syntax: 'PRIMARY_ID', names: ['wid'], type: 'UINT', asAttribute: true },
  attributes: [
    { ...described, description: said },
    { ...fresh, name: 'rates', type: 'MAP<STRING,DOUBLE>' },
    { ...fresh, name: 'day', type: 'DATETIME', defaultText: '2020-01-01 00:00:00' },
    { ...fresh, name: 'level', type: 'INT', defaultText: '-5' },
  ],
  indexes: [{ name: 'by_day', attribute: 'day' }],
  vectors: [{ name: 'face', dimension: 3, metric: 'IP', isNew: true, description: 'Seen once.' }],
} as const
const joined = {
  ...newType,
  name: 'Joined',
  primaryId: { syntax: 'COMPOSITE', names: ['b', 'a'], type: 'STRING', asAttribute: true },
  attributes: [
    { ...fresh, name: 'a', type: 'INT' },
    { ...fresh, name: 'b', type: 'STRING' },
  ],
} as const
const keyed = {
  ...newType,
  name: 'Keyed',
  primaryId: { syntax: 'PRIMARY_KEY', names: ['k'], type: 'INT', asAttribute: true },
} as const
const link = {
  kind: 'edge',
  name: 'Links',
  isNew: true,
  isLocal: true,
  directed: true,
  pairs: [{ from: 'Whole', to: 'Joined' }],
  reverseName: 'Linked_By',
  discriminatorCount: 2,
  attributes: [
    { ...fresh, name: 'at', type: 'DATETIME' },
    { ...fresh, name: 'nr', type: 'UINT' },
    { ...described, description: said },
  ],
} as const
const shared = { ...keyed, name: 'Place', isLocal: false } as const
const sharedEdge = {
  ...{ ...link, name: 'Near', isLocal: false, reverseName: null, directed: false },
  ...{ pairs: [{ from: 'Place', to: 'Badge' }], discriminatorCount: 0, attributes: [] },
} as const
const add = (type: Extract<Operation, { kind: 'addType' }>['type']): Operation => ({
  kind: 'addType',
  type,
})

/** Changes of several steps; the last makes global types in the place of a local one. */
const programs: readonly (readonly Operation[])[] = [
  [add(whole), add(joined), add(keyed), add(link)],
  [
    { kind: 'addAttributes', name: 'Person', attributes: [described] },
    { kind: 'dropAttribute', name: 'Person', attribute: 'name' },
    { kind: 'dropVector', name: 'Person', vector: 'face' },
    { kind: 'addVector', name: 'Person', vector: { name: 'face', dimension: 4, metric: 'L2' } },
    { kind: 'describe', name: 'Person', part: null, text: said },
    { kind: 'describe', name: 'Person', part: 'age', text: said },
    { kind: 'dropType', name: 'Place' },
    { kind: 'dropType', name: 'Badge' },
  ],
  [{ kind: 'dropType', name: 'Place' }, add(shared), add(known), add(sharedEdge), add(keyed)],
]

it.each([...table.map(([operation]) => [operation]), ...programs].map((one) => [one]))(
  'the script that the review shows makes the same change: %#',
  async (operations) => {
    const { live, draft } = await drafted(operations)
    const request = changeRequest({ graph: 'town', live, draft })
    const told = await server.request('POST', '/quiver/v1/schema/impact?graph=town', request)
    await post('/gsql/v1/schema/change?graph=town', request)
    const wanted = [await schemas(), await values()]

    await server.close()
    server = await startServer({ queryWorkerCount: 0 })
    await makeTown()
    const { gsql } = told.body.results
    const run = await server.request('POST', '/gsql/v1/statements', gsql)
    expect([await schemas(), await values()], `${gsql}\n${run.text}`).toEqual(wanted)
    expect((await get('/gsql/v1/schema/jobs?graph=town')).results).toEqual([])
  },
)

it.each([[[]], ...programs.map((one) => [one])])(
  'the script of a new graph makes the whole draft, of types of its own: %#',
  async (operations: readonly Operation[]) => {
    const { draft } = await drafted(operations)
    await server.close()
    server = await startServer({ queryWorkerCount: 0 })
    const script = schemaGsql('town', draft)
    const run = await server.request('POST', '/gsql/v1/statements', script)
    const made = readSchema((await get('/gsql/v1/schema/graphs/town')).results)
    const own = (types: readonly TypeModel[]) =>
      types.map(({ isEntering: _, ...type }) => ({
        ...{ ...type, isNew: false, isLocal: true },
        attributes: type.attributes.map((one) => ({ ...one, isNew: false })),
        ...('vectors' in type && {
          vectors: type.vectors?.map((one) => ({ ...one, isNew: false })),
        }),
      }))
    expect(own(made.vertices), `${script}\n${run.text}`).toEqual(own(draft.vertices))
    expect(own(made.edges)).toEqual(own(draft.edges))
  },
)

/** What each graph holds and what is of no graph. */
async function schemas(): Promise<readonly unknown[]> {
  const paths = ['graphs/town', 'graphs/other', 'vertices', 'edges']
  return await Promise.all(
    paths.map(async (path) => (await get(`/gsql/v1/schema/${path}`)).results),
  )
}

/** These keep every value under another name: schema-migration-classes.test.ts. */
const migrationKinds = new Set([
  'typeRenamed',
  'reverseRenamed',
  'attributeRenamed',
  'attributeWidened',
])

it('every kind of change is in the table', () => {
  const covered = new Set(table.flatMap(([, kinds]) => kinds))
  const others = Object.keys(classOfKind).filter((kind) => !migrationKinds.has(kind))
  expect([...covered].toSorted()).toEqual(others.toSorted())
})

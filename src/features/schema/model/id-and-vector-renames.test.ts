import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex, replaceType, type SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { changeRequest } from './change-request.ts'
import { type Draft, edit, rebase, startDraft } from './draft.ts'
import { jsonEdit } from './json-edit.ts'
import type { Operation } from './operations.ts'
import { diffSchemas } from './schema-diff.ts'
import { schemaGsql, schemaJson, schemaMarkdown } from './schema-text.ts'

const emb = { name: 'emb', dimension: 3, metric: 'L2', isNew: false }
const person = findVertex(sampleSchema, 'Person')!
const live = replaceType(sampleSchema, 'Person', { ...person, vectors: [emb] })

function drafted(base: SchemaModel, ...operations: Operation[]): Draft {
  let draft = startDraft(base)
  for (const operation of operations) {
    const edited = edit(draft, operation)
    if (!edited.ok) throw new Error(edited.problem)
    draft = edited.draft
  }
  return draft
}

const requested = ({ base, schema }: Draft) =>
  changeRequest({ graph: 'town', live: base, draft: schema })
const changes = ({ base, schema }: Draft) =>
  diffSchemas(base, schema).map(({ changeClass, sentence }) => `${changeClass}: ${sentence}`)
const named = (name: string): Operation => ({
  kind: 'changeId',
  name: 'Person',
  primaryId: { ...person.primaryId, names: [name] },
})
const vectorTo = (vector: string, to: string): Operation => ({
  kind: 'renameVector',
  name: 'Person',
  vector,
  to,
})

describe('a published primary id', () => {
  it('gets another name, and keeps every vertex', () => {
    const draft = drafted(live, named('id'), named('key'))
    expect(changes(draft)).toEqual(['rewrites: Rename Person.pid to key: its values stay'])
    expect(requested(draft)).toEqual({
      alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'pid', newName: 'key' }] }],
    })
    expect(schemaGsql('town', draft.schema)).toContain('//   Person.pid → key')
    expect(schemaMarkdown('town', draft.schema)).toContain('`Person.pid → key`')
    expect(drafted(live, named('id'), named('pid')).schema).toEqual(live)
  })

  it('is described under its new name', () => {
    const said: Operation = {
      kind: 'describe',
      name: 'Person',
      part: 'key',
      text: 'As on the card.',
    }
    expect(requested(drafted(live, named('key'), said))).toEqual({
      alterVertexTypes: [
        {
          name: 'Person',
          changeAttributes: [{ name: 'pid', newName: 'key' }],
          describeAttributes: [{ name: 'key', description: 'As on the card.' }],
        },
      ],
    })
  })

  it('keeps its index, where it is a key', () => {
    const keyed = replaceType(live, 'Person', {
      ...person,
      primaryId: { syntax: 'PRIMARY_KEY', names: ['pid'], type: 'INT', asAttribute: true },
      indexes: [{ name: 'by_pid', attribute: 'pid' }],
    })
    const to = { syntax: 'PRIMARY_KEY', names: ['key'], type: 'INT', asAttribute: true } as const
    const draft = drafted(keyed, { kind: 'changeId', name: 'Person', primaryId: to })
    expect(findVertex(draft.schema, 'Person')?.indexes).toEqual([
      { name: 'by_pid', attribute: 'key' },
    ])
    expect(requested(draft)).toEqual({
      alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'pid', newName: 'key' }] }],
    })
  })

  it.each([
    ['another type', { type: 'DATETIME' }, 'only its name can change'],
    ['another kind', { syntax: 'COMPOSITE', names: ['pid', 'age'] }, 'only its name can change'],
    ['to be an attribute', { asAttribute: true }, 'only its name can change'],
    ['the name of an attribute', { names: ['age'] }, 'already has an attribute age'],
    ['the name of a vector', { names: ['emb'] }, 'already has an attribute emb'],
    ['no name', { names: [''] }, 'name'],
  ])('is not given %s', (_, part, problem) => {
    const primaryId = { ...person.primaryId, ...part } as typeof person.primaryId
    const edited = edit(startDraft(live), { kind: 'changeId', name: 'Person', primaryId })
    expect(edited).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
  })

  it('whose name an attribute has, too, waits: the server would take that to be meant', () => {
    const twin = { name: 'pid', type: 'INT', defaultText: null, isNew: false }
    const both = replaceType(live, 'Person', {
      ...person,
      attributes: [...person.attributes, twin],
    })
    const edited = edit(startDraft(both), named('key'))
    expect(edited).toMatchObject({ problem: expect.stringContaining('an attribute pid, too') })
    const other: Operation = {
      ...{ kind: 'changeAttribute', name: 'Person', attribute: 'pid' },
      to: { ...twin, name: 'number' },
    }
    const draft = drafted(both, other)
    expect(findVertex(draft.schema, 'Person')?.primaryId.names).toEqual(['pid'])
    expect(edit(draft, named('key')).ok).toBe(false)
  })
})

describe('a published vector', () => {
  it('gets another name, and keeps its values', () => {
    const draft = drafted(live, vectorTo('emb', 'face'), vectorTo('face', 'look'))
    expect(changes(draft)).toEqual(['rewrites: Rename Person.emb to look: its values stay'])
    expect(requested(draft)).toEqual({
      alterVertexTypes: [{ name: 'Person', changeAttributes: [{ name: 'emb', newName: 'look' }] }],
    })
    expect(drafted(live, vectorTo('emb', 'face'), vectorTo('face', 'emb')).schema).toEqual(live)
  })

  it('leaves its name to another one; dropped under the new name it is dropped', () => {
    const { isNew: _, ...fresh } = emb
    const add: Operation = { kind: 'addVector', name: 'Person', vector: fresh }
    expect(requested(drafted(live, vectorTo('emb', 'face'), add))).toEqual({
      alterVertexTypes: [
        {
          name: 'Person',
          changeAttributes: [{ name: 'emb', newName: 'face' }],
          addEmbeddingAttributes: [{ Name: 'emb', Dimension: 3, Metric: 'L2' }],
        },
      ],
    })
    const drop = (vector: string): Operation => ({ kind: 'dropVector', name: 'Person', vector })
    const dropped = drafted(live, vectorTo('emb', 'face'), drop('face'))
    expect(changes(dropped)).toEqual(['destroys: Drop vector Person.emb and its values'])
    // The same again is another one, without values, as of attributes.
    const again = drafted(live, drop('emb'), add)
    expect(changes(again)).toEqual([
      'safe: Add vector Person.emb of 3 numbers, L2',
      'destroys: Drop vector Person.emb and its values',
    ])
  })

  it('is told as a conflict when somebody else has dropped it', () => {
    const { conflicts } = rebase(drafted(live, vectorTo('emb', 'face')), sampleSchema)
    expect(conflicts.map(({ problem }) => problem)).toEqual(['Person has no vector emb.'])
  })
})

it('the text renames both in their place', () => {
  const text = schemaJson(live)
    .replace('"AttributeName": "pid"', '"AttributeName": "key"')
    .replace('"Name": "emb"', '"Name": "face"')
  const { operations, problems } = jsonEdit(text, live, ['Money'])
  expect(problems).toEqual([])
  expect(operations.map(({ kind }) => kind)).toEqual(['changeId', 'renameVector'])
  expect(requested(drafted(live, ...operations))).toMatchObject({
    alterVertexTypes: [{ changeAttributes: [{ newName: 'key' }, { newName: 'face' }] }],
  })
})

it('a primary key that has two names in the text is told, and is no new attribute', () => {
  const primaryId = { ...person.primaryId, syntax: 'PRIMARY_KEY', asAttribute: true } as const
  const keyed = replaceType(live, 'Person', { ...person, primaryId })
  const text = schemaJson(keyed).replace('"AttributeName": "pid"', '"AttributeName": "key"')
  const { problems } = jsonEdit(text, keyed, ['Money'])
  expect(problems.map(({ message }) => message)).toEqual([
    'The primary key is called key in PrimaryId.',
  ])
})

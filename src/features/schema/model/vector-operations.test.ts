import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex, replaceType } from '#lib/graph-schema/schema-model.ts'
import { attributeNameProblem } from './names.ts'
import { addVector, dropVector, renameVector, VECTOR_DIMENSION_MAX } from './vector-operations.ts'
import { changeId } from './vertex-operations.ts'

const vector = { name: 'emb', dimension: 3, metric: 'COSINE' }

describe('vectors of a draft', () => {
  it('come and go', () => {
    const added = addVector(sampleSchema, 'Person', vector)
    if (!added.ok) throw new Error(added.problem)
    expect(findVertex(added.schema, 'Person')?.vectors).toEqual([{ ...vector, isNew: true }])
    const dropped = dropVector(added.schema, 'Person', 'emb')
    expect(dropped).toEqual({ ok: true, schema: sampleSchema })
  })

  it.each([
    [{ ...vector, name: 'age' }, 'already has'],
    [{ ...vector, name: 'pid' }, 'primary id'],
    [{ ...vector, name: '3d' }, 'starts with a letter'],
    [{ ...vector, dimension: 0 }, 'from 1 to'],
    [{ ...vector, dimension: 2.5 }, 'from 1 to'],
    [{ ...vector, dimension: VECTOR_DIMENSION_MAX + 1 }, 'from 1 to'],
  ])('are refused: %o', (wrong, reason) => {
    const answer = addVector(sampleSchema, 'Person', wrong)
    expect(answer.ok).toBe(false)
    if (!answer.ok) expect(answer.problem).toContain(reason)
  })

  it('keep their names from attributes and ids that come later', () => {
    const added = addVector(sampleSchema, 'Person', vector)
    if (!added.ok) throw new Error(added.problem)
    const person = findVertex(added.schema, 'Person')
    if (person === undefined) throw new Error('Person is gone')
    expect(attributeNameProblem(person, 'emb')).toContain('already has')
    const fresh = replaceType(added.schema, 'Person', { ...person, isNew: true })
    const renamed = changeId(fresh, 'Person', { ...person.primaryId, names: ['emb'] })
    expect(renamed).toMatchObject({ ok: false, problem: 'Person already has an attribute emb.' })
  })

  it('may be as long as the server takes them', () => {
    const longest = { ...vector, dimension: VECTOR_DIMENSION_MAX }
    expect(addVector(sampleSchema, 'Person', longest).ok).toBe(true)
  })

  it('that are new get other names without a trace', () => {
    const added = addVector(sampleSchema, 'Person', vector)
    if (!added.ok) throw new Error(added.problem)
    const rename = (to: string) =>
      renameVector(added.schema, { kind: 'renameVector', name: 'Person', vector: 'emb', to })
    const renamed = rename('face')
    expect(renamed.ok && findVertex(renamed.schema, 'Person')?.vectors).toEqual([
      { ...vector, name: 'face', isNew: true },
    ])
    expect(rename('age')).toMatchObject({ problem: 'Person already has an attribute age.' })
    expect(rename('pid')).toMatchObject({ problem: 'pid is the primary id of Person.' })
  })

  it('are told when they, or their type, are not there', () => {
    const nobody = { kind: 'renameVector', name: 'Person', vector: 'emb', to: 'face' } as const
    expect(renameVector(sampleSchema, nobody)).toMatchObject({
      problem: 'Person has no vector emb.',
    })
    expect(renameVector(sampleSchema, { ...nobody, name: 'Nobody' }).ok).toBe(false)
    expect(dropVector(sampleSchema, 'Person', 'emb').ok).toBe(false)
    expect(addVector(sampleSchema, 'Nobody', vector).ok).toBe(false)
  })
})

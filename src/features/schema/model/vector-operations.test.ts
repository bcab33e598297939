import { describe, expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { addVector, dropVector, VECTOR_DIMENSION_MAX } from './vector-operations.ts'

const vector = { name: 'emb', dimension: 3, metric: 'COSINE' }

describe('vectors of a draft', () => {
  it('come and go', () => {
    const added = addVector(sampleSchema, 'Person', vector)
    if (!added.ok) throw new Error(added.problem)
    expect(findVertex(added.schema, 'Person')?.vectors).toEqual([vector])
    const dropped = dropVector(added.schema, 'Person', 'emb')
    expect(dropped).toEqual({ ok: true, schema: sampleSchema })
  })

  it.each([
    [{ ...vector, name: 'age' }, 'already has'],
    [{ ...vector, name: '3d' }, ''],
    [{ ...vector, dimension: 0 }, 'from 1 to'],
    [{ ...vector, dimension: 2.5 }, 'from 1 to'],
    [{ ...vector, dimension: VECTOR_DIMENSION_MAX + 1 }, 'from 1 to'],
  ])('are refused: %o', (wrong, reason) => {
    const answer = addVector(sampleSchema, 'Person', wrong)
    expect(answer.ok).toBe(false)
    if (!answer.ok) expect(answer.problem).toContain(reason)
  })

  it('may be as long as the server takes them', () => {
    const longest = { ...vector, dimension: VECTOR_DIMENSION_MAX }
    expect(addVector(sampleSchema, 'Person', longest).ok).toBe(true)
  })

  it('are told when they, or their type, are not there', () => {
    expect(dropVector(sampleSchema, 'Person', 'emb').ok).toBe(false)
    expect(addVector(sampleSchema, 'Nobody', vector).ok).toBe(false)
  })
})

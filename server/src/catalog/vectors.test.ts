import { describe, expect, it } from 'vitest'
import { VECTOR_DIMENSION_MAX } from '#kernel/limits.ts'
import { emptyCatalog } from './types.ts'
import { alterVertexType, createVertexType, vertexTypeToJson } from './vertex-types.ts'

const person = {
  Name: 'Person',
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes: [{ AttributeName: 'age', AttributeType: { Name: 'INT' } }],
  Config: {},
}
const withPerson = createVertexType(emptyCatalog, null, person)
const alter = (change: Parameters<typeof alterVertexType>[3], catalog = withPerson) =>
  alterVertexType(catalog, null, 'Person', change)
const embeddings = (catalog: typeof withPerson) =>
  vertexTypeToJson(catalog.vertexTypes[0]!).EmbeddingAttributes

describe('vector attributes', () => {
  it('read as they were declared, with what was left out', () => {
    const made = alter({
      addEmbeddingAttributes: [
        { Name: 'emb', Dimension: 3 },
        { Name: 'spot', Dimension: 2, Metric: 'l2', IndexType: 'hnsw', DataType: 'FLOAT' },
      ],
    })
    expect(embeddings(made)).toEqual([
      { Name: 'emb', Dimension: 3, IndexType: 'HNSW', DataType: 'FLOAT', Metric: 'COSINE' },
      { Name: 'spot', Dimension: 2, IndexType: 'HNSW', DataType: 'FLOAT', Metric: 'L2' },
    ])
    expect(made.vertexTypes[0]!.attributes.map(({ name }) => name)).toEqual(['age'])
  })

  it('may be declared with the type', () => {
    const EmbeddingAttributes = [{ Name: 'emb', Dimension: 1, Metric: 'IP' }]
    const made = createVertexType(emptyCatalog, null, { ...person, EmbeddingAttributes })
    expect(embeddings(made)).toEqual([
      { Name: 'emb', Dimension: 1, IndexType: 'HNSW', DataType: 'FLOAT', Metric: 'IP' },
    ])
  })

  it('never take an id again that an attribute or a vector had', () => {
    let made = alter({ addEmbeddingAttributes: [{ Name: 'emb', Dimension: 3 }] })
    const first = made.vertexTypes[0]!.vectors![0]!.id
    made = alter({ dropEmbeddingAttributes: ['emb'] }, made)
    expect(made.vertexTypes[0]).not.toHaveProperty('vectors')
    const again = { AttributeName: 'x', AttributeType: { Name: 'INT' } }
    made = alter(
      { addAttributes: [again], addEmbeddingAttributes: [{ Name: 'emb', Dimension: 4 }] },
      made,
    )
    const { attributes, vectors, nextAttributeId } = made.vertexTypes[0]!
    const ids = [...attributes, ...vectors!].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain(first)
    expect(nextAttributeId).toBeGreaterThan(Math.max(...ids))
  })

  it('drop and add in one change', () => {
    const made = alter({ addEmbeddingAttributes: [{ Name: 'emb', Dimension: 3 }] })
    const changed = alter(
      { dropEmbeddingAttributes: ['emb'], addEmbeddingAttributes: [{ Name: 'emb', Dimension: 7 }] },
      made,
    )
    expect(embeddings(changed)?.[0]?.Dimension).toBe(7)
  })

  it.each([
    [{ Name: 'age', Dimension: 3 }, 'The attribute age already exists in Person.'],
    [{ Name: 'e', Dimension: 0 }, `needs a DIMENSION from 1 to ${VECTOR_DIMENSION_MAX}`],
    [{ Name: 'e', Dimension: Number.NaN }, 'needs a DIMENSION'],
    [{ Name: 'e', Dimension: 2.5 }, 'needs a DIMENSION'],
    [{ Name: 'e', Dimension: VECTOR_DIMENSION_MAX + 1 }, 'needs a DIMENSION'],
    [{ Name: 'e', Dimension: 3, Metric: 'HAMMING' }, "COSINE, L2, IP, not 'HAMMING'"],
    [{ Name: 'e', Dimension: 3, IndexType: 'IVF' }, "is HNSW, not 'IVF'"],
    [{ Name: 'e', Dimension: 3, DataType: 'INT8' }, "is FLOAT, not 'INT8'"],
    [{ Name: '1e', Dimension: 3 }, '1e'],
  ])('refuse %o', (json, message) => {
    expect(() => alter({ addEmbeddingAttributes: [json] })).toThrow(message)
  })

  it('take the longest there may be', () => {
    const longest = { Name: 'e', Dimension: VECTOR_DIMENSION_MAX }
    expect(embeddings(alter({ addEmbeddingAttributes: [longest] }))).toHaveLength(1)
  })

  it('refuse an attribute of a vector’s name, and to drop what is not there', () => {
    const made = alter({ addEmbeddingAttributes: [{ Name: 'emb', Dimension: 3 }] })
    const attribute = { AttributeName: 'emb', AttributeType: { Name: 'INT' } }
    expect(() => alter({ addAttributes: [attribute] }, made)).toThrow('already exists')
    expect(() => alter({ dropEmbeddingAttributes: ['age'] }, made)).toThrow('does not exist')
    expect(() => alter({ dropAttributes: ['emb'] }, made)).toThrow('does not exist')
  })
})

import { expect, it } from 'vitest'
import { Batch } from './payload.ts'

const parsed = (batch: Batch) => JSON.parse(Buffer.from(batch.take()).toString()) as unknown

it('is a payload of what was added, by type, and empty afterwards', () => {
  const batch = new Batch()
  const long = 'ä'.repeat(5_000)
  batch.addVertex('Person', '"quoted"', '{"name":{"value":"x"}}')
  batch.addVertex('Person', long, '{}')
  batch.addVertex('City', '__proto__', '{}')
  batch.addEdge('knows', { type: 'Person', id: 'a' }, { type: 'Person', id: '😀' }, '{}')
  batch.addEdge(
    'lives',
    { type: 'Person', id: 'b' },
    { type: 'City', id: 'x' },
    '{"n":{"value":1}}',
  )
  expect(batch.count).toBe(5)
  const taken = Buffer.from(batch.take()).toString()
  expect(JSON.parse(taken)).toEqual({
    vertices: {
      Person: { '"quoted"': { name: { value: 'x' } }, [long]: {} },
      City: JSON.parse('{"__proto__":{}}'),
    },
    edges: {
      Person: {
        a: { knows: { Person: { '😀': {} } } },
        b: { lives: { City: { x: { n: { value: 1 } } } } },
      },
    },
  })
  expect(batch.count).toBe(0)
  expect(parsed(batch)).toEqual({ vertices: {}, edges: {} })
  batch.addVertex('City', 'y', '{}')
  expect(parsed(batch)).toEqual({ vertices: { City: { y: {} } }, edges: {} })
  // What was taken is the receiver's own.
  expect(taken).toContain('"😀"')
})

it('keeps repeated ids, in order', () => {
  const batch = new Batch()
  batch.addVertex('P', '1', '{"n":{"value":1}}')
  batch.addVertex('P', '1', '{"n":{"value":2}}')
  expect(Buffer.from(batch.take()).toString()).toBe(
    '{"vertices":{"P":{"1":{"n":{"value":1}},"1":{"n":{"value":2}}}},"edges":{}}',
  )
})

import { expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { globalChoices, takeInOperations } from './global-types.ts'
import { applyOperation } from './operations.ts'

const globals: SchemaModel = {
  vertices: sampleSchema.vertices
    .filter(({ isLocal }) => !isLocal)
    .concat(sampleSchema.vertices.map((one) => ({ ...one, name: `${one.name}2`, isLocal: false }))),
  edges: [
    {
      ...sampleSchema.edges[1]!,
      name: 'Meets',
      isLocal: false,
      pairs: [{ from: 'Person2', to: 'Company2' }],
    },
    { ...sampleSchema.edges[0]!, isLocal: false },
  ],
}

it('offers what is not in the graph, and says what a local name stands in the way of', () => {
  const choices = globalChoices(sampleSchema, globals)
  expect(choices.map(({ type, problem }) => [type.name, problem !== null])).toEqual([
    ['Person2', false],
    ['Company2', false],
    ['Meets', false],
    ['Works_At', true],
  ])
})

it('takes what an edge type joins in before it', () => {
  const operations = takeInOperations(sampleSchema, globals, new Set(['Meets']))
  let schema = sampleSchema
  for (const operation of operations) {
    const applied = applyOperation(schema, operation)
    if (!applied.ok) throw new Error(applied.problem)
    schema = applied.schema
  }
  expect(schema.vertices.slice(2).map(({ name }) => name)).toEqual(['Person2', 'Company2'])
  expect(schema.edges.at(-1)?.name).toBe('Meets')
})

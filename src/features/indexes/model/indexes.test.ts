import { expect, it } from 'vitest'
import { sampleSchema } from '#lib/graph-schema/sample-schema.ts'
import { indexChoices, indexNameProblem, indexRows, suggestedName } from './indexes.ts'

const rows = indexRows([{ Person: [{ index: 'by_name', attribute: 'name' }] }], sampleSchema)

it('rows carry the type of the attribute', () => {
  expect(rows).toEqual([
    { name: 'by_name', vertexType: 'Person', attribute: 'name', attributeType: 'STRING' },
  ])
})

it('only attributes that can be indexed and are not are offered', () => {
  const offered = indexChoices(sampleSchema, rows).map(({ vertexType, attributes }) => [
    vertexType,
    attributes.map(({ name }) => name),
  ])
  expect(offered).toEqual([
    ['Person', ['age']],
    ['Company', ['sector']],
  ])
})

it('names are suggested free and refused when taken', () => {
  expect(suggestedName('Person', 'age', rows)).toBe('Person_age_index')
  const taken = [{ ...rows[0]!, name: 'Person_age_index' }]
  expect(suggestedName('Person', 'age', taken)).toBe('Person_age_index2')
  expect(indexNameProblem('by_name', rows)).toBe(
    `${rows.find(({ name }) => name === 'by_name')?.vertexType} already has an index by_name: a name is given once in a graph.`,
  )
  expect(indexNameProblem('1x', rows)).toContain('no digit first')
  expect(indexNameProblem('by_age', rows)).toBeNull()
})

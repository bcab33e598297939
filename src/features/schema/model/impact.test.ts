import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import {
  consequences,
  type ImpactLine,
  type ImpactView,
  refusalsOf,
  reviewLines,
} from './impact.ts'

const line = (part: Partial<ImpactLine> & Pick<ImpactLine, 'operation' | 'name'>): ImpactLine => ({
  class: 'safe',
  vertices: 0,
  edges: 0,
  edgeTypes: [],
  indexes: [],
  queries: [],
  text: [part.operation, part.name, part.detail].join(' '),
  ...part,
})

const operations = [
  line({ operation: 'alterVertexTypes', name: 'Person', detail: 'age' }),
  line({ operation: 'alterVertexTypes', name: 'Person', detail: 'name' }),
  line({ operation: 'alterEdgeTypes', name: 'Likes', detail: 'A - B' }),
  line({ operation: 'alterEdgeTypes', name: 'Likes', detail: 'A - C' }),
  line({ operation: 'addVertexTypes', name: 'Person' }),
  line({ operation: 'graphs', name: 'Tag' }),
]
const impact: ImpactView = {
  problem: null,
  operations,
  destroyedVertices: 0,
  destroyedEdges: 0,
  gsql: '',
}

function marked(place: { operation: string; name: string; detail?: string }, message: string) {
  return reviewLines([], impact, 'safe', [{ index: 0, message, ...place }])
    .filter(({ refusal }) => refusal === message)
    .map(({ text }) => text)
}

it.each([
  [{ count: 1, ids: ['d'] }, '1 value cannot be kept: d'],
  [{ count: 3, ids: ['d', 'e'] }, '3 values cannot be kept: d, e …'],
  [{ count: 2, ids: [] }, '2 values cannot be kept'],
])('values that stand in the way are told as far as one may read them: %j', (unkept, text) => {
  expect(consequences({ ...operations[0]!, unkept })).toEqual([text])
})

describe('a refusal in the review', () => {
  it.each([
    [{ operation: 'alterVertexTypes', name: 'Person', detail: 'age' }, 'No.', ['age']],
    [{ operation: 'alterVertexTypes', name: 'Person' }, 'The name name is taken.', ['name']],
    [{ operation: 'alterVertexTypes', name: 'Person' }, 'Person is used.', ['age', 'name']],
    [{ operation: 'alterEdgeTypes', name: 'Likes' }, 'Likes cannot join A and C.', ['A - C']],
  ])('marks the lines of %j', (place, message, details) => {
    expect(marked(place, message)).toEqual(
      details.map((detail) => [place.operation, place.name, detail].join(' ')),
    )
  })

  it('marks no line of another operation on the same type', () => {
    expect(marked({ operation: 'addVertexTypes', name: 'Person' }, 'Person is used.')).toHaveLength(
      1,
    )
    expect(marked({ operation: 'graphs', name: 'town' }, 'Tag is used.')).toEqual(['graphs Tag '])
  })

  it('is the one of the publish, once there was one', () => {
    const place = { operation: 'addVertexTypes', index: 0, name: 'Person' }
    const told = { ...impact, problem: { code: 'NAME_TAKEN', message: 'before', place } }
    expect(refusalsOf(null, told)).toEqual([{ ...place, message: 'before' }])
    const errors = [{ ...place, message: 'then' }]
    const details = { code: 'x', status: 200, method: 'POST', url: '', curl: '', body: { errors } }
    expect(refusalsOf(new ApiError('then', details), told)).toEqual(errors)
    expect(refusalsOf(new Error('no network'), told)).toEqual([])
  })
})

describe('consequences', () => {
  it('names one as one, several as several', () => {
    const one = { edgeTypes: ['Uses'], indexes: ['by_name'], queries: ['q'], jobs: ['load'] }
    expect(consequences({ ...line({ operation: 'dropVertexTypes', name: 'A' }), ...one })).toEqual([
      'edge type Uses',
      'index by_name',
      'query q',
      'loading job load',
    ])
    const several = { edgeTypes: ['Uses', 'Pays'], queries: ['q', 'r'] }
    expect(
      consequences({ ...line({ operation: 'dropVertexTypes', name: 'A' }), ...several }),
    ).toEqual(['edge types Uses, Pays', 'queries q, r'])
  })
})

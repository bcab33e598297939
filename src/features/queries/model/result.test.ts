import { describe, expect, it } from 'vitest'
import { graphOf, partsOf, RESULT_EDGES_MAX, RESULT_VERTICES_MAX } from './result.ts'

const vertex = (id: string, attributes = {}) => ({ v_id: id, v_type: 'Person', attributes })
const edge = (from: string, to: string) => ({
  e_type: 'Knows',
  directed: false,
  from_id: from,
  from_type: 'Person',
  to_id: to,
  to_type: 'Person',
  attributes: {},
})

describe('partsOf', () => {
  it('makes a table of vertices with their attributes as columns', () => {
    const [part] = partsOf([{ S: [vertex('7', { age: 37 }), vertex('8', { '@n': 2 })] }])
    expect(part).toMatchObject({
      kind: 'table',
      name: 'S',
      columns: ['v_id', 'v_type', 'age', '@n'],
      rows: [
        { v_id: '7', v_type: 'Person', age: 37 },
        { v_id: '8', v_type: 'Person', '@n': 2 },
      ],
    })
  })

  it('makes tables of lists, tuples and maps, and leaves scalars and empty lists as values', () => {
    const parts = partsOf([
      { list: [1, 2], heap: [{ a: 1, b: 'x' }] },
      { map: { k: 5 }, n: 3, none: [] },
    ])
    expect(
      parts.map((part) => [part.name, part.kind === 'table' ? part.columns : part.value]),
    ).toEqual([
      ['list', ['value']],
      ['heap', ['a', 'b']],
      ['map', ['key', 'value']],
      ['n', 3],
      ['none', []],
    ])
  })
})

describe('graphOf', () => {
  it('finds vertices and edges wherever they are, with the ends of edges', () => {
    const graph = graphOf([{ S: [vertex('7', { age: 1 })] }, { E: [edge('7', '9')] }])
    expect(graph.vertices.map(({ id }) => id).sort()).toEqual(['7', '9'])
    expect(graph.vertices.find(({ id }) => id === '7')?.attributes).toEqual({ age: 1 })
    expect(graph.edges).toHaveLength(1)
  })

  it('draws the first up to its limits and tells how many there are', () => {
    const many = Array.from({ length: RESULT_VERTICES_MAX + 1 }, (_, i) => vertex(String(i)))
    const whole = graphOf([{ S: many.slice(1) }])
    expect(whole.vertexCount).toBe(whole.vertices.length)
    const parallel = Array.from({ length: RESULT_EDGES_MAX + 1 }, () => edge('0', '1'))
    const cut = graphOf([{ S: many, E: parallel }])
    expect(cut.vertices.map(({ id }) => id)).toEqual(many.slice(0, -1).map(({ v_id }) => v_id))
    expect(cut.edges).toHaveLength(RESULT_EDGES_MAX)
    expect([cut.vertexCount, cut.edgeCount]).toEqual([many.length, parallel.length])
  })

  it('takes a list longer than a call may have arguments', () => {
    const rows = Array.from({ length: 300_000 }, (_, i) => i)
    expect(graphOf([{ rows, S: [vertex('7')] }]).vertexCount).toBe(1)
  })
})

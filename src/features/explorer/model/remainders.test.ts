import { describe, expect, it } from 'vitest'
import { applyPage, remainderLabel } from './expansion.ts'
import { addOutOfTurn, discounted, drawnKinds, recounted, setRemainder } from './remainders.ts'
import { addElements, type DegreeRow, emptyScene, markGone, removeVertices } from './scene.ts'
import { type EdgeRow, toEdge, toVertex } from './wire-rows.ts'

const edge = (from: string, to: string, directed = true) => {
  const row: EdgeRow = {
    e_type: directed ? 'Has' : 'Knows',
    directed,
    from_id: from,
    from_type: 'Hub',
    to_id: to,
    to_type: 'Hub',
    attributes: {},
  }
  return toEdge(row, directed ? 'out' : 'undirected')
}
const vertex = (id: string) => toVertex({ v_id: id, v_type: 'Hub', attributes: {} })
const has: DegreeRow = { edgeType: 'Has', direction: 'out', targetType: 'Hub', count: 1_000 }

/** A hub of a thousand with three of them drawn. */
const hub = applyPage(
  addElements(emptyScene, { vertices: [vertex('h')], edges: [] }),
  { vertex: 'Hub h', row: has, limit: 3, cursor: null },
  {
    vertices: ['a', 'b', 'c'].map(vertex),
    edges: ['a', 'b', 'c'].map((id) => edge('h', id)),
    nextCursor: 'c',
  },
)
const labels = (scene: typeof hub) => [...scene.remainders.values()].map(remainderLabel)

describe('counts of a remainder', () => {
  it('lose what is deleted, drawn or not', () => {
    expect(labels(hub)).toEqual(['Has +997'])
    const drawn = discounted(hub, [edge('h', 'a')])
    expect(labels(drawn)).toEqual(['Has +997'])
    expect([...drawn.remainders.values()][0]).toMatchObject({ count: 999, shown: 2 })
    expect(labels(discounted(hub, [edge('h', 'x'), edge('h', 'y')]))).toEqual(['Has +995'])
    expect(labels(discounted(hub, [edge('x', 'h')]))).toEqual(['Has +997'])
  })

  it('follow the database, and never hide what the cursor says is there', () => {
    expect(labels(recounted(hub, 'Hub h', [{ ...has, count: 1_200 }]))).toEqual(['Has +1,197'])
    expect(labels(recounted(hub, 'Hub h', [{ ...has, count: 3 }]))).toEqual(['Has +1'])
    expect(labels(recounted(hub, 'Hub h', []))).toEqual(['Has +1'])
    expect(recounted(hub, 'Hub h', [has])).toBe(hub)
    expect(recounted(hub, 'Hub a', [])).toBe(hub)
  })

  it('tell what is left whatever way the rest came, and pages bring each once', () => {
    const found = (...ids: string[]) => ({
      vertices: ids.map(vertex),
      edges: ids.map((id) => edge('h', id)),
    })
    const more = addOutOfTurn(hub, found('c', 'd', 'e', 'e'))
    expect(labels(more)).toEqual(['Has +995'])
    expect(labels(addOutOfTurn(more, found('d')))).toEqual(['Has +995'])
    const row = [...more.remainders.values()][0]
    if (row === undefined) throw new Error('no remainder')
    const request = { vertex: 'Hub h', row, limit: 3, cursor: 'c' }
    const paged = applyPage(more, request, { ...found('d', 'e', 'f'), nextCursor: 'f' })
    expect(labels(paged)).toEqual(['Has +994'])
    const last = applyPage(more, request, { ...found('d', 'e', 'f'), nextCursor: null })
    expect(labels(last)).toEqual([])

    // What was drawn before the first page is no part of what is left, either.
    const begun = addElements(emptyScene, {
      ...found('x', 'y'),
      vertices: ['h', 'x', 'y'].map(vertex),
    })
    const first = { vertex: 'Hub h', row: has, limit: 2, cursor: null }
    const page = applyPage(begun, first, { ...found('a', 'x'), nextCursor: 'x' })
    expect(labels(page)).toEqual(['Has +997'])
    expect(labels(addOutOfTurn(begun, found('z')))).toEqual([])
  })

  it('go with the last of the kind', () => {
    const row = { ...has, count: 4 }
    const last = setRemainder(hub, { ...row, vertex: 'Hub h', shown: 3, cursor: null })
    expect(labels(last)).toEqual(['Has +1'])
    expect(labels(discounted(last, [edge('h', 'x')]))).toEqual([])
    expect(labels(removeVertices(hub, ['Hub h']))).toEqual([])
  })
})

describe('kinds drawn at a vertex', () => {
  it('have an undirected loop once, a directed one at both ends, and nothing that is gone', () => {
    const scene = addElements(emptyScene, {
      vertices: ['h', 'a'].map(vertex),
      edges: [edge('h', 'h'), edge('h', 'h', false), edge('a', 'h', false), edge('h', 'a')],
    })
    expect([...drawnKinds(scene, 'Hub h').values()].sort()).toEqual([1, 2, 2])
    const fewer = markGone(scene, [edge('h', 'a').key])
    expect([...drawnKinds(fewer, 'Hub h').values()].sort()).toEqual([1, 1, 2])
  })
})

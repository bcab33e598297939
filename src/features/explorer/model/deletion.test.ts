import { describe, expect, it } from 'vitest'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { chosenElements, type Deletion, partOf, restoring, withoutDeleted } from './deletion.ts'
import { startHistory } from './history.ts'
import { addElements, emptyScene, hideVertices, markGone, type SceneEdge } from './scene.ts'
import { reduce, type SceneHistory } from './scene-history.ts'
import { type EdgeRow, toEdge, toVertex } from './wire-rows.ts'

const attribute = (AttributeName: string, Name: string, more: object = {}) => ({
  AttributeName,
  AttributeType: { Name, ...more },
})
const wide = 18446744073709551615n

const schema = readSchema({
  VertexTypes: [
    {
      Name: 'Person',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [
        attribute('score', 'UINT'),
        attribute('tags', 'SET', { ValueTypeName: 'STRING' }),
        attribute('seen', 'MAP', { KeyTypeName: 'STRING', ValueTypeName: 'INT' }),
      ],
    },
    { Name: 'Firm', PrimaryId: attribute('id', 'STRING'), Attributes: [] },
  ],
  EdgeTypes: [
    {
      Name: 'Works',
      IsDirected: false,
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Firm',
      Attributes: [],
    },
    {
      Name: 'Pays',
      IsDirected: true,
      FromVertexTypeName: 'Firm',
      ToVertexTypeName: 'Person',
      DiscriminatorCount: 1,
      Attributes: [attribute('month', 'INT'), attribute('sum', 'INT')],
    },
  ],
})

const ada = toVertex({
  v_id: 'a"da',
  v_type: 'Person',
  attributes: { score: wide, tags: ['x'], seen: { Rome: 2 } },
})
const acme = toVertex({ v_id: 'acme', v_type: 'Firm', attributes: {} })
const pay = (month: number): SceneEdge => {
  const row: EdgeRow = {
    e_type: 'Pays',
    directed: true,
    from_id: 'acme',
    from_type: 'Firm',
    to_id: 'a"da',
    to_type: 'Person',
    discriminator: String(month),
    attributes: { month, sum: month * 10 },
  }
  return toEdge(row, 'out')
}
const works = toEdge(
  {
    e_type: 'Works',
    directed: false,
    from_id: 'acme',
    from_type: 'Firm',
    to_id: 'a"da',
    to_type: 'Person',
    attributes: {},
  },
  'undirected',
)

const deletion: Deletion = {
  vertices: [ada],
  edges: [],
  hanging: [pay(1), pay(2), works],
  hangingCount: 3,
  lasting: null,
}

describe('what a deletion writes back', () => {
  it('is every attribute to the last digit, and every parallel edge', () => {
    const { vertices, edges } = restoring(schema, deletion)
    expect(parseLossless(vertices)).toEqual({
      vertices: {
        Person: {
          'a"da': {
            score: { value: wide },
            tags: { value: ['x'] },
            seen: { value: { keylist: ['Rome'], valuelist: [2] } },
          },
        },
      },
    })
    const month = (value: number) => ({ month: { value }, sum: { value: value * 10 } })
    expect(parseLossless(edges)).toEqual({
      edges: {
        Firm: { acme: { Pays: { Person: { 'a"da': [month(1), month(2)] } } } },
        // Read from the firm, and written as the type has its ends.
        Person: { 'a"da': { Works: { Firm: { acme: {} } } } },
      },
    })
  })

  it('is refused, with the reason, where no upsert could bring it back', () => {
    const odd = { ...ada, attributes: { score: 'many' } }
    expect(() => restoring(schema, { ...deletion, vertices: [odd] })).toThrow('score of Person')
    const lost = { ...ada, type: 'Ship' }
    expect(() => restoring(schema, { ...deletion, vertices: [lost] })).toThrow('no type Ship')
  })
})

describe('a deletion on the canvas', () => {
  const scene = addElements(emptyScene, {
    vertices: [ada, acme],
    edges: [works, ...[1, 2, 3, 4, 5].map(pay)],
  })

  it('means every edge of a bundle, and no ghost', () => {
    const first = pay(1).key
    expect(chosenElements(scene, [first, works.key], new Set()).edges).toHaveLength(6)
    const ghost = markGone(scene, [acme.key])
    expect(chosenElements(ghost, [acme.key, ada.key], new Set()).vertices).toEqual([
      scene.vertices.get(ada.key),
    ])
  })

  it('takes vertices with their edges, and chosen edges alone', () => {
    const left = withoutDeleted(scene, { ...deletion, vertices: [], edges: [works] })
    expect([left.vertices.size, left.edges.size]).toEqual([2, 5])
    const alone = withoutDeleted(scene, deletion)
    expect([...alone.vertices.keys()]).toEqual([acme.key])
    expect(alone.edges.size).toBe(0)
  })

  it('stops with what was done', () => {
    const both = { ...deletion, edges: [pay(3)] }
    const part = partOf(both, new Set([pay(3).key]))
    expect(part).toMatchObject({ vertices: [], hanging: [], hangingCount: 0 })
    expect(part.edges).toHaveLength(1)
    expect(partOf(both, new Set([ada.key])).hanging).toHaveLength(3)
  })

  it('is a step back, unless it can never be taken back', () => {
    const start: SceneHistory = startHistory(scene)
    const change = () => withoutDeleted(scene, deletion)
    const step = reduce(start, { kind: 'commit', label: 'Delete 1', change, write: deletion })
    expect(step.past.at(-1)?.write).toBe(deletion)
    expect(reduce(step, { kind: 'undo' }).present).toBe(scene)
    const hidden = reduce(start, {
      kind: 'commit',
      label: 'Hide',
      change: (current) => hideVertices(current, [acme.key]),
    })
    const lasting = reduce(hidden, { kind: 'restart', change })
    expect(lasting.past).toEqual([])
    expect(lasting.present.vertices.size).toBe(1)
  })
})

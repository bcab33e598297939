import { expect, it } from 'vitest'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { addElements, emptyScene, hideVertices, markGone, vertexKey } from './scene.ts'
import { edgesCsv, upsertPayload, verticesCsv } from './scene-export.ts'
import { toEdge, toVertex } from './wire-rows.ts'

const wide = 18446744073709551615n
const attribute = (AttributeName: string, Name: string) => ({
  AttributeName,
  AttributeType: { Name },
})
const schema = readSchema({
  VertexTypes: [
    {
      Name: 'Person',
      PrimaryId: attribute('id', 'STRING'),
      Attributes: [attribute('name', 'STRING'), attribute('score', 'UINT')],
    },
  ],
  EdgeTypes: [
    {
      Name: 'Knows',
      IsDirected: false,
      FromVertexTypeName: 'Person',
      ToVertexTypeName: 'Person',
      Attributes: [attribute('since', 'INT')],
    },
  ],
})

const person = (v_id: string, name: string, score: unknown) =>
  toVertex({ v_id, v_type: 'Person', attributes: { name, score } })
const knows = (from_id: string, to_id: string, since: number) =>
  toEdge(
    {
      e_type: 'Knows',
      directed: false,
      from_id,
      from_type: 'Person',
      to_id,
      to_type: 'Person',
      attributes: { since },
    },
    'undirected',
  )
const scene = addElements(emptyScene, {
  vertices: [person('a', 'Ada, "Countess"', wide), person('b', 'Bo\nson', 0), person('c', '', 1)],
  edges: [knows('a', 'b', 7), knows('b', 'c', 8)],
})

it('tables have every cell exactly, and quotes where they are needed', () => {
  expect(verticesCsv(scene)).toBe(
    'Id,Label,Type,Key,name,score\r\n' +
      `Person a,"Ada, ""Countess""",Person,a,"Ada, ""Countess""",${wide}\r\n` +
      'Person b,"Bo\nson",Person,b,"Bo\nson",0\r\n' +
      'Person c,c,Person,c,,1\r\n',
  )
  expect(edgesCsv(scene)).toBe(
    'Source,Target,Type,Label,since\r\n' +
      'Person a,Person b,Undirected,Knows,7\r\nPerson b,Person c,Undirected,Knows,8\r\n',
  )
})

it('what is hidden is in no file', () => {
  const hidden = hideVertices(scene, [vertexKey('Person', 'c')])
  expect(verticesCsv(hidden).split('\r\n')).toHaveLength(4)
  expect(edgesCsv(hidden).split('\r\n')).toHaveLength(3)
})

it('the payload has what is there, to the last digit', () => {
  const gone = markGone(scene, [vertexKey('Person', 'c'), knows('b', 'c', 8).key])
  expect(parseLossless(upsertPayload(schema, gone))).toEqual({
    vertices: {
      Person: {
        a: { name: { value: 'Ada, "Countess"' }, score: { value: wide } },
        b: { name: { value: 'Bo\nson' }, score: { value: 0 } },
      },
    },
    edges: { Person: { a: { Knows: { Person: { b: { since: { value: 7 } } } } } } },
  })
})

it('there is no payload while attributes are missing', () => {
  const [first] = scene.vertices.values()
  if (first === undefined) throw new Error('no vertex')
  const unread = { ...scene, vertices: new Map([[first.key, { ...first, attributes: null }]]) }
  expect(() => upsertPayload(schema, unread)).toThrow('still being read')
})

/** What is on the canvas as files for other tools: tables of vertices and edges, a payload that makes them. */
import { csvText } from '#lib/csv/csv-text.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { fieldText } from './attribute-write.ts'
import { vertexName } from './canvas-scene.ts'
import { restoring } from './deletion.ts'
import { type Scene, type SceneEdge, type SceneVertex, visible } from './scene.ts'

/** With the headings that Gephi looks for; an attribute that a type lacks is an empty cell. */
export function verticesCsv(scene: Scene): string {
  const { vertices } = visible(scene)
  const names = attributeNames(vertices)
  return csvText([
    ['Id', 'Label', 'Type', 'Key', ...names],
    ...vertices.map((vertex) => [
      vertex.key,
      vertexName(vertex),
      vertex.type,
      vertex.id,
      ...valuesOf(vertex, names),
    ]),
  ])
}

export function edgesCsv(scene: Scene): string {
  const { edges } = visible(scene)
  const names = attributeNames(edges)
  return csvText([
    ['Source', 'Target', 'Type', 'Label', ...names],
    ...edges.map((edge) => [
      edge.from,
      edge.to,
      edge.directed ? 'Directed' : 'Undirected',
      edge.type,
      ...valuesOf(edge, names),
    ]),
  ])
}

/** The body of an upsert that makes the same elements elsewhere. @throws Error where a value has no such form */
export function upsertPayload(schema: SchemaModel, scene: Scene): string {
  const { vertices, edges } = visible(scene)
  const isThere = ({ gone }: SceneVertex | SceneEdge) => gone !== true
  const unread = [...vertices, ...edges].find(
    (element) => isThere(element) && element.attributes === null,
  )
  if (unread !== undefined) throw new Error('The attributes are still being read.')
  const texts = restoring(schema, {
    vertices: vertices.filter(isThere),
    edges: edges.filter(isThere),
    hanging: [],
    hangingCount: 0,
    lasting: null,
  })
  return `${texts.vertices.slice(0, -1)},${texts.edges.slice(1)}\n`
}

type Element = SceneVertex | SceneEdge

const attributeNames = (elements: readonly Element[]): readonly string[] => [
  ...new Set(elements.flatMap(({ attributes }) => Object.keys(attributes ?? {}))),
]

const valuesOf = ({ attributes }: Element, names: readonly string[]): readonly string[] =>
  names.map((name) => fieldText(attributes?.[name]))

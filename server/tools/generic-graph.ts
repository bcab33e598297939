/**
 * A small graph that suits most library queries: one vertex type with attributes of every kind
 * they read, an undirected edge type with a weight and a directed one with a reverse. Made by a
 * fixed rule: the same graph each time.
 */
import type { Call } from './data-set.ts'

export const GENERIC_GRAPH = 'generic'
const VERTEX_COUNT = 60

const attribute = (name: string, kind: string, element?: string) => ({
  AttributeName: name,
  AttributeType: element === undefined ? { Name: kind } : { Name: kind, ValueTypeName: element },
})

const vertexType = {
  Name: 'Node',
  PrimaryId: {
    AttributeName: 'id',
    AttributeType: { Name: 'STRING' },
    PrimaryIdAsAttribute: true,
  },
  Attributes: [
    attribute('label', 'STRING'),
    attribute('cid', 'INT'),
    attribute('score', 'FLOAT'),
    attribute('latitude', 'FLOAT'),
    attribute('longitude', 'FLOAT'),
    attribute('item_list', 'LIST', 'INT'),
    attribute('embeddings', 'LIST', 'DOUBLE'),
  ],
  Config: { PRIMARY_ID_AS_ATTRIBUTE: true },
}

const edgeType = (name: string, isDirected: boolean) => ({
  Name: name,
  IsDirected: isDirected,
  FromVertexTypeName: 'Node',
  ToVertexTypeName: 'Node',
  Attributes: [attribute('weight', 'FLOAT'), attribute('score', 'FLOAT')],
  Config: isDirected ? { REVERSE_EDGE: `reverse_${name}` } : {},
})

export async function loadGenericGraph(call: Call): Promise<void> {
  const edges = [edgeType('Link', false), edgeType('Arc', true)]
  await post(call, '/gsql/v1/schema/vertices', { createVertices: [vertexType] })
  await post(call, '/gsql/v1/schema/edges', { createEdges: edges })
  const types = { VertexTypes: ['Node'], EdgeTypes: ['Link', 'Arc'] }
  await post(call, `/gsql/v1/schema/graphs?graphName=${GENERIC_GRAPH}`, types)
  await post(call, `/restpp/graph/${GENERIC_GRAPH}`, {
    vertices: { Node: nodes() },
    edges: links(),
  })
}

function nodes(): object {
  const rows = Array.from({ length: VERTEX_COUNT }, (_, i) => {
    const value = (given: unknown) => ({ value: given })
    const row = {
      label: value(i % 5 === 0 ? '' : `l${i % 3}`),
      cid: value(i % 4),
      score: value(i / 10),
      latitude: value(i % 90),
      longitude: value((i * 7) % 180),
      item_list: value([i % 3, 3 + (i % 4)]),
      embeddings: value([i, i % 7, (i * i) % 11]),
    }
    return [`n${i}`, row]
  })
  return Object.fromEntries(rows)
}

/** A ring with chords; every third chord has an arc beside it. */
function links(): object {
  const rows = Array.from({ length: VERTEX_COUNT }, (_, i) => {
    const weight = { weight: { value: 1 + (i % 5) } }
    const target = (step: number) => `n${(i + step) % VERTEX_COUNT}`
    const link = { [target(1)]: weight, [target(2 + (i % 6))]: weight }
    return [
      `n${i}`,
      { Link: { Node: link }, Arc: { Node: { [target(1)]: weight, [target(9)]: weight } } },
    ]
  })
  return { Node: Object.fromEntries(rows) }
}

async function post(call: Call, path: string, body: unknown): Promise<void> {
  const answer = JSON.parse(await call('POST', path, JSON.stringify(body)))
  if (answer.error !== false) throw new Error(`${path}: ${answer.message}`)
}

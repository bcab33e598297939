/** Reads an upsert payload before it is sent: what it holds and what the schema has no place for. */
import {
  findEdge,
  findVertex,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'

export interface PayloadSummary {
  readonly vertices: readonly { readonly type: string; readonly count: number }[]
  readonly edges: readonly { readonly type: string; readonly count: number }[]
  /** The first few; each names the path. */
  readonly problems: readonly string[]
}

const PROBLEMS_MAX = 20
const operators = [
  '~',
  '+',
  '&',
  '|',
  '>',
  '<',
  'ignore_if_exists',
  'add',
  'and',
  'or',
  'max',
  'min',
]

type Json = Readonly<Record<string, unknown>>

export function checkPayload(schema: SchemaModel, payload: unknown): PayloadSummary {
  const problems: string[] = []
  const vertices = new Map<string, number>()
  const edges = new Map<string, number>()
  if (!isObject(payload)) {
    return {
      vertices: [],
      edges: [],
      problems: ['A payload is an object with vertices and edges.'],
    }
  }
  for (const key of Object.keys(payload)) {
    if (key !== 'vertices' && key !== 'edges') problems.push(`${key}: only vertices and edges here`)
  }
  for (const [type, ids] of entries(payload['vertices'])) {
    const found = findVertex(schema, type)
    if (found === undefined) problems.push(`vertices.${type}: no such vertex type`)
    for (const [id, attributes] of entries(ids)) {
      vertices.set(type, (vertices.get(type) ?? 0) + 1)
      if (found !== undefined)
        checkAttributes(found, attributes, `vertices.${type}.${id}`, problems)
    }
  }
  walkEdges(payload['edges'], ({ edgeType, attributes, path }) => {
    edges.set(edgeType, (edges.get(edgeType) ?? 0) + 1)
    const found = edgeOf(schema, edgeType)
    if (found === undefined) problems.push(`${path}: no edge type ${edgeType}`)
    else checkAttributes(found, attributes, path, problems)
  })
  return {
    vertices: counts(vertices),
    edges: counts(edges),
    problems:
      problems.length <= PROBLEMS_MAX
        ? problems
        : [...problems.slice(0, PROBLEMS_MAX), 'More are not listed.'],
  }
}

/** A payload with one element of each kind the schema has, to start from. */
export function examplePayload(schema: SchemaModel): string {
  const vertex = schema.vertices[0]
  if (vertex === undefined) return '{\n  "vertices": {},\n  "edges": {}\n}\n'
  const edge = schema.edges.find(({ pairs }) => pairs.some(({ from }) => from === vertex.name))
  const pair = edge?.pairs.find(({ from }) => from === vertex.name)
  const edges =
    edge === undefined || pair === undefined
      ? {}
      : { [vertex.name]: { '1': { [edge.name]: { [pair.to]: { '2': exampleOf(edge) } } } } }
  const payload = { vertices: { [vertex.name]: { '1': exampleOf(vertex) } }, edges }
  return `${JSON.stringify(payload, null, 2)}\n`
}

function exampleOf(type: TypeModel): Json {
  return Object.fromEntries(
    type.attributes.map(({ name, type: kind }) => [name, { value: exampleValue(kind) }]),
  )
}

function exampleValue(type: string): unknown {
  if (type === 'BOOL') return false
  if (type === 'DATETIME') return '2024-01-01 00:00:00'
  if (['INT', 'UINT', 'FLOAT', 'DOUBLE'].includes(type)) return 0
  if (type.startsWith('MAP') || !/^(STRING|LIST|SET)/.test(type))
    return { keylist: [], valuelist: [] }
  return type.startsWith('STRING') ? '' : []
}

interface EdgeFound {
  readonly ends: readonly { readonly type: string; readonly id: string }[]
  readonly edgeType: string
  readonly attributes: unknown
  readonly path: string
}

/** edges.{from type}.{from id}.{edge type}.{to type}.{to id}: an object or an array of them. */
const EDGE_PATH_LENGTH = 5

export function walkEdges(
  node: unknown,
  visit: (found: EdgeFound) => void,
  path: readonly string[] = [],
): void {
  if (path.length < EDGE_PATH_LENGTH) {
    for (const [key, child] of entries(node)) walkEdges(child, visit, [...path, key])
    return
  }
  for (const attributes of Array.isArray(node) ? node : [node]) {
    const [type = '', id = '', edgeType = '', toType = '', toId = ''] = path
    const ends = [
      { type, id },
      { type: toType, id: toId },
    ]
    visit({ ends, edgeType, attributes, path: `edges.${path.join('.')}` })
  }
}

function checkAttributes(type: TypeModel, json: unknown, path: string, problems: string[]): void {
  if (problems.length > PROBLEMS_MAX) return
  for (const [name, given] of entries(json)) {
    if (!type.attributes.some((attribute) => attribute.name === name) && !isId(type, name)) {
      problems.push(`${path}: ${type.name} has no attribute ${name}`)
    } else if (!isObject(given) || !('value' in given)) {
      problems.push(`${path}.${name}: write {"value": …}`)
    } else if ('op' in given && !operators.includes(String(given['op']))) {
      problems.push(`${path}.${name}: no operation ${String(given['op'])}`)
    }
  }
}

export function edgeOf(schema: SchemaModel, name: string): TypeModel | undefined {
  return findEdge(schema, name) ?? schema.edges.find(({ reverseName }) => reverseName === name)
}

function isId(type: TypeModel, name: string): boolean {
  return type.kind === 'vertex' && type.primaryId.names.includes(name)
}

function counts(map: ReadonlyMap<string, number>) {
  return [...map].map(([type, count]) => ({ type, count }))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}

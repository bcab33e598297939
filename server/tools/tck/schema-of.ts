/**
 * A schema and its data for the graph of a scenario: a label is a vertex type, and a property an attribute of one
 * type. What a schema cannot say is a `SetupFailure`.
 */
import type { AttributeValue } from '#catalog/types.ts'
import type {
  EdgeSpec,
  GraphSpec,
  Operation,
  Values,
  VertexSpec,
} from '../../test/oracle/fuzz/graph-spec.ts'
import { type PlainEdge, type PlainGraph, type PlainValue, SetupFailure } from './plain-graph.ts'

/** Vertices without a label. */
export const UNLABELLED = 'Unlabeled_'
/** Tells parallel edges apart. */
export const DISCRIMINATOR = 'parallel_'
const KEY = 'key_'

/** Names that a query uses, whether or not the graph has them. */
export interface UsedTypes {
  readonly labels: ReadonlySet<string>
  readonly edgeTypes: ReadonlySet<string>
}

type Properties = ReadonlyMap<string, PlainValue>

export function specOf(graph: PlainGraph, used: UsedTypes): GraphSpec {
  const byLabel = Map.groupBy(graph.vertices, ({ labels }) => typeNameOf(labels))
  const names = new Set([UNLABELLED, ...byLabel.keys(), ...used.labels])
  const vertices = [...names].map((name): VertexSpec => {
    const rows = (byLabel.get(name) ?? []).map(({ properties }) => properties)
    return { name, id: 'STRING', idName: KEY, idReads: false, attributes: attributesOf(name, rows) }
  })
  const byType = Map.groupBy(graph.edges, ({ type }) => type)
  const types = new Set([...byType.keys(), ...used.edgeTypes])
  if (types.size === 0) types.add('Related_')
  const edges = [...types].map((name) => edgeOf(name, byType.get(name) ?? [], [...names]))
  return { vertices, edges, operations: operationsOf(graph, edges) }
}

function typeNameOf(labels: readonly string[]): string {
  if (labels.length > 1) throw new SetupFailure('a node with several labels')
  return labels[0] ?? UNLABELLED
}

function edgeOf(
  name: string,
  rows: readonly PlainEdge[],
  vertexTypes: readonly string[],
): EdgeSpec {
  const pairs = new Set(rows.map((row) => pairOf(row)))
  const anyPair = vertexTypes.flatMap((from) => vertexTypes.map((to) => `${from}>${to}`))
  const attributes = attributesOf(
    name,
    rows.map(({ properties }) => properties),
  )
  const ends = new Set(rows.map(({ from, to }) => `${from.id}>${to.id}`))
  const isParallel = ends.size < rows.length
  return {
    name,
    directed: true,
    pairs: pairs.size > 0 ? [...pairs] : anyPair,
    attributes: isParallel ? { [DISCRIMINATOR]: 'INT', ...attributes } : attributes,
    discriminators: isParallel ? 1 : 0,
    reverse: null,
  }
}

function pairOf({ from, to }: PlainEdge): string {
  return `${typeNameOf(from.labels)}>${typeNameOf(to.labels)}`
}

function operationsOf({ vertices, edges }: PlainGraph, specs: readonly EdgeSpec[]): Operation[] {
  const puts = vertices.map((vertex): Operation => {
    const row = [typeNameOf(vertex.labels), vertex.id, storedOf(vertex.properties)] as const
    return { kind: 'put', row }
  })
  const links = edges.map((edge, place): Operation => {
    const { type, from, to, properties } = edge
    const isParallel = specs.find(({ name }) => name === type)!.discriminators > 0
    const values = { ...(isParallel && { [DISCRIMINATOR]: place }), ...storedOf(properties) }
    const ends = [typeNameOf(from.labels), from.id, typeNameOf(to.labels), to.id] as const
    return { kind: 'put', row: [type, ...ends, values] }
  })
  return [...puts, ...links]
}

function storedOf(properties: Properties): Values {
  return Object.fromEntries([...properties].map(([name, value]) => [name, stored(value)]))
}

function stored(value: PlainValue): AttributeValue {
  if (value === null) throw new SetupFailure('null in a list')
  if (typeof value === 'object') return value.map(stored)
  if (typeof value !== 'bigint') return value
  const isSafe = value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
  return isSafe ? Number(value) : value
}

function attributesOf(name: string, rows: readonly Properties[]): Record<string, string> {
  const types: Record<string, string> = {}
  const names = new Set(rows.flatMap((row) => [...row.keys()]))
  for (const property of names) {
    const values = rows.map((row) => row.get(property) ?? null)
    if (values.includes(null)) {
      throw new SetupFailure(`a label or type with different properties: ${name}.${property}`)
    }
    const kinds = new Set(values.map(typeOf))
    if (kinds.size > 1) throw new SetupFailure('a property with values of several types')
    types[property] = [...kinds][0]!
  }
  return types
}

function typeOf(value: PlainValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'INT'
    case 'number':
      return 'DOUBLE'
    case 'boolean':
      return 'BOOL'
    case 'string':
      return 'STRING'
    default: {
      const kinds = new Set((value as readonly PlainValue[]).map(typeOf))
      const [kind = 'STRING'] = kinds
      if (kinds.size > 1 || kind.startsWith('LIST')) {
        throw new SetupFailure('a property that is a list of lists or of several types')
      }
      return `LIST<${kind}>`
    }
  }
}

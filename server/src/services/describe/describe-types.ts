/** The catalogue as LS and SHOW print it (docs/reference/gsql/commands.md). */
import { typeText } from '#catalog/attribute-type.ts'
import type { Described } from '#catalog/descriptions.ts'
import { edgeTypeNamesOf, edgeTypesOf, vertexTypeById, vertexTypesOf } from '#catalog/lookup.ts'
import type {
  Attribute,
  Catalog,
  EdgeType,
  GraphDefinition,
  VectorAttribute,
  VertexType,
} from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'

export function vertexText(type: VertexType): string {
  const { primaryId, config } = type
  const attributes = type.attributes.map(attributeText)
  const [name = ''] = primaryId.names
  const members =
    primaryId.syntax === 'PRIMARY_ID'
      ? [`PRIMARY_ID ${name} ${primaryId.type}${descriptionText(primaryId)}`, ...attributes]
      : keyedMembers(type)
  const options = [`STATS="${config['STATS'] ?? 'OUTDEGREE_BY_EDGETYPE'}"`]
  if (primaryId.syntax === 'PRIMARY_ID' && primaryId.asAttribute) {
    options.push('PRIMARY_ID_AS_ATTRIBUTE="true"')
  }
  options.push(...descriptionOption(type))
  return `VERTEX ${type.name}(${members.join(', ')}) WITH ${options.join(', ')}`
}

function keyedMembers({ primaryId, attributes }: VertexType): string[] {
  if (primaryId.syntax === 'COMPOSITE') {
    return [...attributes.map(attributeText), `PRIMARY KEY (${primaryId.names.join(', ')})`]
  }
  return attributes.map((attribute) => {
    const isKey = attribute.name === primaryId.names[0]
    return isKey ? `${attributeText(attribute)} PRIMARY KEY` : attributeText(attribute)
  })
}

function attributeText(attribute: Attribute): string {
  const { name, type, defaultText } = attribute
  const standard = defaultText === undefined ? '' : ` DEFAULT ${JSON.stringify(defaultText)}`
  return `${name} ${typeText(type)}${standard}${descriptionText(attribute)}`
}

/** Only where there is one: clients of before read these lines. */
function descriptionText({ description }: Described): string {
  return description === undefined ? '' : ` DESCRIPTION ${JSON.stringify(description)}`
}

function descriptionOption({ description }: Described): string[] {
  return description === undefined ? [] : [`DESCRIPTION=${JSON.stringify(description)}`]
}

export function edgeText(catalog: Catalog, type: EdgeType): string {
  const pairs = type.pairs.map(({ fromTypeId, toTypeId }) => {
    const from = vertexTypeById(catalog, fromTypeId).name
    return `FROM ${from}, TO ${vertexTypeById(catalog, toTypeId).name}`
  })
  const attributes = type.attributes.map(attributeText)
  const discriminator = attributes.slice(0, type.discriminatorCount)
  const members = [
    pairs.join(' | '),
    ...(discriminator.length === 0 ? [] : [`DISCRIMINATOR(${discriminator.join(', ')})`]),
    ...attributes.slice(type.discriminatorCount),
  ]
  const written = [
    ...(type.reverseName === null ? [] : [`REVERSE_EDGE="${type.reverseName}"`]),
    ...descriptionOption(type),
  ]
  const options = written.length === 0 ? '' : ` WITH ${written.join(', ')}`
  const direction = type.directed ? 'DIRECTED' : 'UNDIRECTED'
  return `${direction} EDGE ${type.name}(${members.join(', ')})${options}`
}

/** `Graph acme(Person:v, Works_At:e)`, reverse edges listed. */
export function graphText(catalog: Catalog, { name }: GraphDefinition): string {
  const vertices = vertexTypesOf(catalog, name).map((type) => `${type.name}:v`)
  const edges = [...edgeTypeNamesOf(catalog, name)].map((edge) => `${edge}:e`)
  return `Graph ${name}(${[...vertices, ...edges].join(', ')})`
}

export interface CatalogExtras {
  /** Texts of jobs, of the graph or of the global scope. */
  readonly jobs: readonly string[]
  /** Lines of the graph's queries. */
  readonly queries: readonly string[]
}

export function listCatalog(
  catalog: Catalog,
  graph: string | null,
  extras: CatalogExtras,
): readonly string[] {
  const graphs = catalog.graphs.filter(({ name }) => graph === null || name === graph)
  const head = graph === null ? 'Global vertices, edges, and all graphs' : `Graph ${graph}`
  const queries =
    graph === null ? [] : ['', 'Queries:', ...bulleted(extras.queries), '', ...releases]
  return [
    `---- ${head}`,
    'Vertex Types:',
    ...bulleted(vertexTypesOf(catalog, graph).map(vertexText)),
    'Edge Types:',
    ...bulleted(edgeTypesOf(catalog, graph).map((type) => edgeText(catalog, type))),
    ...vectorLines(vertexTypesOf(catalog, graph)),
    '',
    'Graphs:',
    ...bulleted(graphs.map((one) => graphText(catalog, one))),
    'Jobs:',
    ...bulleted(extras.jobs),
    ...(graph === null ? ['', ...releases] : queries),
  ]
}

/** Only where there are some: clients of before look for the lines around them. */
function vectorLines(types: readonly VertexType[]): string[] {
  const having = types.filter((type) => vectorsOf(type).length > 0)
  if (having.length === 0) return []
  const lines = having.flatMap((type) => [
    `  - ${type.name}:`,
    ...vectorsOf(type).map((vector) => `    - ${vectorText(vector)}`),
  ])
  return ['Vector Embeddings:', ...lines]
}

function vectorText(vector: VectorAttribute): string {
  const { name, type } = vector
  const { dimension, metric } = type
  const options = [
    `Dimension=${dimension}`,
    'IndexType="HNSW"',
    'DataType="FLOAT"',
    `Metric="${metric}"`,
    ...descriptionOption(vector),
  ]
  return `${name}(${options.join(', ')})`
}

const releases = ['JSON API version: v2', 'Syntax version: v2']

export function bulleted(lines: readonly string[]): string[] {
  return lines.map((line) => `  - ${line}`)
}

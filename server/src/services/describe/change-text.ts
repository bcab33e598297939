/** A schema change that was made as JSON, in the words of GSQL; `changeForm` reads it back. */
import type { AttributeTypeJson } from '#catalog/attribute-type.ts'
import type { AttributeJson } from '#catalog/attributes.ts'
import type { EdgeAlteration, EdgePairJson, EdgeTypeJson } from '#catalog/edge-types.ts'
import type { SchemaChange, VertexTypeChange } from '#catalog/schema-change.ts'
import type { VectorJson } from '#catalog/vectors.ts'
import type { VertexTypeJson } from '#catalog/vertex-types.ts'

export function schemaJobText(name: string, graph: string | null, change: SchemaChange): string {
  const head =
    graph === null
      ? `CREATE GLOBAL SCHEMA_CHANGE JOB ${name}`
      : `CREATE SCHEMA_CHANGE JOB ${name} FOR GRAPH ${graph}`
  const left = unspeakable(change).map((one) => `/* not GSQL: ${one} */ `)
  const steps = [...stepTexts(change)].map((step) => `${step}; `)
  return `${head} { ${[...left, ...steps].join('')}}`
}

/** What of a change GSQL has no words for: other names, and wider types. */
export function unspeakable(change: SchemaChange): readonly string[] {
  const left = [
    ...change.alterVertexTypes.flatMap((one) => namesAndTypes('VERTEX', one)),
    ...change.alterEdgeTypes.flatMap((one) => {
      const { name, newReverseName: next } = one
      const reverse = next === undefined ? [] : [`the reverse edge of ${name} becomes ${next}`]
      return [...namesAndTypes('EDGE', one), ...reverse]
    }),
  ]
  // Names were not looked at yet: none may end the comment that it stands in.
  return left.map((one) => one.replace(/\s+/g, ' ').replaceAll('*/', '* /'))
}

function namesAndTypes(
  kind: 'VERTEX' | 'EDGE',
  { name, newName, changeAttributes = [] }: VertexTypeChange,
): readonly string[] {
  const changes = changeAttributes.map((one) => {
    const type = one.AttributeType === undefined ? '' : ` ${typeText(one.AttributeType)}`
    return `${kind} ${name}: ${one.name} becomes ${one.newName ?? one.name}${type}`
  })
  return newName === undefined ? changes : [`${kind} ${name} becomes ${newName}`, ...changes]
}

/** In the order in which they are applied. */
export function* stepTexts(change: SchemaChange): Generator<string> {
  for (const graph of change.graphs) {
    yield* listed('DROP EDGE', graph.dropEdgeTypes, ` FROM GRAPH ${graph.graphName}`)
    yield* listed('DROP VERTEX', graph.dropVertexTypes, ` FROM GRAPH ${graph.graphName}`)
  }
  yield* listed('DROP EDGE', change.dropEdgeTypes)
  yield* listed('DROP VERTEX', change.dropVertexTypes)
  for (const type of change.addVertexTypes) {
    yield `ADD ${vertexText(type)}`
    for (const vector of type.EmbeddingAttributes ?? []) yield vectorStep(type.Name, vector)
  }
  for (const one of change.alterVertexTypes) yield* vertexSteps(one)
  for (const type of change.addEdgeTypes) yield `ADD ${edgeText(type)}`
  for (const one of change.alterEdgeTypes) {
    const { name, addAttributes, dropAttributes, addEdgePairs, ...more } = one
    const head = `ALTER EDGE ${name}`
    yield* listed(`${head} DROP ATTRIBUTE (`, dropAttributes, ')')
    yield* listed(`${head} ADD ATTRIBUTE (`, addAttributes?.map(attributeText), ')')
    if (addEdgePairs !== undefined) yield `${head} ADD PAIR (${pairsText(addEdgePairs)})`
    yield* descriptionSteps(head, more)
  }
  for (const graph of change.graphs) {
    yield* listed('ADD VERTEX', graph.addVertexTypes, ` TO GRAPH ${graph.graphName}`)
    yield* listed('ADD EDGE', graph.addEdgeTypes, ` TO GRAPH ${graph.graphName}`)
  }
}

function* vertexSteps(one: SchemaChange['alterVertexTypes'][number]): Generator<string> {
  const head = `ALTER VERTEX ${one.name}`
  yield* listed(`${head} DROP ATTRIBUTE (`, one.dropAttributes, ')')
  for (const index of one.dropIndexAttributes ?? []) yield `${head} DROP INDEX ${index}`
  for (const vector of one.dropEmbeddingAttributes ?? []) {
    yield `${head} DROP VECTOR ATTRIBUTE ${vector}`
  }
  yield* listed(`${head} ADD ATTRIBUTE (`, one.addAttributes?.map(attributeText), ')')
  for (const { indexName, attributeName } of one.addIndexAttributes ?? []) {
    yield `${head} ADD INDEX ${indexName} ON (${attributeName})`
  }
  for (const vector of one.addEmbeddingAttributes ?? []) yield vectorStep(one.name, vector)
  yield* descriptionSteps(head, one)
}

function* descriptionSteps(
  head: string,
  {
    description,
    describeAttributes = [],
  }: Pick<EdgeAlteration, 'description' | 'describeAttributes'>,
): Generator<string> {
  for (const one of describeAttributes) {
    yield `${head} SET ATTRIBUTE ${one.name} DESCRIPTION ${JSON.stringify(one.description)}`
  }
  if (description !== undefined) yield `${head} SET DESCRIPTION ${JSON.stringify(description)}`
}

/** Nothing where there are no names. */
function* listed(head: string, names: readonly string[] | undefined, tail = ''): Generator<string> {
  if (names === undefined || names.length === 0) return
  yield `${head}${head.endsWith('(') ? '' : ' '}${names.join(', ')}${tail}`
}

function vertexText(type: VertexTypeJson): string {
  const { Name, PrimaryId, Attributes, Config } = type
  const key = compositeKey(type)
  const isPlain = key.length === 0 && !Attributes.some((one) => one.IsPrimaryKey === true)
  const id = `PRIMARY_ID ${attributeText(PrimaryId)}`
  const members = Attributes.map((one) => {
    const isKey = key.length === 0 && one.IsPrimaryKey === true
    return isKey ? `${attributeText(one)} PRIMARY KEY` : attributeText(one)
  })
  if (isPlain) members.unshift(id)
  if (key.length > 0) members.push(`PRIMARY KEY (${key.join(', ')})`)
  const config = { ...Config, ...(PrimaryId.PrimaryIdAsAttribute && isPlain && asAttribute) }
  return `VERTEX ${Name} (${members.join(', ')})${optionsText(config, type)}`
}

/** Its members in the order in which the id joins them; none where the id is no composite one. */
function compositeKey({ PrimaryId, Attributes }: VertexTypeJson): readonly string[] {
  const named = PrimaryId.AttributeName.split(',').map((name) => name.trim())
  if (named.length > 1) return named
  const flagged = Attributes.filter((one) => one.IsPartOfCompositeKey === true)
  return flagged.map((one) => one.AttributeName)
}

const asAttribute = { PRIMARY_ID_AS_ATTRIBUTE: 'true' }

function edgeText(type: EdgeTypeJson): string {
  const order = type.CompositeDiscriminator ?? []
  const isDiscriminator = (one: AttributeJson) =>
    one.IsDiscriminator === true || order.includes(one.AttributeName)
  const place = (one: AttributeJson) => order.indexOf(one.AttributeName)
  const discriminator = type.Attributes.filter(isDiscriminator)
    .toSorted((one, other) => place(one) - place(other))
    .map(attributeText)
  const pairs = type.EdgePairs ?? [{ From: type.FromVertexTypeName, To: type.ToVertexTypeName }]
  const members = [
    pairsText(pairs),
    ...(discriminator.length === 0 ? [] : [`DISCRIMINATOR (${discriminator.join(', ')})`]),
    ...type.Attributes.filter((one) => !isDiscriminator(one)).map(attributeText),
  ]
  const direction = type.IsDirected ? 'DIRECTED' : 'UNDIRECTED'
  return `${direction} EDGE ${type.Name} (${members.join(', ')})${optionsText(type.Config, type)}`
}

function pairsText(pairs: readonly EdgePairJson[]): string {
  return pairs.map(({ From, To }) => `FROM ${From}, TO ${To}`).join(' | ')
}

function attributeText(attribute: AttributeJson): string {
  const { AttributeName, AttributeType, DefaultValue } = attribute
  const standard = DefaultValue === undefined ? '' : ` DEFAULT ${JSON.stringify(DefaultValue)}`
  return `${AttributeName} ${typeText(AttributeType)}${standard}${descriptionText(attribute)}`
}

function descriptionText({ Description }: DescribedJson): string {
  return Description === undefined ? '' : ` DESCRIPTION ${JSON.stringify(Description)}`
}

interface DescribedJson {
  readonly Description?: string | undefined
}

/** The forms of docs/reference/rest.md; texts of GSQL stand in `Name` as they are. */
function typeText({
  Name,
  KeyTypeName,
  ValueTypeName,
  FixedBinaryLength,
}: AttributeTypeJson): string {
  if (FixedBinaryLength !== undefined) return `${Name}(${FixedBinaryLength})`
  if (ValueTypeName === undefined) return Name
  if (Name === 'UDT') return ValueTypeName
  return `${Name}<${KeyTypeName === undefined ? '' : `${KeyTypeName}, `}${ValueTypeName}>`
}

function vectorStep(type: string, vector: VectorJson) {
  const { Name, Dimension, Metric, IndexType, DataType, Description } = vector
  const options = { METRIC: Metric, INDEXTYPE: IndexType, DATATYPE: DataType }
  const written = Object.entries(options).filter(([, value]) => value !== undefined)
  const texts = [`DIMENSION=${Dimension}`, ...written.map(([key, value]) => `${key}="${value}"`)]
  if (Description !== undefined) texts.push(`DESCRIPTION=${JSON.stringify(Description)}`)
  return `ALTER VERTEX ${type} ADD VECTOR ATTRIBUTE ${Name} (${texts.join(', ')})`
}

function optionsText(
  config: Readonly<Record<string, string | boolean>>,
  { Description }: DescribedJson,
): string {
  const options = Object.entries(config).map(([key, value]) => `${key}="${value}"`)
  if (Description !== undefined) options.push(`DESCRIPTION=${JSON.stringify(Description)}`)
  return options.length === 0 ? '' : ` WITH ${options.join(', ')}`
}

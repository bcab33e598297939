/** A schema as texts to take elsewhere: JSON that can be pasted again, GSQL that makes it, Markdown to read. */
import type {
  AttributeModel,
  Described,
  EdgeModel,
  PrimaryIdModel,
  SchemaModel,
  TypeModel,
  VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { edgeJson, type VertexTypeJson, vertexJson } from '#lib/graph-schema/wire-form.ts'
import { publishedName, publishedTypeOf, renamesBeside } from './published.ts'

/** The form of a graph's listing, which Paste JSON takes. */
export function schemaJson({ vertices, edges }: SchemaModel): string {
  const types = { VertexTypes: vertices.map(indexedJson), EdgeTypes: edges.map(edgeJson) }
  return `${JSON.stringify(types, null, 2)}\n`
}

function indexedJson(vertex: VertexModel): VertexTypeJson {
  const names = new Map(vertex.indexes.map(({ attribute, name }) => [attribute, name]))
  const json = vertexJson(vertex)
  return {
    ...json,
    Attributes: json.Attributes.map((attribute) => {
      const IndexName = names.get(attribute.AttributeName)
      return IndexName === undefined ? attribute : { ...attribute, HasIndex: true, IndexName }
    }),
  }
}

/** A script that makes the graph with all of its types, as types of its own and without data. */
export function schemaGsql(graph: string, { vertices, edges }: SchemaModel): string {
  const migrations = [...vertices, ...edges].flatMap(migrationsOf)
  const steps = [
    ...vertices.map((vertex) => `ADD ${vertexGsql(vertex)}`),
    ...edges.map((edge) => `ADD ${edgeGsql(edge)}`),
    ...vertices.flatMap(({ name, indexes }) =>
      indexes.map(
        (index) => `ALTER VERTEX ${name} ADD INDEX ${index.name} ON (${index.attribute})`,
      ),
    ),
    ...vertices.flatMap(({ name, vectors = [] }) =>
      vectors.map(
        (vector) =>
          `ALTER VERTEX ${name} ADD VECTOR ATTRIBUTE ${vector.name} ` +
          `(${[`DIMENSION=${vector.dimension}`, `METRIC="${vector.metric}"`, ...saidOption(vector)].join(', ')})`,
      ),
    ),
  ]
  const job = `make_${graph}`
  return [
    ...(migrations.length === 0
      ? []
      : [
          '// GSQL has no rename and no change of a type. This makes a new graph and moves no data:',
          ...migrations.map((one) => `//   ${one}`),
        ]),
    `CREATE GRAPH ${graph} ()`,
    `USE GRAPH ${graph}`,
    ...(steps.length === 0
      ? []
      : [
          `CREATE SCHEMA_CHANGE JOB ${job} FOR GRAPH ${graph} {`,
          ...steps.map((step) => `  ${step};`),
          '}',
          `RUN SCHEMA_CHANGE JOB ${job}`,
          `DROP JOB ${job}`,
        ]),
    '',
  ].join('\n')
}

/** What the draft renames or widens of a type: `Person → Human`, `Human.age UINT → years DOUBLE`. */
function migrationsOf(type: TypeModel): readonly string[] {
  const { name, publishedAs, attributes } = type
  const reverse = type.kind === 'edge' ? type.publishedReverse : undefined
  return [
    ...(publishedAs === undefined ? [] : [`${publishedAs} → ${name}`]),
    ...(reverse === undefined ? [] : [`${reverse} → ${(type as EdgeModel).reverseName}`]),
    ...renamesBeside(type).map(([was, now]) => `${name}.${was} → ${now}`),
    ...attributes
      .filter((one) => one.publishedAs ?? one.publishedType)
      .map((one) => {
        const was = `${publishedName(one)} ${publishedTypeOf(one)}`
        return `${name}.${was} → ${one.name} ${one.type}`
      }),
  ]
}

function vertexGsql(vertex: VertexModel): string {
  const { name, primaryId, stats, attributes } = vertex
  const { syntax, names, type } = primaryId
  const own = attributes.map(attributeGsql)
  const members = {
    PRIMARY_ID: [`PRIMARY_ID ${names[0]} ${type}${saidGsql(primaryId)}`, ...own],
    PRIMARY_KEY: [`${names[0]} ${type} PRIMARY KEY${saidGsql(primaryId)}`, ...own],
    COMPOSITE: [...own, `PRIMARY KEY (${names.join(', ')})`],
  }[syntax]
  const options = [
    ...(stats === 'NONE' ? ['STATS="none"'] : []),
    ...(syntax === 'PRIMARY_ID' && primaryId.asAttribute ? ['PRIMARY_ID_AS_ATTRIBUTE="true"'] : []),
    ...saidOption(vertex),
  ]
  return `VERTEX ${name} (${members.join(', ')})${withOptions(options)}`
}

function edgeGsql(edge: EdgeModel): string {
  const texts = edge.attributes.map(attributeGsql)
  const discriminators = texts.slice(0, edge.discriminatorCount)
  const members = [
    edge.pairs.map(({ from, to }) => `FROM ${from}, TO ${to}`).join(' | '),
    ...(discriminators.length === 0 ? [] : [`DISCRIMINATOR (${discriminators.join(', ')})`]),
    ...texts.slice(edge.discriminatorCount),
  ]
  const { directed, name, reverseName } = edge
  const options = [
    ...(reverseName === null ? [] : [`REVERSE_EDGE="${reverseName}"`]),
    ...saidOption(edge),
  ]
  const kind = directed ? 'DIRECTED' : 'UNDIRECTED'
  return `${kind} EDGE ${name} (${members.join(', ')})${withOptions(options)}`
}

const withOptions = (options: readonly string[]): string =>
  options.length === 0 ? '' : ` WITH ${options.join(', ')}`

function attributeGsql(attribute: AttributeModel): string {
  const { name, type, defaultText } = attribute
  const standard = defaultText === null ? '' : ` DEFAULT ${defaultGsql(type, defaultText)}`
  return `${name} ${type}${standard}${saidGsql(attribute)}`
}

const saidGsql = ({ description }: Described): string =>
  description === undefined ? '' : ` DESCRIPTION ${JSON.stringify(description)}`

const saidOption = ({ description }: Described): readonly string[] =>
  description === undefined ? [] : [`DESCRIPTION=${JSON.stringify(description)}`]

const bare = new Set(['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL'])

const defaultGsql = (type: string, text: string): string =>
  bare.has(type) ? text.trim() : JSON.stringify(text)

/** A dictionary of the types and their attributes. */
export function schemaMarkdown(graph: string, { vertices, edges }: SchemaModel): string {
  const parts = [
    `# Schema of ${graph}`,
    ...(vertices.length === 0 ? [] : ['## Vertex types']),
    ...vertices.flatMap((vertex) => [
      `### ${vertex.name}`,
      ...said(vertex),
      ...was(vertex),
      idSentence(vertex.primaryId),
      ...attributeTable(vertex.attributes, indexNotes(vertex)),
      ...vectorList(vertex),
    ]),
    ...(edges.length === 0 ? [] : ['## Edge types']),
    ...edges.flatMap((edge) => [
      `### ${edge.name}`,
      ...said(edge),
      ...was(edge),
      edgeSentence(edge),
      ...attributeTable(edge.attributes, discriminatorNotes(edge)),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

const said = ({ description }: Described): readonly string[] =>
  description === undefined ? [] : [description]

/** In a draft: what is renamed or widened, and not yet published so. */
const was = (type: TypeModel): readonly string[] => {
  const migrations = migrationsOf(type)
  return migrations.length === 0 ? [] : [`Not published yet: ${migrations.map(code).join(', ')}`]
}

function idSentence({ names, type, description }: PrimaryIdModel): string {
  const id = `Id: ${names.map(code).join(', ')} (${type})`
  return description === undefined ? id : `${id}: ${inLine(description)}`
}

function edgeSentence({ directed, pairs, reverseName }: EdgeModel): string {
  const arrow = directed ? '→' : '–'
  const ends = pairs.map(({ from, to }) => `${from} ${arrow} ${to}`).join(', ')
  const kind = directed ? 'Directed' : 'Undirected'
  return `${kind}: ${ends}${reverseName === null ? '' : `; backwards as ${code(reverseName)}`}`
}

function attributeTable(
  attributes: readonly AttributeModel[],
  notes: ReadonlyMap<string, string>,
): readonly string[] {
  if (attributes.length === 0) return []
  const rows = attributes.map(({ name, type, defaultText, description }) => {
    const shown = defaultText === null ? '' : code(defaultText)
    const remarks = [notes.get(name) ?? [], description === undefined ? [] : inLine(description)]
    return `| ${[code(name), code(type), shown, remarks.flat().join('; ')].join(' | ')} |`
  })
  return [['| Attribute | Type | Default | |', '|---|---|---|---|', ...rows].join('\n')]
}

const indexNotes = ({ indexes }: VertexModel): ReadonlyMap<string, string> =>
  new Map(indexes.map(({ attribute, name }) => [attribute, `index ${code(name)}`]))

const discriminatorNotes = (edge: EdgeModel): ReadonlyMap<string, string> =>
  new Map(
    edge.attributes
      .slice(0, edge.discriminatorCount)
      .map(({ name }) => [name, 'tells parallel edges apart']),
  )

const vectorList = ({ vectors = [] }: VertexModel): readonly string[] =>
  vectors.length === 0
    ? []
    : [
        vectors
          .map((one) => {
            const fact = `- ${code(one.name)}: vector of ${one.dimension} numbers, ${one.metric}`
            return [fact, ...said(one).map(inLine)].join('; ')
          })
          .join('\n'),
      ]

/** In a cell of a table, or behind other words. */
const inLine = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** What would end a cell or the code is kept from doing so. */
const code = (text: string): string => `\`${inLine(text.replaceAll('`', "'"))}\``

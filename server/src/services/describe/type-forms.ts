/** Declarations of GSQL as the JSON forms that the catalogue takes. */
import type { AttributeJson } from '#catalog/attributes.ts'
import type { EdgeAlteration, EdgeTypeJson } from '#catalog/edge-types.ts'
import type { TypeNames } from '#catalog/graphs.ts'
import { schemaError } from '#catalog/rule.ts'
import type { SchemaChange } from '#catalog/schema-change.ts'
import type { VectorJson } from '#catalog/vectors.ts'
import type { VertexTypeJson } from '#catalog/vertex-types.ts'
import type {
  AttributeDeclaration,
  Command,
  EdgeDeclaration,
  ElementKind,
  Options,
  SchemaStep,
  TupleDeclaration,
  VertexDeclaration,
} from '#query/syntax/script/ast-script.ts'
import { scriptCommands } from '#query/syntax/script/script.ts'
import { checkCommandSize } from '../jobs/command-size.ts'
import { syntaxError } from '../jobs/syntax-error.ts'
import type { NewTuple } from '../schema/tuple-service.ts'

export function vertexForm(vertex: VertexDeclaration): VertexTypeJson {
  const { name, primaryId, key, options } = vertex
  const keyed = vertex.attributes.find(({ isPrimaryKey }) => isPrimaryKey)
  const Attributes = vertex.attributes.map((attribute) => ({
    ...attributeForm(attribute),
    ...(attribute.isPrimaryKey && { IsPrimaryKey: true }),
    ...(key.includes(attribute.name) && { IsPartOfCompositeKey: true }),
  }))
  const id = primaryId ?? keyed
  if (id === undefined && key.length === 0) {
    throw schemaError(`The vertex ${name} needs a PRIMARY_ID or a PRIMARY KEY.`)
  }
  const member = vertex.attributes.find((attribute) => attribute.name === key[0])
  return {
    Name: name,
    PrimaryId: {
      AttributeName: id?.name ?? key.join(','),
      AttributeType: { Name: id?.type ?? member?.type ?? 'STRING' },
      ...(keyed !== undefined && { IsPrimaryKey: true }),
      ...(primaryId !== null && described(primaryId.description)),
    },
    Attributes,
    Config: Object.fromEntries(options),
    ...described(options.get('DESCRIPTION')),
  }
}

function described(text: string | undefined): { readonly Description?: string } {
  return text === undefined ? {} : { Description: text }
}

function attributeForm(declared: AttributeDeclaration): AttributeJson {
  const { name, type, defaultText, description } = declared
  return {
    AttributeName: name,
    AttributeType: { Name: type },
    ...(defaultText !== null && { DefaultValue: defaultText }),
    ...described(description),
  }
}

export function edgeForm(edge: EdgeDeclaration): EdgeTypeJson {
  const discriminator = edge.discriminator.map((attribute) => attribute.name)
  return {
    Name: edge.name,
    IsDirected: edge.directed,
    FromVertexTypeName: '*',
    ToVertexTypeName: '*',
    EdgePairs: edge.pairs.map(({ from, to }) => ({ From: from, To: to })),
    CompositeDiscriminator: discriminator,
    Attributes: [
      ...edge.discriminator.map((one) => ({ ...attributeForm(one), IsDiscriminator: true })),
      ...edge.attributes.map(attributeForm),
    ],
    Config: reverseConfig(edge.name, edge.options),
    ...described(edge.options.get('DESCRIPTION')),
  }
}

/** Some clients name no reverse edge: `WITH REVERSE_EDGE=""`. */
function reverseConfig(name: string, options: Options): Record<string, string> {
  const reverse = options.get('REVERSE_EDGE')
  return reverse === undefined ? {} : { REVERSE_EDGE: reverse || `reverse_${name}` }
}

export function tupleForm({ name, fields }: TupleDeclaration): NewTuple {
  return { Name: name, TupleElements: fields }
}

/** The names of a CREATE GRAPH are told apart by what they are. */
export function graphTypes(names: readonly string[], isEdge: (name: string) => boolean): TypeNames {
  if (names.includes('*')) return { vertices: ['*'], edges: ['*'] }
  return { vertices: names.filter((name) => !isEdge(name)), edges: names.filter(isEdge) }
}

/** A whole job in one change, as docs/reference/rest.md orders its parts. */
export function changeForm(steps: readonly SchemaStep[]): SchemaChange {
  const change: MutableChange = {
    addVertexTypes: [],
    addEdgeTypes: [],
    alterVertexTypes: [],
    alterEdgeTypes: [],
    dropVertexTypes: [],
    dropEdgeTypes: [],
    graphs: [],
  }
  for (const step of steps) addStep(change, step)
  return change
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
type MutableChange = Mutable<SchemaChange>

function addStep(change: MutableChange, step: SchemaStep): void {
  switch (step.kind) {
    case 'addVertex':
      change.addVertexTypes.push(vertexForm(step.vertex))
      return
    case 'addEdge':
      change.addEdgeTypes.push(edgeForm(step.edge))
      return
    case 'membership':
      change.graphs.push(membershipOf(step))
      return
    case 'dropTypes':
      addDrop(change, step)
      return
    case 'addPairs': {
      const addEdgePairs = step.pairs.map(({ from, to }) => ({ From: from, To: to }))
      const addAttributes = step.attributes.map(attributeForm)
      const more = addAttributes.length === 0 ? {} : { addAttributes }
      change.alterEdgeTypes.push({ name: step.name, addEdgePairs, ...more })
      return
    }
    default:
      addAlteration(change, step)
  }
}

function membershipOf({
  graph,
  adds,
  element,
  names,
}: Extract<SchemaStep, { kind: 'membership' }>) {
  const of = (wanted: boolean, kind: 'VERTEX' | 'EDGE') =>
    adds === wanted && element === kind ? names : []
  return {
    graphName: graph,
    addVertexTypes: of(true, 'VERTEX'),
    addEdgeTypes: of(true, 'EDGE'),
    dropVertexTypes: of(false, 'VERTEX'),
    dropEdgeTypes: of(false, 'EDGE'),
  }
}

function addDrop(
  change: MutableChange,
  { element, names }: Extract<SchemaStep, { kind: 'dropTypes' }>,
): void {
  if (element === 'TUPLE') throw schemaError('DROP TUPLE stands outside of jobs.')
  if (element === 'VERTEX') change.dropVertexTypes.push(...names)
  else change.dropEdgeTypes.push(...names)
}

type Alteration = Extract<
  SchemaStep,
  {
    kind:
      | 'addAttributes'
      | 'dropAttributes'
      | 'addIndex'
      | 'dropIndex'
      | 'addVector'
      | 'dropVector'
      | 'describe'
  }
>

function addAlteration(change: MutableChange, step: Alteration): void {
  const { name } = step
  switch (step.kind) {
    case 'addIndex': {
      const index = { indexName: step.index, attributeName: step.attribute }
      change.alterVertexTypes.push({ name, addIndexAttributes: [index] })
      return
    }
    case 'dropIndex':
      change.alterVertexTypes.push({ name, dropIndexAttributes: [step.index] })
      return
    case 'addVector':
      change.alterVertexTypes.push({ name, addEmbeddingAttributes: [vectorForm(step)] })
      return
    case 'dropVector':
      change.alterVertexTypes.push({ name, dropEmbeddingAttributes: [step.vector] })
      return
    default: {
      const alteration = { name, ...attributeAlteration(step) }
      if (step.element === 'VERTEX') change.alterVertexTypes.push(alteration)
      else change.alterEdgeTypes.push(alteration)
    }
  }
}

/** What vertex and edge types have in common. */
function attributeAlteration(
  step: Extract<Alteration, { readonly element: ElementKind }>,
): EdgeAlteration {
  switch (step.kind) {
    case 'addAttributes':
      return { addAttributes: step.attributes.map(attributeForm) }
    case 'dropAttributes':
      return { dropAttributes: step.attributes }
    default: {
      const { attribute, text } = step
      if (attribute === null) return { description: text }
      return { describeAttributes: [{ name: attribute, description: text }] }
    }
  }
}

const vectorOptions = ['DIMENSION', 'METRIC', 'INDEXTYPE', 'DATATYPE', 'DESCRIPTION']

function vectorForm({ vector, options }: Extract<SchemaStep, { kind: 'addVector' }>): VectorJson {
  for (const name of options.keys()) {
    if (vectorOptions.includes(name)) continue
    throw schemaError(`A vector attribute has ${vectorOptions.join(', ')}, not ${name}.`)
  }
  return {
    Name: vector,
    Dimension: Number(options.get('DIMENSION') ?? Number.NaN),
    Metric: options.get('METRIC'),
    IndexType: options.get('INDEXTYPE'),
    DataType: options.get('DATATYPE'),
    ...described(options.get('DESCRIPTION')),
  }
}

/**
 * The definitions of a body with `gsql` texts, all of the wanted kind.
 * @throws DbError INVALID_PARAMETER for text that is no such definition
 */
export function definitionsOf<K extends Command['kind']>(
  texts: readonly string[],
  kind: K,
): readonly Extract<Command, { kind: K }>[] {
  checkCommandSize(texts)
  return texts.flatMap((text) =>
    [...scriptCommands(text)].flatMap((item) => {
      if (item.kind === 'problem') throw syntaxError(item.problem)
      const { command } = item
      if (['noise', 'begin', 'end'].includes(command.kind)) return []
      if (command.kind === kind) return [command as Extract<Command, { kind: K }>]
      throw schemaError(`The text holds another statement than expected: ${text.slice(0, 60)}`)
    }),
  )
}

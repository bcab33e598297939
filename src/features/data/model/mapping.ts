/** Which column feeds which part of a type, guessed from names and changed by hand. */
import {
  type EdgeModel,
  type EdgePairModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'

interface AttributeColumn {
  readonly attribute: string
  /** Canonical type text. */
  readonly type: string
  /** Place of the column in a record; null: not loaded. */
  readonly column: number | null
  /** A discriminator must be there in every row. */
  readonly required: boolean
}

export interface VertexMapping {
  readonly kind: 'vertex'
  readonly typeName: string
  readonly idType: string
  readonly idColumn: number | null
  readonly attributes: readonly AttributeColumn[]
}

export interface EdgeMapping {
  readonly kind: 'edge'
  readonly typeName: string
  readonly pair: EdgePairModel
  readonly sourceIdType: string
  readonly targetIdType: string
  readonly sourceColumn: number | null
  readonly targetColumn: number | null
  readonly attributes: readonly AttributeColumn[]
}

export type Mapping = VertexMapping | EdgeMapping

/** The mapping a type would have if columns mean what their names say. */
export function guessMapping(
  schema: SchemaModel,
  type: TypeModel,
  columns: readonly string[],
  pair?: EdgePairModel,
): Mapping {
  const attributes = (taken: ReadonlySet<number>): readonly AttributeColumn[] =>
    type.attributes.map(({ name, type: attributeType }, place) => ({
      attribute: name,
      type: attributeType,
      column: matchColumn(columns, [name], taken),
      required: type.kind === 'edge' && place < type.discriminatorCount,
    }))
  if (type.kind === 'vertex') {
    const idNames = [...type.primaryId.names, `${type.name}_id`, `${type.name}id`, 'id', type.name]
    const idColumn = matchColumn(columns, idNames, new Set()) ?? (columns.length > 0 ? 0 : null)
    const taken = new Set<number>()
    const { name: typeName, primaryId } = type
    const mapped = attributes(taken)
    return { kind: 'vertex', typeName, idType: primaryId.type, idColumn, attributes: mapped }
  }
  return guessEdgeMapping(schema, type, { columns, attributes, pair: pair ?? type.pairs[0] })
}

interface EdgeGuess {
  readonly columns: readonly string[]
  readonly attributes: (taken: ReadonlySet<number>) => readonly AttributeColumn[]
  readonly pair: EdgePairModel | undefined
}

function guessEdgeMapping(schema: SchemaModel, type: EdgeModel, guess: EdgeGuess): EdgeMapping {
  const { columns } = guess
  const pair = guess.pair ?? { from: '', to: '' }
  const sourceNames = [
    'from',
    'source',
    'src',
    'from_id',
    'source_id',
    pair.from,
    `${pair.from}_id`,
  ]
  const targetNames = ['to', 'target', 'dst', 'to_id', 'target_id', pair.to, `${pair.to}_id`]
  const sourceColumn = matchColumn(columns, sourceNames, new Set()) ?? 0
  const taken = new Set([sourceColumn])
  const fallback = columns.findIndex((_, place) => !taken.has(place))
  const targetColumn = matchColumn(columns, targetNames, taken) ?? (fallback < 0 ? null : fallback)
  if (targetColumn !== null) taken.add(targetColumn)
  return {
    kind: 'edge',
    typeName: type.name,
    pair,
    sourceIdType: idTypeOf(schema, pair.from),
    targetIdType: idTypeOf(schema, pair.to),
    sourceColumn: columns.length > 0 ? sourceColumn : null,
    targetColumn,
    attributes: guess.attributes(taken),
  }
}

/** The type whose name and attributes fit the file best. */
export function guessType(
  schema: SchemaModel,
  fileName: string,
  columns: readonly string[],
): TypeModel | undefined {
  const stem = plain(fileName.replace(/\.[^.]*$/, ''))
  const score = (type: TypeModel): number => {
    const name = plain(type.name)
    const named = stem === name || stem === `${name}s` ? 100 : stem.includes(name) ? 10 : 0
    const matched = type.attributes.filter(
      (attribute) => matchColumn(columns, [attribute.name], new Set()) !== null,
    ).length
    return named + matched
  }
  const types: readonly TypeModel[] = [...schema.vertices, ...schema.edges]
  return types.toSorted((a, b) => score(b) - score(a))[0]
}

/** Null when every part that must have a column has one. */
export function mappingProblem(schema: SchemaModel, mapping: Mapping): string | null {
  if (findType(schema, mapping.typeName) === undefined) return 'Choose a type.'
  if (mapping.kind === 'vertex' && mapping.idColumn === null) return 'Choose the column of the id.'
  if (mapping.kind === 'edge') {
    if (mapping.sourceColumn === null) return 'Choose the column of the source id.'
    if (mapping.targetColumn === null) return 'Choose the column of the target id.'
  }
  const missing = mapping.attributes.find(({ required, column }) => required && column === null)
  return missing === undefined ? null : `${missing.attribute} tells edges apart: choose its column.`
}

/** The first column called like one of the names: exactly, else without case and signs. */
function matchColumn(
  columns: readonly string[],
  names: readonly string[],
  taken: ReadonlySet<number>,
): number | null {
  for (const same of [(a: string) => a, plain]) {
    for (const name of names) {
      const place = columns.findIndex(
        (column, at) => !taken.has(at) && same(column) === same(name) && same(name) !== '',
      )
      if (place >= 0) return place
    }
  }
  return null
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function idTypeOf(schema: SchemaModel, vertexName: string): string {
  return schema.vertices.find(({ name }) => name === vertexName)?.primaryId.type ?? 'STRING'
}

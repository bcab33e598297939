/** Which column feeds which part of a type, guessed from names and changed by hand. */
import {
  type EdgeModel,
  type EdgePairModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { type IdMember, idMembers, idMembersOf, isKeyMember } from './id-parts.ts'

/** One text of an id and the column that holds it. */
export interface IdColumn extends IdMember {
  readonly column: number | null
}

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
  readonly id: readonly IdColumn[]
  readonly attributes: readonly AttributeColumn[]
}

export interface EdgeMapping {
  readonly kind: 'edge'
  readonly typeName: string
  readonly pair: EdgePairModel
  readonly source: readonly IdColumn[]
  readonly target: readonly IdColumn[]
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
    type.attributes.flatMap(({ name, type: attributeType }, place) =>
      isKeyMember(type, name)
        ? []
        : [
            {
              attribute: name,
              type: attributeType,
              column: matchColumn(columns, [name], taken),
              required: type.kind === 'edge' && place < type.discriminatorCount,
            },
          ],
    )
  if (type.kind === 'vertex') {
    const names = [...type.primaryId.names, `${type.name}_id`, `${type.name}id`, 'id', type.name]
    const id = idColumns(idMembers(type), columns, { names, prefixes: [''], taken: new Set() })
    return { kind: 'vertex', typeName: type.name, id, attributes: attributes(new Set()) }
  }
  return guessEdgeMapping(schema, type, { columns, attributes, pair: pair ?? type.pairs[0] })
}

interface IdGuess {
  /** What the column of an id of one text may be called. */
  readonly names: readonly string[]
  /** What may stand before the name of a member of a composite key. */
  readonly prefixes: readonly string[]
  readonly taken: ReadonlySet<number>
}

/** An id of one text takes the first free column when none has its name. */
function idColumns(
  members: readonly IdMember[],
  columns: readonly string[],
  { names, prefixes, taken }: IdGuess,
): readonly IdColumn[] {
  const free = columns.findIndex((_, place) => !taken.has(place))
  return members.map((member) => {
    const column =
      members.length === 1
        ? (matchColumn(columns, names, taken) ?? (free < 0 ? null : free))
        : matchColumn(
            columns,
            prefixes.map((prefix) => prefix + member.name),
            taken,
          )
    return { ...member, column }
  })
}

interface EdgeGuess {
  readonly columns: readonly string[]
  readonly attributes: (taken: ReadonlySet<number>) => readonly AttributeColumn[]
  readonly pair: EdgePairModel | undefined
}

function guessEdgeMapping(schema: SchemaModel, type: EdgeModel, guess: EdgeGuess): EdgeMapping {
  const { columns } = guess
  const pair = guess.pair ?? { from: '', to: '' }
  const end = (vertexName: string, words: readonly string[], taken: ReadonlySet<number>) =>
    idColumns(idMembersOf(schema, vertexName), columns, {
      names: [
        ...words,
        ...words.map((word) => `${word}_id`),
        ...(taken.size === 0 || pair.from !== pair.to ? [vertexName, `${vertexName}_id`] : []),
      ],
      prefixes: [...words, vertexName].map((word) => `${word}_`),
      taken,
    })
  const source = end(pair.from, ['from', 'source', 'src'], new Set())
  const takenBySource = new Set(source.flatMap(({ column }) => column ?? []))
  const target = end(pair.to, ['to', 'target', 'dst'], takenBySource)
  const taken = new Set([...takenBySource, ...target.flatMap(({ column }) => column ?? [])])
  return {
    kind: 'edge',
    typeName: type.name,
    pair,
    source,
    target,
    attributes: guess.attributes(taken),
  }
}

/**
 * The mapping that a page before made of the columns; null where the schema is another one.
 * @param targets the id or attribute that each column feeds; null: none
 */
export function handedMapping(
  schema: SchemaModel,
  {
    typeName,
    targets,
  }: { readonly typeName: string; readonly targets: readonly (string | null)[] },
): Mapping | null {
  const type = findType(schema, typeName)
  if (type?.kind !== 'vertex') return null
  const [name = ''] = type.primaryId.names
  const isKnown = (target: string | null) =>
    target === null || target === name || type.attributes.some((one) => one.name === target)
  if (!targets.every(isKnown) || !targets.includes(name)) return null
  const columnOf = (wanted: string) => {
    const place = targets.indexOf(wanted)
    return place < 0 ? null : place
  }
  const mapping = guessMapping(schema, type, [])
  if (mapping.kind !== 'vertex') return null
  return {
    ...mapping,
    id: mapping.id.map((member) => ({ ...member, column: columnOf(name) })),
    attributes: mapping.attributes.map((one) => ({ ...one, column: columnOf(one.attribute) })),
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

/** The columns that feed something, each as often as it does. */
export function columnsOf(mapping: Mapping): readonly number[] {
  const ids: readonly IdColumn[] =
    mapping.kind === 'vertex' ? mapping.id : [...mapping.source, ...mapping.target]
  return [...ids, ...mapping.attributes].flatMap(({ column }) => column ?? [])
}

/** Null when every part that must have a column has one. */
export function mappingProblem(schema: SchemaModel, mapping: Mapping): string | null {
  if (findType(schema, mapping.typeName) === undefined) return 'Choose a type.'
  if (mapping.kind === 'vertex') {
    if (!isWhole(mapping.id)) return 'Choose the column of the id.'
  } else {
    if (!isWhole(mapping.source)) return 'Choose the column of the source id.'
    if (!isWhole(mapping.target)) return 'Choose the column of the target id.'
  }
  const missing = mapping.attributes.find(({ required, column }) => required && column === null)
  return missing === undefined ? null : `${missing.attribute} tells edges apart: choose its column.`
}

function isWhole(id: readonly IdColumn[]): boolean {
  return id.every(({ column }) => column !== null)
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

/** Secondary indexes as rows of a table, and which attributes may still get one. */
import { isIndexable } from '#lib/graph-schema/attribute-type.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'

export interface IndexRow {
  readonly name: string
  readonly vertexType: string
  readonly attribute: string
  /** Canonical type text of the attribute; empty when the schema is not read yet. */
  readonly attributeType: string
}

/** Types may each have an index of the same name. */
export const rowKey = ({ vertexType, name }: Pick<IndexRow, 'vertexType' | 'name'>): string =>
  `${vertexType} ${name}`

/** The listing of docs/reference/rest.md: one object per vertex type, keyed by its name. */
export type IndexListing = readonly Readonly<
  Record<string, readonly { readonly index: string; readonly attribute: string }[]>
>[]

export function indexRows(listing: IndexListing, schema: SchemaModel | undefined): IndexRow[] {
  return listing.flatMap((types) =>
    Object.entries(types).flatMap(([vertexType, indexes]) =>
      indexes.map(({ index, attribute }) => ({
        name: index,
        vertexType,
        attribute,
        attributeType: typeOf(schema, vertexType, attribute),
      })),
    ),
  )
}

export interface IndexChoice {
  readonly vertexType: string
  readonly attributes: readonly { readonly name: string; readonly type: string }[]
}

/** Vertex types with at least one attribute that can be indexed and is not. */
export function indexChoices(schema: SchemaModel, rows: readonly IndexRow[]): IndexChoice[] {
  return schema.vertices
    .map(({ name, attributes }) => ({
      vertexType: name,
      attributes: attributes.filter(
        (attribute) =>
          isIndexable(attribute.type) &&
          !rows.some((row) => row.vertexType === name && row.attribute === attribute.name),
      ),
    }))
    .filter(({ attributes }) => attributes.length > 0)
}

export function suggestedName(
  vertexType: string,
  attribute: string,
  rows: readonly IndexRow[],
): string {
  const stem = `${vertexType}_${attribute}_index`
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (!rows.some((row) => row.name === name)) return name
  }
}

export function indexNameProblem(name: string, rows: readonly IndexRow[]): string | null {
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'Use letters, digits and _, and no digit first.'
  const taken = rows.find((row) => row.name === name)
  return taken === undefined
    ? null
    : `${taken.vertexType} already has an index ${name}: a name is given once in a graph.`
}

function typeOf(schema: SchemaModel | undefined, vertexType: string, attribute: string): string {
  const vertex = schema?.vertices.find(({ name }) => name === vertexType)
  return vertex?.attributes.find(({ name }) => name === attribute)?.type ?? ''
}

/**
 * What a change of the schema does to the rows of large tables beside conversions, made in slices before the
 * change: columns of new attributes with a default, and room for wider defaults.
 */
import type { Attribute, Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import type { Column } from './columns/column.ts'
import type { MadeColumns } from './columns/made-columns.ts'
import { makeColumnInPieces } from './columns/make-column.ts'
import type { Tables } from './tables/tables.ts'

/** A table with so many rows gets its columns within the change. */
export const ADDED_AT_ONCE_MAX = 131_072

/** One column, in pieces of a millisecond or so. Nothing writes meanwhile. */
export type Addition = (made: MadeColumns) => Generator<undefined, void>

interface Owner {
  readonly columns: readonly Column[]
  readonly rowCount: number
}

export function additionsOf(tables: Tables, before: Catalog, after: Catalog): Addition[] {
  const known = new Set<VertexType | EdgeType>([...before.vertexTypes, ...before.edgeTypes])
  const changed = [...after.vertexTypes, ...after.edgeTypes].filter((type) => !known.has(type))
  return changed.flatMap((type) => {
    const vertices = tables.vertexTable(type.id)
    const owners = vertices ? [vertices] : (tables.edgeTable(type.id)?.adjacencies ?? [])
    const large = owners.filter(({ rowCount }) => rowCount > ADDED_AT_ONCE_MAX)
    if (large.length === 0) return []
    const attributes = 'primaryId' in type ? storedAttributes(type) : type.attributes
    return large.flatMap((owner) =>
      attributes.flatMap((attribute) => additionOf(owner, attribute, { tables, after }) ?? []),
    )
  })
}

function additionOf(
  owner: Owner,
  attribute: Attribute,
  { tables, after }: { readonly tables: Tables; readonly after: Catalog },
): Addition | null {
  const columnOf = (id: number | undefined) =>
    owner.columns.find((column) => column.attribute.id === id)
  const present = columnOf(attribute.id)
  if (present !== undefined) {
    const value = present.widensLongFor(attribute)
    return value === null ? null : () => present.widenInPieces(value)
  }
  if (attribute.defaultText === undefined || columnOf(attribute.convertedFrom)) return null
  return function* add(made) {
    const { columns, rowCount } = owner
    made.add(columns, yield* makeColumnInPieces(attribute, after.tuples, tables.memory, rowCount))
  }
}

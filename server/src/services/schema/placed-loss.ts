/** Which part of a change a value stands in the way of. */
import { refusedAt } from '#catalog/refused-step.ts'
import type { SchemaChange } from '#catalog/schema-change.ts'
import type { Catalog } from '#catalog/types.ts'
import { isDbError } from '#kernel/errors.ts'

/** A value that cannot be kept is found by the engine, which knows no parts of a change. */
export function placedLoss(error: unknown, catalog: Catalog, change: SchemaChange): unknown {
  if (!isDbError(error) || error.details['unkept'] === undefined) return error
  const isOfType = ({ id }: { readonly id: number }) => id === error.details['typeId']
  const operation = catalog.vertexTypes.some(isOfType) ? 'alterVertexTypes' : 'alterEdgeTypes'
  const name = [...catalog.vertexTypes, ...catalog.edgeTypes].find(isOfType)?.name
  const { detail } = error.details
  const index = change[operation].findIndex(
    (one) =>
      one.name === name && one.changeAttributes?.some((attribute) => attribute.name === detail),
  )
  return index < 0 || name === undefined ? error : refusedAt({ operation, index, name }, error)
}

/** Which part of a change a value stands in the way of, and who is told the value. */
import { placeOf, refusedAt } from '#catalog/refused-step.ts'
import type { SchemaChange } from '#catalog/schema-change.ts'
import type { Catalog } from '#catalog/types.ts'
import { DbError, isDbError } from '#kernel/errors.ts'

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

/** A run whose refusal names no value and no id unless its caller may read the data. */
export async function discreetly<T>(mayRead: boolean, run: Promise<T>): Promise<T> {
  try {
    return await run
  } catch (error) {
    throw mayRead || !isDbError(error) ? error : withoutValues(error)
  }
}

export function withoutValues(error: DbError): DbError {
  const { detail, plain } = error.details
  if (typeof plain !== 'string') return error
  const told = new DbError(error.code, plain, { details: { detail } })
  const place = placeOf(error)
  return place === null ? told : refusedAt(place, told)
}

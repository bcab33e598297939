/** How a broken schema rule is told: one wording for every face. */
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'

/** @param detail the attribute, index, vector or pair that is at fault; absent: the type as a whole */
export function schemaError(
  reason: string,
  code: ErrorCode = 'SCHEMA_RULE',
  detail?: string,
): DbError {
  const details = detail === undefined ? {} : { detail }
  return new DbError(code, `Semantic Check Fails: ${reason}`, { details })
}

export function missingVertexType(name: string, graph: string | null): DbError {
  const where = graph === null ? '' : ` on graph ${graph}`
  return schemaError(`The vertex type ${name} does not exist${where}.`, 'VERTEX_TYPE_NOT_FOUND')
}

export function missingEdgeType(name: string, graph: string | null): DbError {
  const where = graph === null ? '' : ` on graph ${graph}`
  return schemaError(`The edge type ${name} does not exist${where}.`, 'EDGE_TYPE_NOT_FOUND')
}

export function missingAttribute(name: string, typeName: string): DbError {
  return schemaError(
    `The attribute ${name} of type ${typeName} does not exist.`,
    'ATTRIBUTE_NOT_FOUND',
    name,
  )
}

/** A step whose refusals are about one part of a type: `detail`, where they do not say so already. */
export function about<T>(detail: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!isDbError(error) || error.details['detail'] !== undefined) throw error
    const { code, message, details } = error
    throw new DbError(code, message, { details: { ...details, detail }, cause: error })
  }
}

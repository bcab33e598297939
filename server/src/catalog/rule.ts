/** How a broken schema rule is told: one wording for every face (GSQL contract 3.4). */
import { DbError, type ErrorCode } from '#kernel/errors.ts'

export function schemaError(reason: string, code: ErrorCode = 'SCHEMA_RULE'): DbError {
  return new DbError(code, `Semantic Check Fails: ${reason}`)
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
  )
}

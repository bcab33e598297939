/** One namespace for vertex types, edge types and reverse edge names. */
import type { DbError } from '#kernel/errors.ts'
import { checkName } from './names.ts'
import { schemaError } from './rule.ts'
import type { Catalog } from './types.ts'

/**
 * Global names are unique over everything; a local name within its graph and against the global
 * ones. Two graphs may each have a local type of one name.
 * @throws DbError INVALID_NAME, NAME_TAKEN
 */
export function checkTypeName(
  catalog: Catalog,
  graph: string | null,
  what: 'vertex' | 'edge',
  name: string,
): void {
  checkName(what, name)
  if (!isTypeNameTaken(catalog, graph, name)) return
  throw nameTaken(what, name)
}

export function nameTaken(what: 'vertex' | 'edge', name: string): DbError {
  return schemaError(
    `The ${what} name ${name} is used by another object! Please use a different name.`,
    'NAME_TAKEN',
  )
}

export function isTypeNameTaken(catalog: Catalog, graph: string | null, name: string): boolean {
  const meets = (owner: string | null) => graph === null || owner === null || owner === graph
  return (
    catalog.vertexTypes.some((type) => type.name === name && meets(type.graph)) ||
    catalog.edgeTypes.some(
      (type) => (type.name === name || type.reverseName === name) && meets(type.graph),
    )
  )
}

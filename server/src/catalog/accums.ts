/**
 * Accumulator types of the catalogue (`TYPEDEF HeapAccum<T>(3, f DESC) Top`), global to all graphs.
 * The catalogue keeps their texts; queries read and bind them where they name one.
 */
import { findTuple } from './lookup.ts'
import { checkName } from './names.ts'
import { schemaError } from './rule.ts'
import type { AccumDefinition, Catalog } from './types.ts'

export function accumsOf(catalog: Catalog): readonly AccumDefinition[] {
  return catalog.accums ?? []
}

/** @throws DbError INVALID_NAME, NAME_TAKEN */
export function createAccum(catalog: Catalog, accum: AccumDefinition): Catalog {
  const { name } = accum
  checkName('accumulator', name)
  if (findTuple(catalog, name)) throw schemaError(`The tuple ${name} already exists.`, 'NAME_TAKEN')
  if (accumsOf(catalog).some((one) => one.name === name)) {
    throw schemaError(`The accumulator ${name} already exists.`, 'NAME_TAKEN')
  }
  return { ...catalog, accums: [...accumsOf(catalog), accum] }
}

/** @throws DbError TUPLE_NOT_FOUND, SCHEMA_RULE while another one is made of it */
export function dropAccum(catalog: Catalog, name: string): Catalog {
  if (!accumsOf(catalog).some((one) => one.name === name)) {
    throw schemaError(`The accumulator ${name} does not exist.`, 'TUPLE_NOT_FOUND')
  }
  const left = accumsOf(catalog).filter((one) => one.name !== name)
  checkUnused({ ...catalog, accums: left }, 'accumulator', name)
  return { ...catalog, accums: left }
}

/** @throws DbError SCHEMA_RULE while the text of an accumulator says the name */
export function checkUnused(catalog: Catalog, what: string, name: string): void {
  const users = accumsOf(catalog).filter(({ text }) => text.split(/\W+/).includes(name))
  if (users.length === 0) return
  const names = users.map((one) => one.name).join(', ')
  throw schemaError(`The ${what} ${name} is still used by the accumulator [${names}].`)
}

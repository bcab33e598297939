/** User-defined tuples (TYPEDEF TUPLE), global to all graphs. */
import { accumsOf, checkUnused } from './accums.ts'
import { isScalarTypeName, tupleNamesIn } from './attribute-type.ts'
import { findTuple } from './lookup.ts'
import { checkName } from './names.ts'
import { schemaError } from './rule.ts'
import type { Catalog, ScalarTypeName, TupleField, TupleType } from './types.ts'

export interface TupleElementJson {
  readonly name: string
  /** `int`, `STRING(40)`, in any letter case. */
  readonly type: string
  readonly length?: number | undefined
}

export interface TupleJson {
  readonly name: string
  readonly fields: readonly {
    readonly fieldName: string
    readonly fieldType: string
    readonly length?: number | undefined
  }[]
}

const TUPLE_FIELD_COUNT_MAX = 100
const TUPLE_STRING_SIZE_CHARS_MAX = 65_535

/** @throws DbError INVALID_NAME, NAME_TAKEN, SCHEMA_RULE */
export function createTuple(
  catalog: Catalog,
  name: string,
  elements: readonly TupleElementJson[],
): Catalog {
  checkName('tuple', name)
  if (findTuple(catalog, name)) {
    throw schemaError(`The tuple ${name} already exists.`, 'NAME_TAKEN')
  }
  if (accumsOf(catalog).some((accum) => accum.name === name)) {
    throw schemaError(`The accumulator ${name} already exists.`, 'NAME_TAKEN')
  }
  if (elements.length === 0 || elements.length > TUPLE_FIELD_COUNT_MAX) {
    throw schemaError(`The tuple ${name} needs 1 to ${TUPLE_FIELD_COUNT_MAX} fields.`)
  }
  const fields = elements.map(fieldFromJson)
  const names = new Set(fields.map((field) => field.name))
  if (names.size < fields.length) throw schemaError(`The tuple ${name} names a field twice.`)
  return { ...catalog, tuples: [...catalog.tuples, { name, fields }] }
}

function fieldFromJson(element: TupleElementJson): TupleField {
  checkName('field', element.name)
  const match = /^\s*(\w+)\s*(?:\(\s*(\d+)\s*\))?\s*$/.exec(element.type)
  const type = (match?.[1] ?? '').toUpperCase()
  if (!isScalarTypeName(type)) {
    throw schemaError(
      `The field ${element.name} has the type '${element.type}', which is not valid.`,
    )
  }
  const length = element.length ?? (match?.[2] === undefined ? undefined : Number(match[2]))
  if (length === undefined) return { name: element.name, type }
  checkFieldLength(element.name, type, length)
  return { name: element.name, type, length }
}

function checkFieldLength(name: string, type: ScalarTypeName, length: number): void {
  if (type === 'INT' || type === 'UINT') {
    if ([1, 2, 4, 8].includes(length)) return
    throw schemaError(`The field ${name} can take 1, 2, 4 or 8 bytes, not ${length}.`)
  }
  if (type !== 'STRING') throw schemaError(`The field ${name} of type ${type} takes no length.`)
  if (length >= 1 && length <= TUPLE_STRING_SIZE_CHARS_MAX) return
  throw schemaError(
    `The field ${name} can keep 1 to ${TUPLE_STRING_SIZE_CHARS_MAX} characters, not ${length}.`,
  )
}

/** @throws DbError TUPLE_NOT_FOUND, SCHEMA_RULE while a type uses it */
export function dropTuple(catalog: Catalog, name: string): Catalog {
  if (findTuple(catalog, name) === undefined) {
    throw schemaError(`The tuple ${name} does not exist.`, 'TUPLE_NOT_FOUND')
  }
  const users = [...catalog.vertexTypes, ...catalog.edgeTypes].filter((type) =>
    type.attributes.some((attribute) => tupleNamesIn(attribute.type).includes(name)),
  )
  if (users.length > 0) {
    const names = users.map((type) => type.name).join(', ')
    throw schemaError(`The tuple ${name} is still used by [${names}].`)
  }
  checkUnused(catalog, 'tuple', name)
  return { ...catalog, tuples: catalog.tuples.filter((tuple) => tuple.name !== name) }
}

/** Integers without a declared size are 8 bytes. */
export function tupleToJson(tuple: TupleType): TupleJson {
  return {
    name: tuple.name,
    fields: tuple.fields.map((field) => {
      const isInteger = field.type === 'INT' || field.type === 'UINT'
      const length = field.length ?? (isInteger ? 8 : undefined)
      return {
        fieldName: field.name,
        fieldType: field.type,
        ...(length !== undefined && { length }),
      }
    }),
  }
}

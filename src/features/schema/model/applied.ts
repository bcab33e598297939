/** The answer of an operation: the next schema, or why it cannot be. */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'

export type Applied =
  | { readonly ok: true; readonly schema: SchemaModel }
  | { readonly ok: false; readonly problem: string }

export function accept(schema: SchemaModel): Applied {
  return { ok: true, schema }
}

export function refuse(problem: string): Applied {
  return { ok: false, problem }
}

export function unknownType(name: string): Applied {
  return refuse(`There is no type ${name}.`)
}

export function unknownAttribute(name: string, attribute: string): Applied {
  return refuse(`${name} has no attribute ${attribute}.`)
}

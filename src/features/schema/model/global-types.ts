/** Which global types a graph may still take in, and the operations that take them. */
import type { EdgeModel, SchemaModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { findType } from '#lib/graph-schema/schema-model.ts'
import { typeNameProblem } from './names.ts'
import type { Operation } from './operations.ts'

export interface GlobalChoice {
  readonly type: TypeModel
  /** Why it cannot come in, such as a local type of its name; else null. */
  readonly problem: string | null
}

/** @param globals every global type of the server */
export function globalChoices(schema: SchemaModel, globals: SchemaModel): readonly GlobalChoice[] {
  const types: readonly TypeModel[] = [...globals.vertices, ...globals.edges]
  return types
    .filter(({ name }) => findType(schema, name)?.isLocal !== false)
    .map((type) => ({ type, problem: typeNameProblem(schema, type.name) }))
}

/** Vertex types first, so that edges find their ends; what an edge joins comes with it. */
export function takeInOperations(
  schema: SchemaModel,
  globals: SchemaModel,
  chosen: ReadonlySet<string>,
): readonly Operation[] {
  const edges = globals.edges.filter(({ name }) => chosen.has(name))
  const needed = new Set([...chosen, ...edges.flatMap(endsOf)])
  const vertices = globals.vertices.filter(
    ({ name }) => needed.has(name) && findType(schema, name)?.isLocal !== false,
  )
  return [...vertices, ...edges].map((type) => ({ kind: 'addType', type }))
}

function endsOf({ pairs }: EdgeModel): readonly string[] {
  return pairs.flatMap(({ from, to }) => [from, to])
}

/**
 * STRING and SET<STRING> parameters used as names of types and attributes.
 *
 * Each use marks the parameter; with values for it (`typeArguments`) the names are resolved,
 * without them every type of the graph stands in, so that the rest of the query is checked. A name
 * that no type has is an error of the place that uses it, when the run reaches that.
 */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from './binder.ts'
import type { EdgeName } from './schema.ts'

export function isTypeParameter(binder: Binder, name: string): boolean {
  const parameter = binder.parameters.find((candidate) => candidate.name === name)
  if (parameter === undefined || binder.lookup(name) !== undefined) return false
  const { type } = parameter
  return type.kind === 'STRING' || (isCollection(type) && type.element.kind === 'STRING')
}

/**
 * Values given for the parameter; null: none yet. Marks it as one that names types. An empty text
 * names nothing.
 */
export function typeArgument(binder: Binder, name: string): readonly string[] | null {
  const slot = binder.parameters.findIndex((candidate) => candidate.name === name)
  binder.typeParameters.add(slot)
  const given = binder.typeNames(name)
  return given?.filter((text) => text !== '') ?? null
}

export function dynamicVertexTypes(binder: Binder, name: string, range: SourceRange): number[] {
  const names = typeArgument(binder, name)
  if (names === null || names.some(isAny)) return binder.schema.allVertexTypeIds()
  return names.flatMap((typeName) => {
    const type = binder.schema.vertexType(typeName)
    if (type !== undefined) return [type.id]
    const message = `Runtime Error: "${typeName}" is not a valid vertex type.`
    binder.unknownName(diagnosticCodes.badVertexTypeArgument, range, message)
    return []
  })
}

/** Null: every edge type. */
export function dynamicEdges(binder: Binder, name: string, range: SourceRange): EdgeName[] | null {
  const names = typeArgument(binder, name)
  if (names === null || names.some(isAny)) return null
  return names.flatMap((typeName) => {
    const edge = binder.schema.edge(typeName)
    if (edge !== undefined) return [edge]
    const message = `Runtime Error: "${typeName}" is not a valid edge type.`
    binder.unknownName(diagnosticCodes.badEdgeTypeArgument, range, message)
    return []
  })
}

function isAny(name: string): boolean {
  return name === '_' || name.toUpperCase() === 'ANY'
}

/** What a part of a random query may speak of. */
import type { Accum } from './accum-forms.ts'
import type { EdgeSpec, GraphSpec, VertexSpec } from './graph-spec.ts'

/** A vertex alias. Only attributes of `spec` are read: a row of that type exists in the schema. */
export interface VertexAlias {
  readonly name: string
  readonly spec: VertexSpec
}

export interface EdgeAlias {
  readonly name: string
  readonly spec: EdgeSpec
}

export interface Variable {
  readonly name: string
  readonly type: string
}

export interface VertexSet {
  readonly name: string
  /** Names of types that the compiler knows it may hold; there may be more. */
  readonly types: readonly string[]
  /** A type that it may hold and whose attributes are read. */
  readonly spec: VertexSpec
}

export interface Scope {
  readonly vertices: readonly VertexAlias[]
  readonly edges: readonly EdgeAlias[]
  /** Locals and loop variables. */
  readonly locals: readonly Variable[]
  /** `v.@a'` can be read. */
  readonly hasPrevious: boolean
  /** Rounds of a loop around it come in no certain order. */
  readonly isUnordered: boolean
}

export const bodyScope: Scope = {
  vertices: [],
  edges: [],
  locals: [],
  hasPrevious: false,
  isUnordered: false,
}

/** It connects what an edge type of the schema does. */
export interface VirtualEdge {
  readonly spec: EdgeSpec
  readonly along: EdgeSpec
}

/** What a query has declared; grows while it is made. */
export interface Declared {
  readonly graph: GraphSpec
  readonly globals: readonly Accum[]
  readonly vertexAccums: readonly Accum[]
  readonly variables: Variable[]
  readonly sets: VertexSet[]
  /** A STRING parameter that names an edge type, or none; null: there is none. */
  readonly edgeName: string | null
  /** An edge type that the query declares for itself; null: none. No wildcard meets its edges. */
  readonly virtualEdge: VirtualEdge | null
  /** Parts that may end the run with an error are made without a guard, too. */
  readonly isRisky: boolean
}

export function withLocal(scope: Scope, ...locals: readonly Variable[]): Scope {
  return { ...scope, locals: [...scope.locals, ...locals] }
}

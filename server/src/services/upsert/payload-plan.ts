/**
 * What the payload reader knows of a graph's schema: names as bytes, types as small numbers,
 * compiled once per catalogue and graph.
 */
import { edgeTypesOf, renamedSentence, requireGraphInPath, vertexTypesOf } from '#catalog/lookup.ts'
import type {
  Attribute,
  AttributeType,
  Catalog,
  EdgeType,
  TupleType,
  VertexType,
} from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { type FieldOp, fieldOp } from '#graph/mutate/frame-format.ts'
import { type TupleLookup, tupleLookup } from '#graph/mutate/frame-values.ts'
import type { EdgeRunType } from '#graph/mutate/frame-writer.ts'

/** Types that a payload names, collected only for a caller whose rights are limited to types. */
export interface NamedTypes {
  readonly vertices: Set<string>
  readonly edges: Set<string>
  /** Of vertices that an edge makes where they are missing. */
  readonly ends: Set<string>
}

export interface AttributePlan {
  readonly name: string
  readonly nameBytes: Uint8Array
  readonly attributeId: number
  readonly type: AttributeType
  /** Position in the type's list of attributes. */
  readonly slot: number
  /** Bit `op` is set for each operation that fits the type. */
  readonly opsAllowed: number
  /** Carries the primary id: a value may only repeat the key. -1: it does not; else which part. */
  readonly keyPart: number
}

export interface VertexPlan {
  readonly name: string
  readonly nameBytes: Uint8Array
  readonly typeId: number
  readonly type: VertexType
  readonly attributes: readonly AttributePlan[]
}

export interface EdgePlan {
  /** The name this plan answers to: the type's own, or its reverse name. */
  readonly name: string
  readonly nameBytes: Uint8Array
  readonly type: EdgeType
  readonly isReverse: boolean
  readonly discriminatorCount: number
  readonly attributes: readonly AttributePlan[]
  /** Found so far, by `fromTypeId * 2^26 + toTypeId` of the payload. */
  readonly routes: Map<number, EdgeRoute>
}

/** Where the edges of one (payload from type, edge name, payload to type) are written. */
export interface EdgeRoute {
  readonly plan: EdgePlan
  readonly run: EdgeRunType
  /** The payload's target stands in the frame's FROM position. */
  readonly isSwapped: boolean
}

export interface PayloadPlan {
  /** What is said of the name of no type: `Film in graph g`, and what it is called now. */
  unknown(name: string): string
  readonly vertices: readonly VertexPlan[]
  readonly edges: readonly EdgePlan[]
  readonly tuples: TupleLookup
}

const encoder = new TextEncoder()
const plans = new WeakMap<Catalog, Map<string, PayloadPlan>>()

/** @throws DbError GRAPH_NOT_FOUND */
export function payloadPlan(catalog: Catalog, graph: string): PayloadPlan {
  const ofCatalog = plans.get(catalog) ?? new Map<string, PayloadPlan>()
  plans.set(catalog, ofCatalog)
  const plan = ofCatalog.get(graph) ?? compile(catalog, graph)
  ofCatalog.set(graph, plan)
  return plan
}

/** @returns undefined when the edge type does not join these vertex types, in either direction */
export function findRoute(
  plan: EdgePlan,
  fromTypeId: number,
  toTypeId: number,
): EdgeRoute | undefined {
  const key = fromTypeId * 2 ** 26 + toTypeId
  const known = plan.routes.get(key)
  if (known !== undefined) return known
  const route = makeRoute(plan, fromTypeId, toTypeId)
  if (route !== undefined) plan.routes.set(key, route)
  return route
}

function makeRoute(plan: EdgePlan, fromTypeId: number, toTypeId: number): EdgeRoute | undefined {
  const { type, isReverse } = plan
  for (const pair of type.pairs) {
    const isForward = pair.fromTypeId === fromTypeId && pair.toTypeId === toTypeId
    const isBackward = pair.fromTypeId === toTypeId && pair.toTypeId === fromTypeId
    const fits = type.directed ? (isReverse ? isBackward : isForward) : isForward || isBackward
    if (fits) {
      const isSwapped = type.directed ? isReverse : !isForward
      return { plan, run: { edgeTypeId: type.id, ...pair }, isSwapped }
    }
  }
  return undefined
}

function compile(catalog: Catalog, graph: string): PayloadPlan {
  requireGraphInPath(catalog, graph, `/graph/${graph}`)
  return {
    unknown: (name) => `${name} in graph ${graph}${renamedSentence(catalog, graph, name, '.')}`,
    vertices: vertexTypesOf(catalog, graph).map(vertexPlan),
    edges: edgeTypesOf(catalog, graph).flatMap(edgePlans),
    tuples: tupleLookup(catalog.tuples as TupleType[]),
  }
}

function vertexPlan(type: VertexType): VertexPlan {
  const { primaryId } = type
  const attributes = storedAttributes(type).map((attribute, slot) =>
    attributePlan(attribute, slot, keyPartOf(type, attribute.name)),
  )
  const [idName = ''] = primaryId.names
  const isComputed = primaryId.syntax === 'PRIMARY_ID' && primaryId.asAttribute
  if (isComputed && !attributes.some(({ name }) => name === idName)) {
    const computed = { id: -1, name: idName, type: { kind: primaryId.type } } as const
    attributes.push(attributePlan(computed, attributes.length, 0))
  }
  return {
    name: type.name,
    nameBytes: encoder.encode(type.name),
    typeId: type.id,
    type,
    attributes,
  }
}

function keyPartOf({ primaryId }: VertexType, attribute: string): number {
  return primaryId.syntax === 'PRIMARY_ID' ? -1 : primaryId.names.indexOf(attribute)
}

function edgePlans(type: EdgeType): EdgePlan[] {
  const attributes = type.attributes.map((attribute, slot) => attributePlan(attribute, slot, -1))
  const named = (name: string, isReverse: boolean): EdgePlan => ({
    name,
    nameBytes: encoder.encode(name),
    type,
    isReverse,
    discriminatorCount: type.discriminatorCount,
    attributes,
    routes: new Map(),
  })
  const forward = named(type.name, false)
  return type.reverseName === null ? [forward] : [forward, named(type.reverseName, true)]
}

function attributePlan(attribute: Attribute, slot: number, keyPart: number): AttributePlan {
  return {
    name: attribute.name,
    nameBytes: encoder.encode(attribute.name),
    attributeId: attribute.id,
    type: attribute.type,
    slot,
    opsAllowed: opsAllowed(attribute.type),
    keyPart,
  }
}

const bit = (...ops: FieldOp[]): number => ops.reduce<number>((bits, op) => bits | (1 << op), 0)
const always = bit(fieldOp.set, fieldOp.ignoreIfExists)
const ordered = bit(fieldOp.max, fieldOp.min)
const logical = bit(fieldOp.and, fieldOp.or)
const add = bit(fieldOp.add)

/** The operation table of docs/reference/rest.md. */
export function opsAllowed(type: AttributeType): number {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return always | add | logical | ordered
    case 'FLOAT':
    case 'DOUBLE':
    case 'STRING':
      return always | add | ordered
    case 'DATETIME':
      return always | ordered
    case 'BOOL':
      return always | logical
    case 'LIST':
    case 'SET':
    case 'MAP':
      return always | add
    case 'TUPLE':
    case 'VECTOR':
    case 'FIXED_BINARY':
      return always
  }
}

/** Arguments of a query: from their form on the wire of the pool to values of the run. */
import type { AttributeValue } from '#catalog/types.ts'
import { idNumber } from '#graph/ids/read.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import { DbError } from '#kernel/errors.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { Value } from './cells/value.ts'
import type { QueryEnv } from './env.ts'
import type { VertexLayout } from './graph/layout.ts'
import { WidenSignal } from './integer-functions.ts'

/** A vertex by its type and external id; it is looked up in the run's own view. */
export interface VertexArgument {
  readonly typeId: number
  readonly id: string
}

/** As `AttributeValue`, with vertices; a MAP is an array of pairs. */
export type Argument = number | bigint | boolean | string | VertexArgument | readonly Argument[]

export function parameterValue(env: QueryEnv, slot: number): Value {
  const { type, defaultValue } = env.input.query.parameters[slot]!
  const argument = env.input.arguments[slot]
  if (argument !== undefined) return ownValue(env, argument, type)
  if (defaultValue !== null) return constantOf(env, defaultValue)
  return type.kind === 'VERTEX' ? NULL_VERTEX : zeroOf(env, type)
}

/** Stands for a VERTEX parameter without an argument. */
const NULL_VERTEX = -2

export function givenVertex(env: QueryEnv, vertex: number, slot: number): number {
  if (vertex !== NULL_VERTEX) return vertex
  const { name } = env.input.query.parameters[slot]!
  throw new DbError('QUERY_RUNTIME', `Runtime Error: Parameter ${name} is NULL.`, {
    details: { code: 'GSQL-1001' },
  })
}

function zeroOf(env: QueryEnv, type: ValueType): Value {
  return env.shapes.value(type).zero()
}

function ownValue(env: QueryEnv, argument: Argument, type: ValueType): Value {
  switch (type.kind) {
    case 'VERTEX':
      return vertexOf(env, argument as VertexArgument)
    case 'LIST':
    case 'SET':
    case 'BAG': {
      const block = zeroBlock(env, type)
      for (const element of argument as readonly Argument[]) {
        const value = ownValue(env, element, type.element)
        env.shapes.of(block).add(block, value)
      }
      return env.shapes.of(block).copy(block)
    }
    default:
      return env.attributes.valueOf(argument as AttributeValue, type)
  }
}

function vertexOf({ layout, view }: QueryEnv, { typeId, id }: VertexArgument): number {
  const table = view.vertexTables.find((candidate) => candidate.typeId === typeId)
  const row = table === undefined ? -1 : findVertex(table, id)
  if (row >= 0) return layout.baseOfType(typeId) + row
  const typeName = table?.typeName ?? String(typeId)
  throw new DbError(
    'VERTEX_NOT_FOUND',
    `The input vertex id '${id}' is not a valid vertex id for vertex type = ${typeName}.`,
    { details: { code: '601' } },
  )
}

function zeroBlock(env: QueryEnv, type: ValueType): number {
  return env.shapes.value(type).fresh() as number
}

/** Declared defaults are constants. */
function constantOf(env: QueryEnv, node: BoundExpression): Value {
  switch (node.kind) {
    case 'literal':
      return ownValue(env, node.value, node.type)
    case 'convert':
      return convertConstant(env, node)
    case 'negate': {
      const value = constantOf(env, node.value)
      return typeof value === 'bigint' ? -value : -(value as number)
    }
    case 'collection': {
      const block = zeroBlock(env, node.type)
      for (const element of node.elements) env.shapes.of(block).add(block, constantOf(env, element))
      return env.shapes.of(block).copy(block)
    }
    default:
      return zeroOf(env, node.type)
  }
}

function convertConstant(
  env: QueryEnv,
  node: Extract<BoundExpression, { kind: 'convert' }>,
): Value {
  const value = constantOf(env, node.value)
  switch (node.type.kind) {
    case 'FLOAT':
      return Math.fround(Number(value))
    case 'DOUBLE':
    case 'DATETIME':
      return Number(value)
    case 'INT':
    case 'UINT':
      return env.shapes.integer(typeof value === 'number' ? Math.trunc(value) : (value as bigint))
    default:
      return value
  }
}

/** The number of a vertex with a numeric id. */
export function idNumberOf(layout: VertexLayout, vertex: number): number {
  if (vertex < 0) return 0
  const id = idNumber(layout.tableOf(vertex).ids, layout.rowOf(vertex))
  if (typeof id === 'bigint') throw new WidenSignal()
  return id
}

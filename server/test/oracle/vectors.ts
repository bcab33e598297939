/** Functions of `gds.vector` and `vectorSearch` (docs/reference/gsql/functions.md#vectors): every vector is looked at. */
import type { VectorMetric } from '#catalog/types.ts'
import type {
  BoundExpression,
  BoundVectorSearch,
  VectorFunction,
} from '#query/ir/bound-expression.ts'
import { evaluate, type Scope } from './expressions.ts'
import type { Run } from './run.ts'
import type { State } from './state.ts'
import type { MapState } from './table-states.ts'
import { fail, type Value, type Vertex } from './values.ts'

type Call = Extract<BoundExpression, { kind: 'vectorCall' }>

const METRICS: readonly VectorMetric[] = ['COSINE', 'L2', 'IP']

type Compute = (extra: Value, left: readonly number[], right: readonly number[]) => number

const functions: Readonly<Record<VectorFunction, Compute>> = {
  distance: (name, left, right) => {
    const metric = metricNamed(name as string)
    checkLengths('distance', left.length, right.length)
    return distanceOf(metric, left, right)
  },
  dimension: (_extra, vector) => vector.length,
  sum: (_extra, vector) => vector.reduce((sum, one) => sum + one, 0),
  element: (index, vector) => vector[Number(index)] ?? 0,
  norm: (name, vector) => {
    const squared = dot(vector, vector)
    return metricNamed(name as string) === 'IP' ? squared : Math.sqrt(squared)
  },
}

export function callVectorFunction(node: Call, given: readonly Value[], extra: Value): Value {
  const [left = [], right = []] = given.map(numbersOf)
  const value = functions[node.function](extra, left, right)
  return node.type.kind === 'INT' ? BigInt(value) : Math.fround(value)
}

function metricNamed(name: string): VectorMetric {
  const metric = METRICS.find((one) => one === name.toUpperCase())
  return metric ?? fail('GSQL-90000', `"${name}" is no metric: use ${METRICS.join(', ')}.`)
}

function numbersOf(value: Value): number[] {
  return (value as State).elements().map(Number)
}

function checkLengths(name: string, left: number, right: number): void {
  if (left === right) return
  fail('GSQL-90000', `the two vectors of ${name} have ${left} and ${right} elements.`)
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, one, i) => sum + one * right[i]!, 0)
}

/** Smaller is nearer; a vector of zeros has no direction and is at 1 from every other. */
function distanceOf(
  metric: VectorMetric,
  left: readonly number[],
  right: readonly number[],
): number {
  if (metric === 'IP') return 1 - dot(left, right)
  if (metric === 'L2') return Math.hypot(...left.map((one, i) => one - right[i]!))
  const lengths = Math.sqrt(dot(left, left)) * Math.sqrt(dot(right, right))
  return lengths === 0 ? 1 : 1 - dot(left, right) / lengths
}

/** The nearest ones; of equally near ones the first. */
export function searchVectors(
  run: Run,
  node: BoundVectorSearch,
  { scope, within }: { readonly scope: Scope; readonly within: readonly Vertex[] },
): readonly Vertex[] {
  const query = numbersOf(evaluate(run, node.query, scope))
  const count = Number(evaluate(run, node.count, scope))
  const width = node.width === null ? null : Number(evaluate(run, node.width, scope))
  checkLengths('vectorSearch', query.length, node.dimension)
  if (width !== null && width < 1) {
    fail('GSQL-90000', 'ef of vectorSearch is a number from 1 on.')
  }
  const found = within.flatMap((vertex) => {
    const distances = node.attributes.flatMap(({ typeId, attributeId }) => {
      const vector = typeId === vertex.typeId ? vertex.values.get(attributeId) : undefined
      const numbers = vector === undefined ? [] : numbersOf(vector)
      return numbers.length === 0 ? [] : [distanceOf(node.metric, query, numbers)]
    })
    return distances.length === 0 ? [] : [{ vertex, distance: Math.min(...distances) }]
  })
  found.sort((a, b) => a.distance - b.distance || a.vertex.number - b.vertex.number)
  const nearest = found.slice(0, Math.max(0, count))
  if (node.distances !== null) {
    const map = run.globals[node.distances] as MapState
    for (const { vertex, distance } of nearest) {
      const state = map.ensure(vertex)
      state.clear()
      state.fold({ kind: 'scalar', value: Math.fround(distance) })
    }
  }
  return nearest.map(({ vertex }) => vertex)
}

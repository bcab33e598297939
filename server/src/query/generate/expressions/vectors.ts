/** Vectors: `vectorSearch`, and the functions of `gds.vector`, which read attributes where they lie. */
import type { BoundExpression, BoundVectorSearch } from '#query/ir/bound-expression.ts'
import { ColumnVectors, ListVectors } from '#query/runtime/graph/vector-readers.ts'
import { SearchedColumns } from '#query/runtime/graph/vector-search.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { vertexColumnPlace } from './access.ts'
import { doubleOf, integerOf } from './integers.ts'

type Call = Extract<BoundExpression, { kind: 'vectorCall' }>

export function vectorSearch(unit: Unit, node: BoundVectorSearch, scope: Scope): string {
  const { attributes, metric, dimension, candidates, distances, width } = node
  const columns = unit.bind(
    `vectors ${JSON.stringify([attributes, metric, dimension])}`,
    (env) => new SearchedColumns(env.layout, { attributes, metric, dimension }),
  )
  return unit.call(
    'vectorSearch',
    columns,
    unit.expression(node.query, scope),
    doubleOf(unit, unit.expression(node.count, scope)),
    candidates === null ? 'null' : unit.vertexSet(candidates, scope),
    distances === null ? '0' : `g${distances}`,
    width === null ? 'null' : doubleOf(unit, unit.expression(width, scope)),
  )
}

export function callVectorFunction(unit: Unit, node: Call, scope: Scope): string {
  const operands = node.vectors.flatMap((vector, index) =>
    operandOf(unit, vector, { index, scope }),
  )
  const extra = node.extra === null ? '0' : extraOf(unit, node.extra, scope)
  if (node.function === 'distance') return unit.call('vectorDistance', extra, ...operands)
  const measure = unit.bind(`vector ${node.function}`, () => node.function)
  const value = unit.call('vectorMeasure', measure, extra, ...operands)
  return node.function === 'dimension' ? integerOf(unit, value) : value
}

/** A metric by its name, or the number of an element. */
function extraOf(unit: Unit, node: BoundExpression, scope: Scope): string {
  if (node.type.kind === 'INT') return doubleOf(unit, unit.expression(node, scope))
  if (node.kind === 'literal') return unit.bind(`metric ${node.value}`, () => node.value)
  return unit.call('metricNamed', unit.expression(node, scope))
}

/**
 * Where a vector is read from, and its place there: a row of a column, or a list. Each operand has a
 * reader of its own, which is moved to the place when all operands are known.
 */
function operandOf(
  unit: Unit,
  node: BoundExpression,
  at: { readonly index: number; readonly scope: Scope },
): string[] {
  const { index, scope } = at
  const inColumn = columnOperand(unit, node, at)
  if (inColumn !== null) return inColumn
  // An argument never changes; those of a called query do, from call to call.
  const isConstant = node.kind === 'parameter' && !unit.isCallee
  const key = isConstant ? `vector argument ${index} ${node.slot}` : `vector list ${index}`
  const reader = unit.bind(key, (env) => new ListVectors(env.shapes, isConstant))
  return [reader, unit.expression(node, scope)]
}

function columnOperand(
  unit: Unit,
  node: BoundExpression,
  { index, scope }: { readonly index: number; readonly scope: Scope },
): string[] | null {
  if (node.kind !== 'attribute' || node.of.kind !== 'vertexAlias') return null
  const ref = scope.vertices.get(node.of.position)
  const entry = node.byType.find(({ typeId }) => typeId === ref?.typeId)
  if (ref === undefined || entry === undefined || entry.attributeId < 0) return null
  const place = vertexColumnPlace(unit, ref.typeId, entry.attributeId)
  if (place?.column.type.kind !== 'VECTOR') return null
  const reader = unit.bind(
    `vector ${index} ${place.key}`,
    (env) => new ColumnVectors(place.find(env)),
  )
  return [reader, ref.row]
}

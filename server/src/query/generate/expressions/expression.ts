/** Expressions of the bound tree as JavaScript. Everything is parenthesised where it could matter. */
import { assert } from '#kernel/assert.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import { selectVertex, vertexOfId, verticesOfIds } from '../statements/file-sources.ts'
import { bodyScope, type Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import {
  attributeOf,
  edgeHandle,
  neighborsOf,
  outdegreeOf,
  typeNameOf,
  vertexNumber,
} from './access.ts'
import { readGlobal, readLocal, readVertexAccum } from './accum-read.ts'
import { elementOf } from './array-elements.ts'
import { callFunction, callUserFunction } from './calls.ts'
import {
  aggregateOf,
  collectionLiteral,
  containment,
  convertCollection,
  mapLiteral,
  methodOf,
  popOf,
  tableRowsOf,
  updateOf,
} from './collections.ts'
import { defaultValue } from './columns.ts'
import {
  convert,
  integerArithmetic,
  integerLiteral,
  integerOf,
  isInteger,
  realArithmetic,
  wrapInteger,
} from './integers.ts'
import { jsonMethod } from './json.ts'
import { callVectorFunction } from './vectors.ts'
import { setHolds, setSizeOf } from './vertex-set-tests.ts'

type Node<K extends BoundExpression['kind']> = K extends 'and' | 'or'
  ? Extract<BoundExpression, { kind: 'and' | 'or' }>
  : Extract<BoundExpression, { kind: K }>
type Emitters = {
  readonly [K in BoundExpression['kind']]: (unit: Unit, node: Node<K>, scope: Scope) => string
}

export function compileExpression(unit: Unit, node: BoundExpression, scope: Scope): string {
  const emit = emitters[node.kind] as (unit: Unit, node: BoundExpression, scope: Scope) => string
  return emit(unit, node, scope)
}

const emitters: Emitters = {
  default: (unit, node) => defaultValue(unit, node.type),
  literal: (unit, node) => literal(unit, node.type, node.value),
  parameter: (unit, node) => {
    if (unit.isCallee) return unit.parameterNames[node.slot]!
    const { defaultValue } = unit.query.parameters[node.slot]!
    if (defaultValue !== null && !isPlainConstant(defaultValue)) {
      return parameterOrDefault(unit, node.slot, defaultValue)
    }
    const value = unit.bind(`parameter ${node.slot}`, (env) => env.parameter(node.slot))
    // A vertex that was not given is an error where it is used, not before.
    return node.type.kind === 'VERTEX' ? unit.call('givenVertex', value, node.slot) : value
  },
  variable: (_unit, node) => `x${node.slot}`,
  local: (unit, node, scope) => readLocal(unit, node.slot, scope),
  vertexAlias: (unit, node, scope) => {
    const ref = scope.vertices.get(node.position)
    assert(ref !== undefined, 'an alias is used before its vertex is known')
    return vertexNumber(unit, ref)
  },
  edgeAlias: (unit, node, scope) => edgeHandle(unit, scope, node.hop),
  globalAccum: (unit, node, scope) => readGlobal(unit, node.slot, scope),
  vertexAccum: (unit, node, scope) => readVertexAccum(unit, node, scope),
  attribute: (unit, node, scope) => attributeOf(unit, node, scope),
  typeName: (unit, node, scope) => typeNameOf(unit, node, scope),
  field: (unit, node, scope) => fieldOf(unit, node, scope),
  convert: (unit, node, scope) => {
    const code = unit.expression(node.value, scope)
    if (isCollection(node.type)) return convertCollection(unit, code, node.value.type, node.type)
    const isExact = node.type.kind === 'DOUBLE' && !unit.wide && isCount(node.value)
    return isExact ? code : convert(unit, code, node.value.type, node.type)
  },
  negate: (unit, node, scope) => negate(unit, node, scope),
  not: (unit, node, scope) => `(!${unit.expression(node.value, scope)})`,
  arithmetic: (unit, node, scope) => arithmetic(unit, node, scope),
  compare: (unit, node, scope) =>
    comparison(unit, node.left.type, {
      operator: node.operator,
      left: unit.expression(node.left, scope),
      right: unit.expression(node.right, scope),
    }),
  and: (unit, node, scope) =>
    `(${unit.expression(node.left, scope)}&&${unit.expression(node.right, scope)})`,
  or: (unit, node, scope) =>
    `(${unit.expression(node.left, scope)}||${unit.expression(node.right, scope)})`,
  guard: (unit, node, scope) =>
    appliesTo(scope, node.applies) ? unit.expression(node.value, scope) : 'false',
  isNull: (unit, node) =>
    // A called query is given every argument.
    unit.isCallee
      ? 'false'
      : unit.bind(`null ${node.parameter}`, (env) => env.parameterIsNull(node.parameter)),
  between: (unit, node, scope) => between(unit, node, scope),
  in: (unit, node, scope) => containment(unit, node, scope),
  inVertexSet: (unit, node, scope) => setHolds(unit, node, scope),
  like: (unit, node, scope) => {
    const mark = unit.bind(`escape ${node.escape ?? ''}`, () => node.escape ?? '')
    const value = unit.expression(node.value, scope)
    return unit.call('like', value, unit.expression(node.pattern, scope), mark)
  },
  case: (unit, node, scope) => caseOf(unit, node, scope),
  tuple: (unit, node, scope) =>
    `[${node.fields.map((field) => unit.expression(field, scope)).join(',')}]`,
  collection: (unit, node, scope) => collectionLiteral(unit, node, scope),
  map: (unit, node, scope) => mapLiteral(unit, node, scope),
  method: (unit, node, scope) => methodOf(unit, node, scope),
  element: (unit, node, scope) => elementOf(unit, node, scope),
  pop: (unit, node, scope) => popOf(unit, node, scope),
  updateElement: (unit, node, scope) => updateOf(unit, node, scope),
  vertexSetSize: (unit, node, scope) => integerOf(unit, setSizeOf(unit, node.set, scope)),
  outdegree: (unit, node, scope) => outdegreeOf(unit, node, scope),
  call: (unit, node, scope) => callFunction(unit, node, scope),
  vectorCall: (unit, node, scope) => callVectorFunction(unit, node, scope),
  aggregate: (unit, node, scope) => aggregateOf(unit, node, scope),
  setOperation: (unit, node, scope) => {
    const operation = unit.bind(`set ${node.operation}`, () => node.operation)
    const left = unit.expression(node.left, scope)
    const right = unit.expression(node.right, scope)
    return unit.call('combineSets', unit.codec(node.type), operation, left, right)
  },
  neighbors: (unit, node, scope) => neighborsOf(unit, node, scope),
  callQuery: (unit, node, scope) => unit.queryCall(node, scope),
  setVertices: (unit, node, scope) =>
    unit.call('verticesOf', unit.codec(node.type), unit.vertexSet(node.set, scope)),
  vertexOfId: (unit, node, scope) => vertexOfId(unit, node, scope),
  verticesOfIds: (unit, node, scope) => verticesOfIds(unit, node, scope),
  selectVertex: (unit, node, scope) => selectVertex(unit, node, scope),
  parseJson: (unit, node, scope) => {
    const isArray = String(node.type.kind === 'JSONARRAY')
    return unit.call('parseJson', unit.expression(node.value, scope), isArray)
  },
  jsonMethod: (unit, node, scope) => jsonMethod(unit, node, scope),
  edgeDirected: (unit, node, scope) => unit.call('edgeDirected', unit.expression(node.of, scope)),
  edgeIdentity: (unit, node, scope) => unit.call('edgeIdentity', unit.expression(node.of, scope)),
  percentOf: (unit, { of }, scope) =>
    of.kind === 'globalAccum'
      ? readGlobal(unit, of.slot, scope, 'percentOf')
      : readVertexAccum(unit, of, scope, 'percentOf'),
  kept: (unit, node, scope) => {
    const place = `${unit.bind(`kept ${node.id}`, () => [0])}[0]`
    return node.value === null ? place : `(${place}=${unit.expression(node.value, scope)})`
  },
  userCall: (unit, node, scope) => callUserFunction(unit, node, scope),
  tableRows: (unit, node, scope) => tableRowsOf(unit, node, scope),
  failure: (unit, { error }) =>
    unit.call(
      'failRun',
      unit.bind(`failure ${JSON.stringify(error)}`, () => error),
    ),
}

/** An integer that no graph makes too great for a double. */
function isCount({ kind }: BoundExpression): boolean {
  return kind === 'outdegree' || kind === 'vertexSetSize'
}

/** Constants that the run's environment reads by itself. */
function isPlainConstant(node: BoundExpression): boolean {
  switch (node.kind) {
    case 'literal':
    case 'default':
      return true
    case 'collection':
      return node.elements.every(isPlainConstant)
    case 'convert':
    case 'negate':
      return isPlainConstant(node.value)
    default:
      return false
  }
}

/** A default that has to be computed: `INT x = 2 * 3`. */
function parameterOrDefault(unit: Unit, slot: number, value: BoundExpression): string {
  const given = unit.bind(`given ${slot}`, (env) => env.input.arguments[slot] !== undefined)
  const argument = unit.bind(`parameter ${slot}`, (env) => env.parameter(slot))
  return `(${given}?${argument}:${unit.expression(value, bodyScope)})`
}

function literal(unit: Unit, type: ValueType, value: Node<'literal'>['value']): string {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return integerLiteral(unit, type.kind, value as number | bigint)
    case 'STRING':
      return unit.string(String(value))
    case 'BOOL':
      return value === true ? 'true' : 'false'
    case 'FLOAT':
      return realLiteral(Math.fround(Number(value)))
    case 'VERTEX':
    case 'EDGE':
      return '-1'
    default:
      return realLiteral(Number(value))
  }
}

function realLiteral(value: number): string {
  if (Number.isNaN(value)) return '(0/0)'
  if (Object.is(value, -0)) return '(-0)'
  return value < 0 ? `(${value})` : String(value)
}

function negate(unit: Unit, node: Node<'negate'>, scope: Scope): string {
  const value = unit.expression(node.value, scope)
  if (!isInteger(node.type)) return `(-${value})`
  return wrapInteger(unit, node.type.kind as 'INT' | 'UINT', `0${unit.wide ? 'n' : ''}-${value}`)
}

function arithmetic(unit: Unit, node: Node<'arithmetic'>, scope: Scope): string {
  const left = unit.expression(node.left, scope)
  const right = unit.expression(node.right, scope)
  const isSafe = scope.nonZero !== null && right === `(${scope.nonZero})`
  const operands = { operator: node.operator, left, right, isSafe }
  switch (node.type.kind) {
    case 'INT':
    case 'UINT':
      return integerArithmetic(unit, node.type.kind, operands)
    case 'FLOAT':
    case 'DOUBLE':
      return realArithmetic(unit, node.type.kind, operands)
    case 'STRING':
      return unit.call('concat', left, right)
    default:
      if (node.operator === '+') return unit.call('combine', left, right)
      return unit.call('pairTexts', unit.codec(node.type), left, right)
  }
}

export interface Comparison {
  readonly operator: Node<'compare'>['operator']
  readonly left: string
  readonly right: string
}

export function comparison(unit: Unit, type: ValueType, parts: Comparison): string {
  const { operator, left, right } = parts
  const equality = operator === '==' || operator === '!='
  const symbol = equality ? `${operator}=` : operator
  if (type.kind === 'STRING' && !equality) {
    return `(${unit.call('compareStrings', left, right)}${symbol}0)`
  }
  if (type.kind === 'TUPLE' || 'element' in type || type.kind === 'MAP' || type.kind === 'GROUPS') {
    return `(${unit.call('compareValues', unit.codec(type), left, right)}${symbol}0)`
  }
  return `(${left}${symbol}${right})`
}

function between(unit: Unit, node: Node<'between'>, scope: Scope): string {
  const value = unit.expression(node.value, scope)
  const low = unit.expression(node.low, scope)
  const high = unit.expression(node.high, scope)
  if (node.value.type.kind === 'TUPLE') {
    return unit.call('betweenTuples', unit.codec(node.value.type), value, low, high)
  }
  if (node.value.type.kind === 'STRING') return unit.call('betweenStrings', value, low, high)
  return unit.call('between', value, low, high)
}

function fieldOf(unit: Unit, node: Node<'field'>, scope: Scope): string {
  return `${unit.expression(node.of, scope)}[${node.field}]`
}

function caseOf(unit: Unit, node: Node<'case'>, scope: Scope): string {
  const otherwise =
    node.otherwise === null ? defaultValue(unit, node.type) : unit.expression(node.otherwise, scope)
  return node.branches.reduceRight((rest, branch) => {
    const condition = unit.expression(branch.condition, scope)
    return `(${condition}?${unit.expression(branch.value, scope)}:${rest})`
  }, otherwise)
}

/** Whether a statement that needs certain types runs for this combination. */
export function appliesTo(scope: Scope, applies: Node<'guard'>['applies'] | null): boolean {
  if (applies === null) return true
  for (const { position, typeIds } of applies.positions) {
    const ref = scope.vertices.get(position)
    if (ref !== undefined && !typeIds.includes(ref.typeId)) return false
  }
  for (const { hop, edgeTypeIds } of applies.hops) {
    const ref = scope.edges.get(hop)
    if (ref !== undefined && !edgeTypeIds.includes(ref.step.edgeTypeId)) return false
  }
  return true
}

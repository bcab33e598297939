/** Function calls: built-ins by their table, aggregates, tuple constructors. */
import { parseDatetime } from '#kernel/datetime.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { cypherFunctionNames } from '#query/ir/function-names.ts'
import {
  AGGREGATES,
  DATETIME_UNITS,
  type FunctionInfo,
  functionOf,
  functions,
  type ParameterKind,
} from '#query/ir/function-table.ts'
import {
  ANY_EDGE,
  ANY_VERTEX,
  BOOL,
  DATETIME,
  DOUBLE,
  INT,
  STRING,
  type ValueType,
} from '#query/ir/types.ts'
import { type UserFunctionInfo, userFunctions } from '#query/ir/user-function-table.ts'
import { isCollection, isInteger, isNumeric } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { bindArguments, checkCount } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { asArgument } from '../core/strict-types.ts'
import { refuseAbsent } from '../cypher/absent-functions.ts'
import { bindEvaluate } from './evaluate.ts'
import { bindIdLookup } from './id-lookups.ts'
import { bindJsonParser } from './json.ts'
import { bindQueryValue } from './query-calls.ts'
import { looksLikeVertexSet } from './vertex-set-shape.ts'

/** Known to the language, bound by a later issue. */
const LATER = new Set(['loadaccum', 'reset_collection_accum'])

/** Bound by rules of their own. */
export const SPECIAL_FUNCTIONS = [
  ...['coalesce', 'evaluate', 'isempty', 'trim', 'to_vertex', 'to_vertex_set'],
  ...['parse_json_object', 'parse_json_array', 'vectorSearch'],
]

/** C++ functions of others that are functions of this language under another name. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([['vertex_to_int', 'getvid']])

export function bindCall(binder: Binder, node: CallSyntax): BoundExpression {
  const tuple = binder.tuples.get(node.name.name)
  if (tuple !== undefined) return bindTuple(binder, node, tuple)
  const cypher = binder.options.cypher ? binder.rules.cypherCall(binder, node) : null
  if (cypher !== null) return cypher
  const query = bindQueryValue(binder, node)
  if (query !== null) return query
  const name = node.name.name.toLowerCase()
  const aggregate = AGGREGATES.find((candidate) => candidate === name)
  if (aggregate !== undefined) return bindAggregate(binder, node, aggregate)
  if (name === 'isempty') return bindIsEmpty(binder, node)
  if (name === 'trim') return bindTrim(binder, node)
  const special = bindIdLookup(binder, node, name) ?? bindJsonParser(binder, node, name)
  if (special !== null) return special
  if (name === 'coalesce') return bindCoalesce(binder, node)
  if (name === 'evaluate') return bindEvaluate(binder, node)
  const info = functionOf(SYNONYMS.get(name) ?? name, node.arguments.length)
  if (info !== undefined) return bindFunction(binder, node, info)
  const user = userFunctions.get(name)
  if (user !== undefined) return bindUserFunction(binder, node, user)
  return failUnknown(binder, node)
}

function failUnknown(binder: Binder, node: CallSyntax): never {
  const name = node.name.name.toLowerCase()
  if (LATER.has(name)) binder.notSupported(node.name.range, `function ${node.name.name}`)
  if (binder.options.cypher) refuseAbsent(binder, node)
  const hint = hintOf(binder, name)
  const message = `undefined function or tuple type "${node.name.name}"${hint}`
  return binder.fail(diagnosticCodes.undefinedFunction, node.name.range, message)
}

/** Functions as other languages call them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...(['uppercase', 'ucase', 'to_upper'] as const).map((name) => [name, 'upper'] as const),
  ...(['lowercase', 'lcase', 'to_lower'] as const).map((name) => [name, 'lower'] as const),
  ...(['len', 'strlen', 'char_length'] as const).map((name) => [name, 'length'] as const),
  ['ceiling', 'ceil'],
  ['power', 'pow'],
  ['ln', 'log'],
  ['random', 'rand'],
  ['str', 'to_string'],
  ['average', 'avg'],
  ['indexof', 'instr'],
])

function hintOf(binder: Binder, name: string): string {
  const near = suggest(name, knownNames(binder))
  if (near !== '') return near
  const elsewhere = [...ELSEWHERE.keys()].find((known) => suggest(name, [known], 1) !== '')
  return elsewhere === undefined ? '' : `; did you mean "${ELSEWHERE.get(elsewhere)}"?`
}

function knownNames(binder: Binder): string[] {
  const own = [...functions.keys(), ...userFunctions.keys(), ...AGGREGATES, ...SPECIAL_FUNCTIONS]
  const cypher = binder.options.cypher ? cypherFunctionNames : []
  return [...cypher, ...own, ...binder.tuples.keys()]
}

/** A function that is called for nothing; one that does not exist is said to be unknown. */
export function failCallStatement(binder: Binder, call: CallSyntax): never {
  binder.expression(call)
  const message = `${call.name.name}() is no statement: nothing takes its value`
  return binder.fail(diagnosticCodes.misplaced, call.range, message)
}

/** The first that is not NULL, as the type of the first; only a parameter can be NULL. */
function bindCoalesce(binder: Binder, node: CallSyntax): BoundExpression {
  const [first] = node.arguments
  if (first === undefined) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'coalesce takes arguments')
  }
  const { type } = binder.expression(first)
  const values = node.arguments.map((argument) =>
    convertTo(binder, binder.expression(argument), type, argument.range),
  )
  const parameters = node.arguments.map((argument) =>
    argument.kind === 'name' ? parameterSlot(binder, argument.name) : -1,
  )
  const certain = parameters.indexOf(-1)
  const kept = certain < 0 ? values : values.slice(0, certain)
  const branches = kept.map((value, index) => ({
    condition: {
      kind: 'not',
      type: BOOL,
      value: { kind: 'isNull', type: BOOL, parameter: parameters[index]! },
    } as const,
    value,
  }))
  const otherwise = certain < 0 ? ({ kind: 'default', type } as const) : values[certain]!
  return branches.length === 0 ? otherwise : { kind: 'case', type, branches, otherwise }
}

function parameterSlot(binder: Binder, name: string): number {
  if (binder.lookup(name) !== undefined) return -1
  return binder.parameters.findIndex((parameter) => parameter.name === name)
}

function bindTuple(
  binder: Binder,
  node: CallSyntax,
  type: Extract<ValueType, { kind: 'TUPLE' }>,
): BoundExpression {
  const fields = bindArguments(
    binder,
    node,
    type.fields.map((field) => field.type),
  )
  return { kind: 'tuple', type, fields }
}

function bindFunction(binder: Binder, node: CallSyntax, info: FunctionInfo): BoundExpression {
  checkCount(binder, node, { least: info.required, most: info.parameters.length })
  const args = binder
    .each(
      node.arguments.map(
        (argument, index) => () => bindArgument(binder, argument, info.parameters[index]!),
      ),
    )
    .flat()
  const result = info.result === 'same' ? args[0]!.type : info.result
  // Reals of openCypher have 64 bits, whatever GSQL's function gives.
  const type =
    binder.options.cypher && info.result !== 'same' && result.kind === 'FLOAT' ? DOUBLE : result
  return constantDate(info.name, args) ?? { kind: 'call', type, name: info.name, arguments: args }
}

function bindUserFunction(
  binder: Binder,
  node: CallSyntax,
  { name, parameters, result }: UserFunctionInfo,
): BoundExpression {
  const args = bindArguments(binder, node, parameters)
  return { kind: 'userCall', type: result, name, arguments: args }
}

/**
 * `to_datetime` of a constant is a constant: without this a WHERE would parse the text once per
 * edge. A text that is no date stays a call, which fails when and if it runs.
 */
function constantDate(
  name: string,
  [argument]: readonly BoundExpression[],
): BoundExpression | null {
  if (name !== 'to_datetime' || argument?.kind !== 'literal') return null
  const seconds = parseDatetime(String(argument.value))
  return Number.isNaN(seconds) ? null : { kind: 'literal', type: DATETIME, value: seconds }
}

function bindArgument(binder: Binder, node: Expression, kind: ParameterKind): BoundExpression[] {
  if (kind === 'interval') return bindInterval(binder, node)
  const value = binder.expression(node)
  if (kind === 'any' || (kind === 'number' && isNumeric(value.type))) return [value]
  return [asArgument(binder, value, { type: ARGUMENT_TYPES[kind], range: node.range })]
}

const ARGUMENT_TYPES: Readonly<Record<Exclude<ParameterKind, 'any' | 'interval'>, ValueType>> = {
  number: DOUBLE,
  int: INT,
  double: DOUBLE,
  string: STRING,
  bool: BOOL,
  datetime: DATETIME,
  vertex: ANY_VERTEX,
  edge: ANY_EDGE,
}

function bindInterval(binder: Binder, node: Expression): BoundExpression[] {
  if (node.kind !== 'interval') {
    binder.fail(diagnosticCodes.typeMismatch, node.range, 'expected INTERVAL n unit')
  }
  const unit = node.unit.name.toUpperCase()
  if (!DATETIME_UNITS.includes(unit)) {
    const message = `unknown unit "${node.unit.name}": ${DATETIME_UNITS.join(', ')}`
    binder.fail(diagnosticCodes.badLiteral, node.unit.range, message)
  }
  const amount = convertTo(binder, binder.expression(node.amount), INT, node.amount.range)
  return [amount, { kind: 'literal', type: STRING, value: unit }]
}

/** `trim([side] [characters FROM] s)` as the call trim(s, side, characters or " "). */
function bindTrim(binder: Binder, node: CallSyntax): BoundExpression {
  checkCount(binder, node, { least: 1, most: 1 })
  const only = node.arguments[0]!
  const parts =
    only.kind === 'trim' ? only : ({ from: only, side: 'BOTH', characters: null } as const)
  const text = convertTo(binder, binder.expression(parts.from), STRING, parts.from.range)
  const characters: BoundExpression =
    parts.characters === null
      ? { kind: 'literal', type: STRING, value: ' ' }
      : convertTo(binder, binder.expression(parts.characters), STRING, parts.characters.range)
  const side: BoundExpression = { kind: 'literal', type: STRING, value: parts.side }
  return { kind: 'call', type: STRING, name: 'trim', arguments: [text, side, characters] }
}

function bindAggregate(
  binder: Binder,
  node: CallSyntax,
  name: (typeof AGGREGATES)[number],
): BoundExpression {
  if (node.star) {
    const message = `${node.name.name}(*) counts rows: it stands in SELECT … INTO`
    binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const count = name === 'percentilecont' ? 2 : 1
  checkCount(binder, node, { least: count, most: count })
  const argument = node.arguments[0]!
  if (name === 'count' && looksLikeVertexSet(binder, argument)) {
    const { set } = binder.rules.vertexSet(binder, argument)
    return { kind: 'vertexSetSize', type: INT, set }
  }
  const of = binder.expression(argument)
  const element = aggregatedType(binder, node, of)
  const type = name === 'count' ? INT : resultOf(binder, node, { name, element })
  const whole = { kind: 'aggregate', type, function: name, distinct: node.distinct, of } as const
  const percent = node.arguments[1]
  if (percent === undefined) return whole
  const value = binder.expression(percent)
  const given = asArgument(binder, value, { type: DOUBLE, range: percent.range })
  return { ...whole, percent: binder.options.cypher ? percentOf(given) : given }
}

/** openCypher gives percentiles from 0 to 1. */
function percentOf(fraction: BoundExpression): BoundExpression {
  return { kind: 'userCall', type: DOUBLE, name: 'percent of fraction', arguments: [fraction] }
}

function aggregatedType(binder: Binder, node: CallSyntax, of: BoundExpression): ValueType {
  if (isCollection(of.type) || of.type.kind === 'HEAP') return of.type.element
  if (of.type.kind === 'MAP') return of.type.value
  if (binder.options.cypher) {
    const called = `${node.name.name}(…)`
    const misplaced = `${called} aggregates rows: it is allowed in WITH and RETURN only; write WITH …, ${called} AS x WHERE x …`
    return binder.fail(diagnosticCodes.misplaced, node.range, misplaced)
  }
  const message = `${node.name.name} needs a collection, not ${of.type.kind}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

/** AVG of integers is a truncated integer (docs/reference/gsql/functions.md#aggregates). */
function resultOf(
  binder: Binder,
  node: CallSyntax,
  { name, element }: { name: string; element: ValueType },
): ValueType {
  if (isNumeric(element)) {
    const real = name.startsWith('stdev') || name === 'percentilecont'
    return real || (name === 'avg' && !isInteger(element)) ? DOUBLE : element
  }
  const ordered = element.kind === 'STRING' || element.kind === 'DATETIME'
  if (ordered && (name === 'min' || name === 'max')) return element
  const message = `${node.name.name} needs numbers`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

function bindIsEmpty(binder: Binder, node: CallSyntax): BoundExpression {
  checkCount(binder, node, { least: 1, most: 1 })
  const argument = node.arguments[0]!
  const size: BoundExpression = looksLikeVertexSet(binder, argument)
    ? { kind: 'vertexSetSize', type: INT, set: binder.rules.vertexSet(binder, argument).set }
    : { kind: 'method', type: INT, method: 'size', of: binder.expression(argument), arguments: [] }
  const zero: BoundExpression = { kind: 'literal', type: INT, value: 0 }
  return { kind: 'compare', type: BOOL, operator: '==', left: size, right: zero }
}

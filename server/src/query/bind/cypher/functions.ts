/** Functions of openCypher (docs/reference/gsql/opencypher.md) that GSQL spells otherwise, or that depend on the type. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, DATETIME, DOUBLE, INT, STRING, type ValueType } from '#query/ir/types.ts'
import { isCollection, isInteger, isNumeric, typeText } from '#query/ir/value-types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import { checkCount } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { asArgument } from '../core/strict-types.ts'
import { AS_LIST } from '../expressions/aggregates.ts'
import { bindCall } from '../expressions/calls.ts'
import { storedValue } from '../statements/changes.ts'
import { bindLacks, LACKS } from './lacking.ts'
import { STORED_VALUE } from './made-elements.ts'
import { ELEMENT_CALLS, LIST_WITH_NULL, NULL_VALUE, nullTestOf } from './nulls.ts'

const SPELLED: ReadonlyMap<string, string> = new Map([
  ['toupper', 'upper'],
  ['tolower', 'lower'],
  ['tostring', 'to_string'],
])

/** Null: the name means the same in GSQL. */
export function bindCypherCall(binder: Binder, node: CallSyntax): BoundExpression | null {
  const name = node.name.name.toLowerCase()
  if (name === 'substring') return substringOf(binder, node)
  const spelled = SPELLED.get(name)
  if (spelled !== undefined) {
    return bindCall(binder, { ...node, name: { ...node.name, name: spelled } })
  }
  if (name === LACKS) return bindLacks(binder, node)
  const typed = TYPED.get(name)
  if (typed === undefined) return null
  checkCount(binder, node, { least: typed.count, most: typed.count + (typed.optional ?? 0) })
  const values = node.arguments.map((argument) => binder.expression(argument))
  const known = nullAs(typed.ofList === true ? LIST_OF_INT : (typed.takes ?? INT), values)
  return typed.bind({ binder, node }, typed.ofList === true ? asLists(known) : known)
}

/** `substr` without its negative starts, which count from the end. */
function substringOf(binder: Binder, node: CallSyntax): BoundExpression {
  const bound = bindCall(binder, { ...node, name: { ...node.name, name: 'substr' } })
  return bound.kind === 'call' ? { ...bound, name: 'substring' } : bound
}

/** A null that is written out has the type that the function speaks of. */
function nullAs(type: ValueType, values: readonly BoundExpression[]): BoundExpression[] {
  const isNull = ([first]: readonly BoundExpression[]) => first?.kind === 'default' && first.isNull
  return isNull(values) === true ? [{ kind: 'default', type }, ...values.slice(1)] : [...values]
}

const LIST_OF_INT: ValueType = { kind: 'LIST', element: INT }

function asLists(values: readonly BoundExpression[]): BoundExpression[] {
  return values.map((value) => {
    const { type } = value
    if (type.kind !== 'SET' && type.kind !== 'BAG') return value
    return { kind: 'convert', type: { kind: 'LIST', element: type.element }, value }
  })
}

interface Site {
  readonly binder: Binder
  readonly node: CallSyntax
}

interface TypedFunction {
  readonly count: number
  /** So many more may follow. */
  readonly optional?: number
  /** Places in a list count: what `collect(DISTINCT …)` and attributes hold is one in its order. */
  readonly ofList?: true
  /** The type of its argument, where any will not do. */
  readonly takes?: ValueType
  readonly bind: (site: Site, values: readonly BoundExpression[]) => BoundExpression
}

const TYPED: ReadonlyMap<string, TypedFunction> = new Map(
  Object.entries<TypedFunction>({
    size: { count: 1, takes: STRING, bind: (site, [value]) => sizeOf(site, value!) },
    head: { count: 1, ofList: true, bind: (site, [list]) => elementAt(site, list!, integer(0)) },
    last: { count: 1, ofList: true, bind: (site, [list]) => lastOf(site, list!) },
    tointeger: { count: 1, bind: (site, [value]) => toInteger(site, value!) },
    [AS_LIST]: { count: 1, ofList: true, bind: (_site, [list]) => list! },
    tail: { count: 1, ofList: true, bind: (site, [list]) => tailOf(site, list!) },
    range: { count: 2, optional: 1, bind: (site, bounds) => rangeOf(site, bounds) },
    tofloat: { count: 1, bind: (site, [value]) => toFloat(site, value!) },
    [nullTestOf('tointeger')!]: {
      count: 1,
      bind: (site, [value]) => isNoInteger(site, value!),
    },
    [nullTestOf('tofloat')!]: {
      count: 1,
      bind: (_site, [value]) => isNoNumber('is_real_text', value!),
    },
    [nullTestOf('head')!]: { count: 1, ofList: true, bind: (_site, [list]) => isEmptyList(list!) },
    [nullTestOf('last')!]: { count: 1, ofList: true, bind: (_site, [list]) => isEmptyList(list!) },
    [ELEMENT_CALLS.value]: {
      count: 2,
      ofList: true,
      bind: (site, [list, index]) => subscript(site, list!, index!),
    },
    [ELEMENT_CALLS.isNull]: {
      count: 2,
      ofList: true,
      bind: (site, [list, index]) => isOutside(site, list!, index!),
    },
    [LIST_WITH_NULL]: { count: 0, bind: (site) => failNull(site) },
    [STORED_VALUE]: { count: 3, bind: (site) => asStored(site) },
    [NULL_VALUE]: { count: 0, bind: () => ({ kind: 'default', type: INT, isNull: true }) },
    type: {
      count: 1,
      takes: { kind: 'EDGE', typeIds: null },
      bind: (site, [edge]) => typeOf(site, edge!, 'EDGE'),
    },
    labels: {
      count: 1,
      takes: { kind: 'VERTEX', typeIds: null },
      bind: (site, [vertex]) => ({
        kind: 'collection',
        type: { kind: 'LIST', element: STRING },
        elements: [typeOf(site, vertex!, 'VERTEX')],
      }),
    },
    id: {
      count: 1,
      takes: { kind: 'VERTEX', typeIds: null },
      bind: (site, [vertex]) => called('getvid', [vertexIn(site, vertex!)], INT),
    },
    timestamp: { count: 0, bind: () => timestamp() },
    e: { count: 0, bind: () => ({ kind: 'literal', type: DOUBLE, value: Math.E }) },
  }),
)

function integer(value: number): BoundExpression {
  return { kind: 'literal', type: INT, value }
}

function called(
  name: string,
  args: readonly BoundExpression[],
  type: BoundExpression['type'],
): BoundExpression {
  return { kind: 'call', type, name, arguments: args }
}

function fail({ binder, node }: Site, value: BoundExpression, wanted: string): never {
  const text = typeText(value.type, (id) => binder.schema.nameOf(id))
  const message = `${node.name.name} needs ${wanted}, not ${text}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

function sizeOf(site: Site, value: BoundExpression): BoundExpression {
  if (value.type.kind === 'STRING') return called('length', [value], INT)
  if (!isCollection(value.type)) fail(site, value, 'a list or a text')
  return { kind: 'method', type: INT, method: 'size', of: value, arguments: [] }
}

/** What is no list fails where its value is taken. */
function isEmptyList(list: BoundExpression): BoundExpression {
  if (list.type.kind !== 'LIST') return { kind: 'literal', type: BOOL, value: false }
  return compared('==', lengthOf(list), integer(0))
}

function lengthOf(of: BoundExpression): BoundExpression {
  return { kind: 'method', type: INT, method: 'size', of, arguments: [] }
}

function compared(
  operator: '==' | '<' | '>=',
  left: BoundExpression,
  right: BoundExpression,
): BoundExpression {
  return { kind: 'compare', type: BOOL, operator, left, right }
}

/** `list[i]`: from 0, below it from the end. */
function subscript(site: Site, list: BoundExpression, given: BoundExpression): BoundExpression {
  if (list.type.kind !== 'LIST') return failSubscript(site, list, 'a list')
  const index = indexOf(site, given)
  const plus = { kind: 'arithmetic', type: INT, operator: '+' } as const
  const fromEnd: BoundExpression = { ...plus, left: index, right: lengthOf(list) }
  const place: BoundExpression = {
    kind: 'case',
    type: INT,
    branches: [{ condition: compared('<', index, integer(0)), value: fromEnd }],
    otherwise: index,
  }
  const isPlain = given.kind === 'literal' && Number(given.value) >= 0
  return elementAt(site, list, isPlain ? index : place)
}

function isOutside(site: Site, list: BoundExpression, given: BoundExpression): BoundExpression {
  if (list.type.kind !== 'LIST') return { kind: 'literal', type: BOOL, value: false }
  const index = indexOf(site, given)
  const size = lengthOf(list)
  const least: BoundExpression = { kind: 'negate', type: INT, value: size }
  const left = compared('>=', index, size)
  return { kind: 'or', type: BOOL, left, right: compared('<', index, least) }
}

function indexOf(site: Site, given: BoundExpression): BoundExpression {
  return isInteger(given.type) ? given : failSubscript(site, given, 'whole numbers')
}

/** A value as the attribute that it is written to holds it. */
function asStored({ binder, node }: Site): BoundExpression {
  const [value, type, name] = node.arguments
  if (value === undefined || type?.kind !== 'string' || name?.kind !== 'string') {
    throw new Error('a stored value without its attribute')
  }
  const { schema } = binder
  const { id } = schema.vertexType(type.value) ?? schema.edge(type.value)!.type
  return storedValue(binder, value, schema.attribute(id, name.value)!.type)
}

function failNull({ binder, node }: Site): never {
  const message = 'a list that is a value holds no null: only WITH, RETURN, UNWIND and IN take one'
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

function failSubscript({ binder, node }: Site, value: BoundExpression, wanted: string): never {
  const text = typeText(value.type, (id) => binder.schema.nameOf(id))
  const message = `a subscript needs ${wanted}, not ${text}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

function elementAt(site: Site, list: BoundExpression, index: BoundExpression): BoundExpression {
  if (list.type.kind !== 'LIST') return fail(site, list, 'a list')
  return { kind: 'method', type: list.type.element, method: 'get', of: list, arguments: [index] }
}

function lastOf(site: Site, list: BoundExpression): BoundExpression {
  const left = sizeOf(site, list)
  const index = { kind: 'arithmetic', type: INT, operator: '-', left, right: integer(1) } as const
  return elementAt(site, list, index)
}

/** All but the first element. */
function tailOf(site: Site, list: BoundExpression): BoundExpression {
  if (list.type.kind !== 'LIST') return fail(site, list, 'a list')
  return { kind: 'userCall', type: list.type, name: 'list tail', arguments: [list] }
}

/** Both bounds are elements. */
function rangeOf({ binder, node }: Site, bounds: readonly BoundExpression[]): BoundExpression {
  const args = [...bounds, ...(bounds.length < 3 ? [integer(1)] : [])].map((bound, place) =>
    asArgument(binder, bound, { type: INT, range: node.arguments[place]?.range ?? node.range }),
  )
  const type = { kind: 'LIST', element: INT } as const
  return { kind: 'userCall', type, name: 'list range', arguments: args }
}

function toFloat({ binder, node }: Site, value: BoundExpression): BoundExpression {
  if (value.type.kind === 'STRING') return called('real_of_text', [value], DOUBLE)
  return asArgument(binder, value, { type: DOUBLE, range: node.range })
}

/** Whether a text spells no number; other values always have one. */
function isNoNumber(test: string, value: BoundExpression): BoundExpression {
  if (value.type.kind !== 'STRING') return { kind: 'literal', type: BOOL, value: false }
  return { kind: 'not', type: BOOL, value: called(test, [value], BOOL) }
}

/** Whether a number or a text has no integer of 64 bits. */
function isNoInteger({ binder, node }: Site, value: BoundExpression): BoundExpression {
  if (isInteger(value.type) || !isNumeric(value.type)) return isNoNumber('is_integer_text', value)
  const real = convertTo(binder, value, DOUBLE, node.range)
  return { kind: 'not', type: BOOL, value: called('is_integer_real', [real], BOOL) }
}

function toInteger(site: Site, value: BoundExpression): BoundExpression {
  if (value.type.kind === 'STRING') return called('integer_of_text', [value], INT)
  if (isInteger(value.type)) return value
  if (!isNumeric(value.type)) fail(site, value, 'a number or a text')
  return called('float_to_int', [convertTo(site.binder, value, DOUBLE, site.node.range)], INT)
}

function typeOf(site: Site, value: BoundExpression, kind: 'VERTEX' | 'EDGE'): BoundExpression {
  if (value.type.kind !== kind) fail(site, value, kind === 'EDGE' ? 'a relationship' : 'a node')
  return { kind: 'typeName', type: STRING, of: value }
}

function vertexIn(site: Site, value: BoundExpression): BoundExpression {
  return value.type.kind === 'VERTEX' ? value : fail(site, value, 'a node')
}

/** Milliseconds since 1970, from when the query began. */
function timestamp(): BoundExpression {
  const seconds = called('datetime_to_epoch', [called('now', [], DATETIME)], INT)
  return { kind: 'arithmetic', type: INT, operator: '*', left: seconds, right: integer(1000) }
}

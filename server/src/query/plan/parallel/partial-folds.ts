/**
 * `@@map += (key -> value)`, `@@list += x` and the like in loops of several threads: each segment
 * folds into a collection of its own, and those are folded into the accumulator in the order of the
 * segments. So keys and elements stand where one thread would have put them. Where the order of the
 * folds shows in the value (sums of reals), one thread folds by segments as well.
 */
import type { BoundAccum, BoundFold, BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { type AccumType, isWideBits, type ValueType } from '#query/ir/types.ts'

type Update = Extract<BoundDmlStatement, { kind: 'updateAccum' }>

/** Whether a statement folds into a global collection that may be made in parts. */
export function isPartialFold({ target, value, assign }: Update, query: BoundQuery): boolean {
  if (assign || target.kind !== 'globalAccum' || !isAdded(value)) return false
  return isMadeInParts(query.globalAccums[target.slot]!)
}

/** By a value, an element or an entry: not by the elements of another collection. */
function isAdded(fold: BoundFold): boolean {
  switch (fold.kind) {
    case 'scalar':
    case 'element':
      return true
    case 'pair':
      return fold.assign !== true && isAdded(fold.value)
    case 'group':
      return fold.values.every((value) => value === null || isAdded(value))
    default:
      return false
  }
}

/** What is kept in a collection of its own, and of what all threads can read. */
function isMadeInParts({ type }: BoundAccum): boolean {
  switch (type.kind) {
    case 'MinAccum':
    case 'MaxAccum':
      return (type.value.kind === 'TUPLE' || type.isOfRows === true) && isHandedOver(type)
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      return isWideBits(type)
    case 'SumAccum':
    case 'AvgAccum':
    case 'OrAccum':
    case 'AndAccum':
      return false
    default:
      return isHandedOver(type)
  }
}

function isHandedOver(type: AccumType): boolean {
  switch (type.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return isPlain(type.value)
    case 'ListAccum':
    case 'SetAccum':
    case 'BagAccum':
      return type.element.kind === 'value' && isPlain(type.element.type)
    case 'HeapAccum':
      return isPlain(type.tuple)
    case 'MapAccum': {
      const { key, value } = type
      return (
        isPlain(key) && (value.kind === 'value' ? isPlain(value.type) : isHandedOver(value.accum))
      )
    }
    case 'GroupByAccum':
      return (
        type.keys.every((key) => isPlain(key.type)) &&
        type.values.every(({ accum }) => isHandedOver(accum))
      )
    case 'ArrayAccum':
      return false
    default:
      return true
  }
}

const plainKinds = new Set([
  ...['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'DATETIME', 'STRING', 'VERTEX', 'EDGE'],
])

function isPlain(type: ValueType): boolean {
  if (type.kind === 'TUPLE') return type.fields.every((field) => isPlain(field.type))
  return plainKinds.has(type.kind)
}

/** Whether the same folds, put together in another way, could give other bits. */
export function foldsInOrder(type: AccumType): boolean {
  switch (type.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return hasReals(type.value)
    case 'AvgAccum':
      return true
    // The two zeros are equal: which one stays depends on which came first.
    case 'HeapAccum':
      return type.order.some(({ field }) => hasReals(type.tuple.fields[field]!.type))
    case 'MapAccum':
      return type.value.kind === 'value'
        ? hasReals(type.value.type)
        : foldsInOrder(type.value.accum)
    case 'GroupByAccum':
      return type.values.some(({ accum }) => foldsInOrder(accum))
    default:
      return false
  }
}

function hasReals(type: ValueType): boolean {
  if (type.kind === 'TUPLE') return type.fields.some((field) => hasReals(field.type))
  return type.kind === 'FLOAT' || type.kind === 'DOUBLE'
}

/** The expressions of such a fold, those of a tuple one by one. */
export function valuesOf(fold: BoundFold): readonly BoundExpression[] {
  switch (fold.kind) {
    case 'scalar':
    case 'element':
      return fieldsOf(fold.value)
    case 'pair':
      return [...fieldsOf(fold.key), ...valuesOf(fold.value)]
    case 'group': {
      const values = fold.values.flatMap((one) => (one === null ? [] : valuesOf(one)))
      return [...fold.keys.flatMap(fieldsOf), ...values]
    }
    default:
      return []
  }
}

function fieldsOf(node: BoundExpression): readonly BoundExpression[] {
  return node.kind === 'tuple' ? node.fields.flatMap(fieldsOf) : [node]
}

/** The global accumulators that the statements of a clause fold into so, at any depth. */
export function partialSlots(
  body: readonly BoundDmlStatement[],
  query: BoundQuery,
): ReadonlySet<number> {
  return new Set(body.flatMap((statement) => slotsOf(statement, query)))
}

function slotsOf(statement: BoundDmlStatement, query: BoundQuery): number[] {
  if (statement.kind === 'if') {
    const bodies = [...statement.branches.map(({ body }) => body), statement.otherwise]
    return bodies.flat().flatMap((inner) => slotsOf(inner, query))
  }
  if (statement.kind !== 'updateAccum' || !isPartialFold(statement, query)) return []
  return statement.target.kind === 'globalAccum' ? [statement.target.slot] : []
}

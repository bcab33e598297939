/** Collection values in expressions. They are blocks of the arena; literals are temporaries. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { type CollectionType, readTypeOf, type ValueType } from '#query/ir/types.ts'
import { isCollection, isNumeric } from '#query/ir/value-types.ts'
import { sharedCount } from '#query/plan/parallel/shared-sets.ts'
import { accumType, emitBlock, withPlace } from '../accumulate/accum-write.ts'
import { finishedCount } from '../parallel/finished-sets.ts'
import { accumKey, type Scope } from '../text/scope.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { doubleOf, integerOf, isInteger, wrapInteger } from './integers.ts'

type Node<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>

export function collectionLiteral(unit: Unit, node: Node<'collection'>, scope: Scope): string {
  const elements = node.elements.map((element) => unit.expression(element, scope))
  return unit.call('collectionOf', unit.codec(node.type), `[${elements.join(',')}]`)
}

/** A collection of another kind is another one; of other numbers, too. */
export function convertCollection(
  unit: Unit,
  code: string,
  from: ValueType,
  to: CollectionType,
): string {
  const element = isCollection(from) || from.kind === 'HEAP' ? from.element : to.element
  const numbers = numbersOf(unit, element, to.element)
  if (from.kind === to.kind && numbers === '') return code
  const change = unit.bind(`numbers ${numbers}`, () => numbers)
  return unit.call('recollected', unit.codec(to), code, change)
}

/** How numbers change; empty: they do not. */
function numbersOf(unit: Unit, from: ValueType, to: ValueType): string {
  if (from.kind === to.kind || !isNumeric(from)) return ''
  if (to.kind === 'FLOAT' || to.kind === 'DOUBLE') return to.kind
  if (isInteger(from) || !isInteger(to)) return ''
  return unit.wide ? 'wide' : 'integer'
}

export function mapLiteral(unit: Unit, node: Node<'map'>, scope: Scope): string {
  const keys = node.entries.map((entry) => unit.expression(entry.key, scope))
  const values = node.entries.map((entry) => unit.expression(entry.value, scope))
  return unit.call('mapOf', unit.codec(node.type), `[${keys.join(',')}]`, `[${values.join(',')}]`)
}

/** `x IN (a, b)` with a literal list is a chain of comparisons; no collection is made. */
export function containment(unit: Unit, node: Node<'in'>, scope: Scope): string {
  const { container } = node
  const simple = node.value.type.kind !== 'TUPLE' && !isBlockKind(node.value.type.kind)
  if (container.kind === 'collection' && simple && container.elements.length <= 16) {
    if (container.elements.length === 0) return 'false'
    const value = unit.expression(node.value, scope)
    const tests = container.elements.map((e) => sameElement(unit, e, { value, scope }))
    return `(${tests.join('||')})`
  }
  const block = unit.expression(container, scope)
  return unit.call('hasElement', block, unit.expression(node.value, scope))
}

/** Equality as a collection has it: NaN is NaN. No literal is one. */
function sameElement(
  unit: Unit,
  element: BoundExpression,
  { value, scope }: { readonly value: string; readonly scope: Scope },
): string {
  const code = unit.expression(element, scope)
  const isReal = element.type.kind === 'FLOAT' || element.type.kind === 'DOUBLE'
  if (!isReal || element.kind === 'literal') return `${value}===${code}`
  return `${value}===${code}||(${value}!==${value}&&${code}!==${code})`
}

export function methodOf(unit: Unit, node: Node<'method'>, scope: Scope): string {
  const block = unit.expression(node.of, scope)
  const args = node.arguments.map((argument) => unit.expression(argument, scope))
  switch (node.method) {
    case 'size':
      return integerOf(unit, unit.call('sizeOf', block))
    case 'contains':
      return unit.call('hasElement', block, ...args)
    case 'containsKey':
      return unit.call('hasKey', block, keyOf(node, args))
    case 'top':
      return unit.call('topOf', block)
    case 'get':
      if (node.of.type.kind === 'LIST') {
        return unit.call('elementAt', block, doubleOf(unit, args[0]!))
      }
      return unit.call('valueUnder', block, keyOf(node, args))
  }
}

function keyOf(node: Node<'method'>, args: readonly string[]): string {
  return node.of.type.kind === 'GROUPS' ? `[${args.join(',')}]` : args[0]!
}

export function popOf(unit: Unit, node: Node<'pop'>, scope: Scope): string {
  const { target } = node
  if (target.kind === 'local') return unit.call('popTop', `${scope.localPrefix}${target.slot}`)
  const queue = scope.deferred.get(accumKey(target))
  if (queue !== undefined) return deferredPop(unit, { target, queue }, scope)
  const name = unit.name('w')
  unit.line(`let ${name};`)
  withPlace(unit, target, scope, (place) => {
    const block = emitBlock(unit, accumType(unit, target), { place, target, scope })
    unit.line(`${name}=${unit.call('popTop', block)};`)
  })
  return name
}

type SharedTarget = Exclude<Node<'pop'>['target'], { kind: 'local' }>

/** The accumulator as the clause reads it. */
function readOf(unit: Unit, target: SharedTarget): BoundExpression {
  const type = readTypeOf(accumType(unit, target))
  return target.kind === 'globalAccum'
    ? { kind: 'globalAccum', type, slot: target.slot }
    : { kind: 'vertexAccum', type, slot: target.slot, of: target.of, previous: false }
}

/** `update(i, x)` for its value. In ACCUM it answers for the list as it was, and waits. */
export function updateOf(unit: Unit, node: Node<'updateElement'>, scope: Scope): string {
  const { target } = node
  const index = doubleOf(unit, unit.expression(node.index, scope))
  const value = unit.expression(node.value, scope)
  const name = unit.name('w')
  const update = (block: string) => unit.call('updateElement', block, index, value)
  if (target.kind === 'local') {
    unit.line(`const ${name}=${update(`${scope.localPrefix}${target.slot}`)};`)
    return name
  }
  const queue = scope.deferred.get(accumKey(target))
  if (queue === undefined) {
    unit.line(`let ${name}=false;`)
    withPlace(unit, target, scope, (place) => {
      const block = emitBlock(unit, accumType(unit, target), { place, target, scope })
      unit.line(`${name}=${update(block)};`)
    })
    return name
  }
  const list = unit.expression(readOf(unit, target), scope)
  unit.line(`const ${name}=${unit.call('hasIndex', list, index)};`)
  const vertex = target.kind === 'globalAccum' ? '-1' : unit.expression(target.of, scope)
  const method = unit.bind('mutator update', () => 'update')
  const kept = isBlockKind(node.value.type.kind) ? unit.call('copyBlock', value) : value
  unit.line(`${unit.call('defer', queue, method, vertex, index, kept)};`)
  return name
}

/** In ACCUM: the top as it was when the clause began; it is removed when the clause ends. */
function deferredPop(
  unit: Unit,
  { target, queue }: { readonly target: SharedTarget; readonly queue: string },
  scope: Scope,
): string {
  const name = unit.name('w')
  const heap = readOf(unit, target)
  unit.line(`const ${name}=${unit.call('topOf', unit.expression(heap, scope))};`)
  const vertex = target.kind === 'globalAccum' ? '-1' : unit.expression(target.of, scope)
  const method = unit.bind('mutator pop', () => 'pop')
  unit.line(`${unit.call('defer', queue, method, vertex)};`)
  return name
}

/** Over numbers; an integer average is truncated. */
export function aggregateOf(unit: Unit, node: Node<'aggregate'>, scope: Scope): string {
  const { distinct, of } = node
  const shared = sharedCount(node)
  if (shared !== null) {
    return finishedCount(unit, node, scope) ?? sharedCountOf(unit, shared, scope)
  }
  const block = unit.expression(of, scope)
  if (node.function === 'count') {
    return integerOf(unit, unit.call('countOf', block, String(distinct)))
  }
  const kind = unit.bind(`aggregate ${node.function} ${distinct}`, () => ({
    function: node.function,
    distinct,
  }))
  const percent = node.percent === undefined ? [] : [unit.expression(node.percent, scope)]
  const value = unit.call('aggregate', kind, block, String(isInteger(node.type)), ...percent)
  if (node.type.kind === 'INT' || node.type.kind === 'UINT') {
    return wrapInteger(unit, node.type.kind, value)
  }
  return node.type.kind === 'FLOAT' ? unit.call('fround', value) : value
}

/** The shared elements are counted, not collected. */
function sharedCountOf(unit: Unit, node: Node<'setOperation'>, scope: Scope): string {
  const left = unit.expression(node.left, scope)
  const right = unit.expression(node.right, scope)
  return integerOf(unit, unit.call('countShared', unit.codec(node.type), left, right))
}

export function tableRowsOf(unit: Unit, node: Node<'tableRows'>, scope: Scope): string {
  const { order, limit, offset } = node
  const rows = unit.expression(node.of, scope)
  const keys = unit.bind(`row order ${JSON.stringify(order)}`, () => order)
  const bound = (value: BoundExpression | null, otherwise: string) =>
    value === null ? otherwise : doubleOf(unit, unit.expression(value, scope))
  const range = [bound(offset, '0'), bound(limit, 'Infinity')]
  return unit.call('tableRows', unit.codec(node.type), rows, keys, ...range)
}

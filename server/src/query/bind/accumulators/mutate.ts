/** Where accumulators are changed: the places of updates and mutators, and who may change what. */

import type { BoundAccumTarget, BoundMutation, MutatorName } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumType, BOOL, DOUBLE, INT, readTypeOf, type ValueType } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { bindArguments } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { bindVertexAccumPlace } from '../core/names.ts'
import { edgeAccumNamed } from './edge-accum-names.ts'

export interface AccumPlace {
  readonly target: BoundAccumTarget
  /** Null: a local container, which is described by `type` alone. */
  readonly accum: AccumType | null
  readonly type: ValueType
}

/** The accumulator or local container that `node` names; null: it names none. */
export function bindAccumPlace(binder: Binder, node: Expression): AccumPlace | null {
  const { clause } = binder
  if (node.kind === 'globalAccum') {
    const slot = binder.accumSlot(`@@${node.name}`, node.range)
    clause?.globalsWritten.add(slot)
    const accum = binder.globalAccums[slot]!.type
    return { target: { kind: 'globalAccum', slot }, accum, type: readTypeOf(accum) }
  }
  if (node.kind === 'vertexAccum') {
    const { slot, of } = bindVertexAccumPlace(binder, node)
    clause?.vertexAccumsWritten.add(slot)
    if (of.kind !== 'vertexAlias') clause?.vertexAccumsWrittenIndirectly.add(slot)
    const accum = binder.vertexAccums[slot]!.type
    return { target: { kind: 'vertexAccum', slot, of }, accum, type: readTypeOf(accum) }
  }
  if (node.kind !== 'name') return null
  const entry = binder.lookup(node.name)
  if (entry?.kind !== 'local' || clause === null) return null
  const { type } = clause.locals[entry.slot]!
  const container = ['LIST', 'SET', 'BAG', 'MAP', 'HEAP', 'GROUPS'].includes(type.kind)
  if (!container && entry.accum === null) return null
  return { target: { kind: 'local', slot: entry.slot }, accum: entry.accum, type }
}

/** The type of the accumulator that `node` names; null: it names none. */
export function accumTypeOf(binder: Binder, node: Expression): AccumType | null {
  if (node.kind === 'globalAccum') {
    return binder.globalAccums[binder.accumSlot(`@@${node.name}`, node.range)]!.type
  }
  if (node.kind === 'vertexAccum') {
    const ofEdges = edgeAccumNamed(binder, node.name.name)
    if (ofEdges !== null) return ofEdges.accum
    const slot = binder.accumSlot(`@${node.name.name}`, node.name.range)
    return binder.vertexAccums[slot]!.type
  }
  const entry = node.kind === 'name' ? binder.lookup(node.name) : undefined
  if (entry?.kind !== 'local' || binder.clause === null) return null
  return binder.clause.locals[entry.slot]!.accum ?? null
}

export function bindPopTarget(
  binder: Binder,
  node: Expression,
): { readonly target: BoundAccumTarget; readonly type: ValueType } {
  const place = bindAccumPlace(binder, node)
  if (place !== null) return place
  return binder.fail(diagnosticCodes.misplaced, node.range, 'pop() needs an accumulator')
}

/** `@@l.update(i, x)` for its value; null: the receiver is no list that could change. */
export function bindListUpdate(
  binder: Binder,
  node: CallSyntax,
  of: Expression,
): BoundExpression | null {
  const place = bindAccumPlace(binder, of)
  if (place === null || place.type.kind !== 'LIST') return null
  const [index, value] = bindArguments(binder, node, [INT, place.type.element])
  const { target } = place
  return { kind: 'updateElement', type: BOOL, target, index: index!, value: value! }
}

/** `@@m.clear();`, `v.@l.update(i, x)`: a mutator as a statement. */
export function bindMutation(binder: Binder, node: CallSyntax): BoundMutation {
  const { of } = node
  const place = of === null ? null : bindAccumPlace(binder, of)
  if (place === null) {
    const isFile = of?.kind === 'name' && binder.files.has(of.name)
    const hint = isFile ? '; a FILE has println' : ''
    const message = `"${node.name.name}" is no statement: nothing here can be changed by it${hint}`
    return binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const { type, accum } = place
  binder.probe(node.name.name, () => ({ kind: 'member', type, accum }))
  const signatures = mutatorsOf(place.type, place.accum)
  const parameters = signatures.get(node.name.name)
  if (parameters === undefined) {
    const known = [...signatures.keys()]
    const hint = suggest(node.name.name, known)
    const message = `no method "${node.name.name}" changes ${place.accum?.kind ?? place.type.kind}${hint}`
    return binder.fail(diagnosticCodes.noSuchMethod, node.name.range, message)
  }
  return {
    kind: 'mutate',
    target: place.target,
    method: node.name.name as MutatorName,
    arguments: bindArguments(binder, node, parameters),
    applies: null,
    place: binder.place(node.range),
  }
}

/** The mutators of docs/reference/gsql/accumulators.md with their parameters. */
export function mutatorsOf(
  type: ValueType,
  accum: AccumType | null,
): ReadonlyMap<string, readonly ValueType[]> {
  const clear: [string, readonly ValueType[]] = ['clear', []]
  if (accum?.kind === 'ArrayAccum') {
    return new Map([['reallocate', Array.from({ length: accum.dimensions }, () => INT)]])
  }
  if (accum?.kind === 'PercentileContAccum') return new Map([clear, ['setPercent', [DOUBLE]]])
  switch (type.kind) {
    case 'LIST':
      return new Map([
        clear,
        ['update', [INT, type.element]],
        ['remove', [INT]],
        ['removeOne', [type.element]],
        ['removeAll', [type.element]],
      ])
    case 'SET':
      return new Map([clear, ['remove', [type.element]]])
    case 'BAG':
      return new Map([clear, ['remove', [type.element]], ['removeAll', [type.element]]])
    case 'MAP':
      return new Map([clear, ['remove', [type.key]]])
    case 'HEAP':
      return new Map([clear, ['pop', []], ['resize', [INT]]])
    case 'GROUPS': {
      const keys = type.row.fields.slice(0, type.keyCount).map((field) => field.type)
      return new Map([clear, ['remove', keys]])
    }
    default:
      return accum === null ? new Map() : new Map([clear])
  }
}

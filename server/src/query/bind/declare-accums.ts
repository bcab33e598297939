/** Accumulator declarations: slots, initial values, heap capacities. */
import type { AccumDeclaration, AccumItemSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from './binder.ts'
import type { BoundAccum, BoundStatement } from './bound.ts'
import { bindInt } from './control.ts'
import { bindAccumType, type DeclaredAccum } from './declare-types.ts'
import { bindFold } from './fold.ts'
import type { AccumType } from './types.ts'

export function bindAccumDeclaration(binder: Binder, node: AccumDeclaration): BoundStatement[] {
  if (node.onEdges) binder.notSupported(node.range, 'edge accumulators')
  const declared = binder.attempt(() => bindAccumType(binder, node.type))
  return node.items.map((item) => {
    if (item.dimensions.length > 0) binder.notSupported(item.name.range, 'ArrayAccum')
    const accum = bindItem(binder, item, declared ?? UNKNOWN)
    const slot = binder.declareAccum(accum, item.global, item.name.range)
    return { kind: 'declareAccum', global: item.global, slot, place: binder.place(item.name.range) }
  })
}

/** Stands in for a type with errors, so that the name is still known. */
const UNKNOWN: DeclaredAccum = {
  type: { kind: 'SumAccum', value: { kind: 'DOUBLE' } } satisfies AccumType,
  capacity: null,
}

function bindItem(
  binder: Binder,
  { name, initial }: AccumItemSyntax,
  { type, capacity }: DeclaredAccum,
): BoundAccum {
  const fold = initial === null ? null : binder.attempt(() => bindFold(binder, type, initial))
  const size = capacity === null ? null : binder.attempt(() => bindInt(binder, capacity))
  return { name: name.name, type, initial: fold, capacity: size }
}

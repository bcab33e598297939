/** Accumulator declarations: slots, initial values, heap capacities. */

import type { BoundAccum, BoundStatement } from '#query/ir/bound.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { AccumType } from '#query/ir/types.ts'
import type { AccumDeclaration, AccumItemSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder, DeclaredAccum } from '../core/binder.ts'
import { bindInt } from '../statements/control.ts'
import { bindAccumType } from './declare-types.ts'
import { edgeAccumNamed } from './edge-accum-names.ts'
import { declareEdgeAccum } from './edge-accums.ts'
import { bindFold } from './fold.ts'

export function bindAccumDeclaration(binder: Binder, node: AccumDeclaration): BoundStatement[] {
  const declared = binder.attempt(() => declaredType(binder, node))
  return node.items.flatMap((item): BoundStatement[] => {
    const { name, global } = item
    if (declared === null) {
      binder.declareBroken(global ? `@@${name.name}` : `@${name.name}`)
      return []
    }
    const isTaken = edgeAccumNamed(binder, name.name) !== null
    if (!global && (isTaken || (node.onEdges && binder.hasAccum(`@${name.name}`)))) {
      const message = `accumulator "@${name.name}" is already declared`
      binder.report(diagnosticCodes.duplicate, name.range, message)
    }
    if (node.onEdges) return edgeItem(binder, item, declared)
    const slot = binder.declareAccum(bindItem(binder, item, declared), global, name.range)
    return [{ kind: 'declareAccum', global, slot, place: binder.place(name.range) }]
  })
}

function declaredType(binder: Binder, node: AccumDeclaration): DeclaredAccum {
  return bindAccumType(binder, node.type)
}

function edgeItem(
  binder: Binder,
  { name, global, initial, dimensions }: AccumItemSyntax,
  { type, capacity }: DeclaredAccum,
): BoundStatement[] {
  const place = binder.place(name.range)
  const plain = initial === null && capacity === null && dimensions.length === 0
  if (global || !plain || type.kind === 'ArrayAccum') {
    const message = 'an accumulator of edges is a @name without an initial value'
    binder.report(diagnosticCodes.misplaced, name.range, message)
  }
  const slot = declareEdgeAccum(binder, name.name, type)
  return [{ kind: 'declareAccum', global: true, slot, place }]
}

function bindItem(
  binder: Binder,
  { name, initial, dimensions }: AccumItemSyntax,
  { type: declared, capacity }: DeclaredAccum,
): BoundAccum {
  if (dimensions.length > 0 && declared.kind !== 'ArrayAccum') {
    const message = `only an ArrayAccum has dimensions, not a ${declared.kind}`
    binder.report(diagnosticCodes.misplaced, name.range, message)
  }
  const type = withDimensions(declared, dimensions.length)
  const fold = initial === null ? null : binder.attempt(() => bindFold(binder, type, initial))
  const size = capacity === null ? null : binder.attempt(() => bindInt(binder, capacity))
  const sizes = dimensions.map((dimension) =>
    dimension === null ? null : binder.attempt(() => bindInt(binder, dimension)),
  )
  return { name: name.name, type, initial: fold, capacity: size, dimensions: sizes }
}

function withDimensions(type: AccumType, count: number): AccumType {
  return type.kind === 'ArrayAccum' && count > 0 ? { ...type, dimensions: count } : type
}

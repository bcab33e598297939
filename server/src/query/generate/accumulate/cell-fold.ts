/** Folding into a block of the arena: the runtime finds its shape in the block's first cell. */
import type { BoundFold } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { arrayIndexes } from '../expressions/array-elements.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export interface CellFold {
  readonly scope: Scope
  /** JavaScript name of the block. */
  readonly block: string
  /** Empty it first. The value is computed, and copied if it lives elsewhere, before that. */
  readonly assign: boolean
}

/**
 * All values are computed first, in their order: at the level of the body and in POST-ACCUM they may
 * read what the fold changes.
 */
export function emitCellFold(unit: Unit, fold: BoundFold, into: CellFold): void {
  const { scope, block, assign } = into
  const apply = emitValues(unit, fold, { scope, assign })
  if (assign && fold.kind !== 'at') unit.line(`${unit.call('clearBlock', block)};`)
  apply(block)
}

/** Writes the fold of values that are computed into a block. */
type Apply = (block: string) => void

interface ValueContext {
  readonly scope: Scope
  /** The block is emptied before the fold: what a value refers to may lie in it. */
  readonly assign: boolean
}

function emitValues(unit: Unit, fold: BoundFold, context: ValueContext): Apply {
  const { scope, assign } = context
  switch (fold.kind) {
    case 'scalar':
    case 'element': {
      const value = named(unit, fold.value, scope)
      const name = fold.kind === 'scalar' ? 'foldBlock' : 'addElement'
      return (block) => unit.line(`${unit.call(name, block, value)};`)
    }
    case 'elements':
    case 'merge': {
      const code = unit.expression(fold.value, scope)
      const value = unit.name('w')
      unit.line(`const ${value}=${assign ? unit.call('copyValue', code) : code};`)
      const name = fold.kind === 'merge' ? 'mergeMap' : 'addElements'
      return (block) => unit.line(`${unit.call(name, block, value)};`)
    }
    case 'pair':
      return emitPair(unit, fold, context)
    case 'group':
      return emitGroup(unit, fold, context)
    case 'at':
      return emitElement(unit, fold, context)
  }
}

/** Into one element of an array: a scalar in its cell, a collection in its block. */
function emitElement(
  unit: Unit,
  fold: Extract<BoundFold, { kind: 'at' }>,
  { scope }: ValueContext,
): Apply {
  const indexes = unit.name('w')
  unit.line(`const ${indexes}=${arrayIndexes(unit, fold.indexes, scope)};`)
  const scalar = fold.value.kind === 'scalar' ? named(unit, fold.value.value, scope) : null
  const apply =
    scalar === null ? emitValues(unit, fold.value, { scope, assign: fold.assign }) : null
  return (block) => {
    const cell = unit.name('w')
    unit.line(`const ${cell}=${unit.call('arrayCell', block, indexes)};`)
    if (scalar !== null) {
      unit.line(`${unit.call(fold.assign ? 'setCell' : 'foldCell', block, cell, scalar)};`)
      return
    }
    const inner = unit.name('h')
    unit.line(`const ${inner}=${unit.call('cellBlock', cell)};`)
    if (fold.assign) unit.line(`${unit.call('clearBlock', inner)};`)
    apply?.(inner)
  }
}

function named(unit: Unit, value: BoundExpression, scope: Scope): string {
  const name = unit.name('w')
  unit.line(`const ${name}=${unit.expression(value, scope)};`)
  return name
}

function emitPair(
  unit: Unit,
  fold: Extract<BoundFold, { kind: 'pair' }>,
  context: ValueContext,
): Apply {
  const { scope } = context
  const key = named(unit, fold.key, scope)
  const value = fold.value.kind === 'scalar' ? named(unit, fold.value.value, scope) : null
  const isEmptied = context.assign || fold.assign === true
  const apply = value === null ? emitValues(unit, fold.value, { scope, assign: isEmptied }) : null
  return (block) => {
    if (fold.assign === true) {
      const method = unit.bind('mutator remove', () => 'remove')
      unit.line(`${unit.call('mutate', method, block, key)};`)
    }
    if (value !== null) {
      unit.line(`${unit.call('foldEntry', block, key, value)};`)
      return
    }
    const inner = unit.name('h')
    unit.line(`const ${inner}=${unit.call('entryBlock', block, key)};`)
    apply?.(inner)
  }
}

function emitGroup(
  unit: Unit,
  fold: Extract<BoundFold, { kind: 'group' }>,
  { scope, assign }: ValueContext,
): Apply {
  const keys = fold.keys.map((key) => named(unit, key, scope)).join(',')
  const values = fold.values.map((value) => {
    if (value === null) return null
    if (value.kind === 'scalar') return named(unit, value.value, scope)
    return emitValues(unit, value, { scope, assign })
  })
  return (block) => {
    const row = unit.name('w')
    unit.line(`const ${row}=${unit.call('groupRow', block, `[${keys}]`)};`)
    for (const [i, value] of values.entries()) {
      if (value === null) continue
      if (typeof value === 'string') {
        unit.line(`${unit.call('foldGroup', block, row, i, value)};`)
        continue
      }
      const inner = unit.name('h')
      unit.line(`const ${inner}=${unit.call('groupBlock', block, row, i)};`)
      value(inner)
    }
  }
}

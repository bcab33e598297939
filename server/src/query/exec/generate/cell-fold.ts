/** Folding into a block of the arena: the runtime finds its shape in the block's first cell. */
import type { BoundFold } from '#query/bind/bound.ts'
import type { BoundExpression } from '#query/bind/bound-expression.ts'
import { arrayIndexes } from './array-elements.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

export interface CellFold {
  readonly scope: Scope
  /** JavaScript name of the block. */
  readonly block: string
  /** Empty it first. The value is computed, and copied if it lives elsewhere, before that. */
  readonly assign: boolean
}

export function emitCellFold(unit: Unit, fold: BoundFold, into: CellFold): void {
  const { scope, block, assign } = into
  switch (fold.kind) {
    case 'scalar':
    case 'element': {
      const value = named(unit, fold.value, scope)
      reset(unit, into)
      unit.line(`${unit.call(fold.kind === 'scalar' ? 'foldBlock' : 'addElement', block, value)};`)
      return
    }
    case 'elements':
    case 'merge': {
      const code = unit.expression(fold.value, scope)
      const value = unit.name('w')
      unit.line(`const ${value}=${assign ? unit.call('copyValue', code) : code};`)
      reset(unit, into)
      unit.line(`${unit.call(fold.kind === 'merge' ? 'mergeMap' : 'addElements', block, value)};`)
      return
    }
    case 'pair':
      reset(unit, into)
      emitPair(unit, fold, into)
      return
    case 'group':
      reset(unit, into)
      emitGroup(unit, fold, into)
      return
    case 'at':
      emitElement(unit, fold, into)
  }
}

/** Into one element of an array: a scalar in its cell, a collection in its block. */
function emitElement(unit: Unit, fold: Extract<BoundFold, { kind: 'at' }>, into: CellFold): void {
  const { scope, block } = into
  const cell = unit.name('w')
  const indexes = arrayIndexes(unit, fold.indexes, scope)
  unit.line(`const ${cell}=${unit.call('arrayCell', block, indexes)};`)
  if (fold.value.kind === 'scalar') {
    const value = named(unit, fold.value.value, scope)
    const name = fold.assign ? 'setCell' : 'foldCell'
    unit.line(`${unit.call(name, block, cell, value)};`)
    return
  }
  const inner = unit.name('h')
  unit.line(`const ${inner}=${unit.call('cellBlock', cell)};`)
  emitCellFold(unit, fold.value, { scope, block: inner, assign: fold.assign })
}

function reset(unit: Unit, { block, assign }: CellFold): void {
  if (assign) unit.line(`${unit.call('clearBlock', block)};`)
}

function named(unit: Unit, value: BoundExpression, scope: Scope): string {
  const name = unit.name('w')
  unit.line(`const ${name}=${unit.expression(value, scope)};`)
  return name
}

function emitPair(unit: Unit, fold: Extract<BoundFold, { kind: 'pair' }>, into: CellFold): void {
  const { scope, block } = into
  const key = named(unit, fold.key, scope)
  const value = fold.value.kind === 'scalar' ? named(unit, fold.value.value, scope) : null
  if (fold.assign === true) {
    unit.line(
      `${unit.call(
        'mutate',
        unit.bind('mutator remove', () => 'remove'),
        block,
        key,
      )};`,
    )
  }
  if (value !== null) {
    unit.line(`${unit.call('foldEntry', block, key, value)};`)
    return
  }
  const inner = unit.name('h')
  unit.line(`const ${inner}=${unit.call('entryBlock', block, key)};`)
  emitCellFold(unit, fold.value, { scope, block: inner, assign: false })
}

function emitGroup(unit: Unit, fold: Extract<BoundFold, { kind: 'group' }>, into: CellFold): void {
  const { scope, block } = into
  const keys = fold.keys.map((key) => unit.expression(key, scope)).join(',')
  const row = unit.name('w')
  unit.line(`const ${row}=${unit.call('groupRow', block, `[${keys}]`)};`)
  fold.values.forEach((value, i) => {
    if (value === null) return
    if (value.kind === 'scalar') {
      unit.line(`${unit.call('foldGroup', block, row, i, unit.expression(value.value, scope))};`)
      return
    }
    const inner = unit.name('h')
    unit.line(`const ${inner}=${unit.call('groupBlock', block, row, i)};`)
    emitCellFold(unit, value, { scope, block: inner, assign: false })
  })
}

/** Folding into accumulators, in every clause: see `expressions/accum-kinds.ts` for how they are kept. */
import type { BoundAccumTarget, BoundAccumUpdate, BoundFold } from '#query/ir/bound.ts'
import type { AccumType } from '#query/ir/types.ts'
import { type RegisterKind, registerKind } from '../expressions/accum-kinds.ts'
import { countsOf, typedColumn } from '../expressions/accum-read.ts'
import { wrapInteger } from '../expressions/integers.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitCellFold } from './cell-fold.ts'

/** Where a state lies: a name or an array element, its count for averages. */
export interface StatePlace {
  readonly state: string
  readonly count: string
}

/** An `updateAccum` statement. Assignments inside ACCUM are guarded by the caller. */
export function emitUpdate(unit: Unit, update: BoundAccumUpdate, scope: Scope): void {
  const { target, value, assign } = update
  if (target.kind === 'local') {
    emitLocalUpdate(unit, { slot: target.slot, value, assign }, scope)
    return
  }
  const type = accumType(unit, target)
  const kind = registerKind(unit, type)
  const scalar = scalarOf(unit, kind, value, scope)
  withPlace(unit, target, scope, (place) => {
    if (kind !== null && scalar !== null) emitRegister(unit, kind, place, { scalar, assign })
    else emitBlockUpdate(unit, { type, value, assign }, { place, target, scope })
  })
}

function emitLocalUpdate(
  unit: Unit,
  update: { readonly slot: number; readonly value: BoundFold; readonly assign: boolean },
  scope: Scope,
): void {
  const { slot, value, assign } = update
  const name = `${scope.localPrefix}${slot}`
  const accum = scope.locals[slot]?.accum
  const kind = accum === undefined ? null : registerKind(unit, accum)
  const scalar = scalarOf(unit, kind, value, scope)
  if (kind === null || scalar === null) emitCellFold(unit, value, { scope, block: name, assign })
  else emitRegister(unit, kind, { state: name, count: `${name}_c` }, { scalar, assign })
}

/** Writes what makes a register as it was declared without a value. */
export function emitRegisterReset(unit: Unit, kind: RegisterKind, place: StatePlace): void {
  unit.line(`${place.state}=${kind.initial};`)
  if (kind.fold === 'avg') unit.line(`${place.count}=0;`)
}

export function accumType(
  unit: Unit,
  target: Exclude<BoundAccumTarget, { kind: 'local' }>,
): AccumType {
  const list = target.kind === 'globalAccum' ? unit.query.globalAccums : unit.query.vertexAccums
  return list[target.slot]!.type
}

/** The value of a register fold, computed before its place is touched. */
function scalarOf(
  unit: Unit,
  kind: RegisterKind | null,
  fold: BoundFold,
  scope: Scope,
): string | null {
  if (kind === null || fold.kind !== 'scalar') return null
  const code = unit.expression(fold.value, scope)
  if (/^[\w.]+$/.test(code) || kind.fold === 'sum') return code
  const name = unit.name('w')
  unit.line(`const ${name}=${code};`)
  return name
}

/** Runs `emit` with the place of the target; an unknown vertex has none and nothing is done. */
export function withPlace(
  unit: Unit,
  target: Exclude<BoundAccumTarget, { kind: 'local' }>,
  scope: Scope,
  emit: (place: StatePlace) => void,
): void {
  if (target.kind === 'globalAccum') {
    const name = scope.writes.globals.get(target.slot) ?? `g${target.slot}`
    emit({ state: name, count: `${name}_c` })
    return
  }
  const register = scope.registers.get(target.slot)
  if (register !== undefined) {
    emit({ state: register, count: `${register}_c` })
    return
  }
  const column = `v${target.slot}`
  const ref = target.of.kind === 'vertexAlias' ? scope.vertices.get(target.of.position) : undefined
  if (ref !== undefined) {
    const typed = typedColumn(unit, column, ref.typeId)
    const counts = countsOf(typed)
    if (isAverage(unit, target.slot)) unit.parts.add(counts)
    emit({ state: `${typed}[${ref.row}]`, count: `${counts}[${ref.row}]` })
    return
  }
  const index = unit.name('u')
  unit.line(`{const ${index}=${unit.expression(target.of, scope)};if(${index}>=0){`)
  emit({ state: `${column}[${index}]`, count: `${countsOf(column)}[${index}]` })
  unit.line('}}')
}

export function isAverage(unit: Unit, slot: number): boolean {
  return unit.query.vertexAccums[slot]!.type.kind === 'AvgAccum'
}

export function emitRegister(
  unit: Unit,
  kind: RegisterKind,
  place: StatePlace,
  update: { readonly scalar: string; readonly assign: boolean },
): void {
  const { state } = place
  const { scalar, assign } = update
  if (assign) {
    unit.line(`${state}=${asStored(kind, scalar)};`)
    if (kind.fold === 'avg') unit.line(`${place.count}=1;`)
    return
  }
  unit.line(foldText(unit, kind, place, scalar))
}

function asStored(kind: RegisterKind, scalar: string): string {
  return kind.column === 'u8' ? `(${scalar}?1:0)` : scalar
}

function foldText(unit: Unit, kind: RegisterKind, place: StatePlace, scalar: string): string {
  const { state, count } = place
  switch (kind.fold) {
    case 'sum':
      return `${state}=${sumText(unit, kind, state, scalar)};`
    case 'avg':
      return `${state}+=${scalar};${count}+=1;`
    case 'or':
      return `if(${scalar})${state}=1;`
    case 'and':
      return `if(!${scalar})${state}=0;`
    case 'bitOr':
    case 'bitAnd':
      return `${state}=${bitText(unit, kind.fold, state, scalar)};`
    case 'min':
    case 'max':
      return extremeText(unit, kind, state, scalar)
  }
}

function sumText(unit: Unit, kind: RegisterKind, state: string, scalar: string): string {
  switch (kind.value.kind) {
    case 'INT':
    case 'UINT':
      return wrapInteger(unit, kind.value.kind, `${state}+${scalar}`)
    case 'FLOAT':
      return unit.call('fround', `${state}+${scalar}`)
    case 'STRING':
      return unit.call('appendTo', state, scalar)
    default:
      return `${state}+${scalar}`
  }
}

function bitText(unit: Unit, fold: 'bitOr' | 'bitAnd', state: string, scalar: string): string {
  if (unit.wide) return `${state}${fold === 'bitOr' ? '|' : '&'}${scalar}`
  return unit.call(fold, state, scalar)
}

function extremeText(unit: Unit, kind: RegisterKind, state: string, scalar: string): string {
  const min = kind.fold === 'min'
  switch (kind.value.kind) {
    case 'STRING': {
      const order = unit.call('compareStrings', scalar, state)
      return `if(${state}<0||${order}${min ? '<' : '>'}0)${state}=${scalar};`
    }
    case 'VERTEX':
    case 'EDGE':
      return min
        ? `if(${scalar}>=0&&(${state}<0||${scalar}<${state}))${state}=${scalar};`
        : `if(${scalar}>${state})${state}=${scalar};`
    case 'BOOL':
      return `if(${min ? '!' : ''}${scalar})${state}=${min ? 0 : 1};`
    case 'FLOAT':
    case 'DOUBLE': {
      // NaN comes after every number: a minimum gives it up, a maximum takes it.
      const unordered = min ? state : scalar
      const isBetter = `${scalar}${min ? '<' : '>'}${state}||${unordered}!==${unordered}`
      return `if(${isBetter})${state}=${scalar};`
    }
    default:
      return `if(${scalar}${min ? '<' : '>'}${state})${state}=${scalar};`
  }
}

/** Cell accumulators: make the block on first use, keep the old one when it is still read. */
function emitBlockUpdate(
  unit: Unit,
  update: { readonly type: AccumType; readonly value: BoundFold; readonly assign: boolean },
  at: {
    readonly place: StatePlace
    readonly target: Exclude<BoundAccumTarget, { kind: 'local' }>
    readonly scope: Scope
  },
): void {
  const block = emitBlock(unit, update.type, at)
  emitCellFold(unit, update.value, { scope: at.scope, block, assign: update.assign })
}

/** Writes what makes the target's block ready to be changed, and returns its name. */
export function emitBlock(
  unit: Unit,
  type: AccumType,
  at: {
    readonly place: StatePlace
    readonly target: Exclude<BoundAccumTarget, { kind: 'local' }>
    readonly scope: Scope
  },
): string {
  const { place, target, scope } = at
  const { state } = place
  const block = unit.name('h')
  const shape = unit.accumShape(type)
  if (target.kind === 'globalAccum') {
    unit.line(`const ${block}=${state};`)
    return block
  }
  const initial = `i${target.slot}`
  const fresh = unit.call('makeBlock', shape, initial)
  unit.line(`let ${block}=${state};if(${block}===0)${block}=${state}=${fresh};`)
  const kept = scope.kept.get(target.slot)
  if (kept === undefined) return block
  const before = state.replace(`v${target.slot}`, kept)
  if (before.includes('_t')) unit.parts.add(before.slice(0, before.indexOf('[')))
  const copy = unit.call('copyBlock', block)
  unit.line(`else if(${block}===${before})${block}=${state}=${copy};`)
  return block
}

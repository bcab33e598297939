/**
 * The state of an ACCUM or POST-ACCUM clause while it runs: reads see the accumulators as they
 * were when it began, writes go where the next statement will find them (docs/reference/gsql/accumulators.md).
 *
 * Globals and base variables are written in local names and put back at the end, which also keeps
 * them in registers. Vertex columns are written in place; those the clause reads as well are copied
 * first, and read from the copy. Cell columns copy block numbers only: a block is copied when the
 * clause first changes it.
 */
import type { BoundAccumTarget } from '#query/ir/bound.ts'
import type { BoundDmlStatement, BoundEffects, BoundSelect } from '#query/ir/bound-select.ts'
import {
  assignedAndAdded,
  assignedRepeatedly,
  snapshotsOf,
} from '#query/plan/select/clause-reads.ts'
import { type RegisterKind, registerKind } from '../expressions/accum-kinds.ts'
import type { AssignmentGuard } from '../statements/dml.ts'
import type { AccumNames, Scope } from '../text/scope.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { enterDeferred } from './deferred.ts'

export type Skips = (statement: BoundDmlStatement) => boolean

export interface OpenClause {
  readonly scope: Scope
  readonly guard: AssignmentGuard
  /** Writes what every row of ACCUM begins with. */
  beginRow(): void
  /**
   * What each pass over the rows leaves out. One pass, unless an accumulator is assigned and added
   * to: then assignments have a pass of their own before all else.
   */
  readonly passes: readonly Skips[]
  /** Local names of the globals that the clause folds into, by slot. */
  readonly written: ReadonlyMap<number, string>
  /** The body's scope with what POST-ACCUM still needs: values from before the ACCUM. */
  readonly keptScope: Scope
  /** Writes what ends the clause. */
  leave(): void
  /** Writes what ends the SELECT. */
  dropKept(): void
}

export function enterAccum(unit: Unit, select: BoundSelect, outer: Scope): OpenClause {
  const { accum } = select
  const { globals, columns: read } = snapshotsOf(select)
  const snapshots = new Set([...read, ...select.previousVertexAccums])
  const copies = copyColumns(
    unit,
    [...snapshots].sort((a, b) => a - b),
  )
  const keptScope = keepPrevious(select, outer, copies)
  if (accum === null) {
    return {
      scope: keptScope,
      guard: neverGuard,
      beginRow: () => {},
      passes: [nothing],
      written: new Map(),
      keptScope,
      leave: () => {},
      dropKept: () => dropColumns(unit, copies),
    }
  }
  const written = enterGlobals(unit, accum.effects, [...globals])
  const deferred = enterDeferred(unit, accum.body, () => true)
  const columns = new Map(keptScope.reads.columns)
  for (const slot of read) columns.set(slot, copies.get(slot)!)
  const scope: Scope = {
    ...keptScope,
    localPrefix: 'z',
    locals: accum.locals,
    deferred: deferred.queues,
    reads: { ...keptScope.reads, columns },
    writes: { ...keptScope.writes, globals: written.names.globals },
    kept: copies,
    buffered: written.buffered,
  }
  const { guard, beginRow, leave } = firstRowGuard(unit, select, accum.body)
  return {
    scope,
    guard,
    beginRow,
    passes: passesOf(accum.body),
    written: written.names.globals,
    keptScope,
    leave: () => {
      leave()
      written.leave()
      deferred.apply({ ...scope, writes: keptScope.writes })
    },
    dropKept: () => dropColumns(unit, copies),
  }
}

function keepPrevious(
  select: BoundSelect,
  outer: Scope,
  copies: ReadonlyMap<number, string>,
): Scope {
  const columns = new Map(outer.reads.columns)
  const kept = new Map<number, string>()
  for (const slot of select.previousVertexAccums) {
    columns.set(-1 - slot, copies.get(slot)!)
    kept.set(slot, copies.get(slot)!)
  }
  return { ...outer, reads: { ...outer.reads, columns }, kept }
}

function copyColumns(unit: Unit, slots: readonly number[]): ReadonlyMap<number, string> {
  const copies = new Map<number, string>()
  for (const slot of slots) {
    const name = `o${slot}`
    unit.line(`const ${name}=${unit.call('copyColumn', `v${slot}`)};`)
    if (unit.query.vertexAccums[slot]!.type.kind === 'AvgAccum') {
      unit.line(`const ${name}_c=${unit.call('copyColumn', `v${slot}_c`)};`)
    }
    copies.set(slot, name)
  }
  return copies
}

function dropColumns(unit: Unit, copies: ReadonlyMap<number, string>): void {
  for (const [slot, name] of copies) {
    const { type } = unit.query.vertexAccums[slot]!
    if (registerKind(unit, type) === null) {
      unit.line(`${unit.call('releaseBlocks', name, `v${slot}`)};`)
    }
    unit.line(`${unit.call('dropColumn', name)};`)
    if (type.kind === 'AvgAccum') unit.line(`${unit.call('dropColumn', `${name}_c`)};`)
  }
}

export interface GlobalWrites {
  readonly names: AccumNames
  readonly buffered: ReadonlyMap<number, string>
  leave(): void
}

/** Local names for the globals and base variables that a clause writes. */
export function enterGlobals(
  unit: Unit,
  effects: BoundEffects,
  snapshots: readonly number[],
): GlobalWrites {
  const globals = new Map<number, string>()
  const ends: string[] = []
  for (const slot of effects.globalsWritten) {
    const kind = registerKind(unit, unit.query.globalAccums[slot]!.type)
    if (kind !== null) enterRegister(unit, slot, { kind, globals, ends })
    else if (snapshots.includes(slot)) enterBlock(unit, slot, { globals, ends })
  }
  const buffered = new Map<number, string>()
  for (const slot of effects.variablesWritten) {
    const name = unit.name('x_')
    buffered.set(slot, name)
    if (isBlockKind(unit.query.variables[slot]!.type.kind)) {
      unit.line(`let ${name}=${unit.call('copyBlock', `x${slot}`)};`)
      ends.push(`${unit.call('dropBlock', `x${slot}`)};x${slot}=${name};`)
      continue
    }
    unit.line(`let ${name}=x${slot};`)
    ends.push(`x${slot}=${name};`)
  }
  const leave = () => {
    for (const end of ends) unit.line(end)
  }
  return { names: { globals, columns: new Map() }, buffered, leave }
}

interface Entering {
  readonly globals: Map<number, string>
  readonly ends: string[]
}

function enterRegister(unit: Unit, slot: number, into: Entering & { kind: RegisterKind }): void {
  const name = unit.name('l')
  unit.line(`let ${name}=g${slot};`)
  into.ends.push(`g${slot}=${name};`)
  if (into.kind.fold === 'avg') {
    unit.line(`let ${name}_c=g${slot}_c;`)
    into.ends.push(`g${slot}_c=${name}_c;`)
  }
  into.globals.set(slot, name)
}

function enterBlock(unit: Unit, slot: number, into: Entering): void {
  const name = unit.name('l')
  unit.line(`const ${name}=${unit.call('copyBlock', `g${slot}`)};`)
  into.ends.push(`${unit.call('dropBlock', `g${slot}`)};g${slot}=${name};`)
  into.globals.set(slot, name)
}

const nothing: Skips = () => false

function passesOf(body: readonly BoundDmlStatement[]): readonly Skips[] {
  const { globals, columns } = assignedAndAdded(body)
  if (globals.size + columns.size === 0) return [nothing]
  const isBoth = (statement: BoundDmlStatement): boolean => {
    if (statement.kind !== 'updateAccum' || !statement.assign) return false
    const { target } = statement
    if (target.kind === 'local') return false
    return (target.kind === 'globalAccum' ? globals : columns).has(target.slot)
  }
  const changes = new Set([
    ...['updateAccum', 'mutate', 'setVariable', 'println', 'callStatement'],
    ...['setAttribute', 'insertVertex', 'insertEdge', 'deleteElement', 'log'],
  ])
  const isLocal = (statement: BoundDmlStatement): boolean =>
    statement.kind === 'updateAccum' && statement.target.kind === 'local'
  return [
    (statement) => changes.has(statement.kind) && !isBoth(statement) && !isLocal(statement),
    isBoth,
  ]
}

const neverGuard: AssignmentGuard = (_update, _scope, emit) => emit()

/**
 * `=` in ACCUM: of several rows that assign, the first counts, with all its assignments. A bit per
 * vertex (a flag for a global) tells whether one has. Where one row may assign more than once, the
 * number of the row that was first stands in its place. Rows of a pattern without hops are one per
 * vertex.
 */
function firstRowGuard(
  unit: Unit,
  select: BoundSelect,
  body: readonly BoundDmlStatement[],
): FirstRows {
  const repeated = assignedRepeatedly(select, body)
  const flags = new Map<string, string>()
  const row = repeated.size === 0 ? null : flagOf('row', '0')
  const columns: string[] = []

  function flagOf(key: string, initial: string): string {
    const known = flags.get(key)
    if (known !== undefined) return known
    const name = unit.name('f')
    flags.set(key, name)
    unit.lateSetup.push(`let ${name}=${initial};`)
    return name
  }

  function rowColumn(slot: number): string {
    const isNew = !flags.has(`r${slot}`)
    const kind = unit.bind('column kind f64', () => 'f64')
    const name = flagOf(`r${slot}`, unit.call('declareColumn', 'null', kind, 0))
    if (isNew) columns.push(name)
    return name
  }

  const guard: AssignmentGuard = (update, scope, emit) => {
    const { target } = update
    unit.line('{')
    if (target.kind === 'local' || isOncePerVertex(select, target)) {
      emit()
      unit.line('}')
      return
    }
    if (target.kind === 'globalAccum') {
      const flag = flagOf(`g${target.slot}`, '0')
      unit.line(`if(${flag}===0){${flag}=1;`)
      emit()
      unit.line('}}')
      return
    }
    const index = unit.name('u')
    unit.line(`const ${index}=${unit.expression(target.of, scope)};`)
    if (repeated.has(target.slot)) {
      const column = rowColumn(target.slot)
      const at = `${column}[${index}]`
      unit.line(`if(${index}>=0&&(${at}===0||${at}===${row})){${at}=${row};`)
    } else {
      const words = flagOf(`v${target.slot}`, unit.call('newWords'))
      unit.line(`if(${index}>=0&&!((${words}[${index}>>>5]>>>(${index}&31))&1)){`)
      unit.line(`${words}[${index}>>>5]|=1<<(${index}&31);`)
    }
    emit()
    unit.line('}}')
  }
  const beginRow = (): void => {
    if (row !== null) unit.line(`${row}=${row}+1;`)
  }
  const leave = (): void => {
    for (const column of columns) unit.line(`${unit.call('dropColumn', column)};`)
  }
  return { guard, beginRow, leave }
}

interface FirstRows extends Pick<OpenClause, 'guard' | 'beginRow'> {
  /** Writes what gives up what it takes. */
  leave(): void
}

function isOncePerVertex({ hops }: BoundSelect, target: BoundAccumTarget): boolean {
  return hops.length === 0 && target.kind === 'vertexAccum' && target.of.kind === 'vertexAlias'
}

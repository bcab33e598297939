/**
 * A hop taken from its other end: each vertex of the target gathers over the edges that lead to it.
 * Folds go into a local and are stored once; no two threads write one vertex.
 *
 * The rows of a target come in the order of their sources, as they do when the sources push, so the
 * sums have the same bits. What an expression of the source alone costs more than to read a column
 * is computed for every source first.
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { childrenOf, referencesOf, throwsItself } from '#query/plan/select/references.ts'
import {
  type HoistedValue,
  type SelectPlan,
  turn,
  type Walk,
} from '#query/plan/select/select-plan.ts'
import { isAverage } from '../accumulate/accum-write.ts'
import { countsOf, typedColumn } from '../expressions/accum-read.ts'
import { degreeHelper, emitEdges } from '../select/adjacency.ts'
import { emitKept } from '../select/kept-rows.ts'
import { bindOf, isPlainStep, isUnchanged, pullTest } from '../select/one-hop.ts'
import { inParts, type LoopRange, type WrittenGlobals } from '../text/part.ts'
import { emitRowLoop } from '../text/row-loop.ts'
import { type Scope, withHoisted, withVertex } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitPackedSources, type PackedSources } from './packed-sources.ts'

/** A set gathers when its edges are more than this part of all: several threads share the rest. */
const GATHER_PART = 0.5
const GATHER_PART_ALONE = 0.75

export interface Gather {
  readonly plan: SelectPlan
  readonly scope: Scope
  readonly globals: WrittenGlobals
  /** Type of the sources, and the name of their rows (null at run time: all). */
  readonly typeId: number
  readonly rows: string
  /** Writes the statements of a row. */
  readonly row: (scope: Scope) => void
}

/**
 * Writes the gathering loops and the beginning of the branch for all else.
 *
 * @returns which sets are left to that branch
 */
export function emitGather(unit: Unit, gather: Gather): 'all' | 'some' | 'parts' {
  const { plan, typeId, rows } = gather
  const walk = plan.walks[0]!
  const targets = plan.select.positions[walk.to]!.typeIds
  const steps = walk.steps.filter(
    (step) =>
      step.fromTypeId === typeId &&
      targets.includes(step.toTypeId) &&
      unit.physical.adjacency(step.edgeTypeId, step.pair) !== null,
  )
  const [first] = steps
  if (first === undefined) return 'all'
  const pays = (part: number) => pullTest(unit, { step: first, rows, plan }, part)
  const plain = steps.every((step) => isUnchanged(unit, step))
  const helped = `${unit.call('threads')}>1`
  const alone = plain ? `(${helped}||${pays(GATHER_PART_ALONE)})` : helped
  unit.line(`if(${plain ? `${rows}===null||` : ''}${pays(GATHER_PART)}&&${alone}){`)
  emitKept(unit, 0, unit.call('rowCountOf', rows, typeId))
  for (const step of steps) emitStep(unit, gather, { walk, step })
  unit.line('}else{')
  return plain ? 'parts' : 'some'
}

interface GatherStep {
  readonly walk: Walk
  readonly step: BoundStep
}

function emitStep(unit: Unit, gather: Gather, { walk, step }: GatherStep): void {
  const { rows, globals } = gather
  unit.line('{')
  const { values, packed } = emitValues(unit, gather, step)
  const items = unit.bind(
    `rows ${step.toTypeId}`,
    (env) => env.layout.tableOfType(step.toTypeId).rowCount,
  )
  inParts(
    unit,
    globals,
    'row',
  )(items, (range) => {
    const emitAll = (sources: 'all' | 'some') =>
      emitTargets(unit, gather, { walk, step, values, packed, sources, range })
    unit.line(`if(${rows}===null){`)
    emitAll('all')
    unit.line('}else{')
    emitAll('some')
    unit.line('}')
  })
  for (const { column } of values) unit.line(`${unit.call('dropNumbers', column)};`)
  unit.line('}')
}

interface Targets extends GatherStep {
  readonly values: readonly SourceValue[]
  readonly packed: PackedSources | null
  /** Whether every vertex is a source: to ask for each target takes as long as a few edges. */
  readonly sources: 'all' | 'some'
  readonly range: LoopRange
}

function emitTargets(unit: Unit, gather: Gather, targets: Targets): void {
  const { plan, scope } = gather
  const { walk, step, range } = targets
  const target = { typeId: step.toTypeId, row: unit.name('t') }
  const { row } = target
  const { early, late } = splitFilters(plan, walk)
  emitRowLoop(unit, { rows: null, orAll: true, row, range, deep: false }, () => {
    const atTarget = withVertex(scope, walk.to, target)
    const tests = early.map((filter) => unit.expression(filter, atTarget))
    if (plan.select.positions[walk.to]!.within !== null) {
      tests.unshift(memberTest(unit, `w${walk.to}`, target))
    }
    if (tests.length > 0) unit.line(`if(!(${tests.join('&&')}))continue;`)
    const registers = emitRegisters(unit, plan, target)
    const hits = plan.marked.includes(walk.to) ? [unit.name('y')] : []
    for (const hit of hits) unit.line(`let ${hit}=0;`)
    const inner = { ...atTarget, registers: registers.names, hits }
    emitRows(unit, gather, { ...targets, target: row, late, scope: inner })
    registers.store()
    for (const hit of hits) {
      const words = typedColumn(unit, `m${walk.to}`, step.toTypeId)
      unit.line(`if(${hit}!==0)${words}[${row}>>>5]|=1<<(${row}&31);`)
    }
  })
}

interface TargetRows extends Targets {
  readonly target: string
  /** Conditions on more than the target. */
  readonly late: readonly BoundExpression[]
  readonly scope: Scope
}

/** The edges of a target: of every vertex, or of those that are sources. */
function emitRows(unit: Unit, gather: Gather, at: TargetRows): void {
  const { plan, row } = gather
  const { step, target, late, values, packed, sources } = at
  const source = unit.name('c')
  const names = { from: target, to: source, edge: null, against: unit.name('f') }
  const start = { typeId: step.fromTypeId, row: source }
  let scope = withVertex(at.scope, plan.start, start)
  for (const { node, column } of values) scope = withHoisted(scope, node, `${column}[${source}]`)
  const ends = sources === 'all' && packed !== null ? { ends: packed.ends } : {}
  emitEdges(unit, turn(step), { ...names, ...ends }, () => {
    const tests = late.map((filter) => unit.expression(filter, scope))
    if (sources === 'some') tests.unshift(memberTest(unit, `w${plan.start}`, start))
    for (const test of tests) unit.line(`if(${test}){`)
    emitKept(unit, 1)
    row(scope)
    unit.line('}'.repeat(tests.length))
  })
}

function memberTest(
  unit: Unit,
  words: string,
  { typeId, row }: { readonly typeId: number; readonly row: string },
): string {
  return `((${typedColumn(unit, words, typeId)}[${row}>>>5]>>>(${row}&31))&1)`
}

/** Conditions on the target alone come before its edges; none is tested before one that may fail. */
function splitFilters(
  plan: SelectPlan,
  walk: Walk,
): { readonly early: readonly BoundExpression[]; readonly late: readonly BoundExpression[] } {
  const filters = plan.filters[1]!
  const isLate = (filter: BoundExpression): boolean => {
    const { positions, hops, throws, fixed } = referencesOf(filter)
    return throws || fixed || hops.size > 0 || [...positions].some((one) => one !== walk.to)
  }
  const at = filters.findIndex(isLate)
  const count = at < 0 ? filters.length : at
  return { early: filters.slice(0, count), late: filters.slice(count) }
}

/** The target's accumulators in locals while its edges are read. */
function emitRegisters(
  unit: Unit,
  { select }: SelectPlan,
  target: { readonly typeId: number; readonly row: string },
): { readonly names: ReadonlyMap<number, string>; store(): void } {
  const names = new Map<number, string>()
  const stores: string[] = []
  const load = (place: string, name: string): void => {
    unit.line(`let ${name}=${place};`)
    stores.push(`${place}=${name};`)
  }
  for (const slot of select.accum?.effects.vertexAccumsWritten ?? []) {
    const name = unit.name('y')
    names.set(slot, name)
    const column = typedColumn(unit, `v${slot}`, target.typeId)
    load(`${column}[${target.row}]`, name)
    if (!isAverage(unit, slot)) continue
    const counts = countsOf(column)
    unit.parts.add(counts)
    load(`${counts}[${target.row}]`, `${name}_c`)
  }
  return { names, store: () => unit.line(stores.join('')) }
}

interface SourceValue {
  readonly node: BoundExpression
  readonly column: string
}

interface SourceValues {
  readonly values: readonly SourceValue[]
  readonly packed: PackedSources | null
}

/** One loop over the sources for all values that cost something. */
function emitValues(unit: Unit, gather: Gather, step: BoundStep): SourceValues {
  const { plan, typeId, rows } = gather
  const values = plan.hoisted[0]!.filter((value) => isWorthAColumn(unit, value, step)).map(
    ({ node }) => ({ node, column: unit.name('k') }),
  )
  if (values.length === 0) return { values, packed: null }
  for (const { column } of values) unit.line(`const ${column}=${unit.call('newNumbers', typeId)};`)
  const packs = readsValuesOnly(plan, values) && values.every(({ node }) => failsOneWay(node))
  const packed = packs ? emitPackedSources(unit, step, rows) : null
  if (packed !== null) {
    unit.line(`if(${packed.order}!==null){`)
    emitValueLoop(unit, gather, { step, values, listed: packed.order, kind: 'slots' })
    unit.line('}else{')
  }
  const listed = emitListed(unit, rows, step)
  const kind = listed === null ? 'list or all' : 'list'
  emitValueLoop(unit, gather, { step, values, listed: listed ?? rows, kind })
  if (packed !== null) unit.line('}')
  return { values, packed }
}

interface ValueLoop {
  readonly step: BoundStep
  readonly values: readonly SourceValue[]
  readonly listed: string
  /** What `listed` is: rows that have edges, by their slots; rows; rows, or null for all. */
  readonly kind: 'slots' | 'list' | 'list or all'
}

function emitValueLoop(unit: Unit, { plan, scope, typeId }: Gather, loop: ValueLoop): void {
  const { step, values, listed, kind } = loop
  const [row, items, index] = [unit.name('c'), unit.name('n'), unit.name('j')]
  const orAll = kind === 'list or all'
  const count = orAll ? unit.call('rowCountOf', listed, typeId) : `${listed}.length`
  unit.line(`const ${items}=${count};`)
  inParts(
    unit,
    new Map(),
    'row',
  )(items, (range) => {
    emitRowLoop(unit, { rows: listed, orAll, row, index, range, deep: false }, () => {
      const degree = degreeHelper(unit, step, row)
      if (kind !== 'slots') unit.line(`if(${degree}>0){`)
      const inner = { ...withVertex(scope, plan.start, { typeId, row }), nonZero: degree }
      for (const { node, column } of values) {
        unit.line(`${column}[${kind === 'slots' ? index : row}]=${unit.expression(node, inner)};`)
      }
      if (kind !== 'slots') unit.line('}')
    })
  })
}

/** Whichever row is met first, it is the same error. */
function failsOneWay(node: BoundExpression): boolean {
  const divides = node.kind === 'arithmetic' || !throwsItself(node)
  return divides && childrenOf(node).every(failsOneWay)
}

/** The row of the source itself is not asked for, neither by a condition nor by a statement. */
function readsValuesOnly(plan: SelectPlan, values: readonly SourceValue[]): boolean {
  const known = new Set(values.map(({ node }) => node))
  return !readsSource([plan.filters[1], plan.select.accum], plan.start, known)
}

function readsSource(node: unknown, start: number, known: ReadonlySet<unknown>): boolean {
  if (typeof node !== 'object' || node === null || known.has(node)) return false
  if (Array.isArray(node)) return node.some((child) => readsSource(child, start, known))
  const { kind, position } = node as { readonly kind?: unknown; readonly position?: unknown }
  if (kind === 'vertexAlias' && position === start) return true
  return Object.values(node).some((child) => readsSource(child, start, known))
}

/**
 * The sources by name, also when they are all: then those that have edges are listed once for the
 * run, since to ask each vertex anew takes longer than to compute its value.
 */
function emitListed(unit: Unit, rows: string, step: BoundStep): string | null {
  if (!isPlainStep(unit, step)) return null
  const out = step.direction === 'out'
  const offsets = bindOf(unit, step, out ? 'outOffsets' : 'inOffsets')
  const count = bindOf(unit, step, out ? 'baseFromCount' : 'baseToCount')
  const listed = unit.name('r')
  unit.line(`const ${listed}=${rows}===null?${unit.call('rowsWithEdges', offsets, count)}:${rows};`)
  return listed
}

/** What may fail is computed beforehand just where it is when the sources push. */
function isWorthAColumn(unit: Unit, { node, throws }: HoistedValue, step: BoundStep): boolean {
  const { kind } = node.type
  const isInteger = kind === 'INT' || kind === 'UINT'
  if (kind !== 'DOUBLE' && kind !== 'FLOAT' && !(isInteger && !unit.wide)) return false
  if (throws) {
    if (!isUnchanged(unit, step)) return false
  }
  return !isRead(node)
}

function isRead(node: BoundExpression): boolean {
  if (node.kind === 'convert') return isRead(node.value)
  return node.kind === 'vertexAccum' || node.kind === 'attribute'
}

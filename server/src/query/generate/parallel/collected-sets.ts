/**
 * Loops whose sources collect vertices (`plan/parallel/collected-folds.ts`). What a source collects is written
 * to the place that its edges have in the adjacency, repeats left out by marks; when the loop is over
 * the run puts it into the sets, in the order of the sources.
 */

import type { BoundStep } from '#query/ir/bound-select.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import { collectedFolds, type Update } from '#query/plan/parallel/collected-folds.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import { vertexNumber } from '../expressions/access.ts'
import { bindOf } from '../select/one-hop.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

/** JavaScript names of what one statement collects into. */
export interface Collected {
  readonly slot: number
  /** Members of all sources. */
  readonly members: string
  /** By source: where its members begin, and how many they are. */
  readonly starts: string
  readonly counts: string
  readonly marks: string
  /** Of the source at hand: its mark, and where the next member goes. */
  readonly mark: string
  readonly next: string
}

/** Whether every fold into sets that a plan has can be collected. */
export function canCollect(unit: Unit, plan: SelectPlan): boolean {
  return collectedFolds(plan, unit.query).size === 0 || haveEdgesPlaces(unit, plan)
}

/** Whether all edges of a plan's first hop lie in the base. */
export function haveEdgesPlaces(unit: Unit, plan: SelectPlan): boolean {
  return plan.walks[0]!.steps.every(({ edgeTypeId, pair }) => {
    const adjacency = unit.physical.adjacency(edgeTypeId, pair)
    return !isVirtualType(edgeTypeId) && (adjacency === null || !adjacency.hasDelta)
  })
}

/**
 * Writes the loop over sources of a type twice, collecting and not; the run chooses by how many
 * sources there are. `emit` is given what the statements collect into; `isLate`: they fold into the
 * sets themselves, which only the run's own thread may do.
 */
export function emitCollecting(
  unit: Unit,
  {
    plan,
    typeId,
    rows,
  }: { readonly plan: SelectPlan; readonly typeId: number; readonly rows: string },
  emit: (collected: ReadonlyMap<Update, Collected>, isLate: boolean) => void,
): void {
  const folds = [...collectedFolds(plan, unit.query).values()]
  const edges = roomFor(unit, plan, typeId)
  if (folds.length === 0 || edges === null) {
    emit(new Map(), folds.length > 0)
    return
  }
  const room = unit.call('collects', rows, typeId, edges, folds.length)
  unit.line(`if(${room}){`)
  const collected = new Map<Update, Collected>()
  for (const fold of folds) {
    const name = () => unit.name('k')
    const { slot } = fold.target as { readonly slot: number }
    const [members, starts, counts] = [name(), name(), name()]
    unit.line(`const ${members}=${unit.call('newMembers', edges)};`)
    for (const column of [starts, counts]) {
      unit.line(
        `const ${column}=${unit.call('newMembers', unit.call('rowCountOf', 'null', typeId))};`,
      )
    }
    collected.set(fold, {
      slot,
      members,
      starts,
      counts,
      marks: name(),
      mark: name(),
      next: name(),
    })
  }
  emit(collected, false)
  for (const { slot, members, starts, counts } of collected.values()) {
    const shape = unit.accumShape(unit.query.vertexAccums[slot]!.type)
    const column = `[v${slot},i${slot},${typeId}]`
    unit.line(`${unit.call('putMembers', shape, column, `[${members},${starts},${counts}]`)};`)
  }
  unit.line('}else{')
  emit(new Map(), true)
  unit.line('}')
}

/** Code for how many edges the sources of a type have, each counted in every way it is met; null: none. */
export function roomFor(unit: Unit, plan: SelectPlan, typeId: number): string | null {
  const ways = waysOf(stepsFrom(unit, plan, typeId))
  return ways.map(({ step }) => bindOf(unit, step, 'baseCount')).join('+') || null
}

/** The ways out of a type that lead to edges. */
export function stepsFrom(unit: Unit, { walks }: SelectPlan, typeId: number): readonly BoundStep[] {
  return (walks[0]?.steps ?? []).filter(
    ({ fromTypeId, edgeTypeId, pair }) =>
      fromTypeId === typeId && unit.physical.adjacency(edgeTypeId, pair) !== null,
  )
}

/** Each direction that edges are met in: undirected ones lie in both. */
function waysOf(steps: readonly BoundStep[]) {
  return steps.flatMap((step) =>
    step.direction === 'both'
      ? [
          { step, out: true },
          { step, out: false },
        ]
      : [{ step, out: step.direction === 'out' }],
  )
}

/** Writes the beginning and the end of a loop over sources. */
export function emitCollectors(
  unit: Unit,
  collected: ReadonlyMap<Update, Collected>,
  loop: () => void,
): void {
  const marks = [...collected.values()].map((one) => one.marks)
  for (const name of marks) unit.line(`const ${name}=${unit.call('newMarks')};`)
  loop()
  for (const name of marks) unit.line(`${unit.call('dropMarks', name)};`)
}

/** Writes what one source collects around what is done for it. */
export function emitSourceMembers(
  unit: Unit,
  plan: SelectPlan,
  scope: Scope,
  emit: () => void,
): void {
  const all = [...scope.collected.values()]
  const source = scope.vertices.get(plan.start)!
  if (all.length > 0) {
    const steps = stepsFrom(unit, plan, source.typeId)
    const start = placeOfSource(unit, steps, source.row)
    for (const { starts, marks, mark, next } of all) {
      unit.line(`let ${next}=${start};${starts}[${source.row}]=${next};`)
      unit.line(`const ${mark}=${unit.call('nextMark', marks)};`)
    }
  }
  emit()
  for (const { counts, next, starts } of all) {
    unit.line(`${counts}[${source.row}]=${next}-${starts}[${source.row}];`)
  }
}

/** Code for where a source's edges begin among those of all sources. */
export function placeOfSource(unit: Unit, steps: readonly BoundStep[], row: string): string {
  return waysOf(steps)
    .map(({ step, out }) => placeOf(unit, step, out, row))
    .join('+')
}

/** Where the edges of a row begin among all of one direction. */
function placeOf(unit: Unit, step: BoundStep, out: boolean, row: string): string {
  const offsets = bindOf(unit, step, out ? 'outOffsets' : 'inOffsets')
  const covered = bindOf(unit, step, out ? 'baseFromCount' : 'baseToCount')
  return `(${row}<${covered}?${offsets}[${row}]:${bindOf(unit, step, 'baseCount')})`
}

/** A row's statement: a vertex that its source has not collected yet. */
export function emitCollect(unit: Unit, fold: Update, into: Collected, scope: Scope): void {
  const { value } = fold
  if (value.kind !== 'element' || value.value.kind !== 'vertexAlias') return
  const vertex = unit.name('u')
  const { marks, mark, members, next } = into
  unit.line(`{const ${vertex}=${vertexNumber(unit, scope.vertices.get(value.value.position)!)};`)
  unit.line(`if(${marks}[${vertex}]!==${mark}){`)
  unit.line(`${marks}[${vertex}]=${mark};${members}[${next}++]=${vertex};}}`)
}

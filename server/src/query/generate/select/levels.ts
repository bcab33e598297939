/**
 * What is done for a row of a level of a pattern: its conditions, the hop to the next level, and in
 * the end the ACCUM statements.
 */
import type { BoundStep } from '#query/ir/bound-select.ts'
import { usesEdge } from '#query/plan/select/clause-reads.ts'
import { countsRows } from '#query/plan/select/row-counts.ts'
import { type SelectPlan, turn, type Walk } from '#query/plan/select/select-plan.ts'
import type { OpenClause, Skips } from '../accumulate/clause.ts'
import { defaultValue } from '../expressions/columns.ts'
import { emitDml, emitLocals } from '../statements/dml.ts'
import {
  edgeFlagKey,
  type Scope,
  type VertexRef,
  withEdge,
  withHoisted,
  withVertex,
} from '../text/scope.ts'
import { clauseUsesTemporaries } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { emitEdges, orientation } from './adjacency.ts'
import { emitJoinTest, type JoinMarks } from './join-marks.ts'
import { emitKept } from './kept-rows.ts'
import { type Combinations, emitIfNew } from './per.ts'
import { emitRepeat } from './repeat.ts'
import { emitSample } from './sample.ts'

export interface Level {
  readonly plan: SelectPlan
  readonly clause: OpenClause
  readonly level: number
  readonly skips: Skips
  readonly joins: JoinMarks
  /** `PER`: the combinations met so far; null: ACCUM runs for every row. */
  readonly combinations: Combinations | null
  /** Positions first known at this level whose vertices are wanted. */
  readonly marks: readonly number[]
}

export function marksAt(plan: SelectPlan, level: number): readonly number[] {
  if (level === 0) return plan.marked.filter((position) => position === plan.start)
  const walk = plan.walks[level - 1]!
  return walk.joins ? [] : plan.marked.filter((position) => position === walk.to)
}

/** What is done for a row of a level: conditions, then the next hop or the row itself. */
export function emitLevel(unit: Unit, at: Level, scope: Scope): void {
  const { plan, level, marks } = at
  const conditions = plan.filters[level]!
  for (const condition of conditions) unit.line(`if(${unit.expression(condition, scope)}){`)
  emitKept(unit, level)
  const last = level === plan.walks.length
  const hit = !last && marks.length > 0 ? unit.name('y') : null
  if (hit !== null) unit.line(`let ${hit}=0;`)
  const inner = hit === null ? scope : { ...scope, hits: [...scope.hits, hit] }
  if (last) emitRow(unit, at, inner)
  else emitWalk(unit, at, hoistAt(unit, at, inner))
  if (hit !== null) unit.line(`if(${hit}!==0){`)
  if (last || hit !== null) for (const position of marks) unit.line(markText(unit, position, scope))
  if (hit !== null) unit.line('}')
  unit.line('}'.repeat(conditions.length))
}

function markText(unit: Unit, position: number, scope: Scope): string {
  const { typeId, row } = scope.vertices.get(position)!
  const words = `m${position}_t${typeId}`
  unit.parts.add(words)
  return `${words}[${row}>>>5]|=1<<(${row}&31);`
}

function hoistAt(unit: Unit, at: Level, scope: Scope): Scope {
  let inner = scope
  for (const { node, throws } of at.plan.hoisted[at.level]!) {
    if (throws) continue
    const name = unit.name('y')
    unit.line(`const ${name}=${unit.expression(node, scope)};`)
    inner = withHoisted(inner, node, name)
  }
  return inner
}

function emitWalk(unit: Unit, at: Level, scope: Scope): void {
  const walk = at.plan.walks[at.level]!
  const from = scope.vertices.get(walk.from)!
  if (walk.repeat !== null) {
    emitRepeatedWalk(unit, { at, walk }, scope)
    return
  }
  const known = walk.joins ? scope.vertices.get(walk.to)! : null
  const sample = at.level === 0 ? emitSample(unit, at.plan, scope) : null
  for (const step of walk.steps) {
    const fits =
      step.fromTypeId === from.typeId && (known === null || known.typeId === step.toTypeId)
    const flag = scope.edgeFlags.get(edgeFlagKey(walk.hop, step.typeName))
    if (fits && flag !== undefined) unit.line(`if(${flag})`)
    if (!fits) continue
    if (step.chain === undefined) emitStep(unit, { at, walk, step, sample }, scope)
    else emitChain(unit, { at, walk, step, chain: step.chain }, scope)
  }
}

/** Every vertex found is a row for each walk that leads to it. */
function emitRepeatedWalk(unit: Unit, place: { at: Level; walk: Walk }, scope: Scope): void {
  const { at, walk } = place
  const { plan, level } = at
  const { accum, per } = plan.select
  const counts = accum !== null && per === null && countsRows(accum.body)
  const repeated = { walk, typeIds: plan.select.positions[walk.to]!.typeIds, counts }
  const next = { ...at, level: level + 1, marks: marksAt(plan, level + 1) }
  unit.line('{')
  emitRepeat(
    unit,
    { ...repeated, flags: scope.edgeFlags },
    scope.vertices.get(walk.from)!,
    (to, walks) => {
      const inner = counts ? { ...scope, walks: [...scope.walks, walks] } : scope
      emitEnd(unit, { next, walk }, inner, to)
    },
  )
  unit.line('}')
}

interface StepPlace {
  readonly at: Level
  readonly walk: Walk
  readonly step: BoundStep
  /** Decides which edges of the source are met; null: all. */
  readonly sample: string | null
}

function emitStep(unit: Unit, place: StepPlace, scope: Scope): void {
  const { at, walk, step } = place
  const [to, edge, against] = [unit.name('t'), unit.name('e'), unit.name('f')]
  const written = walk.turned ? turn(step) : step
  const ref = { step: written, edge, against: orientation(step, walk.turned, against) }
  let inner = scope
  const names = {
    from: scope.vertices.get(walk.from)!.row,
    to,
    edge: usesEdge(at.plan.select, walk.hop) ? edge : null,
    only: walk.joins ? scope.vertices.get(walk.to)!.row : undefined,
    within: scope.within ?? undefined,
    against,
    prelude: (guard: string | null) => {
      if (guard === null || place.sample !== null) return
      inner = hoistThrowing(unit, at, markEarly(unit, at, scope, guard), guard)
    },
  }
  unit.line('{')
  if (at.level > 0 && !walk.joins) emitPoll(unit)
  const test = walk.joins ? emitJoinTest(unit, at, { walk, step }, scope) : null
  if (test !== null) unit.line(`if(${test}){`)
  emitEdges(unit, step, names, () => {
    if (place.sample !== null) unit.line(`if(!${unit.call('sampled', place.sample)})continue;`)
    emitTarget(unit, place, withEdge(inner, walk.hop, ref), to)
  })
  unit.line(test === null ? '}' : '}}')
}

/** The edges of a chain, one loop inside the other. */
function emitChain(
  unit: Unit,
  place: Omit<StepPlace, 'sample'> & { readonly chain: readonly BoundStep[] },
  scope: Scope,
): void {
  const { walk, chain } = place
  const emitPart = (index: number, from: string): void => {
    const [to, against] = [unit.name('t'), unit.name('f')]
    unit.line('{')
    emitPoll(unit)
    emitEdges(unit, chain[index]!, { from, to, edge: null, against }, () => {
      if (index === chain.length - 1) emitTarget(unit, { ...place, sample: null }, scope, to)
      else emitPart(index + 1, to)
    })
    unit.line('}')
  }
  emitPart(0, scope.vertices.get(walk.from)!.row)
}

/** A source may lead to very many rows: the runtime looks at the abort flag between them. */
function emitPoll(unit: Unit): void {
  unit.line(`if(ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
}

/** Without conditions further in, an edge is a row: the flags are raised before the loop. */
function markEarly(unit: Unit, at: Level, scope: Scope, guard: string): Scope {
  const { plan, level } = at
  const walk = plan.walks[level]!
  const isRow = level === plan.walks.length - 1 && plan.filters[level + 1]!.length === 0
  const anyTarget = !walk.joins && plan.select.positions[walk.to]!.within === null
  if (!isRow || !anyTarget || scope.hits.length === 0) return scope
  unit.line(`if(${guard}){${scope.hits.map((hit) => `${hit}=1;`).join('')}}`)
  return { ...scope, hits: [] }
}

/** What may fail is computed only when an edge, and so a row, follows. */
function hoistThrowing(unit: Unit, at: Level, scope: Scope, guard: string): Scope {
  let inner = scope
  for (const { node, throws } of at.plan.hoisted[at.level]!) {
    if (!throws) continue
    const name = unit.name('y')
    const isReal = node.type.kind === 'DOUBLE' || node.type.kind === 'FLOAT'
    const start = isReal ? '(-0)' : defaultValue(unit, node.type)
    unit.line(`let ${name}=${start};if(${guard}){`)
    unit.line(`${name}=${unit.expression(node, scope)};}`)
    inner = withHoisted(inner, node, name)
  }
  return inner
}

/** The other end of an edge: joined, tested against its set, and then the next level. */
function emitTarget(unit: Unit, place: StepPlace, scope: Scope, to: string): void {
  const { at, walk, step } = place
  const level = at.level + 1
  const next = { ...at, level, marks: marksAt(at.plan, level) }
  emitEnd(unit, { next, walk }, scope, { typeId: step.toTypeId, row: to })
}

export function emitEnd(
  unit: Unit,
  { next, walk }: { readonly next: Level; readonly walk: Walk },
  scope: Scope,
  end: VertexRef,
): void {
  const { typeId, row: to } = end
  if (walk.joins) {
    const known = scope.vertices.get(walk.to)!
    if (known.typeId !== typeId) return
    unit.line(`if(${to}===${known.row}){`)
    emitLevel(unit, next, scope)
    unit.line('}')
    return
  }
  const position = next.plan.select.positions[walk.to]!
  if (!position.typeIds.includes(typeId)) return
  const inner = withVertex(scope, walk.to, end)
  if (position.within === null) {
    emitLevel(unit, next, inner)
    return
  }
  const words = `w${walk.to}_t${typeId}`
  unit.parts.add(words)
  unit.line(`if((${words}[${to}>>>5]>>>(${to}&31))&1){`)
  emitLevel(unit, next, inner)
  unit.line('}')
}

/** One row of the match table. */
export function emitRow(unit: Unit, at: Level, scope: Scope): void {
  for (const hit of scope.hits) unit.line(`${hit}=1;`)
  const { accum } = at.plan.select
  if (accum === null) return
  if (at.combinations !== null) emitIfNew(unit, at.combinations, at.plan, scope)
  const marked = clauseUsesTemporaries(accum, new Set(scope.finished?.counters.keys()))
  if (marked) unit.line(`{const tm=${unit.call('tempMark')};`)
  emitLocals(unit, accum.locals, scope.localPrefix)
  at.clause.beginRow()
  emitDml(unit, accum.body, { scope, guard: at.clause.guard, skips: at.skips })
  if (marked) unit.line(`${unit.call('tempRelease', 'tm')};}`)
  if (at.combinations !== null) unit.line('}')
}

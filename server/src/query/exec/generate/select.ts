/**
 * A SELECT as one function of the text: nested loops over the concrete type combinations of its
 * pattern, with the conditions, the ACCUM statements and the marks of matched vertices inside;
 * then the POST-ACCUM clauses and the result.
 */
import { DbError } from '#kernel/errors.ts'
import type { BoundSelect, BoundStep } from '#query/bind/bound-select.ts'
import {
  speaksOfEdgesOnly,
  wantsEndsOfRepeat,
  wantsTargetsOnly,
} from '#query/optimize/one-hop-shapes.ts'
import { optimizeSelect } from '#query/optimize/optimize-select.ts'
import { type ParallelShape, parallelShape } from '#query/optimize/parallel-shape.ts'
import { usesEdge } from '#query/plan/clause-reads.ts'
import { combinationCount } from '#query/plan/combinations.ts'
import { countsRows } from '#query/plan/row-counts.ts'
import { planSelect, type SelectPlan, turn, type Walk } from '#query/plan/select-plan.ts'
import { vertexNumber } from './access.ts'
import { emitEdges, orientation } from './adjacency.ts'
import { enterAccum, type OpenClause, type Skips } from './clause.ts'
import { defaultValue } from './columns.ts'
import { emitDml, emitLocals } from './dml.ts'
import { emitFunction } from './function.ts'
import { emitGather } from './gather.ts'
import { emitEdgeScan, emitPull, isPlainStep, pullTest } from './one-hop.ts'
import { fitsCells, inOnePiece, inParts, type LoopRange } from './part.ts'
import { type Combinations, emitCombinations, emitDropCombinations, emitIfNew } from './per.ts'
import { emitReach, emitRepeat, emitSearch, emitSeed } from './repeat.ts'
import { emitSample } from './sample.ts'
import {
  edgeFlagKey,
  type Scope,
  type VertexRef,
  withEdge,
  withHoisted,
  withVertex,
} from './scope.ts'
import { emitPostAccum, emitResult } from './select-result.ts'
import { emitEdgeFlags, emitSets } from './select-setup.ts'
import { startRows } from './start-rows.ts'
import { clauseUsesTemporaries } from './temporaries.ts'
import type { Unit } from './unit.ts'

/** Beyond this the text takes seconds to make and megabytes to keep. */
const COMBINATIONS_MAX = 5_000

function refuseTooMany(count: number, line: number): void {
  if (count <= COMBINATIONS_MAX) return
  const message = `Runtime Error: the pattern of line ${line} can match in ${Math.round(count)} combinations of types; name some of its vertex or edge types.`
  throw new DbError('QUERY_RUNTIME', message, { details: { code: 'GSQL-8001' } })
}

/** Writes the function and returns the call of it. */
export function emitSelect(unit: Unit, select: BoundSelect, scope: Scope): string {
  const wanted = !unit.deadResults.has(select)
  const plan = optimizeSelect(planSelect(wanted ? select : { ...select, resultSlot: null }))
  refuseTooMany(combinationCount(plan), select.place.line)
  return emitFunction(unit, () => {
    let clause: OpenClause | null = null
    const setup = unit.capture(() => {
      emitSets(unit, plan, scope)
      const edgeFlags = emitEdgeFlags(unit, plan, scope)
      clause = enterAccum(unit, select, { ...scope, edgeFlags })
    })
    const body = unit.capture(() => {
      emitMatch(unit, plan, clause!)
      clause!.leave()
      emitPostAccum(unit, plan, clause!.keptScope)
      emitResult(unit, plan, clause!.keptScope)
      clause!.dropKept()
    })
    return { setup, body }
  })
}

function emitMatch(unit: Unit, plan: SelectPlan, clause: OpenClause): void {
  if (isWholeSet(plan)) {
    unit.line(`${unit.call('addWords', `m${plan.start}`, `a${plan.start}`)};`)
    return
  }
  if (wantsEndsOfRepeat(plan)) {
    emitEndsOfRepeat(unit, plan, clause)
    return
  }
  const shape = shapeOf(unit, plan, clause)
  for (const skips of clause.passes) {
    const combinations = emitCombinations(unit, plan)
    for (const typeId of plan.select.positions[plan.start]!.typeIds) {
      emitScan(unit, { plan, clause, skips, combinations, shape }, typeId)
    }
    emitDropCombinations(unit, combinations)
  }
}

/** One search from every source at once. */
function emitEndsOfRepeat(unit: Unit, plan: SelectPlan, clause: OpenClause): void {
  const [walk] = plan.walks as readonly [Walk]
  const reach = emitReach(unit, walk)
  for (const typeId of plan.select.positions[plan.start]!.typeIds) {
    const [rows, i, row] = [unit.name('r'), unit.name('j'), unit.name('c')]
    unit.line(`{const ${rows}=${startRows(unit, plan, typeId)};`)
    unit.line(`for(let ${i}=0;${i}<${unit.call('rowCountOf', rows, typeId)};${i}++){`)
    unit.line(`const ${row}=${rows}===null?${i}:${rows}[${i}];`)
    emitPoll(unit)
    const scope = withVertex(clause.scope, plan.start, { typeId, row })
    const tests = plan.filters[0]!.map((filter) => unit.expression(filter, scope))
    if (tests.length > 0) unit.line(`if(${tests.join('&&')})`)
    emitSeed(unit, reach, vertexNumber(unit, { typeId, row }))
    unit.line('}}')
  }
  const { scope } = clause
  const next = { plan, clause, level: 1, skips: () => false, combinations: null }
  const typeIds = plan.select.positions[walk.to]!.typeIds
  const search = { walk, typeIds, counts: false, flags: scope.edgeFlags }
  emitSearch(unit, search, reach, (to) =>
    emitEnd(unit, { next: { ...next, marks: marksAt(plan, 1) }, walk }, scope, to),
  )
}

/** Every vertex of the source matches and nothing is done for it. */
function isWholeSet(plan: SelectPlan): boolean {
  const { select, walks, filters, marked } = plan
  if (walks.length > 0 || filters[0]!.length > 0) return false
  return select.accum === null && marked.length === 1
}

/** Null: one thread only. The functions of called queries are not reached from outside. */
function shapeOf(unit: Unit, plan: SelectPlan, { written }: OpenClause): ParallelShape | null {
  if (unit.isCallee || !fitsCells(unit, written)) return null
  return parallelShape(plan, unit.query)
}

type Pass = Pick<Level, 'plan' | 'clause' | 'skips' | 'combinations'> & {
  readonly shape: ParallelShape | null
}

function emitScan(unit: Unit, pass: Pass, typeId: number): void {
  const { plan, clause, shape } = pass
  const [rows, count] = [unit.name('r'), unit.name('n')]
  const loop =
    shape === 'sources' ? inParts(unit, clause.written, plan.walks.length > 1) : inOnePiece
  unit.line(`{const ${rows}=${startRows(unit, plan, typeId)};`)
  const special = plan.select.sample === null ? specialStep(unit, plan, typeId) : null
  const row = (scope: Scope) => emitRow(unit, { ...pass, level: 1, marks: [] }, scope)
  const base = { plan, rows, scope: clause.scope, row }
  const gathers =
    shape === 'targets' && emitGather(unit, { ...base, globals: clause.written, typeId })
  const pulls = special !== null && plan.marked.length > 0
  if (pulls) {
    const hop = { ...base, step: special, loop }
    unit.line(`if(${pullTest(unit, hop)}){`)
    emitPull(unit, hop)
    unit.line('}else{')
  }
  unit.line(`const ${count}=${unit.call('rowCountOf', rows, typeId)};`)
  loop(count, (range) => {
    const scans = special !== null && !pulls
    if (scans) {
      unit.line(`if(${rows}===null){`)
      emitEdgeScan(unit, { ...base, step: special }, range)
      unit.line('}else{')
    }
    emitSources(unit, pass, { typeId, rows, range })
    if (scans) unit.line('}')
  })
  unit.line(pulls || gathers ? '}}' : '}')
}

/** Source by source: what is at hand for each, and its edges. */
function emitSources(
  unit: Unit,
  pass: Pass,
  at: { readonly typeId: number; readonly rows: string; readonly range: LoopRange },
): void {
  const { plan, clause } = pass
  const { typeId, rows, range } = at
  const [i, row] = [unit.name('j'), unit.name('c')]
  unit.line(`for(let ${i}=${range.first};${i}<${range.end};${i}++){`)
  unit.line(`const ${row}=${rows}===null?${i}:${rows}[${i}];`)
  emitPoll(unit)
  const scope = withVertex(clause.scope, plan.start, { typeId, row })
  emitLevel(unit, { ...pass, level: 0, marks: marksAt(plan, 0) }, scope)
  unit.line('}')
}

/** The only step out of a type, when the plan has a shape with a faster loop for it. */
function specialStep(unit: Unit, plan: SelectPlan, typeId: number): BoundStep | null {
  if (!wantsTargetsOnly(plan) && !speaksOfEdgesOnly(plan)) return null
  const steps = plan.walks[0]!.steps.filter((step) => step.fromTypeId === typeId)
  const [step] = steps
  if (step === undefined || steps.length > 1 || !isPlainStep(unit, step)) return null
  const reaches = plan.select.positions[plan.walks[0]!.to]!.typeIds.includes(step.toTypeId)
  return reaches && (plan.marked.length > 0 || step.direction === 'out') ? step : null
}

/** A counter for every row and edge; the runtime looks at the abort flag every few thousand. */
function emitPoll(unit: Unit): void {
  unit.line(`if(++rc+ec>8192){${unit.call('poll', 'ec', 'rc')};ec=0;rc=0;}`)
}

interface Level {
  readonly plan: SelectPlan
  readonly clause: OpenClause
  readonly level: number
  readonly skips: Skips
  /** `PER`: the combinations met so far; null: ACCUM runs for every row. */
  readonly combinations: Combinations | null
  /** Positions first known at this level whose vertices are wanted. */
  readonly marks: readonly number[]
}

function marksAt(plan: SelectPlan, level: number): readonly number[] {
  if (level === 0) return plan.marked.filter((position) => position === plan.start)
  const walk = plan.walks[level - 1]!
  return walk.joins ? [] : plan.marked.filter((position) => position === walk.to)
}

/** What is done for a row of a level: conditions, then the next hop or the row itself. */
function emitLevel(unit: Unit, at: Level, scope: Scope): void {
  const { plan, level, marks } = at
  const conditions = plan.filters[level]!
  for (const condition of conditions) unit.line(`if(${unit.expression(condition, scope)}){`)
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
    if (fits) emitStep(unit, { at, walk, step, sample }, scope)
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
    against,
    prelude: (guard: string | null) => {
      if (guard === null || place.sample !== null) return
      inner = hoistThrowing(unit, at, markEarly(unit, at, scope, guard), guard)
    },
  }
  unit.line('{')
  emitEdges(unit, step, names, () => {
    if (place.sample !== null) unit.line(`if(!${unit.call('sampled', place.sample)})continue;`)
    emitTarget(unit, place, withEdge(inner, walk.hop, ref), to)
  })
  unit.line('}')
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

function emitEnd(
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
function emitRow(unit: Unit, at: Level, scope: Scope): void {
  for (const hit of scope.hits) unit.line(`${hit}=1;`)
  const { accum } = at.plan.select
  if (accum === null) return
  if (at.combinations !== null) emitIfNew(unit, at.combinations, at.plan, scope)
  const marked = clauseUsesTemporaries(accum)
  if (marked) unit.line(`{const tm=${unit.call('tempMark')};`)
  emitLocals(unit, accum.locals, scope.localPrefix)
  emitDml(unit, accum.body, { scope, guard: at.clause.guard, skips: at.skips })
  if (marked) unit.line(`${unit.call('tempRelease', 'tm')};}`)
  if (at.combinations !== null) unit.line('}')
}

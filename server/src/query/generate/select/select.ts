/**
 * A SELECT as one function of the text: nested loops over the concrete type combinations of its
 * pattern, with the conditions, the ACCUM statements and the marks of matched vertices inside;
 * then the POST-ACCUM clauses and the result.
 */
import { DbError } from '#kernel/errors.ts'
import type { BoundSelect, BoundStep } from '#query/ir/bound-select.ts'
import {
  speaksOfEdgesOnly,
  wantsEndsOfRepeat,
  wantsTargetsOnly,
} from '#query/plan/parallel/one-hop-shapes.ts'
import { type ParallelShape, parallelShape } from '#query/plan/parallel/parallel-shape.ts'
import { finishedCounts } from '#query/plan/parallel/shared-sets.ts'
import { optimizeSelect } from '#query/plan/rewrites/optimize-select.ts'
import { COMBINATIONS_MAX } from '#query/plan/rewrites/wide-patterns.ts'
import { combinationCount } from '#query/plan/select/combinations.ts'
import { planSelect, type SelectPlan, type Walk } from '#query/plan/select/select-plan.ts'
import type { ItemSize } from '#query/runtime/parallel/divided-loops.ts'
import { enterAccum, type OpenClause } from '../accumulate/clause.ts'
import { vertexNumber } from '../expressions/access.ts'
import {
  canCollect,
  emitCollecting,
  emitCollectors,
  emitSourceMembers,
} from '../parallel/collected-sets.ts'
import { copiedColumns, emitCopying } from '../parallel/copied-folds.ts'
import { emitCounters, emitFinishedSets } from '../parallel/finished-sets.ts'
import { emitGather } from '../parallel/gather.ts'
import {
  emitPartialFolds,
  emitPartials,
  enterPartials,
  foldsOf,
  noPartials,
  type Partials,
  withPartials,
} from '../parallel/partial-blocks.ts'
import { canRange, emitRanges, type TargetRange } from '../parallel/ranged-folds.ts'
import { canSend, emitSending, emitSends, emitSourceSends } from '../parallel/sent-folds.ts'
import { emitFunction } from '../text/function.ts'
import { type EmitLoop, fitsCells, inOnePiece, inParts, type LoopRange } from '../text/part.ts'
import { emitRowLoop, type RowLoop } from '../text/row-loop.ts'
import { type Scope, withVertex } from '../text/scope.ts'
import { clauseUsesTemporaries } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { noJoinMarks, withJoinMarks } from './join-marks.ts'
import { addedText, emitKept, enterKeptRows, type KeptRows } from './kept-rows.ts'
import { emitEnd, emitLevel, emitRow, type Level, marksAt } from './levels.ts'
import { emitEdgeScan, emitPull, isPlainStep, pullTest } from './one-hop.ts'
import { emitCombinations, emitDropCombinations, emitMarked } from './per.ts'
import { emitReach, emitSearch, emitSeed } from './repeat.ts'
import { emitPostAccum, emitResult } from './select-result.ts'
import { emitEdgeFlags, emitSets } from './select-setup.ts'
import { startRows } from './start-rows.ts'

/** A called query, or one that a schema change made wider: compiling refuses the others. */
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
    const outer = unit.kept
    let kept: KeptRows | null = null
    const setup = unit.capture(() => {
      kept = enterKeptRows(unit, plan.walks.length + 1)
      emitSets(unit, plan, scope)
      const edgeFlags = emitEdgeFlags(unit, plan, scope)
      clause = enterAccum(unit, select, { ...scope, edgeFlags })
    })
    const body = unit.capture(() => {
      unit.kept = kept
      emitMatch(unit, plan, clause!)
      unit.kept = outer
      if (kept !== null) unit.line(addedText(unit, kept, (kept as KeptRows).locals))
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
    emitKept(unit, 0, unit.call('setSize', `a${plan.start}`))
    return
  }
  if (wantsEndsOfRepeat(plan)) {
    emitEndsOfRepeat(unit, plan, clause)
    return
  }
  const shape = shapeOf(unit, plan, clause)
  const counting = withFinishedSets(unit, plan, { clause, shape })
  const pass = { plan, clause: counting, shape, joins: noJoinMarks }
  for (const skips of clause.passes) {
    const combinations = emitCombinations(unit, plan)
    for (const typeId of plan.select.positions[plan.start]!.typeIds) {
      emitScan(unit, { ...pass, skips, combinations }, typeId)
    }
    emitDropCombinations(unit, combinations)
    // A second pass over the rows counts them no more.
    unit.kept = null
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
    unit.line(tests.length > 0 ? `if(${tests.join('&&')}){` : '{')
    emitKept(unit, 0)
    emitSeed(unit, reach, vertexNumber(unit, { typeId, row }))
    unit.line('}}}')
  }
  const { scope } = clause
  const next = {
    plan,
    clause,
    level: 1,
    skips: () => false,
    combinations: null,
    joins: noJoinMarks,
  }
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

/** `alone`: on one thread, by the segments of several, so that sums have their bits. */
type LoopShape = ParallelShape | 'alone'

/** Null: one thread only. The functions of called queries are not reached from outside. */
function shapeOf(unit: Unit, plan: SelectPlan, { written }: OpenClause): LoopShape | null {
  if (unit.isCallee || !fitsCells(unit, written)) return null
  const shape = parallelShape(plan, unit.query)
  if (shape !== 'sources') return shape
  return canCollect(unit, plan) && (canSend(unit, plan) || canRange(unit, plan)) ? shape : 'alone'
}

/** The loops over sources count in sets that the clause does not change. */
function withFinishedSets(
  unit: Unit,
  { select, start }: SelectPlan,
  { clause, shape }: { readonly clause: OpenClause; readonly shape: LoopShape | null },
): OpenClause {
  const { accum, where } = select
  if (accum === null || shape === 'targets') return clause
  const counts = finishedCounts([where, accum.body], accum.effects, unit.query)
  const finished = emitFinishedSets(unit, counts, unit.call('setSize', `a${start}`))
  return { ...clause, scope: { ...clause.scope, finished } }
}

type Pass = Pick<Level, 'plan' | 'clause' | 'skips' | 'combinations' | 'joins'> & {
  readonly shape: LoopShape | null
}

function partialsOf(unit: Unit, { plan, shape }: Pass): Partials {
  const { accum } = plan.select
  return shape === null || accum === null ? noPartials : enterPartials(unit, accum.body)
}

function emitScan(unit: Unit, outer: Pass, typeId: number): void {
  const { plan, shape } = outer
  const partials = partialsOf(unit, outer)
  const clause = { ...outer.clause, scope: withPartials(outer.clause.scope, partials) }
  const pass = { ...outer, clause, partials }
  const folds = foldsOf(unit, partials)
  const [rows, count] = [unit.name('r'), unit.name('n')]
  const alone = shape === null ? inOnePiece : inParts(unit, clause.written, 'alone', { folds })
  const loop = shape === 'sources' ? inParts(unit, clause.written, sizeOf(plan), { folds }) : alone
  unit.line(`{const ${rows}=${startRows(unit, plan, typeId)};`)
  const special = plan.select.sample === null ? specialStep(unit, plan, typeId) : null
  const row = (scope: Scope) => emitRow(unit, { ...pass, level: 1, marks: [] }, scope)
  const base = { plan, rows, scope: clause.scope, row }
  const gather = { ...base, globals: clause.written, typeId }
  const left = shape === 'targets' ? emitGather(unit, gather) : 'all'
  const orAll = left !== 'parts'
  const pulls = special !== null && plan.marked.length > 0
  if (pulls) {
    const hop = { ...base, step: special, loop }
    unit.line(`if(${pullTest(unit, hop)}){`)
    emitPull(unit, hop)
    unit.line('}else{')
  }
  unit.line(`const ${count}=${unit.call('rowCountOf', rows, typeId)};`)
  const scan = special !== null && !pulls ? { ...base, step: special } : null
  const copied = scan === null && shape !== null && shape !== 'alone' && copiedColumns(unit, plan)
  const at = { typeId, rows, orAll, count, loop, scan }
  if (copied) {
    const shared = inParts(unit, clause.written, sizeOf(plan), { folds, copied })
    emitCopying(unit, { plan, typeId, rows }, (isCopied) =>
      emitSourceLoop(unit, pass, { ...at, loop: isCopied ? shared : alone }),
    )
  } else if (shape !== 'sources') emitSourceLoop(unit, pass, at)
  else if (canRange(unit, plan)) {
    const emitSome = (range: LoopRange, within: TargetRange | null) => {
      const inner = { ...pass, clause: { ...clause, scope: { ...clause.scope, within } } }
      emitSources(unit, inner, { typeId, rows, range, orAll })
    }
    emitRanges(unit, { plan, typeId, rows, count }, emitSome, () =>
      alone(count, (range) => emitSome(range, null)),
    )
  } else {
    const sources = { plan, typeId, rows, count }
    emitCollecting(unit, sources, (collected, foldsSets) =>
      emitSending(unit, sources, (sent, foldsOthers) => {
        const scope = { ...clause.scope, collected, sent }
        const inner = { ...pass, clause: { ...clause, scope } }
        const own = foldsSets || foldsOthers ? alone : loop
        emitSourceLoop(unit, inner, { typeId, rows, orAll, count, loop: own, scan })
      }),
    )
  }
  unit.line(pulls || left !== 'all' ? '}}' : '}')
}

function sizeOf({ walks }: SelectPlan): ItemSize {
  if (walks.some(({ repeat }) => repeat !== null)) return 'search'
  return walks.length > 1 ? 'deep' : 'row'
}

interface SourceLoop {
  readonly typeId: number
  /** JavaScript names of the rows of the sources, null at run time when they are all, and of how many they are. */
  readonly rows: string
  readonly orAll: boolean
  readonly count: string
  readonly loop: EmitLoop
  /** A faster loop for when they are all; null: there is none. */
  readonly scan: Parameters<typeof emitEdgeScan>[1] | null
}

function emitSourceLoop(
  unit: Unit,
  pass: Pass & { readonly partials: Partials },
  at: SourceLoop,
): void {
  const { typeId, rows, scan } = at
  const orAll = at.orAll && scan === null
  const { finished, collected, sent } = pass.clause.scope
  const segment = (range: LoopRange) => {
    emitCounters(unit, finished)
    emitSends(unit, pass.plan, sent, { typeId, rows, range })
    if (scan !== null) {
      unit.line(`if(${rows}===null){`)
      emitEdgeScan(unit, scan, range)
      unit.line('}else{')
    }
    withJoinMarks(unit, (joins) =>
      emitMarked(unit, pass.combinations, () =>
        emitCollectors(unit, collected, () =>
          emitSources(unit, { ...pass, joins }, { typeId, rows, range, orAll }),
        ),
      ),
    )
    if (scan !== null) unit.line('}')
  }
  at.loop(at.count, (range) => emitPartials(unit, pass.partials, range, () => segment(range)))
  emitPartialFolds(unit, pass.partials)
}

/** Source by source: what is at hand for each, and its edges. */
function emitSources(
  unit: Unit,
  pass: Pass,
  at: Pick<RowLoop, 'range' | 'orAll'> & { readonly typeId: number; readonly rows: string },
): void {
  const { plan, clause } = pass
  const { typeId, rows, range, orAll } = at
  const row = unit.name('c')
  emitRowLoop(unit, { rows, orAll, row, range, deep: isDeep(plan) }, () => {
    const scope = withVertex(clause.scope, plan.start, { typeId, row })
    emitSourceMembers(unit, plan, scope, () =>
      emitSourceSends(unit, plan, scope, () =>
        emitLevel(unit, { ...pass, level: 0, marks: marksAt(plan, 0) }, scope),
      ),
    )
  })
}

/** A row may lead far, or one of its edges take long. */
function isDeep({ walks, select }: SelectPlan): boolean {
  const { accum, per } = select
  if (walks.length > 1 || walks.some(({ repeat }) => repeat !== null)) return true
  return per !== null || (accum !== null && clauseUsesTemporaries(accum))
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
  unit.line(`if(++rc+ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
}

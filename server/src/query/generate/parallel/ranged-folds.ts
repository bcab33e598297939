/**
 * Loops that fold into the other ends of a hop and nowhere else (`plan/parallel/end-folds.ts`), on several
 * threads: each goes through all sources, and meets the edges that lead to targets of its own, which
 * stand in the order of their other ends. A
 * target is met in the order of its sources, so a sum has the bits of one thread; and what a thread
 * reads and writes of the targets fits its cache better than all of them.
 */
import { foldsIntoEndsOnly } from '#query/plan/parallel/end-folds.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import { emitForgotten } from '../select/kept-rows.ts'
import { bindOf } from '../select/one-hop.ts'
import { edgesToShare, inParts, type LoopRange } from '../text/part.ts'
import type { Unit } from '../text/unit.ts'
import { haveEdgesPlaces, stepsFrom } from './collected-sets.ts'

/** Targets of a range: from a row, and up to one. */
export interface TargetRange {
  readonly first: string
  readonly end: string
}

/** Whether the loops over the sources of every type can be divided so. */
export function canRange(unit: Unit, plan: SelectPlan): boolean {
  if (!foldsIntoEndsOnly(plan, unit.query) || !haveEdgesPlaces(unit, plan)) return false
  return plan.select.positions[plan.start]!.typeIds.every((typeId) => {
    const [step, ...others] = stepsFrom(unit, plan, typeId)
    return step === undefined || (others.length === 0 && step.direction !== 'both')
  })
}

interface Sources {
  readonly plan: SelectPlan
  readonly typeId: number
  /** JavaScript names of the rows of the sources, null at run time when they are all, and of how many they are. */
  readonly rows: string
  readonly count: string
}

/**
 * Writes the loop twice, in ranges and not; the run chooses by its threads and by the edges.
 *
 * @param emitRange writes the loop over some sources, into the targets of one range
 */
export function emitRanges(
  unit: Unit,
  { plan, typeId, rows, count }: Sources,
  emitRange: (sources: LoopRange, targets: TargetRange) => void,
  emitAll: () => void,
): void {
  const [step] = stepsFrom(unit, plan, typeId)
  if (step === undefined) {
    emitAll()
    return
  }
  const out = step.direction === 'out'
  const threads = unit.call('threads')
  const own = bindOf(unit, step, out ? 'outOffsets' : 'inOffsets')
  const least = edgesToShare(unit)
  const most = `${count}>${least}?${count}:${least}`
  // A run asks for helpers only where there is enough for them.
  unit.line(`if(${unit.call('pullPays', rows, own, most)}&&${threads}>1){`)
  const offsets = bindOf(unit, step, out ? 'inOffsets' : 'outOffsets')
  const rowCount = bindOf(unit, step, out ? 'baseToCount' : 'baseFromCount')
  const targets = `[${offsets},${rowCount},${bindOf(unit, step, 'baseCount')},${step.toTypeId}]`
  const ranges = unit.name('k')
  unit.line(`const ${ranges}=${unit.call('rowRangesOf', targets, threads)};`)
  inParts(
    unit,
    new Map(),
    'share',
  )(`${ranges}.length-1`, (range) => {
    const [first, end] = [unit.name('k'), unit.name('k')]
    unit.line(`const ${first}=${ranges}[${range.first}],${end}=${ranges}[${range.end}];`)
    emitRange({ first: '0', end: count }, { first, end })
    // Sources are counted by the first of the ranges that go through them.
    unit.line(`if(${range.first}>0)rc-=${count};`)
    emitForgotten(unit, 0, `${range.first}>0`)
  })
  unit.line('}else{')
  emitAll()
  unit.line('}')
}

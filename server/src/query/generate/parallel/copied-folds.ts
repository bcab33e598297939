/**
 * Loops that fold extremes of integers, or flags, into the other ends of a hop and nowhere else
 * (`plan/parallel/end-folds.ts`), on several threads: each has a copy of the columns, and when the loop is over
 * the run keeps the least or the greatest of them. No order counts, so the bits are those of one
 * thread. Not for real numbers: 0 and -0 are equal, and the first of them stays.
 */
import { foldsIntoEndsOnly } from '#query/plan/parallel/end-folds.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import type { Kept } from '#query/runtime/parallel/column-copies.ts'
import { type RegisterKind, registerKind } from '../expressions/accum-kinds.ts'
import { bindOf } from '../select/one-hop.ts'
import { type CopiedColumns, edgesToShare } from '../text/part.ts'
import type { Unit } from '../text/unit.ts'
import { stepsFrom } from './collected-sets.ts'

/** What is kept of each accumulator that a plan folds into, by slot; null: copies are no help. */
export function copiedColumns(unit: Unit, plan: SelectPlan): CopiedColumns | null {
  if (!foldsIntoEndsOnly(plan, unit.query)) return null
  const columns = new Map<number, Kept>()
  for (const slot of plan.select.accum?.effects.vertexAccumsWritten ?? []) {
    const kept = keptOf(registerKind(unit, unit.query.vertexAccums[slot]!.type))
    if (kept === null) return null
    columns.set(slot, kept)
  }
  return columns
}

function keptOf(kind: RegisterKind | null): Kept | null {
  if (kind === null || kind.column === 'i64' || kind.column === 'u64') return null
  if (!['INT', 'UINT', 'DATETIME', 'BOOL'].includes(kind.value.kind)) return null
  if (kind.fold === 'min' || kind.fold === 'and') return 'least'
  return kind.fold === 'max' || kind.fold === 'or' ? 'greatest' : null
}

/**
 * Writes the loop over sources of a type twice, with copies and on one thread; the run chooses by its
 * threads, and by whether the edges are more than the rows of all copies.
 */
export function emitCopying(
  unit: Unit,
  {
    plan,
    typeId,
    rows,
  }: { readonly plan: SelectPlan; readonly typeId: number; readonly rows: string },
  emit: (isCopied: boolean) => void,
): void {
  const steps = stepsFrom(unit, plan, typeId)
  const [step] = steps
  if (step === undefined) {
    emit(false)
    return
  }
  const offsets = bindOf(unit, step, step.direction === 'in' ? 'inOffsets' : 'outOffsets')
  const ends = [...new Set(steps.map(({ toTypeId }) => toTypeId))]
  const copied = ends.map((toTypeId) => unit.call('rowCountOf', 'null', toTypeId)).join('+')
  const least = edgesToShare(unit)
  const [edges, threads] = [unit.name('k'), unit.name('k')]
  unit.line(`const ${edges}=${copied}>${least}?${copied}:${least};`)
  // A run asks for helpers only where there is enough for them.
  unit.line(
    `const ${threads}=${unit.call('pullPays', rows, offsets, edges)}?${unit.call('threads')}:1;`,
  )
  unit.line(`if(${threads}>1&&${unit.call('pullPays', rows, offsets, `${edges}*(${threads}-1)`)}){`)
  emit(true)
  unit.line('}else{')
  emit(false)
  unit.line('}')
}

/**
 * `PER (a, b)`: ACCUM runs where a combination of vertices and edges is met for the first time.
 *
 * The rows of one source come one after the other, so that a vertex beside the source needs no more
 * than a mark with the source's number; any other combination goes into a table of tuples.
 */
import { markedPerSource, type SelectPlan } from '#query/plan/select/select-plan.ts'
import { edgeHandle, vertexNumber } from '../expressions/access.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export interface Combinations {
  readonly name: string
  /** The position that is marked with the number of its source; null: a table of tuples. */
  readonly marked: number | null
  /** What is added to the number of a source. */
  readonly base: string
}

/** Declares what remembers the combinations of a pass; null: ACCUM runs for every row. */
export function emitCombinations(unit: Unit, plan: SelectPlan): Combinations | null {
  const { per, perHops, accum } = plan.select
  if (per === null || accum === null) return null
  const name = unit.name('k')
  const marked = markedPerSource(plan)
  if (marked === null) {
    unit.line(`const ${name}=${unit.call('newCombinations', per.length, perHops.length)};`)
  }
  return { name, marked, base: unit.name('k') }
}

export function emitDropCombinations(unit: Unit, combinations: Combinations | null): void {
  if (combinations?.marked === null) unit.line(`${unit.call('dropBlock', combinations.name)};`)
}

/** Marks belong to a loop over sources, or to one of its parts: no other has these sources. */
export function emitMarked(unit: Unit, combinations: Combinations | null, loop: () => void): void {
  if (combinations === null || combinations.marked === null) {
    loop()
    return
  }
  const { name, base } = combinations
  unit.line(`const ${name}=${unit.call('newMarks')},${base}=${unit.call('firstMark', name)};`)
  loop()
  unit.line(`${unit.call('dropMarks', name)};`)
}

/** Opens the branch of a row whose combination is new. */
export function emitIfNew(
  unit: Unit,
  { name, marked, base }: Combinations,
  { select, start }: SelectPlan,
  scope: Scope,
): void {
  const numberAt = (position: number) => vertexNumber(unit, scope.vertices.get(position)!)
  if (marked === null) {
    const edges = select.perHops.map((hop) => edgeHandle(unit, scope, hop))
    const members = [...select.per!.map(numberAt), ...edges].join(',')
    unit.line(`if(${unit.call('isNewCombination', name, `[${members}]`)}){`)
    return
  }
  const [vertex, mark] = [unit.name('u'), unit.name('w')]
  unit.line(`const ${vertex}=${numberAt(marked)},${mark}=${numberAt(start)}+${base};`)
  unit.line(`if(${name}[${vertex}]!==${mark}){${name}[${vertex}]=${mark};`)
}

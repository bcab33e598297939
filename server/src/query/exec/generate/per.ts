/**
 * `PER (a, b)`: ACCUM runs where a combination of vertices and edges is met for the first time.
 *
 * The rows of one source come one after the other, so that a vertex beside the source needs no more
 * than a mark with the source's number; any other combination goes into a table of tuples.
 */
import type { SelectPlan } from '#query/plan/select-plan.ts'
import { edgeHandle, vertexNumber } from './access.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

export interface Combinations {
  readonly name: string
  /** The position that is marked with the number of its source; null: a table of tuples. */
  readonly marked: number | null
}

/** Declares what remembers the combinations of a pass; null: ACCUM runs for every row. */
export function emitCombinations(unit: Unit, { select, start }: SelectPlan): Combinations | null {
  const { per, perHops, accum } = select
  if (per === null || accum === null) return null
  const name = unit.name('k')
  const others = per.filter((position) => position !== start)
  const markable = per.length === 2 && others.length === 1 && perHops.length === 0
  const marked = markable ? others[0]! : null
  const made = markable
    ? unit.call('newMarks')
    : unit.call('newCombinations', per.length, perHops.length)
  unit.line(`const ${name}=${made};`)
  return { name, marked }
}

export function emitDropCombinations(unit: Unit, combinations: Combinations | null): void {
  if (combinations === null) return
  const { name, marked } = combinations
  unit.line(`${unit.call(marked === null ? 'dropBlock' : 'dropColumn', name)};`)
}

/** Opens the branch of a row whose combination is new. */
export function emitIfNew(
  unit: Unit,
  { name, marked }: Combinations,
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
  unit.line(`const ${vertex}=${numberAt(marked)},${mark}=${numberAt(start)}+1;`)
  unit.line(`if(${name}[${vertex}]!==${mark}){${name}[${vertex}]=${mark};`)
}

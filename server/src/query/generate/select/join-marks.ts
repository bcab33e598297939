/**
 * Hops that join two vertices which are both known already, as the third side of a triangle. Of the
 * two ends one has been known for longer: its neighbours are marked, and each vertex that the other
 * end becomes is looked up there. Only where the mark stands are the edges themselves searched for.
 *
 * Marking looks at every edge of the vertex, so it waits until a few searches were made from it.
 */
import type { BoundStep } from '#query/ir/bound-select.ts'
import {
  levelOfPosition,
  type SelectPlan,
  turn,
  type Walk,
} from '#query/plan/select/select-plan.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitEdges } from './adjacency.ts'

/** Searches from one vertex before its neighbours are marked. */
const SEARCHES_MAX = 8
/** Marks take four bytes for each vertex: a SELECT has so many at most, other joins search. */
const MARKS_MAX = 4

/** JavaScript names of what a loop remembers of one step of a hop that joins. */
interface JoinMark {
  readonly marks: string
  /** What stands in `marks` for the neighbours. */
  readonly mark: string
  /** The vertex, and how many searches have been made from it. */
  readonly vertex: string
  readonly searches: string
}

/** Those of one loop over sources, in the order in which they are met. */
export interface JoinMarks {
  readonly found: JoinMark[]
  readonly countMax: number
}

export const noJoinMarks: JoinMarks = { found: [], countMax: 0 }

/** Runs `emit`, and writes before and after it what the joins in there need. */
export function withJoinMarks(unit: Unit, emit: (joins: JoinMarks) => void): void {
  const joins: JoinMarks = { found: [], countMax: MARKS_MAX }
  const loop = unit.capture(() => emit(joins))
  for (const { marks, mark, vertex, searches } of joins.found) {
    unit.line(`const ${marks}=${unit.call('newMarks')};let ${mark}=0,${vertex}=-1,${searches}=0;`)
  }
  unit.line(loop)
  for (const { marks } of joins.found) unit.line(`${unit.call('dropMarks', marks)};`)
}

/** Writes what marks, and returns a test that fails only where no edge joins; null: there is none. */
export function emitJoinTest(
  unit: Unit,
  { plan, joins }: { readonly plan: SelectPlan; readonly joins: JoinMarks },
  { walk, step }: { readonly walk: Walk; readonly step: BoundStep },
  scope: Scope,
): string | null {
  const [from, to] = [levelOfPosition(plan, walk.from), levelOfPosition(plan, walk.to)]
  if (from === to || joins.found.length >= joins.countMax || step.chain !== undefined) return null
  const [early, late] = from < to ? [walk.from, walk.to] : [walk.to, walk.from]
  const name = (prefix: string) => unit.name(prefix)
  const one = { marks: name('k'), mark: name('w'), vertex: name('u'), searches: name('n') }
  joins.found.push(one)
  const { marks, mark, vertex, searches } = one
  const known = scope.vertices.get(early)!.row
  unit.line(`if(${vertex}!==${known}){${vertex}=${known};${searches}=0;}`)
  unit.line(`if(++${searches}===${SEARCHES_MAX}){${mark}=${unit.call('nextMark', marks)};`)
  const names = { from: known, to: name('t'), edge: null, against: name('f') }
  emitEdges(unit, early === walk.from ? step : turn(step), names, () =>
    unit.line(`${marks}[${names.to}]=${mark};`),
  )
  unit.line('}')
  return `${searches}<${SEARCHES_MAX}||${marks}[${scope.vertices.get(late)!.row}]===${mark}`
}

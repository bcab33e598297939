/** Repeated hops: a search from the known end, then a row for each vertex it found. */
import type { BoundStep } from '#query/ir/bound-select.ts'
import type { Walk } from '#query/plan/select/select-plan.ts'
import { baseOf, vertexNumber } from '../expressions/access.ts'
import { edgeFlagKey, type Scope, type VertexRef } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitEdges } from './adjacency.ts'

export interface RepeatedWalk {
  readonly walk: Walk
  /** Types that the search may end in. */
  readonly typeIds: readonly number[]
  /** Rows are multiplied by the number of walks, so these are wanted. */
  readonly counts: boolean
  readonly flags: Scope['edgeFlags']
}

/** A search that is written once and used by every row of the level before. */
export function emitRepeat(
  unit: Unit,
  repeated: RepeatedWalk,
  from: VertexRef,
  body: (to: VertexRef, walks: string) => void,
): void {
  const reach = emitReach(unit, repeated.walk)
  emitSeed(unit, reach, vertexNumber(unit, from))
  emitSearch(unit, repeated, reach, body)
}

/** Declares the search of a hop and begins it. */
export function emitReach(unit: Unit, walk: Walk): string {
  const reach = unit.name('k')
  unit.line(`const ${reach}=${unit.call('takeReach')};`)
  unit.line(`${unit.call('reachBegin', reach, walk.repeat!.min)};`)
  return reach
}

export function emitSeed(unit: Unit, reach: string, vertex: string): void {
  unit.line(`${unit.call('reachSeed', reach, vertex)};`)
}

/** Runs a search from its seeds and writes `body` for what it found. */
export function emitSearch(
  unit: Unit,
  { walk, typeIds, counts, flags }: RepeatedWalk,
  reach: string,
  body: (to: VertexRef, walks: string) => void,
): void {
  const max = walk.repeat!.max ?? 'Infinity'
  const [i, vertex, count] = [unit.name('j'), unit.name('u'), unit.name('k')]
  unit.line(`while(${unit.call('reachNext', reach, max)}){`)
  unit.line(`for(let ${i}=0;${i}<${unit.call('reachSize', reach)};${i}++){`)
  emitPoll(unit)
  unit.line(`const ${vertex}=${unit.call('reachVertex', reach, i)};`)
  if (counts) unit.line(`const ${count}=${unit.call('reachCount', reach, i)};`)
  const starts = [...new Set(walk.steps.map(({ fromTypeId }) => fromTypeId))]
  emitByType(unit, { vertex, typeIds: starts }, (ref) => {
    for (const step of walk.steps) {
      if (step.fromTypeId !== ref.typeId) continue
      const flag = flags.get(edgeFlagKey(walk.hop, step.typeName))
      if (flag !== undefined) unit.line(`if(${flag})`)
      emitStep(unit, { step, reach, count, counts }, ref)
    }
  })
  unit.line('}}')
  const found = unit.name('u')
  const walks = unit.name('w')
  const k = unit.name('j')
  unit.line(`for(let ${k}=0;${k}<${unit.call('foundCount', reach)};${k}++){`)
  emitPoll(unit)
  unit.line(`const ${found}=${unit.call('foundVertex', reach, k)};`)
  if (counts) unit.line(`const ${walks}=${unit.call('foundWalks', reach, k)};`)
  emitByType(unit, { vertex: found, typeIds }, (ref) => body(ref, walks))
  unit.line('}')
  unit.line(`${unit.call('giveReach', reach)};`)
}

function emitPoll(unit: Unit): void {
  unit.line(`if(++rc+ec>8192){${unit.poll('ec', 'rc')};ec=0;rc=0;}`)
}

function emitStep(
  unit: Unit,
  at: { step: BoundStep; reach: string; count: string; counts: boolean },
  ref: VertexRef,
): void {
  const { step, reach, count, counts } = at
  const to = unit.name('t')
  const names = { from: ref.row, to, edge: null, against: unit.name('f') }
  unit.line('{')
  emitEdges(unit, step, names, () => {
    const vertex = vertexNumber(unit, { typeId: step.toTypeId, row: to })
    const add = counts
      ? unit.call('reachAdd', reach, vertex, count)
      : unit.call('reachSee', reach, vertex)
    unit.line(`${add};`)
  })
  unit.line('}')
}

/** `body` for each type a vertex number may be of, with its row. */
function emitByType(
  unit: Unit,
  at: { readonly vertex: string; readonly typeIds: readonly number[] },
  body: (ref: VertexRef) => void,
): void {
  const { vertex, typeIds } = at
  const type = unit.name('k')
  unit.line(`const ${type}=${unit.call('typeOfVertex', vertex)};`)
  for (const typeId of typeIds) {
    const row = unit.name('c')
    unit.line(`if(${type}===${typeId}){const ${row}=${vertex}-${baseOf(unit, typeId)};`)
    body({ typeId, row })
    unit.line('}')
  }
}

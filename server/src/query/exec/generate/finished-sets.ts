/**
 * Counts among sets of vertices that do not change while a clause runs (`plan/shared-sets.ts`): the
 * clause takes the arrays they lie in once; each loop, on whatever thread, a counter over them.
 */
import type { BoundExpression } from '#query/bind/bound-expression.ts'
import { type SetRead, sharedSets } from '#query/plan/shared-sets.ts'
import { vertexNumber } from './access.ts'
import { integerOf } from './integers.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

export interface FinishedSets {
  /** JavaScript names of a loop's counters, by the counts they are for. */
  readonly counters: ReadonlyMap<BoundExpression, string>
  /** What makes each counter. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Writes what is at hand before the loops; null: there is nothing to count. `sources`: how many
 * vertices the loops start from.
 */
export function emitFinishedSets(
  unit: Unit,
  counts: ReadonlySet<BoundExpression>,
  sources: string,
): FinishedSets | null {
  if (counts.size === 0) return null
  const named = (code: string): string => {
    const name = unit.name('k')
    unit.line(`const ${name}=${code};`)
    return name
  }
  const runs = new Map<number, string>()
  const runsOf = (set: SetRead): string => {
    const slot = set.kind === 'vertexAccum' ? set.slot : -1
    const known = runs.get(slot)
    if (known !== undefined) return known
    const [column, initial] = [`v${slot}`, `i${slot}`]
    const starts = slot < 0 ? null : named(unit.call('runStarts', column, initial, sources))
    const text =
      starts === null
        ? 'null'
        : `[${starts},${named(unit.call('runMembers', column))},${named(unit.call('runPlaces'))}]`
    runs.set(slot, text)
    return text
  }
  const arrays = (['setCells', 'setWords', 'setChanges'] as const).map((part) =>
    named(unit.call(part)),
  )
  const counters = new Map<BoundExpression, string>()
  const texts = new Map<string, string>()
  for (const node of counts) {
    const pair = sharedSets(node, unit.query)!.map(runsOf)
    const counter = unit.name('k')
    counters.set(node, counter)
    const place = [String(texts.size), `[${arrays.join(',')}]`, `[${pair.join(',')}]`]
    texts.set(counter, unit.call('sharedIn', ...place))
  }
  return { counters, texts }
}

/** Writes the counters at the beginning of a loop, or of one of its parts. */
export function emitCounters(unit: Unit, finished: FinishedSets | null): void {
  for (const [name, text] of finished?.texts ?? []) unit.line(`const ${name}=${text};`)
}

/** Null: the sets are not known to be finished. */
export function finishedCount(unit: Unit, node: BoundExpression, scope: Scope): string | null {
  const counter = scope.finished?.counters.get(node)
  if (counter === undefined) return null
  const sets = sharedSets(node, unit.query)!
  const blocks = sets.map((set) => unit.expression(set, scope))
  const vertices = sets.map((set) => ownerOf(unit, set, scope))
  return integerOf(unit, unit.call('countIn', counter, ...blocks, ...vertices))
}

function ownerOf(unit: Unit, set: SetRead, scope: Scope): string {
  if (set.kind === 'globalAccum' || set.of.kind !== 'vertexAlias') return '-1'
  return vertexNumber(unit, scope.vertices.get(set.of.position)!)
}

/** What a SELECT needs before its rows: sets and bitmaps, and flags of edge types. */
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import { edgeFlagKey, type Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

/** The vertex sets that positions are limited to, and the bitmaps of what matched. */
export function emitSets(unit: Unit, plan: SelectPlan, scope: Scope): void {
  plan.select.positions.forEach((position, i) => {
    if (position.within !== null) {
      const set = unit.vertexSet(position.within, scope)
      unit.line(`const a${i}=${set};`)
    } else if (i === plan.start) {
      unit.line(`const a${i}=${unit.call('allOf', `[${position.typeIds.join(',')}]`)};`)
    }
  })
  plan.select.positions.forEach((position, i) => {
    const isSet = position.within !== null || i === plan.start
    if (isSet) unit.line(`const w${i}=${unit.call('wordsOf', `a${i}`)};`)
  })
  for (const position of plan.marked) unit.line(`const m${position}=${unit.call('newWords')};`)
}

/** Whether the collection that limits a hop names an edge type, for each that the hop may take. */
export function emitEdgeFlags(
  unit: Unit,
  { select }: SelectPlan,
  scope: Scope,
): Map<string, string> {
  const flags = new Map<string, string>()
  select.hops.forEach(({ names, steps }, hop) => {
    if (names === null) return
    const collection = unit.expression(names, scope)
    for (const typeName of new Set(steps.map((step) => step.typeName))) {
      const flag = unit.name('f')
      const test = unit.call('hasElement', collection, unit.string(typeName))
      unit.line(`const ${flag}=${test};`)
      flags.set(edgeFlagKey(hop, typeName), flag)
    }
  })
  return flags
}

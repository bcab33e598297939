/** The rows of one type that a SELECT begins with: its set, or what an index proposes of it. */
import { indexedStart } from '#query/plan/rewrites/index-start.ts'
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import type { Unit } from '../text/unit.ts'

/** Null: every row of the type. Parameters of a called query are no constants of the run. */
export function startRows(unit: Unit, plan: SelectPlan, typeId: number): string {
  const set = `a${plan.start}`
  const conditions = unit.isCallee ? [] : indexedStart(plan, unit.query, typeId)
  if (conditions.length === 0) return unit.call('rowsOf', set, typeId)
  const keys = conditions.map(({ key }) => key)
  const lists = unit.bind(`index ${JSON.stringify(keys)}`, ({ input }) =>
    (input.indexRows ?? []).filter(({ key }) => keys.includes(key)).map(({ rows }) => rows),
  )
  return unit.call('rowsAmong', set, typeId, lists)
}

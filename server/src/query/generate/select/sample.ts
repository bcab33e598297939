/** SAMPLE: a source is told how many edges it has and decides for each whether it is met. */
import type { SelectPlan } from '#query/plan/select/select-plan.ts'
import { vertexNumber } from '../expressions/access.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { degreeHelper } from './adjacency.ts'

/** Writes the sample of the source in `scope`; null: the SELECT has none. */
export function emitSample(unit: Unit, plan: SelectPlan, scope: Scope): string | null {
  const { sample } = plan.select
  if (sample === null) return null
  const [walk] = plan.walks
  const source = scope.vertices.get(walk!.from)!
  const { typeIds } = plan.select.positions[walk!.to]!
  const degrees = walk!.steps
    .filter(
      ({ fromTypeId, toTypeId }) => fromTypeId === source.typeId && typeIds.includes(toTypeId),
    )
    .map((step) => degreeHelper(unit, step, source.row))
  const total = degrees.length === 0 ? '0' : degrees.join('+')
  const amount = unit.expression(sample.amount, scope)
  const isPercent = String(sample.percent)
  const start = unit.call('sampleOf', vertexNumber(unit, source), amount, isPercent, total)
  const when = sample.when === null ? 'true' : unit.expression(sample.when, scope)
  const name = unit.name('y')
  unit.line(`const ${name}=${when}?${start}:null;`)
  return name
}

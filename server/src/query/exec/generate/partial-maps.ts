/** Loops whose segments fold into maps of their own (`plan/partial-folds.ts`). */
import type { BoundDmlStatement } from '#query/bind/bound-select.ts'
import { partialSlots } from '#query/plan/partial-folds.ts'
import type { LoopRange } from './part.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

/** JavaScript names of what a segment folds into, by the slot of the global accumulator. */
export type PartialNames = ReadonlyMap<number, string>

export const noPartials: PartialNames = new Map()

export function partialNames(unit: Unit, body: readonly BoundDmlStatement[]): PartialNames {
  const slots = [...partialSlots(body, unit.query)]
  return new Map(slots.map((slot) => [slot, unit.name('l')]))
}

/** The scope in which those are meant. */
export function withPartials(scope: Scope, partials: PartialNames): Scope {
  if (partials.size === 0) return scope
  const globals = new Map([...scope.writes.globals, ...partials])
  return { ...scope, writes: { ...scope.writes, globals } }
}

/** Writes the beginning and the end of a segment around its rows. */
export function emitPartials(
  unit: Unit,
  partials: PartialNames,
  range: LoopRange,
  rows: () => void,
): void {
  for (const [slot, name] of partials) {
    unit.line(`const ${name}=${unit.call('partialMap', shapeOf(unit, slot), `g${slot}`)};`)
  }
  rows()
  for (const [slot, name] of partials) {
    const blocks = `[g${slot},${name}]`
    const put = unit.call('putPartial', shapeOf(unit, slot), String(slot), blocks, range.first)
    unit.line(`${put};`)
  }
}

/** Writes what follows the loop: the accumulators take in what the segments have folded. */
export function emitPartialFolds(unit: Unit, partials: PartialNames): void {
  for (const slot of partials.keys()) {
    unit.line(`${unit.call('foldPartials', shapeOf(unit, slot), String(slot), `g${slot}`)};`)
  }
}

function shapeOf(unit: Unit, slot: number): string {
  return unit.accumShape(unit.query.globalAccums[slot]!.type)
}

/** Loops whose segments fold into collections of their own (`plan/parallel/partial-folds.ts`). */
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { foldsInOrder, partialSlots } from '#query/plan/parallel/partial-folds.ts'
import type { PartialFolds } from '#query/runtime/parallel/partial-blocks.ts'
import type { LoopRange } from '../text/part.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

/** JavaScript names for one global accumulator. */
interface PartialNames {
  /** Of what a segment folds into. */
  readonly own: string
  /** Of how much it may hold, which the loop is given. */
  readonly limit: string
}

/** By the slot of the global accumulator. */
export type Partials = ReadonlyMap<number, PartialNames>

export const noPartials: Partials = new Map()

/** Writes what the loop needs to know, before it. */
export function enterPartials(unit: Unit, body: readonly BoundDmlStatement[]): Partials {
  const slots = [...partialSlots(body, unit.query)]
  return new Map(
    slots.map((slot) => {
      const limit = unit.name('k')
      unit.line(`const ${limit}=${unit.call('limitOf', shapeOf(unit, slot), `g${slot}`)};`)
      return [slot, { own: unit.name('l'), limit }]
    }),
  )
}

export function foldsOf(unit: Unit, partials: Partials): PartialFolds {
  if (partials.size === 0) return 'none'
  const isOrdered = (slot: number) => foldsInOrder(unit.query.globalAccums[slot]!.type)
  return [...partials.keys()].some(isOrdered) ? 'ordered' : 'free'
}

/** The scope in which those are meant. */
export function withPartials(scope: Scope, partials: Partials): Scope {
  if (partials.size === 0) return scope
  const globals = new Map(scope.writes.globals)
  for (const [slot, { own }] of partials) globals.set(slot, own)
  return { ...scope, writes: { ...scope.writes, globals } }
}

/** Writes the beginning and the end of a segment around its rows. */
export function emitPartials(
  unit: Unit,
  partials: Partials,
  range: LoopRange,
  rows: () => void,
): void {
  for (const [slot, { own, limit }] of partials) {
    const made = unit.call('partialBlock', shapeOf(unit, slot), `g${slot}`, limit)
    unit.line(`const ${own}=${made};`)
  }
  rows()
  for (const [slot, { own }] of partials) {
    const blocks = `[g${slot},${own}]`
    const put = unit.call('putPartial', shapeOf(unit, slot), String(slot), blocks, range.first)
    unit.line(`${put};`)
  }
}

/** Writes what follows the loop: the accumulators take in what the segments have folded. */
export function emitPartialFolds(unit: Unit, partials: Partials): void {
  for (const slot of partials.keys()) {
    unit.line(`${unit.call('foldPartials', shapeOf(unit, slot), String(slot), `g${slot}`)};`)
  }
}

function shapeOf(unit: Unit, slot: number): string {
  return unit.accumShape(unit.query.globalAccums[slot]!.type)
}

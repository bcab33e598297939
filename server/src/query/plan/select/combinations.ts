/** How many concrete type combinations a pattern has: each gets code of its own. */
import type { SelectPlan } from './select-plan.ts'

/**
 * Combinations along the walks, about: a hop from the middle of another is taken to be independent
 * of what comes after that.
 */
export function combinationCount({ select, start, walks }: SelectPlan): number {
  const byPosition = new Map<number, ReadonlyMap<number, number>>()
  byPosition.set(start, new Map(select.positions[start]!.typeIds.map((typeId) => [typeId, 1])))
  let total = sum(byPosition.get(start)!)
  for (const { from, to, steps, repeat, joins } of walks) {
    const before = byPosition.get(from)!
    const after = new Map<number, number>()
    const add = (typeId: number, count: number) => {
      if (count > 0) after.set(typeId, (after.get(typeId) ?? 0) + count)
    }
    if (repeat === null) {
      for (const step of steps) add(step.toTypeId, before.get(step.fromTypeId) ?? 0)
    } else for (const typeId of select.positions[to]!.typeIds) add(typeId, sum(before))
    const factor = sum(before) === 0 ? 0 : sum(after) / sum(before)
    if (!joins) {
      const scale = total / Math.max(1, sum(before))
      byPosition.set(to, new Map([...after].map(([typeId, count]) => [typeId, count * scale])))
    }
    total *= factor
  }
  return total
}

function sum(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}

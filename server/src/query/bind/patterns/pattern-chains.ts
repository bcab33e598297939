/**
 * Alternatives of different lengths, `((A>.B>)|C>)`: each is a way over the hop, and a way of
 * several edges becomes one step for every chain of concrete edges that its types allow. The
 * vertices in between have no name; each chain is a row.
 */

import type { BoundStep } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { EdgeTypeSyntax } from '#query/syntax/ast-pattern.ts'
import type { Binder } from '../core/binder.ts'
import type { HopEnds } from './edge-steps.ts'
import { stepsOf } from './pattern-edges.ts'

/** Chains of one hop, and edges of one chain: each is code of its own. */
const CHAINS_MAX = 5_000
const LENGTH_MAX = 16

/** Whether it cannot be one hop of single edges, or a repetition of such. */
export function hasChains(type: EdgeTypeSyntax): boolean {
  switch (type.kind) {
    case 'atom':
      return false
    case 'sequence':
      return true
    case 'repeat':
      return hasChains(type.item) && type.min === type.max
    case 'alternatives':
      return type.items.some((item) => hasChains(item) || isCounted(item))
  }
}

/** `A>*2` matches every walk of two edges: it is a concatenation. */
function isCounted(type: EdgeTypeSyntax): boolean {
  return type.kind === 'repeat' && type.min === type.max && type.min > 0
}

export function chainSteps(binder: Binder, type: EdgeTypeSyntax, ends: HopEnds): BoundStep[] {
  const steps = waysOf(binder, type).flatMap((way) => stepsOfWay(binder, way, { type, ends }))
  return [...new Map(steps.map((step) => [JSON.stringify(step), step])).values()]
}

/** Concatenations of parts without concatenations, one of which is to be walked. */
function waysOf(binder: Binder, type: EdgeTypeSyntax): EdgeTypeSyntax[][] {
  switch (type.kind) {
    case 'alternatives':
      return type.items.flatMap((item) => waysOf(binder, item))
    case 'sequence':
      return joinedWays(binder, type.items, type)
    case 'repeat': {
      if (!isCounted(type)) return [[type]]
      if (type.min > LENGTH_MAX) failLength(binder, type)
      return joinedWays(binder, new Array<EdgeTypeSyntax>(type.min).fill(type.item), type)
    }
    case 'atom':
      return [[type]]
  }
}

function joinedWays(
  binder: Binder,
  parts: readonly EdgeTypeSyntax[],
  whole: EdgeTypeSyntax,
): EdgeTypeSyntax[][] {
  return parts.reduce<EdgeTypeSyntax[][]>(
    (ways, part) => {
      const next = waysOf(binder, part)
      if (ways.length * next.length > CHAINS_MAX) failCount(binder, whole)
      const joined = ways.flatMap((way) => next.map((more) => [...way, ...more]))
      if (joined.some((way) => way.length > LENGTH_MAX)) failLength(binder, whole)
      return joined
    },
    [[]],
  )
}

/** Every chain of concrete edges along a way, from and to types of the ends. */
function stepsOfWay(
  binder: Binder,
  way: readonly EdgeTypeSyntax[],
  { type, ends }: { readonly type: EdgeTypeSyntax; readonly ends: HopEnds },
): BoundStep[] {
  const all = binder.schema.allVertexTypeIds()
  const parts = way.map((part, index) => {
    const from = index === 0 ? ends.from : all
    const to = index === way.length - 1 ? ends.to : all
    return stepsOf(binder, part, { ends: { from, to }, alone: false })
  })
  const chains = leadingToEnds(parts).reduce<BoundStep[][]>(
    (before, steps) => {
      const next = before.flatMap((chain) =>
        steps
          .filter(({ fromTypeId }) => chain.at(-1)?.toTypeId === fromTypeId || chain.length === 0)
          .map((step) => [...chain, step]),
      )
      if (next.length > CHAINS_MAX) failCount(binder, type)
      return next
    },
    [[]],
  )
  return chains.map((chain) => {
    const first = chain[0]!
    return chain.length === 1 ? first : { ...first, toTypeId: chain.at(-1)!.toTypeId, chain }
  })
}

/** Only those steps from which the last part can be reached. */
function leadingToEnds(parts: readonly (readonly BoundStep[])[]): readonly BoundStep[][] {
  let next: ReadonlySet<number> | null = null
  const kept: BoundStep[][] = []
  for (const steps of parts.toReversed()) {
    const wanted: ReadonlySet<number> | null = next
    const leading: BoundStep[] = steps.filter(
      ({ toTypeId }) => wanted === null || wanted.has(toTypeId),
    )
    kept.unshift(leading)
    next = new Set(leading.map(({ fromTypeId }) => fromTypeId))
  }
  return kept
}

function failCount(binder: Binder, { range }: EdgeTypeSyntax): never {
  const message = `these edges can be walked in more than ${CHAINS_MAX} ways: name more of their types`
  return binder.fail(diagnosticCodes.misplaced, range, message)
}

function failLength(binder: Binder, { range }: EdgeTypeSyntax): never {
  const message = `an alternative is of at most ${LENGTH_MAX} edges`
  return binder.fail(diagnosticCodes.misplaced, range, message)
}

/** The concrete types of a pattern: what can stand at each position, given all hops. */

import type { BoundHop, BoundPosition, BoundStep } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { sortedIds } from '#query/ir/value-types.ts'
import type { Binder } from '../core/binder.ts'
import type { DraftHop, DraftPosition } from './pattern-hops.ts'

/** Of one pattern: the generated text grows with the square of its length. */
export const PATTERN_HOPS_MAX = 256

interface DraftPattern {
  readonly positions: readonly DraftPosition[]
  readonly hops: readonly DraftHop[]
}

/** Cuts types and ways down to those that fit together, and warns when nothing does. */
export function settleTypes(
  binder: Binder,
  { positions, hops }: DraftPattern,
): { readonly positions: readonly BoundPosition[]; readonly hops: readonly BoundHop[] } {
  refuseTooLong(binder, hops)
  for (const hop of hops) hop.failure ??= positions[hop.from]!.failure ?? positions[hop.to]!.failure
  const open = hops.filter(({ failure }) => failure === null)
  for (const hop of open) warnIfEmpty(binder, hop)
  const hadSteps = hops.every(({ steps }) => steps.length > 0)
  const typeCount = binder.schema.allVertexTypeIds().length
  for (let size = -1; size !== sizeOf(positions); ) {
    size = sizeOf(positions)
    for (const hop of open) narrow(hop, positions, typeCount)
  }
  emptyBehind({ positions, hops }, open)
  const unmatched = hops.find((hop) => positions[hop.to]!.typeIds.length === 0)
  if (hadSteps && unmatched !== undefined) warnIfEmpty(binder, { ...unmatched, steps: [] })
  for (const step of hops.flatMap(({ steps }) => steps)) {
    for (const { edgeTypeId } of step.chain ?? [step]) binder.edgeTypesUsed.add(edgeTypeId)
  }
  return {
    positions: positions.map(({ alias, typeIds, within }) => ({
      alias,
      typeIds: sortedIds(typeIds),
      within,
    })),
    hops: hops.map(({ alias, from, to, steps, repeat, names, failure }) => ({
      alias,
      from,
      to,
      steps,
      repeat,
      names,
      failure,
    })),
  }
}

function refuseTooLong(binder: Binder, hops: readonly DraftHop[]): void {
  const first = hops[PATTERN_HOPS_MAX]
  if (first === undefined) return
  const message = `a pattern has at most ${PATTERN_HOPS_MAX} edges, this one has ${hops.length}: use several SELECT statements`
  binder.fail(diagnosticCodes.misplaced, first.range, message)
}

/** No row comes over a hop that fails: what lies behind it alone has no types. */
function emptyBehind({ positions, hops }: DraftPattern, open: readonly DraftHop[]): void {
  if (open.length === hops.length) return
  const reached = new Set([0])
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of open) {
      if (reached.has(from) || reached.has(to)) reached.add(from).add(to)
    }
  }
  positions.forEach((position, index) => {
    if (!reached.has(index)) position.typeIds = []
  })
  for (const hop of hops) if (hop.failure !== null || !reached.has(hop.from)) hop.steps = []
}

/** More are not listed in a message. */
const PAIRS_MAX = 3

/** What a named edge type connects, or that it has no direction. */
function wayHint({ schema }: Binder, part: DraftHop['part']): string {
  const atom = part?.kind === 'repeat' ? part.item : part
  const edge = atom?.kind === 'atom' ? schema.edge(atom.type.name) : undefined
  if (atom?.kind !== 'atom' || edge === undefined) return ''
  const { name, directed, pairs } = edge.type
  if (!directed && ['left', 'right', 'both'].includes(atom.direction)) {
    return `; "${name}" is undirected: write it without an arrow`
  }
  const shown = pairs.slice(0, PAIRS_MAX).map(({ fromTypeId, toTypeId }) => {
    return `${schema.nameOf(fromTypeId)} ${directed ? 'to' : 'and'} ${schema.nameOf(toTypeId)}`
  })
  const more = pairs.length > PAIRS_MAX ? ', …' : ''
  return `; "${name}" ${directed ? 'leads from' : 'connects'} ${shown.join(', ')}${more}`
}

function warnIfEmpty(binder: Binder, { steps, range, part }: DraftHop): void {
  if (steps.length > 0 || binder.typeParameters.size > 0) return
  const message = `this pattern can never match: no edge type of it connects these vertex types${wayHint(binder, part)}`
  binder.warn(diagnosticCodes.neverMatches, range, message)
}

function sizeOf(positions: readonly DraftPosition[]): number {
  return positions.reduce((sum, { typeIds }) => sum + typeIds.length, 0)
}

function narrow(hop: DraftHop, positions: readonly DraftPosition[], typeCount: number): void {
  const [from, to] = [positions[hop.from]!, positions[hop.to]!]
  if (hop.repeat === null) {
    hop.steps = hop.steps.filter(
      ({ fromTypeId, toTypeId }) =>
        from.typeIds.includes(fromTypeId) && to.typeIds.includes(toTypeId),
    )
    keep(from, new Set(hop.steps.map(({ fromTypeId }) => fromTypeId)))
    keep(to, new Set(hop.steps.map(({ toTypeId }) => toTypeId)))
    return
  }
  const { repeat, steps } = hop
  const backwards = steps.map((step) => ({
    fromTypeId: step.toTypeId,
    toTypeId: step.fromTypeId,
  }))
  keep(to, reachable(from.typeIds, steps, { ...repeat, typeCount }))
  keep(from, reachable(to.typeIds, backwards, { ...repeat, typeCount }))
}

function keep(position: DraftPosition, types: ReadonlySet<number>): void {
  position.typeIds = position.typeIds.filter((id) => types.has(id))
}

/** Longer walks are counted as this long: numbers above it are not told apart. */
const LENGTH_MAX = 2 ** 50

/**
 * Types that can be met after `min` to `max` steps; beyond `min`, every type shows in a few. The
 * sets of types come round again, so that many steps are gone at once.
 */
function reachable(
  start: readonly number[],
  steps: readonly Pick<BoundStep, 'fromTypeId' | 'toTypeId'>[],
  bounds: { readonly min: number; readonly max: number | null; readonly typeCount: number },
): Set<number> {
  const { max, typeCount } = bounds
  const min = Math.min(bounds.min, LENGTH_MAX)
  const last = Math.min(max ?? Number.POSITIVE_INFINITY, min + typeCount)
  const seenAt = new Map<string, number>()
  const found = new Set(min === 0 ? start : [])
  let types = new Set(start)
  for (let length = 1; length <= last; length++) {
    types = new Set(steps.filter((s) => types.has(s.fromTypeId)).map((s) => s.toTypeId))
    if (length >= min) for (const id of types) found.add(id)
    const key = [...types].sort((a, b) => a - b).join()
    const round = length - (seenAt.get(key) ?? length)
    if (round > 0 && length < min) length += Math.floor((min - 1 - length) / round) * round
    seenAt.set(key, length)
  }
  return found
}

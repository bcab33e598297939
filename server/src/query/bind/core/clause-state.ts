/**
 * What binding remembers while it is inside one clause of a SELECT: aliases, locals, what was read
 * and written, and which concrete types the current statement needs.
 */
import type { BoundVariable } from '#query/ir/bound.ts'
import type { BoundApplies, BoundEffects, BoundHop, BoundPosition } from '#query/ir/bound-select.ts'
import { sortedIds } from '#query/ir/value-types.ts'

export type AliasTarget =
  | { readonly kind: 'vertex'; readonly position: number }
  | { readonly kind: 'edge'; readonly hop: number }

export interface SelectState {
  readonly positions: readonly BoundPosition[]
  readonly hops: readonly BoundHop[]
  readonly aliases: ReadonlyMap<string, AliasTarget>
  readonly resultPosition: number
  /** The positions that `PER` lists, and everything after WHERE may speak of; null: all. */
  readonly per: readonly number[] | null
  /** The hops whose edges `PER` lists. */
  readonly perHops: readonly number[]
  /** Slots of vertex accumulators read with `'`. */
  readonly previous: Set<number>
}

/** `result`: HAVING, ORDER BY, PRINT columns, which see the selected alias only. */
export type ClauseKind = 'where' | 'accum' | 'postAccum' | 'result'

export class ClauseState {
  readonly kind: ClauseKind
  readonly select: SelectState
  readonly locals: BoundVariable[] = []
  readonly globalsRead = new Set<number>()
  readonly globalsWritten = new Set<number>()
  readonly vertexAccumsRead = new Set<number>()
  readonly vertexAccumsWritten = new Set<number>()
  readonly vertexAccumsWrittenIndirectly = new Set<number>()
  readonly variablesWritten = new Set<number>()
  /** Inside `IF e.type == "X"`: the types an alias still can have, by its key. */
  narrowed: ReadonlyMap<string, readonly number[]> = new Map()
  #needs: Needs | null = null

  constructor(kind: ClauseKind, select: SelectState) {
    this.kind = kind
    this.select = select
  }

  /** Types `target` can have here, narrowed by the conditions around. */
  typesOf(target: AliasTarget): readonly number[] {
    const narrowed = this.narrowed.get(aliasKey(target))
    if (narrowed !== undefined) return narrowed
    if (target.kind === 'vertex') return this.select.positions[target.position]!.typeIds
    const steps = this.select.hops[target.hop]!.steps
    return sortedIds(steps.map(({ edgeTypeId }) => edgeTypeId))
  }

  /**
   * Notes that the current statement needs `target` to be of one of `typeIds`.
   * @returns false when nothing is left: no combination has all that it needs
   */
  need(target: AliasTarget, typeIds: readonly number[]): boolean {
    const needs = this.#needs
    if (needs === null) return true
    const key = aliasKey(target)
    const before = needs.get(key)?.typeIds ?? this.typesOf(target)
    const left = before.filter((id) => typeIds.includes(id))
    needs.set(key, { target, typeIds: left })
    return left.length > 0
  }

  /** Runs `bind` and says which types what it bound needs; null: any. */
  collectNeeds<T>(bind: () => T): { readonly value: T; readonly applies: BoundApplies | null } {
    const outer = this.#needs
    const needs: Needs = new Map()
    this.#needs = needs
    try {
      const value = bind()
      return { value, applies: appliesOf(needs) }
    } finally {
      this.#needs = outer
    }
  }

  /** Runs `bind` where aliases are known to have fewer types. */
  withNarrowed<T>(types: ReadonlyMap<string, readonly number[]>, bind: () => T): T {
    const outer = this.narrowed
    this.narrowed = new Map([...outer, ...types])
    try {
      return bind()
    } finally {
      this.narrowed = outer
    }
  }

  effects(): BoundEffects {
    return {
      globalsRead: sortedIds(this.globalsRead),
      globalsWritten: sortedIds(this.globalsWritten),
      vertexAccumsRead: sortedIds(this.vertexAccumsRead),
      vertexAccumsWritten: sortedIds(this.vertexAccumsWritten),
      vertexAccumsWrittenIndirectly: sortedIds(this.vertexAccumsWrittenIndirectly),
      variablesWritten: sortedIds(this.variablesWritten),
    }
  }

  snapshotGlobals(): number[] {
    return sortedIds([...this.globalsRead].filter((slot) => this.globalsWritten.has(slot)))
  }

  snapshotVertexAccums(): number[] {
    return sortedIds(
      [...this.vertexAccumsRead].filter((slot) => this.vertexAccumsWritten.has(slot)),
    )
  }
}

type Needs = Map<string, { readonly target: AliasTarget; readonly typeIds: readonly number[] }>

export function aliasKey(target: AliasTarget): string {
  return target.kind === 'vertex' ? `v${target.position}` : `e${target.hop}`
}

function appliesOf(needs: Needs): BoundApplies | null {
  if (needs.size === 0) return null
  const positions: { position: number; typeIds: readonly number[] }[] = []
  const hops: { hop: number; edgeTypeIds: readonly number[] }[] = []
  for (const { target, typeIds } of needs.values()) {
    if (target.kind === 'vertex') positions.push({ position: target.position, typeIds })
    else hops.push({ hop: target.hop, edgeTypeIds: typeIds })
  }
  return { positions, hops }
}

/** Which names are those of edge accumulators; see `edge-accums.ts`. */

import type { AccumType } from '#query/ir/types.ts'
import type { Binder } from '../core/binder.ts'

export interface EdgeAccum {
  readonly slot: number
  readonly accum: AccumType
}

/** No user can write it. */
export function hiddenName(name: string): string {
  return `edge.${name}`
}

/** The edge accumulator of a name; null: there is none. */
export function edgeAccumNamed(binder: Binder, name: string): EdgeAccum | null {
  const slot = binder.hiddenSlot(hiddenName(name))
  if (slot === null) return null
  const { type } = binder.globalAccums[slot]!
  return type.kind === 'MapAccum' && type.value.kind === 'accum'
    ? { slot, accum: type.value.accum }
    : null
}

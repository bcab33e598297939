/**
 * How the editor asks the real binder what could stand at the caret: the word there is replaced by
 * `PROBE_NAME`, and wherever binding meets that name it reports what it knows of the place.
 */
import type { BoundAccum } from '#query/ir/bound.ts'
import type { AccumType, ValueType } from '#query/ir/types.ts'

/** Cannot collide with a user's name by accident. */
export const PROBE_NAME = 'caret__probe'

export interface VisibleName {
  readonly name: string
  readonly type: ValueType | null
  readonly what: 'alias' | 'local' | 'variable' | 'parameter' | 'vertexSet'
}

export type ProbeContext =
  /** After a dot: what it is a member of. */
  | { readonly kind: 'member'; readonly type: ValueType; readonly accum: AccumType | null }
  | { readonly kind: 'accum'; readonly global: boolean; readonly accums: readonly BoundAccum[] }
  | { readonly kind: 'name'; readonly names: readonly VisibleName[] }
  /** A vertex position of a pattern, or a seed. */
  | { readonly kind: 'vertexSet'; readonly names: readonly VisibleName[] }
  /** An edge position: names that connect its ends. */
  | { readonly kind: 'edge'; readonly edges: readonly string[] }

export type Probe = (context: ProbeContext) => void

/** What the names of one concrete type combination mean while its code is written. */
import type { BoundVariable } from '#query/ir/bound.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import type { Update } from '#query/plan/parallel/collected-folds.ts'
import type { Collected } from '../parallel/collected-sets.ts'
import type { FinishedSets } from '../parallel/finished-sets.ts'
import type { TargetRange } from '../parallel/ranged-folds.ts'
import type { Sent } from '../parallel/sent-folds.ts'

export interface VertexRef {
  readonly typeId: number
  /** JavaScript name of the row within its type. */
  readonly row: string
}

export interface EdgeRef {
  readonly step: BoundStep
  /** JavaScript name of the edge row. */
  readonly edge: string
  /** 1 when walked against the stored direction, 0 along it; an expression for `both`. */
  readonly against: string
}

export interface Scope {
  /** By position of the SELECT; absent while a position has no vertex yet. */
  readonly vertices: ReadonlyMap<number, VertexRef>
  readonly edges: ReadonlyMap<number, EdgeRef>
  /** Names that stand for subexpressions already computed further out. */
  readonly hoisted: ReadonlyMap<object, string>
  /** Prefix of the clause's locals; its slot follows. */
  readonly localPrefix: string
  readonly locals: readonly BoundVariable[]
  readonly reads: AccumNames
  readonly writes: AccumNames
  /** Cell columns as they were: a block that stands there is copied before it is changed. */
  readonly kept: ReadonlyMap<number, string>
  /** Columns whose element of the one vertex that is written is kept in a local meanwhile. */
  readonly registers: ReadonlyMap<number, string>
  /** Flags to raise when a row is complete. */
  readonly hits: readonly string[]
  /** Buffered base variables: what an assignment writes to. Null: assign at once. */
  readonly buffered: ReadonlyMap<number, string> | null
  /** Names of flags by `hop type`: hops whose edge types are limited by a collection of names. */
  readonly edgeFlags: ReadonlyMap<string, string>
  /** How many walks of each repeated hop the row stands for: their product is its multiplicity. */
  readonly walks: readonly string[]
  /** Code of a number that was tested before: no divisor of this text is zero. */
  readonly nonZero: string | null
  /** Queues of mutators that wait for the clause's end, by `accumKey`; others act at once. */
  readonly deferred: ReadonlyMap<string, string>
  /** Sets that can be counted where they lie; null: none is known. */
  readonly finished: FinishedSets | null
  /** Folds that are put into their sets later. */
  readonly collected: ReadonlyMap<Update, Collected>
  /** Folds that are done when the loop is over. */
  readonly sent: ReadonlyMap<Update, Sent>
  /** Ends of the only hop that the loop is for; null: all. */
  readonly within: TargetRange | null
}

export function edgeFlagKey(hop: number, typeName: string): string {
  return `${hop} ${typeName}`
}

export function accumKey(target: { readonly kind: string; readonly slot: number }): string {
  return `${target.kind} ${target.slot}`
}

/** Where a clause finds its accumulators, when not under their own names. */
export interface AccumNames {
  readonly globals: ReadonlyMap<number, string>
  readonly columns: ReadonlyMap<number, string>
}

export const noNames: AccumNames = { globals: new Map(), columns: new Map() }

export const bodyScope: Scope = {
  vertices: new Map(),
  edges: new Map(),
  hoisted: new Map(),
  localPrefix: 'z',
  locals: [],
  reads: noNames,
  writes: noNames,
  kept: new Map(),
  registers: new Map(),
  hits: [],
  buffered: null,
  edgeFlags: new Map(),
  walks: [],
  nonZero: null,
  deferred: new Map(),
  finished: null,
  collected: new Map(),
  sent: new Map(),
  within: null,
}

export function withVertex(scope: Scope, position: number, ref: VertexRef): Scope {
  return { ...scope, vertices: new Map(scope.vertices).set(position, ref) }
}

export function withEdge(scope: Scope, hop: number, ref: EdgeRef): Scope {
  return { ...scope, edges: new Map(scope.edges).set(hop, ref) }
}

export function withHoisted(scope: Scope, node: object, name: string): Scope {
  return { ...scope, hoisted: new Map(scope.hoisted).set(node, name) }
}

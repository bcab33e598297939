/**
 * The bound SELECT: pattern, clauses, and what each concrete type combination means for them.
 *
 * Slots and places as in `bound.ts`.
 */
import type {
  BoundAccumUpdate,
  BoundBranch,
  BoundFilePrint,
  BoundForeach,
  BoundMutation,
  BoundVariable,
  Place,
} from './bound.ts'
import type { BoundChange } from './bound-changes.ts'
import type { BoundExpression, BoundVertexSetExpression } from './bound-expression.ts'

/**
 * Evaluation: match rows (FROM, WHERE), ACCUM per row, POST-ACCUM clauses in order, then the
 * distinct vertices of `resultPosition`, HAVING, ORDER BY, LIMIT, and only then the assignment to
 * `resultSlot`, which may be one of the sets read in `positions`.
 *
 * `positions[0]` is the source; hop i leads from `hops[i].from` to `hops[i].to`. Without hops the
 * rows are the vertices of the source. Rows are a bag: parallel edges and several ways multiply.
 */
export interface BoundSelect {
  readonly kind: 'select'
  /** Vertex set the result goes to; null: it is dropped. */
  readonly resultSlot: number | null
  readonly resultPosition: number
  readonly positions: readonly BoundPosition[]
  readonly hops: readonly BoundHop[]
  /** Of the edges of each source only some are met; null: all. */
  readonly sample: BoundSample | null
  readonly where: BoundExpression | null
  /** `PER (a, b)`: ACCUM runs once per distinct combination of these positions; null: per row. */
  readonly per: readonly number[] | null
  /** Hops whose edges `PER` lists beside the positions. */
  readonly perHops: readonly number[]
  readonly accum: BoundAccumClause | null
  readonly postAccum: readonly BoundPostAccumClause[]
  /** Slots of vertex accumulators read with `'`: keep their values from before ACCUM. */
  readonly previousVertexAccums: readonly number[]
  /** Speaks of `resultPosition` only, like `orderBy`. */
  readonly having: BoundExpression | null
  readonly orderBy: readonly BoundOrderKey[]
  readonly limit: BoundExpression | null
  readonly offset: BoundExpression | null
  readonly place: Place
}

export interface BoundSample {
  /** DOUBLE: how many edges of a source, or how many of a hundred. */
  readonly amount: BoundExpression
  readonly percent: boolean
  /** Speaks of the source: others keep all their edges; null: every source is sampled. */
  readonly when: BoundExpression | null
}

export interface BoundPosition {
  /** As written, or invented (`#0`) for an unnamed one. */
  readonly alias: string
  /** Concrete types that can occur here, ascending, after inference over the pattern. */
  readonly typeIds: readonly number[]
  /**
   * Only vertices of this set match; null: every vertex of `typeIds`. Position 0 always has one
   * unless it is all vertices of `typeIds`.
   */
  readonly within: BoundVertexSetExpression | null
}

export interface BoundHop {
  /** Edge alias; null: none. */
  readonly alias: string | null
  readonly from: number
  readonly to: number
  /** The concrete ways to take this hop; empty: the pattern cannot match. */
  readonly steps: readonly BoundStep[]
  /**
   * `*m..n`; null: exactly one edge. A repeated hop matches, for every pair of ends, the shortest
   * walks within the bounds, one row for each (docs/reference/gsql/select.md#repetition). It has no alias; `steps` leads
   * between any types, those of the ends are the positions'.
   */
  readonly repeat: { readonly min: number; readonly max: number | null } | null
  /** A SET, LIST or BAG of STRING: only edges of the types it names count. Null: all do. */
  readonly names: BoundExpression | null
  /** The first row that would be led over this hop ends the run: one of its names is no type. */
  readonly failure: BoundExpression | null
}

/**
 * One way over a hop: the adjacency (`edgeTypeId`, `pair` as stored) walked out of `fromTypeId`
 * and into `toTypeId` (as the pattern is written, left to right).
 *
 * `direction` `out`: from the pair's from-type along `outTargets`. `in`: from the pair's to-type
 * along `inSources`. `both`: an edge between two vertices of one type that is undirected, or walked
 * in both directions: look at both adjacencies, meeting a loop once.
 */
export interface BoundStep {
  readonly edgeTypeId: number
  readonly pair: { readonly fromTypeId: number; readonly toTypeId: number }
  readonly direction: 'out' | 'in' | 'both'
  readonly fromTypeId: number
  readonly toTypeId: number
  readonly directed: boolean
  /** What `e.type` says: the type's name, or its reverse name when walked as that. */
  readonly typeName: string
  /** An EDGE value of this step is the reverse twin: it prints with its ends swapped. */
  readonly reversed: boolean
  /**
   * Of an alternative that is a concatenation: the edges one after the other, over vertices without
   * a name. `fromTypeId` and `toTypeId` are those of the whole, the rest speaks of the first edge.
   */
  readonly chain?: readonly BoundStep[]
}

/**
 * The concrete types a statement (or condition atom) needs, where it reads attributes that only
 * some types define. A row whose types are not listed skips the statement; an atom is false.
 */
export interface BoundApplies {
  readonly positions: readonly { readonly position: number; readonly typeIds: readonly number[] }[]
  readonly hops: readonly { readonly hop: number; readonly edgeTypeIds: readonly number[] }[]
}

/** Slots of accumulators and variables that a clause touches, each ascending. */
export interface BoundEffects {
  readonly globalsRead: readonly number[]
  readonly globalsWritten: readonly number[]
  /** Through an alias or indirectly alike. */
  readonly vertexAccumsRead: readonly number[]
  readonly vertexAccumsWritten: readonly number[]
  /** Vertex accumulators that are updated through something other than an alias. */
  readonly vertexAccumsWrittenIndirectly: readonly number[]
  /** Base variables assigned: buffered, the last write wins when the clause ends. */
  readonly variablesWritten: readonly number[]
}

export interface BoundAccumClause {
  readonly locals: readonly BoundVariable[]
  readonly body: readonly BoundDmlStatement[]
  readonly effects: BoundEffects
  /**
   * Accumulators both read and written here. Reads see the state at the clause's start (docs/reference/gsql/accumulators.md#rules),
   * so these need a snapshot or delayed folding; all others may be updated in place.
   */
  readonly snapshotGlobals: readonly number[]
  readonly snapshotVertexAccums: readonly number[]
}

/**
 * Runs once per distinct vertex of `position` in the surviving rows, after the fold of ACCUM.
 * Vertex accumulators are read and written at once; `snapshotGlobals` are read as of the start.
 * A V1 clause over two aliases arrives as one clause per alias.
 */
export interface BoundPostAccumClause {
  readonly position: number
  readonly locals: readonly BoundVariable[]
  readonly body: readonly BoundDmlStatement[]
  readonly effects: BoundEffects
  readonly snapshotGlobals: readonly number[]
}

export interface BoundOrderKey {
  readonly value: BoundExpression
  readonly descending: boolean
  /** Vertices of other types have no such value and go last; null: all have it. */
  readonly applies: BoundApplies | null
}

export type BoundDmlStatement =
  | BoundAccumUpdate
  | BoundMutation
  /** Declaration, `=` and `+=` of a local: immediate, one instance per row or vertex. */
  | {
      readonly kind: 'setLocal'
      readonly slot: number
      readonly value: BoundExpression
      readonly applies: BoundApplies | null
      readonly place: Place
    }
  /** Buffered: reads in this clause still see the old value. */
  | {
      readonly kind: 'setVariable'
      readonly slot: number
      readonly value: BoundExpression
      readonly applies: BoundApplies | null
      readonly place: Place
    }
  | {
      readonly kind: 'if'
      readonly branches: readonly BoundBranch<BoundDmlStatement>[]
      readonly otherwise: readonly BoundDmlStatement[]
      readonly place: Place
    }
  | {
      readonly kind: 'while'
      readonly condition: BoundExpression
      readonly limit: BoundExpression | null
      readonly body: readonly BoundDmlStatement[]
      readonly place: Place
    }
  | BoundForeach<BoundDmlStatement>
  | { readonly kind: 'break' | 'continue'; readonly place: Place }
  | {
      readonly kind: 'log'
      readonly condition: BoundExpression
      readonly values: readonly BoundExpression[]
      readonly place: Place
    }
  | BoundFilePrint
  | BoundChange
  | {
      readonly kind: 'callStatement'
      readonly call: BoundExpression
      readonly applies: BoundApplies | null
      readonly place: Place
    }

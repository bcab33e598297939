/**
 * The bound query: what `bind` hands to `plan`. Every name is a slot, every node has its type,
 * every conversion is a node. Plain data, so that it can be posted to a worker as it is.
 *
 * Slots are indexes: `parameter` into `BoundQuery.parameters`, `variable` into `.variables` (base
 * variables and body-level loop variables; unique per declaration, so scopes are gone),
 * `vertexSet` into `.vertexSets`, `globalAccum` and `vertexAccum` into their lists, `local` into
 * the `locals` of the enclosing clause. `position` and `hop` index the enclosing SELECT's lists.
 *
 * Type names that come from parameters (`-(e_type:e)-`, `{v_type}`, `outdegree(p)`) never reach
 * this tree: such a query lists them in `typeParameters` and is bound again per invocation with
 * their values (`BindOptions.typeArguments`); the result is cached by those values.
 */
import type { EdgeType } from '#catalog/types.ts'
import type { BoundChange } from './bound-changes.ts'
import type {
  BoundExpression,
  BoundFileColumn,
  BoundVertexSetExpression,
} from './bound-expression.ts'
import type { BoundApplies, BoundSelect } from './bound-select.ts'
import type { AccumType, ValueType } from './types.ts'

/** Where a node stands in the text; both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface BoundQuery {
  readonly name: string
  readonly graph: string
  readonly schemaVersion: number
  /** False when `typeParameters` still need values: `body` is then bound against all types. */
  readonly executable: boolean
  readonly syntax: 'v1' | 'v2' | 'v3'
  readonly parameters: readonly BoundParameter[]
  /**
   * Slots of STRING and SET<STRING> parameters that name vertex types, edge types, attributes and
   * files: the query is bound again with their values.
   */
  readonly typeParameters: readonly number[]
  /** Type of `RETURN`, for queries that are called by others; null: none. */
  readonly returns: ValueType | null
  readonly variables: readonly BoundVariable[]
  readonly vertexSets: readonly BoundVertexSet[]
  readonly globalAccums: readonly BoundAccum[]
  readonly vertexAccums: readonly BoundAccum[]
  /** Edge types that live for a run. */
  readonly virtualEdges: readonly EdgeType[]
  readonly body: readonly BoundStatement[]
  /** Queries that this one calls, and those that they call, by the index in a `callQuery`. */
  readonly callees: readonly BoundQuery[]
  readonly uses: BoundUses
}

/** What the query would miss: a schema change that drops one of these disables it. */
export interface BoundUses {
  readonly vertexTypeIds: readonly number[]
  readonly edgeTypeIds: readonly number[]
  /** Attributes read or written, each once. */
  readonly attributes: readonly { readonly typeId: number; readonly attributeId: number }[]
}

export interface BoundParameter {
  readonly name: string
  /** Scalar, VERTEX, SET, BAG or LIST of those, or MAP. Immutable within the query. */
  readonly type: ValueType
  /** A constant; null: none declared. A missing argument without default is NULL, reads as zero. */
  readonly defaultValue: BoundExpression | null
}

export interface BoundVariable {
  readonly name: string
  readonly type: ValueType
  /** A local accumulator: how it folds; `type` is what it reads as. */
  readonly accum?: AccumType
}

export interface BoundVertexSet {
  readonly name: string
  /** Types it can hold anywhere in the query, ascending. */
  readonly typeIds: readonly number[]
}

export interface BoundAccum {
  /** Without the `@` or `@@`. */
  readonly name: string
  readonly type: AccumType
  /**
   * The declared initial value, as what is folded into a fresh instance; null: the type's own.
   * A global one is evaluated where `declareAccum` stands in the body. A vertex one never
   * depends on a vertex: evaluate it once at its `declareAccum`; every instance starts with it.
   */
  readonly initial: BoundFold | null
  /** HeapAccum only: its capacity (INT), evaluated at `declareAccum`. Null otherwise. */
  readonly capacity: BoundExpression | null
  /** ArrayAccum only: lengths (INT), evaluated at `declareAccum`; null: open, of length 0. */
  readonly dimensions: readonly (BoundExpression | null)[]
}

export type BoundStatement =
  /** Execution reaches a declaration: (re)initialise every instance of the accumulator. */
  | {
      readonly kind: 'declareAccum'
      readonly global: boolean
      readonly slot: number
      /** A collection is left empty, whatever its initial value. */
      readonly empties?: true
      readonly place: Place
    }
  /** Declaration, `=`, and `+=` (spelled out) of a base variable; at body level, immediate. */
  | {
      readonly kind: 'setVariable'
      readonly slot: number
      readonly value: BoundExpression
      readonly place: Place
    }
  /** A virtual edge type, without edges from here on; `defaults` by attribute. */
  | {
      readonly kind: 'declareVirtual'
      readonly edgeTypeId: number
      readonly defaults: readonly BoundExpression[]
      readonly place: Place
    }
  | BoundAccumUpdate
  | BoundMutation
  | {
      readonly kind: 'assignVertexSet'
      readonly slot: number
      readonly value: BoundVertexSetExpression
      readonly place: Place
    }
  | BoundSelect
  | BoundPrint
  | {
      readonly kind: 'if'
      readonly branches: readonly BoundBranch<BoundStatement>[]
      readonly otherwise: readonly BoundStatement[]
      readonly place: Place
    }
  | {
      readonly kind: 'while'
      readonly condition: BoundExpression
      readonly limit: BoundExpression | null
      readonly body: readonly BoundStatement[]
      readonly place: Place
    }
  | BoundForeach<BoundStatement>
  | { readonly kind: 'break' | 'continue'; readonly place: Place }
  /** Ends the query. */
  | { readonly kind: 'return'; readonly value: BoundExpression | null; readonly place: Place }
  | {
      readonly kind: 'log'
      readonly condition: BoundExpression
      readonly values: readonly BoundExpression[]
      readonly place: Place
    }
  | BoundFilePrint
  /** Rows of files folded into a global accumulator. */
  | {
      readonly kind: 'loadAccum'
      readonly slot: number
      /** `=`: emptied first. */
      readonly resets: boolean
      readonly sources: readonly {
        readonly file: BoundFileSource
        /** Those of the keys, outermost first, then those of the value. */
        readonly columns: readonly BoundFileColumn[]
      }[]
      readonly shape: LoadedShape
      readonly place: Place
    }
  /** A query called for what it does. */
  | {
      readonly kind: 'callStatement'
      readonly call: BoundExpression
      readonly applies: BoundApplies | null
      readonly place: Place
    }
  /** A FILE is declared: what it held is gone when the query ends. */
  | { readonly kind: 'openFile'; readonly path: BoundExpression; readonly place: Place }
  | BoundChange
  /** Ends the query, unless a TRY around it has a handler for the code. */
  | {
      readonly kind: 'raise'
      readonly name: string
      readonly code: number
      readonly message: BoundExpression | null
      readonly place: Place
    }
  /** Handlers of user exceptions; `otherwise`: of all others, null: none. */
  | {
      readonly kind: 'try'
      readonly body: readonly BoundStatement[]
      readonly handlers: readonly {
        readonly code: number
        readonly body: readonly BoundStatement[]
      }[]
      readonly otherwise: readonly BoundStatement[] | null
      readonly place: Place
    }

/** What the rows of a file become for an accumulator. */
export interface LoadedShape {
  /** Types of the columns of keys, of a map and of those in it; none but for maps. */
  readonly key: readonly ValueType[]
  readonly value: readonly ValueType[]
  /** Their columns make a tuple, not a value. */
  readonly isTuple: boolean
  /** The value is an element of a collection under the last key. */
  readonly isElement: boolean
}

/** A file of separated values; its parts are STRING, STRING and BOOL. */
export interface BoundFileSource {
  readonly path: BoundExpression
  readonly separator: BoundExpression
  readonly header: BoundExpression
}

/** `IF`, `ELSE IF` and both forms of `CASE`: first condition that holds wins. */
export interface BoundBranch<S> {
  readonly condition: BoundExpression
  readonly body: readonly S[]
}

export interface BoundForeach<S> {
  readonly kind: 'foreach'
  /**
   * Slots of the loop variables: of `variables` at body level, of the clause's `locals` at DML
   * level. One for elements and rows; for a MAP two (key, value); for GROUPS one per field or one
   * for the row.
   */
  readonly slots: readonly number[]
  readonly over: BoundIterable
  readonly body: readonly S[]
  readonly place: Place
}

export type BoundIterable =
  /** Bounds inclusive, INT; step 1 when null; step 0 is a runtime error, a wrong sign no round. */
  | {
      readonly kind: 'range'
      readonly from: BoundExpression
      readonly to: BoundExpression
      readonly step: BoundExpression | null
    }
  /** LIST, SET, BAG, MAP, HEAP or GROUPS: copied before the first round, since bodies change it. */
  | { readonly kind: 'collection'; readonly value: BoundExpression }
  | { readonly kind: 'vertexSet'; readonly slot: number }

/** `f.println(…)`: a line of a file that is written when the query ends. */
export interface BoundFilePrint {
  readonly kind: 'println'
  /** STRING; an empty one names no file. */
  readonly path: BoundExpression
  readonly values: readonly BoundExpression[]
  readonly applies: BoundApplies | null
  readonly place: Place
}

/** `@@g += e`, `@@g = e` (body), `v.@a += e`, `v.@a = e`. */
export interface BoundAccumUpdate {
  readonly kind: 'updateAccum'
  readonly target: BoundAccumTarget
  /** `=` resets the instance, then folds `value`: true for every accumulator type. */
  readonly assign: boolean
  readonly value: BoundFold
  /** DML level: the concrete types this statement runs for; null: all. */
  readonly applies: BoundApplies | null
  readonly place: Place
}

export type BoundAccumTarget =
  | { readonly kind: 'globalAccum'; readonly slot: number }
  /**
   * `of` is an alias, or any VERTEX expression (an indirect update: folded at the clause's end, a
   * no-op for the unknown vertex).
   */
  | { readonly kind: 'vertexAccum'; readonly slot: number; readonly of: BoundExpression }
  /** A local container or a local accumulator variable: immediate. */
  | { readonly kind: 'local'; readonly slot: number }

/** What is folded into an accumulator, already shaped and converted for its type. */
export type BoundFold =
  /** Sum, Min, Max, Avg, Or, And, Bitwise, and base-type map values: one value. */
  | { readonly kind: 'scalar'; readonly value: BoundExpression }
  /** One element for a List, Set, Bag or Heap (a tuple). */
  | { readonly kind: 'element'; readonly value: BoundExpression }
  /** Each element of a LIST, SET, BAG or HEAP value, in its order. */
  | { readonly kind: 'elements'; readonly value: BoundExpression }
  /** `(k -> v)` into a Map: `value` is folded into the entry of `key`. */
  | {
      readonly kind: 'pair'
      readonly key: BoundExpression
      readonly value: BoundFold
      /** The entry begins anew first. */
      readonly assign?: boolean
    }
  /** A MAP or GROUPS value into an accumulator of that shape, entry by entry. */
  | { readonly kind: 'merge'; readonly value: BoundExpression }
  /** `@@a[i][j] += x` and `=`: into one element of an Array; out of range is an error. */
  | {
      readonly kind: 'at'
      readonly indexes: readonly BoundExpression[]
      readonly assign: boolean
      readonly value: BoundFold
    }
  /** `(k1, k2 -> v1, v2)` into a GroupBy; a null value leaves that accumulator alone. */
  | {
      readonly kind: 'group'
      readonly keys: readonly BoundExpression[]
      readonly values: readonly (BoundFold | null)[]
    }

/**
 * A mutator as a statement: clear, update(i, x), remove(x or i), removeOne(x), removeAll(x),
 * pop(), resize(n). In ACCUM it is applied at the clause's end.
 */
export interface BoundMutation {
  readonly kind: 'mutate'
  readonly target: BoundAccumTarget
  readonly method: MutatorName
  readonly arguments: readonly BoundExpression[]
  readonly applies: BoundApplies | null
  readonly place: Place
}

export type MutatorName =
  | 'clear'
  | 'update'
  | 'remove'
  | 'removeOne'
  | 'removeAll'
  | 'pop'
  | 'resize'
  | 'reallocate'
  | 'setPercent'

/** Appends one object to `results`; of two items with one key the last wins. */
export interface BoundPrint {
  readonly kind: 'print'
  readonly items: readonly BoundPrintItem[]
  /** Lines of this file (a STRING path) instead of an object; null: the object. */
  readonly toCsv: BoundExpression | null
  readonly place: Place
}

export type BoundPrintItem =
  /** `where` null: always printed. */
  | {
      readonly kind: 'value'
      readonly key: string
      readonly value: BoundExpression
      readonly where: BoundExpression | null
    }
  /** Whole vertices: every attribute, then `@name` of every listed vertex accumulator. */
  | {
      readonly kind: 'vertexSet'
      readonly key: string
      readonly set: BoundVertexSetExpression
      readonly typeIds: readonly number[]
      readonly vertexAccums: readonly number[]
      /** The vertex is position 0 here; null: all. */
      readonly where: BoundExpression | null
      /** WITH VECTOR: its vectors, too. */
      readonly withVectors: boolean
    }
  /** `S[e1, e2 AS k]`: `attributes` hold exactly the columns; the vertex is position 0. */
  | {
      readonly kind: 'projection'
      readonly key: string
      readonly set: BoundVertexSetExpression
      readonly typeIds: readonly number[]
      readonly columns: readonly BoundColumn[]
      readonly where: BoundExpression | null
      readonly withVectors: boolean
    }

export interface BoundColumn {
  readonly key: string
  readonly value: BoundExpression
  /** Vertices of other types leave the column out; null: all have it. */
  readonly applies: BoundApplies | null
}

/**
 * Bound expressions and vertex set expressions. Every node has its resolved `type`; operands have
 * been converted, so that a node can be compiled by looking at its own type alone.
 */
import type { VectorMetric } from '#catalog/types.ts'
import type { BoundAccumTarget, BoundFileSource } from './bound.ts'
import type { BoundApplies, BoundStep } from './bound-select.ts'
import type { RunFailure } from './run-failure.ts'
import type { TupleValueType, ValueType } from './types.ts'

/** An accumulator that an expression names. */
export type BoundAccumRead = Extract<BoundExpression, { kind: 'globalAccum' | 'vertexAccum' }>

export type BoundVertexSetExpression =
  /** Every live vertex of these types; no types: the empty set. */
  | { readonly kind: 'allOfTypes'; readonly typeIds: readonly number[] }
  | { readonly kind: 'variable'; readonly slot: number }
  /** A VERTEX, or a LIST, SET or BAG of VERTEX; unknown vertices are dropped. */
  | { readonly kind: 'vertices'; readonly value: BoundExpression }
  | {
      readonly kind: 'union' | 'intersect' | 'minus'
      readonly left: BoundVertexSetExpression
      readonly right: BoundVertexSetExpression
    }
  | BoundVectorSearch

/** The vertices whose vectors are nearest. All attributes have one dimension and one metric. */
export interface BoundVectorSearch {
  readonly kind: 'vectorSearch'
  readonly attributes: readonly { readonly typeId: number; readonly attributeId: number }[]
  readonly metric: VectorMetric
  readonly dimension: number
  /** LIST of numbers. */
  readonly query: BoundExpression
  /** INT: how many. */
  readonly count: BoundExpression
  /** Whom to look at; null: every vertex of the types. */
  readonly candidates: BoundVertexSetExpression | null
  /** The global MapAccum that takes the distance of each vertex found; null: none. */
  readonly distances: number | null
  /** INT: how many candidates an index holds while it searches; null: as many as usual. */
  readonly width: BoundExpression | null
}

/** Functions of `gds.vector`; `distance` is three of them. */
export type VectorFunction = 'distance' | 'dimension' | 'sum' | 'element' | 'norm'

export type BoundExpression =
  /**
   * INT and UINT: a number while safe, a bigint beyond. DATETIME: epoch seconds. A literal that a
   * conversion was applied to is already of the target type.
   */
  | {
      readonly kind: 'literal'
      readonly type: ValueType
      readonly value: number | bigint | string | boolean
    }
  /** The zero of `type`: 0, "", false, the unknown vertex, an empty collection, fieldwise. */
  | {
      readonly kind: 'default'
      readonly type: ValueType
      /** What stands for the null that openCypher writes: of any type that is wanted. */
      readonly isNull?: true
    }
  | { readonly kind: 'parameter'; readonly type: ValueType; readonly slot: number }
  | { readonly kind: 'variable'; readonly type: ValueType; readonly slot: number }
  | { readonly kind: 'local'; readonly type: ValueType; readonly slot: number }
  /** The row's vertex at a position (type VERTEX). In HAVING, ORDER BY and PRINT: the current one. */
  | { readonly kind: 'vertexAlias'; readonly type: ValueType; readonly position: number }
  /** The row's edge at a hop (type EDGE); in ACCUM and WHERE only. */
  | { readonly kind: 'edgeAlias'; readonly type: ValueType; readonly hop: number }
  | { readonly kind: 'globalAccum'; readonly type: ValueType; readonly slot: number }
  /** `previous`: `v.@a'`, the value before the SELECT's ACCUM. */
  | {
      readonly kind: 'vertexAccum'
      readonly type: ValueType
      readonly slot: number
      readonly of: BoundExpression
      readonly previous: boolean
    }
  | BoundAttribute
  /** `v.type`, `e.type`: STRING. A constant once the concrete types are known. */
  | { readonly kind: 'typeName'; readonly type: ValueType; readonly of: BoundExpression }
  | {
      readonly kind: 'field'
      readonly type: ValueType
      readonly of: BoundExpression
      readonly field: number
    }
  /** Between scalar types by the rules of 7.2; VERTEX widening needs none. */
  | { readonly kind: 'convert'; readonly type: ValueType; readonly value: BoundExpression }
  | { readonly kind: 'negate'; readonly type: ValueType; readonly value: BoundExpression }
  | { readonly kind: 'not'; readonly type: ValueType; readonly value: BoundExpression }
  /**
   * Operands already have the type of the result. `+` also on STRING (concatenation), LIST, BAG,
   * MAP (combine); `<<`, `>>`, `&`, `|` on INT and UINT. Zero divisors are runtime errors.
   */
  | {
      readonly kind: 'arithmetic'
      readonly type: ValueType
      readonly operator: '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|'
      readonly left: BoundExpression
      readonly right: BoundExpression
    }
  /** Operands have one type: scalar, VERTEX, EDGE (`==`, `!=` only) or tuple. */
  | {
      readonly kind: 'compare'
      readonly type: ValueType
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>='
      readonly left: BoundExpression
      readonly right: BoundExpression
    }
  /** Short circuit, left to right. */
  | {
      readonly kind: 'and' | 'or'
      readonly type: ValueType
      readonly left: BoundExpression
      readonly right: BoundExpression
    }
  /** False for rows whose types lack what `value` reads; see BoundApplies. */
  | {
      readonly kind: 'guard'
      readonly type: ValueType
      readonly applies: BoundApplies
      readonly value: BoundExpression
    }
  /** Only of parameters: true when no argument and no default was given. */
  | { readonly kind: 'isNull'; readonly type: ValueType; readonly parameter: number }
  /** Both bounds inclusive; three operands of one type. `BETWEEN`; `value` is evaluated once. */
  | {
      readonly kind: 'between'
      readonly type: ValueType
      readonly value: BoundExpression
      readonly low: BoundExpression
      readonly high: BoundExpression
    }
  /** `container`: LIST, SET, BAG (also a literal) or MAP (its keys); `value` has its element type. */
  | {
      readonly kind: 'in'
      readonly type: ValueType
      readonly value: BoundExpression
      readonly container: BoundExpression
    }
  | {
      readonly kind: 'inVertexSet'
      readonly type: ValueType
      readonly value: BoundExpression
      readonly set: BoundVertexSetExpression
    }
  /** `pattern` in GSQL's LIKE language; `escape` one character or null. */
  | {
      readonly kind: 'like'
      readonly type: ValueType
      readonly value: BoundExpression
      readonly pattern: BoundExpression
      readonly escape: string | null
    }
  | {
      readonly kind: 'case'
      readonly type: ValueType
      readonly branches: readonly {
        readonly condition: BoundExpression
        readonly value: BoundExpression
      }[]
      readonly otherwise: BoundExpression | null
    }
  | {
      readonly kind: 'tuple'
      readonly type: TupleValueType
      readonly fields: readonly BoundExpression[]
    }
  /** `[a, b]`, `(a, b)`: elements converted to the element type; a SET drops repeats. */
  | {
      readonly kind: 'collection'
      readonly type: ValueType
      readonly elements: readonly BoundExpression[]
    }
  | {
      readonly kind: 'map'
      readonly type: ValueType
      readonly entries: readonly {
        readonly key: BoundExpression
        readonly value: BoundExpression
      }[]
    }
  /** Reading methods of values; arguments converted to the types they need. */
  | {
      readonly kind: 'method'
      readonly type: ValueType
      readonly method: AccessorName
      readonly of: BoundExpression
      readonly arguments: readonly BoundExpression[]
    }
  /** `a[i][j]` of an ArrayAccum, as many indexes as dimensions; out of range is an error. */
  | {
      readonly kind: 'element'
      readonly type: ValueType
      readonly of: BoundExpression
      readonly indexes: readonly BoundExpression[]
    }
  /** `pop()` used for its value: removes and yields the top, the default tuple when empty. */
  | { readonly kind: 'pop'; readonly type: ValueType; readonly target: BoundAccumTarget }
  /** `update(i, x)` of a list used for its value: whether there was an element to change. BOOL. */
  | {
      readonly kind: 'updateElement'
      readonly type: ValueType
      readonly target: BoundAccumTarget
      readonly index: BoundExpression
      readonly value: BoundExpression
    }
  /** Cardinality of a vertex set: `S.size()`, `COUNT(A INTERSECT B)`. INT. */
  | {
      readonly kind: 'vertexSetSize'
      readonly type: ValueType
      readonly set: BoundVertexSetExpression
    }
  /** Outgoing and undirected edges; the listed ways only, null: of all edge types. INT. */
  | {
      readonly kind: 'outdegree'
      readonly type: ValueType
      readonly of: BoundExpression
      readonly steps: readonly BoundStep[]
    }
  /** SET, or BAG when an operand counts its elements; operands are LIST, SET or BAG. */
  | {
      readonly kind: 'setOperation'
      readonly type: ValueType
      readonly operation: 'union' | 'intersect' | 'minus'
      readonly left: BoundExpression
      readonly right: BoundExpression
    }
  /** BAG, one element per edge met: the other vertex, or an attribute of it or of the edge. */
  | {
      readonly kind: 'neighbors'
      readonly type: ValueType
      readonly of: BoundExpression
      readonly steps: readonly BoundStep[]
      readonly value: 'vertex' | 'vertexAttribute' | 'edgeAttribute'
      readonly byType: readonly { readonly typeId: number; readonly attributeId: number }[]
      /** `.filter(condition)`: it reads the edge and the other vertex from these variables. */
      readonly filter: {
        readonly vertexSlot: number
        readonly edgeSlot: number
        readonly condition: BoundExpression
      } | null
    }
  /** A call of `BoundQuery.callees[callee]`; `callee` -1 before type names are known. */
  | {
      readonly kind: 'callQuery'
      /** What it returns; of no meaning when `returns` is false. */
      readonly type: ValueType
      readonly returns: boolean
      readonly name: string
      readonly callee: number
      /** One for each parameter, defaults filled in. */
      readonly arguments: readonly BoundExpression[]
    }
  /** The members of a vertex set as a SET of vertices. */
  | {
      readonly kind: 'setVertices'
      readonly type: ValueType
      readonly set: BoundVertexSetExpression
    }
  /** `to_vertex(id, type)`: STRING both; an error when there is none. */
  | {
      readonly kind: 'vertexOfId'
      readonly type: ValueType
      readonly id: BoundExpression
      readonly typeName: BoundExpression
    }
  /** `to_vertex_set(ids, type)`: a SET of those there are. */
  | {
      readonly kind: 'verticesOfIds'
      readonly type: ValueType
      readonly ids: BoundExpression
      readonly typeName: BoundExpression
    }
  /** `SelectVertex(…)`: a SET of vertices whose ids stand in a file. */
  | {
      readonly kind: 'selectVertex'
      readonly type: ValueType
      readonly source: BoundFileSource
      readonly idColumn: BoundFileColumn
      readonly typeColumn: BoundFileColumn | null
      readonly typeName: string | null
    }
  /**
   * A function of `gds.vector` over LISTs of numbers; a vector attribute is read where it lies.
   * `extra`: the metric, a STRING, or which element, an INT.
   */
  | {
      readonly kind: 'vectorCall'
      readonly type: ValueType
      readonly function: VectorFunction
      readonly vectors: readonly BoundExpression[]
      readonly extra: BoundExpression | null
    }
  | { readonly kind: 'parseJson'; readonly type: ValueType; readonly value: BoundExpression }
  /** A getter, `size` or `containsKey`; `key` is a STRING for objects, an INT for arrays. */
  | {
      readonly kind: 'jsonMethod'
      readonly type: ValueType
      readonly of: BoundExpression
      readonly method: string
      readonly key: BoundExpression | null
    }
  /** An edge without the direction it was met in. */
  | { readonly kind: 'edgeIdentity'; readonly type: ValueType; readonly of: BoundExpression }
  /** `e.isDirected()`. */
  /** The percent of a PercentileContAccum, which an expression that names it does not see. */
  | { readonly kind: 'percentOf'; readonly type: ValueType; readonly of: BoundAccumRead }
  | { readonly kind: 'edgeDirected'; readonly type: ValueType; readonly of: BoundExpression }
  /**
   * A value that several parts of one expression or statement ask for: computed where `value` is
   * there, and read back by the others of the same `id`, which are evaluated later.
   */
  | {
      readonly kind: 'kept'
      readonly type: ValueType
      readonly id: number
      readonly value: BoundExpression | null
    }
  /** A function of `user-function-table.ts`; arguments have its types. */
  | {
      readonly kind: 'userCall'
      readonly type: ValueType
      readonly name: string
      readonly arguments: readonly BoundExpression[]
    }
  /** Functions of 18.2 to 18.4, `getvid`; `name` is lower case, arguments have declared types. */
  | {
      readonly kind: 'call'
      readonly type: ValueType
      readonly name: string
      readonly arguments: readonly BoundExpression[]
    }
  /** `COUNT`, `SUM`, `MIN`, `MAX`, `AVG` over a LIST, SET, BAG or MAP's values. */
  | {
      readonly kind: 'aggregate'
      readonly type: ValueType
      readonly function:
        | 'count'
        | 'sum'
        | 'min'
        | 'max'
        | 'avg'
        | 'stdev'
        | 'stdevp'
        | 'percentilecont'
      readonly distinct: boolean
      readonly of: BoundExpression
      /** The percentage of percentileCont, a DOUBLE. */
      readonly percent?: BoundExpression
    }
  /**
   * Ends the run with an error that its arguments cause: a name that no type or attribute has, a
   * text for `evaluate` that is no expression. `of` is not evaluated: it is what the expression
   * would have read, so that rows which do not come that far do not raise the error.
   */
  | {
      readonly kind: 'failure'
      readonly type: ValueType
      readonly error: RunFailure
      readonly of: readonly BoundExpression[]
    }
  /** Rows of a table: sorted, cut, and without the fields behind those of `type`'s tuple. */
  | {
      readonly kind: 'tableRows'
      readonly type: ValueType
      /** LIST or SET of tuples that begin with the fields of `type`'s. */
      readonly of: BoundExpression
      readonly order: readonly { readonly field: number; readonly descending: boolean }[]
      readonly limit: BoundExpression | null
      readonly offset: BoundExpression | null
    }

/** A column of a file: its position from 0, or a name of the header. */
export type BoundFileColumn = number | string

/**
 * An attribute of an alias or of any VERTEX or EDGE expression. `byType` has an entry for every
 * concrete type that defines it (with a type that converts to `type`). Statements are only run for
 * those types (BoundApplies); for a VERTEX value that is not an alias, a vertex of another type
 * yields the default of `type`.
 */
export interface BoundAttribute {
  readonly kind: 'attribute'
  readonly type: ValueType
  readonly of: BoundExpression
  readonly name: string
  /** `attributeId` -1: the primary id itself, computed from the id. */
  readonly byType: readonly { readonly typeId: number; readonly attributeId: number }[]
}

/**
 * size() of all; get(i) of LIST (out of range: default), get(k) of MAP (missing: default value),
 * get(keys…) of GROUPS; contains(x) of LIST, SET, BAG; containsKey(k…) of MAP and GROUPS; top() of
 * HEAP (empty: default tuple).
 */
export type AccessorName = 'size' | 'get' | 'contains' | 'containsKey' | 'top'

/**
 * The syntax tree of GSQL expressions and types: immutable, each node with its `kind` and range.
 * Statements and patterns are in `ast-statement.ts` and `ast-pattern.ts`.
 *
 * The tree says what was written, not what it means: `{name}` is a seed whatever `name` turns out
 * to be, `a.b` a member. Resolution is the binder's.
 */
import type { SourceRange } from './source.ts'

export interface Identifier {
  readonly name: string
  readonly range: SourceRange
}

// Types

export type TypeSyntax =
  /** INT, BOOLEAN, FILE, JSONOBJECT … and TYPEDEF names; as written. */
  | { readonly kind: 'namedType'; readonly name: string; readonly range: SourceRange }
  | {
      /** VERTEX<T>, EDGE<T>; `target` null: any. */
      readonly kind: 'elementType'
      readonly element: 'VERTEX' | 'EDGE'
      readonly target: Identifier | null
      readonly range: SourceRange
    }
  | {
      /** SET<T>, LIST<T>, BAG<T>, MAP<K,V>. */
      readonly kind: 'containerType'
      readonly container: 'SET' | 'LIST' | 'BAG' | 'MAP'
      readonly arguments: readonly TypeSyntax[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'tupleType'
      readonly fields: readonly FieldSyntax[]
      readonly range: SourceRange
    }
  | AccumTypeSyntax

export interface FieldSyntax {
  /** Empty for anonymous tuples. */
  readonly name: string
  readonly type: TypeSyntax
  readonly range: SourceRange
}

export interface AccumTypeSyntax {
  readonly kind: 'accumType'
  /** Canonical spelling: `SumAccum`, `MapAccum`, … */
  readonly accum: AccumName
  /** Type arguments with the names GroupByAccum gives them (else empty). */
  readonly arguments: readonly FieldSyntax[]
  /** `BitwiseOrAccum<n>`, `PercentileContAccum<p>`. */
  readonly size: number | null
  /** HeapAccum's parentheses; null: none written. */
  readonly heap: HeapSyntax | null
  readonly range: SourceRange
}

export interface HeapSyntax {
  /** Null when only sort keys are given. */
  readonly capacity: Expression | null
  readonly order: readonly { readonly field: Identifier; readonly descending: boolean }[]
}

export const accumNames = [
  'SumAccum',
  'MinAccum',
  'MaxAccum',
  'AvgAccum',
  'OrAccum',
  'AndAccum',
  'BitwiseOrAccum',
  'BitwiseAndAccum',
  'PercentileContAccum',
  'ListAccum',
  'SetAccum',
  'BagAccum',
  'MapAccum',
  'ArrayAccum',
  'HeapAccum',
  'GroupByAccum',
] as const

export type AccumName = (typeof accumNames)[number]

// Expressions

export type Expression =
  | { readonly kind: 'int'; readonly text: string; readonly range: SourceRange }
  | { readonly kind: 'real'; readonly text: string; readonly range: SourceRange }
  | { readonly kind: 'string'; readonly value: string; readonly range: SourceRange }
  | { readonly kind: 'bool'; readonly value: boolean; readonly range: SourceRange }
  | { readonly kind: 'null'; readonly range: SourceRange }
  | { readonly kind: 'name'; readonly name: string; readonly range: SourceRange }
  | {
      readonly kind: 'globalAccum'
      readonly name: string
      readonly previous: boolean
      readonly range: SourceRange
    }
  /** A bare `@a`, as in `reset_collection_accum(@a)`. */
  | { readonly kind: 'vertexAccumName'; readonly name: string; readonly range: SourceRange }
  | {
      readonly kind: 'member'
      readonly of: Expression
      readonly name: Identifier
      readonly range: SourceRange
    }
  /** `v.@a`, `v.@a'`. */
  | {
      readonly kind: 'vertexAccum'
      readonly of: Expression
      readonly name: Identifier
      readonly previous: boolean
      readonly range: SourceRange
    }
  /** `T.*`. */
  | { readonly kind: 'allOf'; readonly name: Identifier; readonly range: SourceRange }
  | CallSyntax
  /** `S[e AS k, …]` projects, `@@a[i]` indexes. */
  | {
      readonly kind: 'bracket'
      readonly of: Expression
      readonly items: readonly NamedExpression[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'unary'
      readonly operator: '-' | '+' | 'NOT'
      readonly operand: Expression
      readonly range: SourceRange
    }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
      /** `a < b < c` in GSQL compares a BOOL with c: the text of what was probably meant. */
      readonly chained?: string
      readonly range: SourceRange
    }
  | {
      readonly kind: 'in'
      readonly negated: boolean
      readonly value: Expression
      readonly container: Expression
      readonly range: SourceRange
    }
  | {
      readonly kind: 'like'
      readonly negated: boolean
      readonly value: Expression
      readonly pattern: Expression
      readonly escape: string | null
      readonly range: SourceRange
    }
  | {
      readonly kind: 'between'
      readonly negated: boolean
      readonly value: Expression
      readonly low: Expression
      readonly high: Expression
      readonly range: SourceRange
    }
  | {
      readonly kind: 'isNull'
      readonly negated: boolean
      readonly value: Expression
      readonly range: SourceRange
    }
  /** `(a, b)`: at least two, or none; one in parentheses is itself. */
  | {
      readonly kind: 'parenthesised'
      readonly items: readonly Expression[]
      readonly range: SourceRange
    }
  /** `(k -> v)`, `(k1, k2 -> v1, v2)`. */
  | {
      readonly kind: 'pair'
      readonly keys: readonly Expression[]
      readonly values: readonly Expression[]
      readonly range: SourceRange
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly range: SourceRange }
  /** `{…}`: a seed, or the options of a function (then items have keys). */
  | {
      readonly kind: 'seed'
      readonly items: readonly { readonly key: string | null; readonly value: Expression }[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'case'
      readonly subject: Expression | null
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[]
      readonly otherwise: Expression | null
      readonly range: SourceRange
    }
  /** `INTERVAL 3 MONTH`, an argument. */
  | {
      readonly kind: 'interval'
      readonly amount: Expression
      readonly unit: Identifier
      readonly range: SourceRange
    }
  /** `LEADING x FROM s`, an argument of trim. */
  | {
      readonly kind: 'trim'
      readonly side: 'LEADING' | 'TRAILING' | 'BOTH'
      readonly characters: Expression | null
      readonly from: Expression
      readonly range: SourceRange
    }
  | { readonly kind: 'column'; readonly text: string; readonly range: SourceRange }

export type BinaryOperator =
  | 'OR'
  | 'XOR'
  | 'AND'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'UNION'
  | 'INTERSECT'
  | 'MINUS'
  | '|'
  | '&'
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'

export interface NamedExpression {
  readonly value: Expression
  readonly as: Identifier | null
  /** Source without white space: the key it prints under. */
  readonly text: string
}

export interface CallSyntax {
  readonly kind: 'call'
  /** The receiver of a method; null: a function. */
  readonly of: Expression | null
  readonly name: Identifier
  readonly distinct: boolean
  /** `count(*)`. */
  readonly star: boolean
  readonly arguments: readonly Expression[]
  readonly range: SourceRange
}

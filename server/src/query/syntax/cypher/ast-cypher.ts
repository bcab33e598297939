/**
 * The syntax tree of openCypher bodies (docs/reference/gsql/opencypher.md). Expressions and paths are those of
 * GSQL: what only Cypher can write is rewritten to calls of GSQL functions where it is read.
 */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type { PathSyntax } from '../ast-pattern.ts'
import type { OrderSyntax } from '../ast-statement.ts'
import type { SourceRange } from '../source.ts'

/** Single queries and what joins each to the one before it; the first one's is not looked at. */
export interface CypherSyntax {
  readonly parts: readonly CypherPart[]
}

export interface CypherPart {
  readonly union: 'all' | 'distinct'
  readonly clauses: readonly CypherClause[]
  readonly range: SourceRange
}

export type CypherClause =
  | MatchClause
  | UnwindClause
  | ProjectClause
  | CreateClause
  | SetClause
  | DeleteClause

export interface MatchClause {
  readonly kind: 'match'
  readonly optional: boolean
  readonly patterns: readonly PathSyntax[]
  readonly where: Expression | null
  readonly range: SourceRange
}

export interface UnwindClause {
  readonly kind: 'unwind'
  readonly list: Expression
  readonly as: Identifier
  readonly range: SourceRange
}

/** `WITH` and `RETURN`. */
export interface ProjectClause {
  readonly kind: 'with' | 'return'
  readonly distinct: boolean
  /** `*`: all names, before the items. */
  readonly star: boolean
  readonly items: readonly NamedExpression[]
  readonly orderBy: readonly OrderSyntax[]
  readonly skip: Expression | null
  readonly limit: Expression | null
  /** Of WITH: which of its rows go on. */
  readonly where: Expression | null
  readonly range: SourceRange
}

export interface CreateClause {
  readonly kind: 'create'
  readonly patterns: readonly PathSyntax[]
  readonly range: SourceRange
}

export interface SetClause {
  readonly kind: 'set'
  readonly items: readonly { readonly target: Expression; readonly value: Expression }[]
  readonly range: SourceRange
}

/** A vertex always goes with its edges: DETACH says nothing more. */
export interface DeleteClause {
  readonly kind: 'delete'
  readonly names: readonly Identifier[]
  readonly range: SourceRange
}

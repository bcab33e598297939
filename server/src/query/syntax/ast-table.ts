/** Statements about tables (docs/reference/gsql/select.md#tables): each makes a table of others, or changes one. */
import type { Expression, Identifier, NamedExpression } from './ast.ts'
import type { LimitSyntax, OrderSyntax } from './ast-statement.ts'
import type { SourceRange } from './source.ts'

/** A table and the name its columns are written with; without one, its own. */
export interface TableUseSyntax {
  readonly table: Identifier
  readonly alias: Identifier
}

export interface JoinSyntax {
  readonly kind: 'joinTables'
  readonly join: 'inner' | 'left' | 'semi'
  readonly left: TableUseSyntax
  readonly right: TableUseSyntax
  /** Null: every pair of rows. */
  readonly condition: Expression | null
  readonly distinct: boolean
  readonly columns: readonly NamedExpression[]
  readonly into: Identifier
  readonly range: SourceRange
}

export type TableSyntax =
  | {
      /** One row. */
      readonly kind: 'initTable'
      readonly columns: readonly NamedExpression[]
      readonly into: Identifier
      readonly range: SourceRange
    }
  | {
      readonly kind: 'orderTable'
      readonly table: Identifier
      readonly orderBy: readonly OrderSyntax[]
      readonly limit: LimitSyntax | null
      readonly range: SourceRange
    }
  | {
      readonly kind: 'filterTable'
      readonly table: Identifier
      readonly condition: Expression
      readonly range: SourceRange
    }
  | {
      readonly kind: 'projectTable'
      readonly table: Identifier
      readonly columns: readonly NamedExpression[]
      readonly into: Identifier
      readonly range: SourceRange
    }
  | {
      /** `PROJECT T ON VERTEX COLUMN c INTO S`: columns as vertex sets. */
      readonly kind: 'projectVertices'
      readonly table: Identifier
      readonly columns: readonly { readonly column: Identifier; readonly into: Identifier }[]
      readonly range: SourceRange
    }
  | JoinSyntax
  | {
      readonly kind: 'uniteTables'
      /** UNION ALL: equal rows stay. */
      readonly all: boolean
      readonly tables: readonly Identifier[]
      readonly into: Identifier
      readonly range: SourceRange
    }
  | {
      /** A row per element of a list, or of a list per row of a table. */
      readonly kind: 'unwindTable'
      readonly table: Identifier | null
      readonly list: Expression
      readonly as: Identifier
      readonly into: Identifier
      readonly range: SourceRange
    }

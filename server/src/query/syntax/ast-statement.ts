/**
 * Queries and statements. Body statements and those of ACCUM lists share one union: where a kind
 * may stand is the parser's and binder's business.
 */
import type {
  AccumTypeSyntax,
  Expression,
  FieldSyntax,
  Identifier,
  NamedExpression,
  TypeSyntax,
} from './ast.ts'
import type { PathSyntax, TypeRefSyntax } from './ast-pattern.ts'
import type { TableSyntax } from './ast-table.ts'
import type { CypherSyntax } from './cypher/ast-cypher.ts'
import type { SourceRange } from './source.ts'

export interface ScriptSyntax {
  readonly queries: readonly QuerySyntax[]
}

export interface QuerySyntax {
  readonly name: Identifier
  readonly interpreted: boolean
  /** A block without a query around it: its results have names of their own. */
  readonly adHoc?: boolean
  readonly orReplace: boolean
  /** DISTRIBUTED, BATCH, TEMPLATE, OPENCYPHER: upper case. */
  readonly modifiers: readonly string[]
  readonly parameters: readonly ParameterSyntax[]
  readonly graph: Identifier | null
  readonly returns: TypeSyntax | null
  readonly api: string | null
  readonly syntax: Identifier | null
  readonly body: readonly Statement[]
  /** An openCypher body; null: the body is GSQL. */
  readonly cypher: CypherSyntax | null
  /** From CREATE or INTERPRET to the closing brace. */
  readonly range: SourceRange
}

export interface ParameterSyntax {
  readonly type: TypeSyntax
  readonly name: Identifier
  readonly defaultValue: Expression | null
  readonly range: SourceRange
}

export type Statement =
  | {
      readonly kind: 'typedef'
      readonly type: TypeSyntax
      readonly name: Identifier
      readonly range: SourceRange
    }
  | AccumDeclaration
  | VariableDeclaration
  | {
      readonly kind: 'exceptionDeclaration'
      readonly name: Identifier
      readonly code: string
      readonly range: SourceRange
    }
  | {
      readonly kind: 'fileDeclaration'
      readonly files: readonly { readonly name: Identifier; readonly path: Expression }[]
      readonly range: SourceRange
    }
  | AssignSyntax
  | SelectSyntax
  | SqlSelectSyntax
  | TableSyntax
  | PrintSyntax
  | { readonly kind: 'log'; readonly arguments: readonly Expression[]; readonly range: SourceRange }
  | { readonly kind: 'callStatement'; readonly call: Expression; readonly range: SourceRange }
  | {
      readonly kind: 'if'
      readonly branches: readonly BranchSyntax[]
      readonly otherwise: readonly Statement[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'caseStatement'
      readonly subject: Expression | null
      readonly branches: readonly BranchSyntax[]
      readonly otherwise: readonly Statement[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'while'
      readonly condition: Expression
      readonly limit: Expression | null
      readonly body: readonly Statement[]
      readonly range: SourceRange
    }
  | ForeachSyntax
  | { readonly kind: 'break' | 'continue'; readonly range: SourceRange }
  | InsertSyntax
  | {
      readonly kind: 'deleteFrom'
      readonly alias: Identifier
      readonly patterns: readonly PathSyntax[]
      readonly where: Expression | null
      readonly range: SourceRange
    }
  | { readonly kind: 'deleteAlias'; readonly alias: Identifier; readonly range: SourceRange }
  | {
      readonly kind: 'updateFrom'
      readonly alias: Identifier
      readonly patterns: readonly PathSyntax[]
      readonly set: readonly Statement[]
      readonly where: Expression | null
      readonly range: SourceRange
    }
  | { readonly kind: 'return'; readonly value: Expression | null; readonly range: SourceRange }
  | {
      readonly kind: 'raise'
      readonly name: Identifier
      readonly message: Expression | null
      readonly range: SourceRange
    }
  | {
      readonly kind: 'try'
      readonly body: readonly Statement[]
      readonly handlers: readonly {
        readonly name: Identifier
        readonly body: readonly Statement[]
      }[]
      readonly otherwise: readonly Statement[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'virtualEdge'
      readonly name: Identifier
      readonly directed: boolean
      readonly from: readonly Identifier[]
      readonly to: readonly Identifier[]
      readonly attributes: readonly {
        readonly field: FieldSyntax
        /** DEFAULT; null: the type's own. */
        readonly initial: Expression | null
      }[]
      readonly range: SourceRange
    }

export interface AccumDeclaration {
  readonly kind: 'accumDeclaration'
  /** An accumulator type, or the name of a TYPEDEF of one. */
  readonly type:
    | AccumTypeSyntax
    | { readonly kind: 'namedType'; readonly name: string; readonly range: SourceRange }
  readonly onEdges: boolean
  readonly items: readonly AccumItemSyntax[]
  readonly range: SourceRange
}

export interface AccumItemSyntax {
  readonly name: Identifier
  readonly global: boolean
  /** ArrayAccum's dimensions; a null one is open. */
  readonly dimensions: readonly (Expression | null)[]
  readonly initial: Expression | null
}

export interface VariableDeclaration {
  readonly kind: 'variableDeclaration'
  readonly type: TypeSyntax
  readonly items: readonly { readonly name: Identifier; readonly initial: Expression | null }[]
  readonly range: SourceRange
}

/** `target = value`, `target += value`; the value of a vertex set may be a SELECT. */
export interface AssignSyntax {
  readonly kind: 'assign'
  readonly target: Expression
  readonly operator: '=' | '+='
  readonly value: Expression | SelectSyntax
  /** `S (T1|T2) = …`: the annotation; null: none. */
  readonly annotation: readonly TypeRefSyntax[] | null
  readonly range: SourceRange
}

export interface BranchSyntax {
  readonly condition: Expression
  readonly body: readonly Statement[]
}

export interface ForeachSyntax {
  readonly kind: 'foreach'
  readonly variables: readonly Identifier[]
  readonly over:
    | {
        readonly kind: 'range'
        readonly from: Expression
        readonly to: Expression
        readonly step: Expression | null
      }
    | { readonly kind: 'collection'; readonly value: Expression }
  readonly body: readonly Statement[]
  readonly range: SourceRange
}

export interface SelectSyntax {
  readonly kind: 'select'
  readonly alias: Identifier
  readonly patterns: readonly PathSyntax[]
  readonly sample: SampleSyntax | null
  readonly where: Expression | null
  /** `PER (a, b)`; null: none or MATCH. */
  readonly per: readonly Identifier[] | null
  readonly accum: DmlClauseSyntax | null
  readonly postAccum: readonly DmlClauseSyntax[]
  readonly having: Expression | null
  readonly orderBy: readonly OrderSyntax[]
  readonly limit: LimitSyntax | null
  readonly range: SourceRange
}

export interface DmlClauseSyntax {
  /** `POST-ACCUM (a)`. */
  readonly alias: Identifier | null
  readonly body: readonly Statement[]
  readonly range: SourceRange
}

export interface SampleSyntax {
  readonly amount: Expression
  readonly percent: boolean
  readonly target: 'EDGE' | 'TARGET'
  readonly when: Expression | null
  readonly range: SourceRange
}

export interface OrderSyntax {
  readonly value: Expression
  readonly descending: boolean
}

export interface LimitSyntax {
  readonly count: Expression
  readonly offset: Expression | null
  readonly range: SourceRange
}

/** `SELECT e AS c, … INTO T FROM …`. */
export interface SqlSelectSyntax {
  readonly kind: 'sqlSelect'
  readonly distinct: boolean
  readonly columns: readonly NamedExpression[]
  readonly into: Identifier | null
  readonly patterns: readonly PathSyntax[]
  readonly where: Expression | null
  readonly groupBy: readonly Expression[]
  readonly having: Expression | null
  readonly orderBy: readonly OrderSyntax[]
  readonly limit: LimitSyntax | null
  readonly range: SourceRange
}

export interface PrintSyntax {
  readonly kind: 'print'
  readonly items: readonly PrintItemSyntax[]
  readonly where: Expression | null
  readonly toCsv: Expression | null
  readonly range: SourceRange
}

export interface PrintItemSyntax extends NamedExpression {
  readonly withVector: boolean
}

export interface InsertSyntax {
  readonly kind: 'insert'
  /** `INTO EDGE e`, `INTO VERTEX v`; null: the name says. */
  readonly element: 'EDGE' | 'VERTEX' | null
  readonly into: Identifier
  /** Null: all, in order. */
  readonly columns: readonly InsertColumnSyntax[] | null
  readonly values: readonly InsertValueSyntax[]
  readonly range: SourceRange
}

export interface InsertColumnSyntax {
  readonly name: Identifier
  /** The members of `DISCRIMINATOR(a, b)`; empty for others. */
  readonly members: readonly Identifier[]
}

export interface InsertValueSyntax {
  /** Null: `_`, the default. */
  readonly value: Expression | null
  /** The end point's type, written after its id: a type, a parameter or `v.type`. */
  readonly type: Expression | null
}

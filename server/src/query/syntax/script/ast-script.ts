/**
 * The syntax tree of scripts (docs/reference/gsql/commands.md, docs/reference/gsql/loading.md): one command after the
 * other. Queries are not read here: their texts are cut out whole.
 */

import type { SourceRange } from '../source.ts'
import type { DescribeStep } from './parse-description.ts'

/** Type names as written, without white space: `LIST<INT>`, `STRING(20)`, `Addr`. */
export interface AttributeDeclaration {
  readonly name: string
  readonly type: string
  /** Unquoted; null: none. */
  readonly defaultText: string | null
  readonly isPrimaryKey: boolean
  readonly description?: string
}

/** `STATS="none"`, names in upper case. */
export type Options = ReadonlyMap<string, string>

export interface VertexDeclaration {
  readonly name: string
  /** `PRIMARY_ID x T`; null where a key is declared among the attributes. */
  readonly primaryId: AttributeDeclaration | null
  readonly attributes: readonly AttributeDeclaration[]
  /** `PRIMARY KEY (a, b)`; empty: none. */
  readonly key: readonly string[]
  readonly options: Options
}

/** Each end as written: `*`, a name, or several joined by `|`. */
export interface PairDeclaration {
  readonly from: string
  readonly to: string
}

export interface EdgeDeclaration {
  readonly name: string
  readonly directed: boolean
  readonly pairs: readonly PairDeclaration[]
  readonly discriminator: readonly AttributeDeclaration[]
  readonly attributes: readonly AttributeDeclaration[]
  readonly options: Options
}

export interface TupleDeclaration {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

export type ElementKind = 'VERTEX' | 'EDGE'

export type SchemaStep =
  | DescribeStep
  | { readonly kind: 'addVertex'; readonly vertex: VertexDeclaration }
  | { readonly kind: 'addEdge'; readonly edge: EdgeDeclaration }
  | {
      /** Global types into a graph, or out of it. */
      readonly kind: 'membership'
      readonly element: ElementKind
      readonly adds: boolean
      readonly names: readonly string[]
      readonly graph: string
    }
  | {
      readonly kind: 'dropTypes'
      readonly element: ElementKind | 'TUPLE'
      readonly names: readonly string[]
    }
  | {
      readonly kind: 'addAttributes'
      readonly element: ElementKind
      readonly name: string
      readonly attributes: readonly AttributeDeclaration[]
    }
  | {
      readonly kind: 'dropAttributes'
      readonly element: ElementKind
      readonly name: string
      readonly attributes: readonly string[]
    }
  | {
      readonly kind: 'addIndex'
      readonly name: string
      readonly index: string
      readonly attribute: string
    }
  | { readonly kind: 'dropIndex'; readonly name: string; readonly index: string }
  | {
      readonly kind: 'addVector'
      readonly name: string
      readonly vector: string
      readonly options: Options
    }
  | { readonly kind: 'dropVector'; readonly name: string; readonly vector: string }
  | {
      readonly kind: 'addPairs'
      readonly name: string
      readonly pairs: readonly PairDeclaration[]
      readonly attributes: readonly AttributeDeclaration[]
    }

export type ShowTarget = 'VERTEX' | 'EDGE' | 'JOB' | 'QUERY' | 'GRAPH'

/** `*`, `ALL` or a list; null stands for all. */
export type Names = readonly string[] | null

/** EXPORT GRAPH and IMPORT GRAPH. */
export interface TransferCommand {
  readonly kind: 'exportGraph' | 'importGraph'
  readonly graphs: Names
  /** Long names in camel case; `true` for flags without a text. */
  readonly flags: ReadonlyMap<string, string>
  readonly path: string
}

export type Command =
  | { readonly kind: 'useGraph'; readonly graph: string }
  | { readonly kind: 'useGlobal' }
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  | { readonly kind: 'ls' | 'help' | 'version' | 'exit' }
  /** Functions beside those of the language. */
  | { readonly kind: 'showFunction'; readonly pattern: ShowPattern }
  /** A lone `;`, EXPORT SCHEMA: said for others, and without effect here. */
  | { readonly kind: 'noise' }
  /** Around several commands; ABORT in the place of END: they are not wanted. */
  | { readonly kind: 'begin' | 'end' | 'abort' }
  | { readonly kind: 'createVertex'; readonly vertex: VertexDeclaration }
  | { readonly kind: 'createEdge'; readonly edge: EdgeDeclaration }
  | { readonly kind: 'createTuple'; readonly tuple: TupleDeclaration }
  /** `TYPEDEF HeapAccum<T>(3, f DESC) Top`, as written. */
  | { readonly kind: 'createAccum'; readonly text: string }
  | { readonly kind: 'createGraph'; readonly name: string; readonly types: readonly string[] }
  | {
      readonly kind: 'createSchemaJob'
      readonly name: string
      readonly isGlobal: boolean
      readonly graph: string | null
      readonly steps: readonly SchemaStep[]
      /** As written, from CREATE to the closing brace. */
      readonly text: string
    }
  | { readonly kind: 'runSchemaJob'; readonly name: string; readonly isGlobal: boolean }
  | { readonly kind: 'createLoadingJob'; readonly job: LoadingJobSyntax }
  | { readonly kind: 'runLoadingJob'; readonly run: LoadingRunSyntax }
  | { readonly kind: 'alter'; readonly step: SchemaStep }
  /** `UPSERT v VALUES (…)`, `UPSERT v -(e)-> w VALUES (…)`: one object, all values constants. */
  | { readonly kind: 'upsert'; readonly target: LoadTarget }
  | { readonly kind: 'dropTypes'; readonly element: ElementKind | 'TUPLE'; readonly names: Names }
  | { readonly kind: 'dropGraph'; readonly names: Names; readonly cascade: boolean }
  | {
      readonly kind: 'dropQuery' | 'dropJob' | 'dropSecret'
      readonly names: Names
    }
  | { readonly kind: 'dropDataSource'; readonly names: Names }
  | {
      readonly kind: 'createDataSource'
      readonly name: string
      /** Written before the name; null: the config tells. */
      readonly type: string | null
      /** JSON, or the name of a file; null: none is given. */
      readonly config: string | null
      readonly graph: string | null
    }
  | {
      readonly kind: 'grantDataSource' | 'revokeDataSource'
      readonly name: string
      readonly graphs: readonly string[]
    }
  | { readonly kind: 'showDataSource' }
  /** `ABORT LOADING JOB id|ALL`, `PAUSE`, `RESUME`; null: all. */
  | { readonly kind: 'abortLoading' | 'pauseLoading' | 'resumeLoading'; readonly id: string | null }
  /** `GRANT OWNERSHIP ON QUERY q [IN GRAPH g] TO u`. */
  | {
      readonly kind: 'grantOwnership'
      readonly queries: readonly string[]
      /** Null: the graph in use. */
      readonly graph: string | null
      readonly user: string
    }
  | { readonly kind: 'dropAll' | 'clearStore' }
  | TransferCommand
  | { readonly kind: 'show'; readonly target: ShowTarget; readonly pattern: ShowPattern }
  | { readonly kind: 'showSecret' }
  | { readonly kind: 'showUser' | 'showRole' }
  /** `SHOW LOADING STATUS id|ALL`; null: all. */
  | { readonly kind: 'showLoading'; readonly id: string | null }
  /** `SHOW LOADING ERROR id|ALL [LIMIT n]`; null: all. */
  | {
      readonly kind: 'showLoadingErrors'
      readonly id: string | null
      readonly limit: number | null
    }
  /** `SHOW PRIVILEGE ON USER u` or `ON ROLE r`; null: of who asks. */
  | {
      readonly kind: 'showPrivilege'
      readonly of: { readonly kind: 'USER' | 'ROLE'; readonly names: readonly string[] } | null
    }
  | { readonly kind: 'createUser' | 'alterUser'; readonly name: string; readonly password: string }
  | { readonly kind: 'dropUser'; readonly names: readonly string[] }
  | { readonly kind: 'dropRole'; readonly names: readonly string[] }
  | {
      readonly kind: 'createRole'
      readonly names: readonly string[]
      readonly scope: ScopeSyntax
    }
  | {
      readonly kind: 'grantRole' | 'revokeRole'
      readonly roles: readonly string[]
      readonly scope: ScopeSyntax
      readonly users: readonly string[]
    }
  | {
      readonly kind: 'grantPrivilege' | 'revokePrivilege'
      readonly privileges: readonly string[]
      readonly scope: ScopeSyntax
      readonly roles: readonly string[]
    }
  /** Of SHOW an empty name: all packages. */
  | { readonly kind: 'createPackage' | 'showPackage'; readonly name: string }
  | { readonly kind: 'dropPackage'; readonly names: readonly string[] }
  /** IMPORT PACKAGE, INSTALL FUNCTION: packages and functions, `gds.**`, that have to be there. */
  | { readonly kind: 'needPackage'; readonly names: readonly string[] }
  | { readonly kind: 'createSecret'; readonly alias: string | null }
  | { readonly kind: 'createQuery' | 'interpretQuery'; readonly text: string }
  | { readonly kind: 'installQuery'; readonly names: Names }
  | {
      readonly kind: 'runQuery'
      readonly name: string
      readonly arguments: CallArguments
      /** `-async`: the script does not wait for the answer. */
      readonly isDetached: boolean
    }

/** `ON GLOBAL`, `ON GRAPH g`, `ON VERTEX v IN GRAPH g`; `working`: the graph in use. */
export type ScopeSyntax =
  | { readonly kind: 'global' | 'working' }
  | { readonly kind: 'graph'; readonly graph: string }
  | {
      readonly kind: 'type'
      readonly element: 'vertex' | 'edge'
      readonly name: string
      /** Null: the graph in use. */
      readonly graph: string | null
    }

/** Null: everything; `glob`: `*` and `?`. */
export type ShowPattern =
  | { readonly kind: 'all' }
  | { readonly kind: 'glob' | 'regex'; readonly text: string }

/** One argument by position; `default` stands for `_`. */
export type CallValue =
  | { readonly kind: 'default' }
  | { readonly kind: 'value'; readonly value: unknown }

export type CallArguments =
  | { readonly kind: 'named'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'positional'; readonly values: readonly CallValue[] }

// Loading

export interface LoadingJobSyntax {
  readonly name: string
  readonly graph: string | null
  readonly files: readonly FileDefinition[]
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly filters: ReadonlyMap<string, ConditionSyntax>
  readonly loads: readonly LoadSyntax[]
  readonly text: string
}

export interface FileDefinition {
  readonly name: string
  readonly path: string | null
}

export type LoadSource =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'table'; readonly name: string }

export interface LoadSyntax {
  readonly source: LoadSource
  /** Of LOAD any number; a DELETE statement has its one. */
  readonly targets: readonly (LoadTarget | DeleteTarget)[]
  readonly options: Options
}

/** What a line of a DELETE statement takes away. */
export type DeleteTarget = {
  readonly condition: ConditionSyntax | null
  readonly range: SourceRange
} & (
  | { readonly kind: 'deleteVertex'; readonly type: string; readonly id: ValueSyntax }
  | {
      readonly kind: 'deleteEdge'
      /** `*`: of every type. */
      readonly type: string
      readonly from: EndSyntax
      /** Null: whatever it leads to. */
      readonly to: EndSyntax | null
      readonly discriminator: readonly ValueSyntax[]
    }
)

export type LoadTarget = {
  readonly condition: ConditionSyntax | null
  readonly range: SourceRange
} & (
  | { readonly kind: 'vertex'; readonly type: string; readonly values: readonly ValueSyntax[] }
  | {
      readonly kind: 'vector'
      readonly type: string
      readonly attribute: string
      /** The id, then the vector. */
      readonly values: readonly ValueSyntax[]
    }
  | {
      readonly kind: 'edge'
      readonly type: string
      readonly from: EndSyntax
      readonly to: EndSyntax
      readonly values: readonly ValueSyntax[]
    }
  | {
      readonly kind: 'table'
      readonly name: string
      readonly columns: readonly string[]
      readonly values: readonly ValueSyntax[]
    }
)

/** A vertex by its id (several parts: a composite key) and its type, where one is said. */
export interface EndSyntax {
  readonly id: readonly ValueSyntax[]
  readonly type: ValueSyntax | null
}

export type ValueSyntax =
  /** `_`: the attribute's default, or what it has. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'constant'; readonly text: string }
  /** `$0`, counted from 0. */
  | { readonly kind: 'position'; readonly position: number }
  /** `$"name"`, `$"a":"b"` (nested keys of JSON). */
  | { readonly kind: 'column'; readonly path: readonly string[] }
  | { readonly kind: 'fileName' }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly ValueSyntax[] }
  | { readonly kind: 'reduce'; readonly reducer: string; readonly value: ValueSyntax }
  /** `($1 -> $2)`, one entry of a map. */
  | { readonly kind: 'entry'; readonly key: ValueSyntax; readonly value: ValueSyntax }

export type ConditionSyntax =
  | {
      readonly kind: 'and' | 'or'
      readonly left: ConditionSyntax
      readonly right: ConditionSyntax
    }
  | { readonly kind: 'not'; readonly operand: ConditionSyntax }
  | {
      readonly kind: 'compare'
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>='
      readonly left: OperandSyntax
      readonly right: OperandSyntax
    }
  | {
      readonly kind: 'between'
      readonly operand: OperandSyntax
      readonly low: OperandSyntax
      readonly high: OperandSyntax
    }
  | {
      readonly kind: 'in'
      readonly operand: OperandSyntax
      readonly values: readonly OperandSyntax[]
    }
  | { readonly kind: 'is'; readonly operand: OperandSyntax; readonly what: 'NUMERIC' | 'EMPTY' }
  /** A function whose value is true or false. */
  | { readonly kind: 'test'; readonly operand: OperandSyntax }

export type OperandSyntax =
  | { readonly kind: 'token'; readonly value: ValueSyntax }
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/' | '^'
      readonly left: OperandSyntax
      readonly right: OperandSyntax
    }

export interface LoadingRunSyntax {
  readonly name: string
  /** `USING f="path"`; a null path takes the one of the definition. */
  readonly files: ReadonlyMap<string, string | null>
  /** `-n [i,]j`: the lines to read, both counted from 1 and inclusive. */
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  readonly isQuiet: boolean
  /** `-max_num_error n`, `-max_percent_error p`: bad lines and objects from which on it fails. */
  readonly errorLimits: { readonly countMax: number | null; readonly percentMax: number | null }
}

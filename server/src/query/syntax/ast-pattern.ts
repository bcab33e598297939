/** Patterns of FROM clauses: the classic forms (V1, V2) and V3's, in one path of nodes and edges. */
import type { Expression, Identifier } from './ast.ts'
import type { SourceRange } from './source.ts'

export interface PathSyntax {
  readonly style: 'classic' | 'v3'
  /** One more than `edges`. */
  readonly nodes: readonly NodeSyntax[]
  readonly edges: readonly EdgeSyntax[]
  readonly range: SourceRange
}

export interface NodeSyntax {
  /** Alternatives; empty: any vertex. */
  readonly types: readonly TypeRefSyntax[]
  readonly alias: Identifier | null
  readonly properties: readonly PropertySyntax[]
  readonly where: Expression | null
  readonly range: SourceRange
}

/** A type, vertex set, parameter, `@@acc`, ANY or `_`: the binder says which. */
export interface TypeRefSyntax {
  readonly kind: 'name' | 'any' | 'globalAccum'
  readonly name: string
  /** Written `T.*`. */
  readonly all: boolean
  readonly range: SourceRange
}

export interface PropertySyntax {
  readonly name: Identifier
  readonly value: Expression
}

export interface EdgeSyntax {
  /** Null: any edge in any direction, `()`. */
  readonly type: EdgeTypeSyntax | null
  readonly alias: Identifier | null
  /** Classic `)->`. */
  readonly arrow: boolean
  readonly properties: readonly PropertySyntax[]
  readonly where: Expression | null
  readonly range: SourceRange
}

export type EdgeTypeSyntax =
  | EdgeAtomSyntax
  | {
      readonly kind: 'alternatives'
      readonly items: readonly EdgeTypeSyntax[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'sequence'
      readonly items: readonly EdgeTypeSyntax[]
      readonly range: SourceRange
    }
  | {
      readonly kind: 'repeat'
      readonly item: EdgeTypeSyntax
      readonly min: number
      readonly max: number | null
      readonly range: SourceRange
    }

export interface EdgeAtomSyntax {
  readonly kind: 'atom'
  readonly type: TypeRefSyntax
  /**
   * `none`: no mark. `right`: `E>`, `left`: `<E`. `both`: left or right; V3's other arrows add
   * undirected ones: `leftOrUndirected`, `rightOrUndirected`, `undirected`, `any`.
   */
  readonly direction: EdgeDirection
  readonly range: SourceRange
}

export type EdgeDirection =
  | 'none'
  | 'right'
  | 'left'
  | 'both'
  | 'undirected'
  | 'leftOrUndirected'
  | 'rightOrUndirected'
  | 'any'

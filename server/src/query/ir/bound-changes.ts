/**
 * Changes of the graph (docs/reference/gsql/statements.md#changes-of-the-graph): at body and at DML level. They are collected while the query
 * runs, in order, and applied as one commit after it has ended; nothing of it is seen before.
 */
import type { Place } from './bound.ts'
import type { BoundExpression } from './bound-expression.ts'
import type { BoundApplies } from './bound-select.ts'

export type BoundChange = BoundSetAttribute | BoundInsertVertex | BoundInsertEdge | BoundDelete

export interface BoundSetAttribute {
  readonly kind: 'setAttribute'
  /** VERTEX or EDGE; an unknown one is left alone, and so is one of a type not in `byType`. */
  readonly of: BoundExpression
  readonly byType: readonly { readonly typeId: number; readonly attributeId: number }[]
  readonly value: BoundExpression
  /** `+=`: numbers add, collections extend. */
  readonly adds: boolean
  readonly applies: BoundApplies | null
  readonly place: Place
}

export interface BoundFieldValue {
  readonly attributeId: number
  /** Of the attribute's own type. */
  readonly value: BoundExpression
}

export interface BoundInsertVertex {
  readonly kind: 'insertVertex'
  readonly typeId: number
  /** Key parts in key order, one unless the key is composite. */
  readonly key: readonly BoundExpression[]
  readonly fields: readonly BoundFieldValue[]
  readonly applies: BoundApplies | null
  readonly place: Place
}

export interface BoundInsertEdge {
  readonly kind: 'insertEdge'
  readonly edgeTypeId: number
  /** Named by its reverse name: FROM is the stored target. */
  readonly reversed: boolean
  readonly from: BoundEdgeEnd
  readonly to: BoundEdgeEnd
  /** Discriminator attributes first, all of them. */
  readonly fields: readonly BoundFieldValue[]
  readonly applies: BoundApplies | null
  readonly place: Place
}

export interface BoundEdgeEnd {
  /** VERTEX, or an external id: STRING, INT, UINT or DATETIME. */
  readonly value: BoundExpression
  /** STRING: the name of its type; null: what the edge type says, or the vertex itself. */
  readonly typeName: BoundExpression | null
}

/** A vertex goes with its edges. */
export interface BoundDelete {
  readonly kind: 'deleteElement'
  readonly of: BoundExpression
  readonly applies: BoundApplies | null
  readonly place: Place
}

/** What a random program writes, as engine and model are given it. */
import type { ModelValue } from './values.ts'

export interface FieldWrite {
  readonly name: string
  readonly op: string
  readonly value: ModelValue
}

export interface VertexEntry {
  readonly type: string
  readonly id: string
  readonly fields: readonly FieldWrite[]
}

/** `name` may be a reverse name, and the ends of an undirected edge may be swapped. */
export interface EdgeEntry {
  readonly name: string
  readonly fromType: string
  readonly from: string
  readonly toType: string
  readonly to: string
  readonly fields: readonly FieldWrite[]
}

export interface Flags {
  readonly newVertexOnly: boolean
  readonly updateVertexOnly: boolean
  readonly sourceMustExist: boolean
  readonly targetMustExist: boolean
  readonly atomic: boolean
}

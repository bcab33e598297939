/**
 * Number columns of a table that is to replace another one, when a write has widened a column of the old one
 * meanwhile: they are widened before the next row is copied, in pieces between which others run.
 */
import type { Column } from '../columns/column.ts'

export interface Successor {
  readonly next: { readonly columns: readonly Column[] }
  readonly old: { readonly columns: readonly Column[] }
}

/** Whether some column of the old table holds values that the new one has no room for. */
export function isNarrower({ next, old }: Successor): boolean {
  return next.columns.some((column, index) => column.isNarrowerThan(old.columns[index]!))
}

export function* widenInPieces(successors: readonly Successor[]): Generator<undefined, void> {
  for (const { next, old } of successors) {
    for (const [index, column] of next.columns.entries()) {
      yield* column.widenAs(old.columns[index]!)
    }
  }
}

/** Columns that were made in slices before the change of the schema that puts them in place. */
import type { Column } from './column.ts'

/** What a change finds made. */
export interface MadeBefore {
  /** The column made from another one, whose attribute gets another type. */
  from(source: Column): Column | undefined
  /** The column of a new attribute, by the columns that its table has until then. */
  addedTo(columns: readonly Column[], attributeId: number): Column | undefined
}

export const nothingMade: MadeBefore = { from: () => undefined, addedTo: () => undefined }

export class MadeColumns implements MadeBefore {
  readonly #converted = new Map<Column, Column>()
  readonly #added = new Map<readonly Column[], Column[]>()

  from(source: Column): Column | undefined {
    return this.#converted.get(source)
  }

  addedTo(columns: readonly Column[], attributeId: number): Column | undefined {
    return this.#added.get(columns)?.find(({ attribute }) => attribute.id === attributeId)
  }

  convert(source: Column, made: Column): void {
    this.#converted.set(source, made)
  }

  add(columns: readonly Column[], made: Column): void {
    this.#added.set(columns, [...(this.#added.get(columns) ?? []), made])
  }

  /** They are not put in place after all. */
  release(): void {
    for (const column of this.#converted.values()) column.release()
    for (const column of [...this.#added.values()].flat()) column.release()
  }
}

/**
 * The storage engine's own record of deleted vertices, kept beside the processing engine's
 * tombstones and never derived from them: `deleted_vertex_check` compares the two.
 *
 * One bit per row and type, set as log entries are applied, stored with the segments.
 */
import { ById } from '#kernel/by-id.ts'
import { allocateWords } from '../memory/allocate.ts'
import type { DeletionRecord } from '../mutate/target.ts'

export class DeletedIds implements DeletionRecord {
  readonly #words = new ById<Uint32Array>()

  deleted(typeId: number, row: number): void {
    this.#room(typeId, row)[row >>> 5]! |= 1 << (row & 31)
  }

  has(typeId: number, row: number): boolean {
    const words = this.#words.get(typeId)
    return words !== undefined && ((words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0
  }

  /** The words of a type, for a segment; null when nothing of it is deleted. */
  wordsOf(typeId: number): Uint32Array | null {
    const words = this.#words.get(typeId)
    return words?.some((word) => word !== 0) ? words.slice() : null
  }

  restore(typeId: number, words: Uint32Array): void {
    this.#words.set(typeId, words.slice())
  }

  /** Takes over what another record holds of a type. */
  take(typeId: number, from: DeletedIds): void {
    const words = from.#words.get(typeId)
    if (words === undefined) this.drop(typeId)
    else this.#words.set(typeId, words)
  }

  drop(typeId: number): void {
    this.#words.delete(typeId)
  }

  clear(): void {
    for (const id of this.typeIds()) this.drop(id)
  }

  /** The types anything was ever deleted of. */
  typeIds(): number[] {
    return this.#words.ids()
  }

  #room(typeId: number, row: number): Uint32Array {
    const old = this.#words.get(typeId) ?? allocateWords(8)
    let words = old
    if (row >>> 5 >= old.length) {
      words = allocateWords(Math.max(old.length * 2, (row >>> 5) + 1))
      words.set(old)
    }
    this.#words.set(typeId, words)
    return words
  }
}

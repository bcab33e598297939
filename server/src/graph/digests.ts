/**
 * Checksums of catalogue and counts, by which servers over one log notice that their graphs differ.
 *
 * They can be compared as of the same commit only. While there are many commits, every server keeps
 * the checksum behind the first commit at or after each multiple of DIGEST_INTERVAL_COMMITS; while
 * there are none, that of the present state is the same everywhere.
 */
import { crc32 } from 'node:zlib'
import type { Catalog } from '#catalog/types.ts'
import { DIGEST_INTERVAL_COMMITS } from '#kernel/limits.ts'
import type { StateDigest } from '#storage/shared-store.ts'
import type { Tables } from './tables/tables.ts'

/** Checksums that are kept: an instance may be so many intervals behind another one. */
const HISTORY_LENGTH = 256

export interface DigestSource {
  readonly tables: Tables
  readonly catalog: Catalog
  /** Of the last applied commit. */
  readonly sequence: number
}

export class Digests {
  readonly #source: DigestSource
  /** By sequence, oldest first. */
  readonly #history = new Map<number, number>()
  #nextAt = 0
  #last: StateDigest = { sequence: 0, checksum: 0 }
  #present: StateDigest = { sequence: -1, checksum: 0 }
  /** Of the state as of the call of `forBeat` before. */
  #sequenceBefore = -1
  #catalog: { readonly of: Catalog; readonly checksum: number } | null = null

  constructor(source: DigestSource) {
    this.#source = source
  }

  /** The graph was read from the store. */
  begin(): void {
    this.#history.clear()
    this.#nextAt = boundaryAfter(this.#source.sequence)
    this.#present = { sequence: -1, checksum: 0 }
    this.#last = this.present()
  }

  /** A commit was applied. */
  applied(): void {
    const { sequence } = this.#source
    if (sequence < this.#nextAt) return
    this.#nextAt = boundaryAfter(sequence)
    this.#last = this.present()
    this.#history.set(sequence, this.#last.checksum)
    if (this.#history.size <= HISTORY_LENGTH) return
    this.#history.delete(this.#history.keys().next().value!)
  }

  /** Between two commits only. */
  present(): StateDigest {
    const { sequence } = this.#source
    if (this.#present.sequence !== sequence) this.#present = { sequence, checksum: this.#sum() }
    return this.#present
  }

  /** @param isSettled no batch is half applied */
  forBeat(isSettled: boolean): StateDigest {
    const { sequence } = this.#source
    const isAtRest = isSettled && sequence === this.#sequenceBefore
    this.#sequenceBefore = sequence
    return isAtRest ? this.present() : this.#last
  }

  /** Of a commit; undefined: it is not known, or not any more. */
  at(sequence: number, isSettled: boolean): number | undefined {
    if (isSettled && sequence === this.#source.sequence) return this.present().checksum
    return this.#history.get(sequence)
  }

  /** Tables that hold nothing are left out: an instance may have no table where another has an empty one. */
  #sum(): number {
    const { tables } = this.#source
    const counts: (readonly number[])[] = []
    for (const { type, liveCount, retired } of tables.vertices) {
      const retiredCount = retired?.count ?? 0
      if (liveCount + retiredCount > 0) counts.push([type.id, liveCount, retiredCount])
    }
    for (const { type, adjacencies } of tables.edges) {
      for (const { fromTypeId, toTypeId, liveCount } of adjacencies) {
        if (liveCount > 0) counts.push([type.id, fromTypeId, toTypeId, liveCount])
      }
    }
    const lines = counts.map((count) => count.join(' ')).sort()
    return crc32(lines.join('\n'), this.#catalogSum())
  }

  #catalogSum(): number {
    const { catalog } = this.#source
    if (this.#catalog?.of !== catalog) {
      this.#catalog = { of: catalog, checksum: crc32(JSON.stringify(catalog)) }
    }
    return this.#catalog.checksum
  }
}

function boundaryAfter(sequence: number): number {
  return (Math.floor(sequence / DIGEST_INTERVAL_COMMITS) + 1) * DIGEST_INTERVAL_COMMITS
}

/**
 * Follows the log of a shared store: applies what another server has written, by the same code as
 * commits of this one, and changes the role of the engine in place (docs/decisions/0125).
 */
import type { Catalog } from '#catalog/types.ts'
import type { DbError } from '#kernel/errors.ts'
import type { DocumentChange } from '#storage/documents.ts'
import type { FollowedEntry, LogFollower, Role, StateDigest } from '#storage/shared-store.ts'
import { decodeCatalog } from './catalog-entry.ts'
import { type MadeBefore, nothingMade } from './columns/made-columns.ts'
import type { Ticket } from './commit-queue.ts'
import { withKnownParts } from './known-parts.ts'
import { characterOf } from './mutate/check-frame.ts'
import { frameKind } from './mutate/frame-format.ts'

type Commit = Extract<FollowedEntry, { kind: 'commit' }>

/** What of the engine a follower needs. */
export interface FollowHost {
  readonly catalog: Catalog
  /** Of the last applied commit. */
  readonly sequence: number
  /** Applies a durable entry, a large one in slices. */
  apply(ticket: Ticket): Promise<void>
  /** The columns of attributes that get a wider type, made in slices. */
  convert(next: Catalog): Promise<MadeBefore>
  /** An entry was not applied whole: nothing may be read any more. */
  fail(cause: unknown): DbError
  becomeWriter(): Promise<void>
  /** Resolves when nothing of this writer is under way any more. */
  becomeFollower(): Promise<void>
  /** Entries up to this one are in segments of the writer. */
  folded(foldedSequence: number): void
  deadline(): () => boolean
  yieldToOthers(): Promise<void>
  digest(): StateDigest
  /** Undefined: no checksum as of that commit is known. */
  checksumAt(sequence: number): number | undefined
  mustStartAgain(reason: string, isDifference: boolean): void
}

/** What beside the graph follows the log. */
export interface BesideGraph {
  /** A document that another instance changed. It must not throw. */
  take(change: DocumentChange): void
  /** After the engine; as the writer it may write. */
  roleChanged(role: Role): Promise<void> | void
  /** The catalogue was changed by another instance. */
  catalogChanged?(before: Catalog): void
}

export class Follow implements LogFollower {
  readonly #host: FollowHost
  readonly #beside: BesideGraph
  #isEnded = false

  constructor(host: FollowHost, beside: BesideGraph) {
    this.#host = host
    this.#beside = beside
  }

  async apply(entries: readonly FollowedEntry[]): Promise<void> {
    const host = this.#host
    let isLate = host.deadline()
    for (const entry of entries) {
      await this.#applyOne(entry)
      if (!isLate()) continue
      await host.yieldToOthers()
      isLate = host.deadline()
    }
  }

  async roleChanged(role: Role): Promise<void> {
    if (role === 'writer') await this.#host.becomeWriter()
    else await this.#host.becomeFollower()
    await this.#beside.roleChanged(role)
  }

  mustStartAgain(reason: string): void {
    this.#end(reason, false)
  }

  digest(): StateDigest {
    return this.#host.digest()
  }

  compare({ sequence, checksum }: StateDigest, name: string): void {
    const own = this.#host.checksumAt(sequence)
    if (own === undefined || own === checksum) return
    this.#end(
      `The graph differs from that of ${name} as of commit ${sequence}: the checksum of the catalogue and the counts is ${hex(own)} here and ${hex(checksum)} there.`,
      true,
    )
  }

  #end(reason: string, isDifference: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#host.mustStartAgain(reason, isDifference)
  }

  #applyOne(entry: FollowedEntry): Promise<void> | null {
    switch (entry.kind) {
      case 'commit':
        // Of a graph that was read from the store again, the entry may be in it.
        return entry.sequence <= this.#host.sequence ? null : this.#commit(entry)
      case 'document':
        this.#beside.take(entry.change)
        return null
      case 'checkpoint':
        this.#host.folded(entry.foldedSequence)
        return null
      case 'store':
        return null
    }
  }

  async #commit(entry: Commit): Promise<void> {
    try {
      if (entry.payload[0] === frameKind.catalog) await this.#changeCatalog(entry)
      else await this.#host.apply(ticketOf(entry, characterOf(entry.payload)))
    } catch (cause) {
      const failure = this.#host.fail(cause)
      this.mustStartAgain(failure.message)
      throw failure
    }
  }

  async #changeCatalog(entry: Commit): Promise<void> {
    const host = this.#host
    const before = host.catalog
    const catalog = withKnownParts(before, decodeCatalog(entry.payload, before))
    const made = await host.convert(catalog)
    await host.apply(ticketOf(entry, { catalog, made }))
    this.#beside.catalogChanged?.(before)
  }
}

/** Of an entry that nobody here waits for. */
function ticketOf(
  { sequence, payload }: Commit,
  parts: Partial<Pick<Ticket, 'isLong' | 'hasVertexDeletes' | 'hasAdditions' | 'catalog' | 'made'>>,
): Ticket {
  return {
    sequence,
    payload,
    error: undefined,
    isSettled: true,
    isLong: false,
    hasVertexDeletes: false,
    hasAdditions: false,
    retiresIds: false,
    catalog: null,
    made: nothingMade,
    ...parts,
    resolve: () => {},
    reject: () => {},
  }
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

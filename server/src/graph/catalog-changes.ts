/**
 * Schema changes, one after the other: ordered like writes, which wait for them. Columns that change
 * their type are made first, in slices, while reads go on; putting them in place takes no time.
 */
import { withIndexAges } from '#catalog/index-ages.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { additionsOf } from './additions.ts'
import { encodeCatalog } from './catalog-entry.ts'
import { MadeColumns } from './columns/made-columns.ts'
import type { TicketParts } from './commit-queue.ts'
import {
  type ConversionHost,
  conversionsOf,
  convertAll,
  makeColumns,
  type Preparation,
} from './conversions.ts'

export interface CatalogHost extends ConversionHost {
  readonly clock: Clock
  readonly catalog: Catalog
  /** Resolves when everything ordered so far is applied or has failed. */
  settled(): Promise<void>
  /** Resolves when the entry is durable and applied. */
  order(entry: Uint8Array, parts: TicketParts): Promise<unknown>
  /** Columns were made, and put in place or given up. */
  converted(): void
}

export class CatalogChanges {
  /** Resolves when the change that is made is applied or has failed; writes wait for it. */
  pending: Promise<unknown> | null = null
  /** Columns are being made from those that there are: nothing else may put others in place. */
  isConverting = false
  readonly #host: CatalogHost
  #last: Promise<unknown> = Promise.resolve()

  constructor(host: CatalogHost) {
    this.#host = host
  }

  /** `change` sees the catalogue of the change before. */
  run(change: (catalog: Catalog) => Catalog): Promise<Catalog> {
    const done = this.#last.then(() => this.#runNow(change))
    this.#last = done.catch(() => {})
    return done
  }

  /** Resolves when none is being made. */
  async settled(): Promise<void> {
    await this.#last
  }

  /**
   * The columns of a change of another server, whose entry is the next to be applied. Nothing else
   * puts columns in place until `followed`.
   */
  async convertFollowed(next: Catalog): Promise<MadeColumns> {
    const preparation = this.#preparationFor(next)
    const made = new MadeColumns()
    if (preparation === null) return made
    this.isConverting = true
    // It is in the log, so that nothing refuses it any more.
    await makeColumns({ ...this.#host, checkAble: () => {} }, preparation, made)
    return made
  }

  /** Null: the change takes no time. */
  #preparationFor(next: Catalog): Preparation | null {
    const { catalog, tables } = this.#host
    const conversions = conversionsOf(catalog, next)
    const additions = additionsOf(tables, catalog, next)
    return conversions.length + additions.length === 0 ? null : { conversions, additions }
  }

  followed(): void {
    if (!this.isConverting) return
    this.isConverting = false
    this.#host.converted()
  }

  async #runNow(change: (catalog: Catalog) => Catalog): Promise<Catalog> {
    const { catalog, clock, order } = this.#host
    this.#host.checkAble()
    const changed = change(catalog)
    if (changed === catalog) return changed
    const next = withIndexAges(catalog, changed, clock.nowMs())
    const applied =
      this.#preparationFor(next) === null
        ? order(encodeCatalog(next, catalog), { catalog: next })
        : this.#convert(next)
    this.pending = applied.catch(() => {})
    try {
      await applied
    } finally {
      this.pending = null
    }
    return next
  }

  /** What is ordered is applied first: it may write values that the new type has not. */
  async #convert(next: Catalog): Promise<void> {
    const host = this.#host
    await host.settled()
    this.isConverting = true
    const made = new MadeColumns()
    // Once more: a rebuild may have put other tables in place until now.
    const preparation = this.#preparationFor(next) ?? { conversions: [], additions: [] }
    const isConverting = preparation.conversions.length > 0
    let isOrdered = false
    try {
      await convertAll(host, preparation, made)
      host.checkAble()
      await host.order(encodeCatalog(next, host.catalog, isConverting), { catalog: next, made })
      isOrdered = true
    } finally {
      if (!isOrdered) made.release()
      this.isConverting = false
      host.converted()
    }
  }
}

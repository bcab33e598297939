/**
 * Schema changes, one after the other: ordered like writes, which wait for them. Columns that change
 * their type are made first, in slices, while reads go on; putting them in place takes no time.
 */
import { withIndexAges } from '#catalog/index-ages.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { encodeCatalog } from './catalog-entry.ts'
import type { Column } from './columns/column.ts'
import { type ConvertedColumns, noneConverted } from './columns/columns-of.ts'
import type { TicketParts } from './commit-queue.ts'
import {
  type Conversion,
  type ConversionHost,
  conversionsOf,
  convertAll,
  makeColumns,
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
  async convertFollowed(next: Catalog): Promise<ConvertedColumns> {
    const conversions = conversionsOf(this.#host.catalog, next)
    if (conversions.length === 0) return noneConverted
    this.isConverting = true
    const made = new Map<Column, Column>()
    // It is in the log, so that nothing refuses it any more.
    await makeColumns({ ...this.#host, checkAble: () => {} }, conversions, made)
    return made
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
    const conversions = conversionsOf(catalog, next)
    const applied =
      conversions.length === 0
        ? order(encodeCatalog(next, catalog), { catalog: next })
        : this.#convert(next, conversions)
    this.pending = applied.catch(() => {})
    try {
      await applied
    } finally {
      this.pending = null
    }
    return next
  }

  /** What is ordered is applied first: it may write values that the new type has not. */
  async #convert(next: Catalog, conversions: readonly Conversion[]): Promise<void> {
    const host = this.#host
    await host.settled()
    this.isConverting = true
    const made = new Map<Column, Column>()
    let isOrdered = false
    try {
      await convertAll(host, conversions, made)
      host.checkAble()
      await host.order(encodeCatalog(next, host.catalog, true), { catalog: next, converted: made })
      isOrdered = true
    } finally {
      if (!isOrdered) for (const column of made.values()) column.release()
      this.isConverting = false
      host.converted()
    }
  }
}

/**
 * Log entries on their way: appended to the store in the order of the calls, applied in that order
 * once durable, with a pause for others every few milliseconds.
 */
import type { Catalog } from '#catalog/types.ts'
import type { DbError } from '#kernel/errors.ts'
import type { Store } from '#storage/store.ts'
import { type MadeBefore, nothingMade } from './columns/made-columns.ts'
import type { MutationOutcome } from './mutate/outcome.ts'
import { notApplied, notReloaded } from './not-applied.ts'

/** An entry that is ordered and not yet applied. */
export interface Ticket {
  sequence: number
  error: unknown
  isSettled: boolean
  readonly payload: Uint8Array
  /** Applied in slices whatever its size. */
  readonly isLong: boolean
  /** Applied in slices if the vertices have many edges then. */
  readonly hasVertexDeletes: boolean
  /** Applied in slices if what it adds to is long then. */
  readonly hasAdditions: boolean
  /** Its vertices' ids may never be inserted again. */
  readonly retiresIds: boolean
  /** The catalogue that a schema change puts in place; null for mutations. */
  readonly catalog: Catalog | null
  /** Columns that were made for it beforehand. */
  readonly made: MadeBefore
  readonly resolve: (outcome: MutationOutcome) => void
  readonly reject: (error: unknown) => void
}

export type TicketParts = Partial<
  Pick<Ticket, 'catalog' | 'made' | 'isLong' | 'hasVertexDeletes' | 'hasAdditions' | 'retiresIds'>
>

export interface CommitQueueOptions {
  readonly store: Store
  /** Applies a durable entry and resolves its ticket; a promise when it takes several slices. */
  readonly apply: (ticket: Ticket) => Promise<void> | null
  readonly yieldToOthers: () => Promise<void>
  /** A clock that strikes when the slice beginning now is over. */
  readonly deadline: () => () => boolean
  readonly onApplied: (ticket: Ticket) => void
  /** An entry was not applied: nothing may be read or written until `reload` has ended. */
  readonly onFailure: (failure: DbError) => void
  /**
   * Reads the graph from the store again. Every ordered entry is in the log then, or was refused.
   * @returns the outcomes of the entries from a sequence on
   */
  readonly reload: (fromSequence: number) => Promise<ReadonlyMap<number, MutationOutcome>>
}

/** Behind frames of so many bytes the turn goes on to count; it is not watched for small commits. */
const WATCHED_SIZE_BYTES_MIN = 16 * 1024

export class CommitQueue {
  /** An entry in the log could not be applied: memory and disk differ until the graph is reloaded. */
  failure: DbError | null = null
  readonly #options: CommitQueueOptions
  readonly #tickets: Ticket[] = []
  #sizeBytes = 0
  #retiringCount = 0
  #isDraining = false
  /** When the slice of this turn is over, in which others were applied before; null: none, or few bytes. */
  #turn: (() => boolean) | null = null
  #waiting: (() => void)[] = []
  /** Called when the store has answered for an entry. */
  #onSettled: () => void = () => {}

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  /** Entries ordered and not yet applied. */
  get length(): number {
    return this.#tickets.length
  }

  /** Bytes of those entries. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Whether one of those entries deletes ids for ever. */
  get retiresIds(): boolean {
    return this.#retiringCount > 0
  }

  order(payload: Uint8Array, parts: TicketParts): Promise<MutationOutcome> {
    const { catalog = null, made = nothingMade } = parts
    const { isLong = false, hasVertexDeletes = false } = parts
    const { hasAdditions = false, retiresIds = false } = parts
    return new Promise((resolve, reject) => {
      const ticket: Ticket = {
        sequence: 0,
        error: undefined,
        isSettled: false,
        payload,
        isLong,
        hasVertexDeletes,
        hasAdditions,
        retiresIds,
        catalog,
        made,
        resolve,
        reject,
      }
      this.#tickets.push(ticket)
      this.#sizeBytes += payload.length
      if (retiresIds) this.#retiringCount += 1
      this.#options.store.append(payload).then(
        (sequence) => this.#settle(ticket, sequence, undefined),
        (error: unknown) => this.#settle(ticket, 0, error),
      )
    })
  }

  /** Resolves when everything ordered so far is applied or has failed. */
  settled(): Promise<void> {
    if (this.#tickets.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #settle(ticket: Ticket, sequence: number, error: unknown): void {
    ticket.sequence = sequence
    ticket.error = error
    ticket.isSettled = true
    this.#onSettled()
    if (this.#isDraining) return
    this.#isDraining = true
    this.#drain().catch(() => this.#repair())
  }

  async #drain(): Promise<void> {
    const { apply, deadline, onApplied, yieldToOthers } = this.#options
    let appliedBytes = 0
    let isLate = this.#turn ?? deadline()
    try {
      // The store answers for many entries in one turn, and each answer may find an empty queue.
      if (this.#turn?.()) {
        await yieldToOthers()
        isLate = deadline()
      }
      while (this.#tickets[0]?.isSettled) {
        const ticket = this.#tickets[0]
        if (ticket.error === undefined) {
          const slices = apply(ticket)
          if (slices !== null) await slices
          onApplied(ticket)
        } else ticket.reject(ticket.error)
        appliedBytes += ticket.payload.length
        this.#tickets.shift()
        this.#sizeBytes -= ticket.payload.length
        if (ticket.retiresIds) this.#retiringCount -= 1
        if (isLate()) {
          await yieldToOthers()
          isLate = deadline()
        }
      }
    } catch (cause) {
      // Here, not one microtask later: what is half applied must not be read by anyone.
      this.#fail(notApplied(cause))
      throw cause
    }
    this.#isDraining = false
    if (appliedBytes >= WATCHED_SIZE_BYTES_MIN && this.#turn === null) this.#watchTurn(isLate)
    if (this.#tickets.length === 0) this.#wake()
  }

  #watchTurn(isLate: () => boolean): void {
    this.#turn = isLate
    void this.#options.yieldToOthers().then(() => {
      this.#turn = null
    })
  }

  /** Reads the graph again, so that the entry that failed and those behind it are applied after all. */
  async #repair(): Promise<void> {
    await this.#allSettled()
    const [first] = this.#tickets
    try {
      const outcomes = await this.#options.reload(first?.sequence ?? Number.POSITIVE_INFINITY)
      this.failure = null
      for (const ticket of this.#tickets.splice(0)) settleReloaded(ticket, outcomes)
    } catch (reloadCause) {
      const failure = notReloaded(reloadCause)
      this.#fail(failure)
      for (const ticket of this.#tickets.splice(0)) ticket.reject(failure)
    }
    this.#sizeBytes = 0
    this.#retiringCount = 0
    this.#isDraining = false
    this.#wake()
  }

  #fail(failure: DbError): void {
    this.failure = failure
    this.#options.onFailure(failure)
  }

  /** Resolves when the store has answered for every entry; none is ordered after a failure. */
  #allSettled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSettled = () => {
        if (!this.#tickets.every(({ isSettled }) => isSettled)) return
        this.#onSettled = () => {}
        resolve()
      }
      this.#onSettled()
    })
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function settleReloaded(ticket: Ticket, outcomes: ReadonlyMap<number, MutationOutcome>): void {
  const outcome = outcomes.get(ticket.sequence)
  if (ticket.error !== undefined) ticket.reject(ticket.error)
  else if (outcome !== undefined) ticket.resolve(outcome)
  else ticket.reject(notReloaded(`entry ${ticket.sequence} is not in the log`))
}

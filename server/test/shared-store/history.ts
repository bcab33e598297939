/**
 * What clients of several servers did in one round, as they saw it. Times are of this process's
 * monotonic clock, in milliseconds.
 *
 * Each writer has a vertex of its own. Its operation number n adds 1 to the vertex's `value` and
 * appends n to its list `numbers`, so the list tells what was applied, how often, and in which order.
 */

/** `refused`: the server said that nothing was done. `unknown`: nobody said what became of it. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export interface Write {
  readonly writer: string
  /** From 1, without gaps. */
  readonly number: number
  readonly sentAt: number
  readonly endedAt: number
  readonly outcome: Outcome
  /** Of the answer; null: none came with it. */
  readonly position: number | null
}

/** What a read showed of one writer. */
export interface Seen {
  readonly value: number
  /** The end of its list; null: empty. */
  readonly last: number | null
}

export interface Read {
  readonly reader: string
  readonly server: string
  readonly sentAt: number
  /** What it waited for: a position, or the latest state; null: for nothing. */
  readonly after: number | 'latest' | null
  readonly position: number
  readonly stalenessMs: number
  readonly seen: ReadonlyMap<string, Seen>
}

/** What one server holds when all is over. */
export interface Final {
  readonly server: string
  /** `numbers` by writer. */
  readonly lists: ReadonlyMap<string, readonly number[]>
  /** `value` by writer. */
  readonly values: ReadonlyMap<string, number>
  /** Everything that can be read, as one text: equal on all servers. */
  readonly dump: string
}

export class History {
  readonly writes: Write[] = []
  readonly reads: Read[] = []
  /** What a client met that no rule allows. */
  readonly oddities: string[] = []
}

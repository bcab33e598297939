/**
 * A store that several servers share: one appends to the log, the others follow it. The rules R1 to
 * R5 of docs/decisions/0123 are the store's own; what is above it sees a role, entries in order and
 * a position.
 *
 * A commit, a document and the frames of the store itself are numbered alike, so the sequences of
 * commits may skip numbers.
 */
import type { DocumentChange } from './documents.ts'
import type { Store } from './store.ts'

export type Role = 'writer' | 'follower'

/** What the log holds behind the entries that are applied here. Confirmed: it cannot be lost any more. */
export type FollowedEntry =
  | { readonly kind: 'commit'; readonly sequence: number; readonly payload: Uint8Array }
  | { readonly kind: 'document'; readonly sequence: number; readonly change: DocumentChange }
  /** A checkpoint of the writer: entries up to `foldedSequence` are in the segments. */
  | { readonly kind: 'checkpoint'; readonly sequence: number; readonly foldedSequence: number }
  /** An epoch, a resignation: nothing for those above the store. */
  | { readonly kind: 'store'; readonly sequence: number }

/** Who applies what others have written, and is told of the role. */
export interface LogFollower {
  /** Applies entries in their order. The store reads on when the promise has settled. */
  apply(entries: readonly FollowedEntry[]): Promise<void>
  /**
   * The role changed. As the writer: everything in the log is applied, and the first append waits
   * until the promise has settled.
   */
  roleChanged(role: Role): Promise<void>
  /** What is in memory is no prefix of the log any more: the process ends with status 75 and starts anew. */
  mustStartAgain(reason: string): void
  /** Checksum of catalogue and counts as of the last applied entry, for the beat. */
  digest(): StateDigest
}

/** Two instances that have applied the same sequence have the same checksum. */
export interface StateDigest {
  readonly sequence: number
  readonly checksum: number
}

/** An instance as its row in the store shows it. */
export interface InstanceState {
  readonly name: string
  /** From 1; the replica number of the interface. Stays with the name. */
  readonly ordinal: number
  /** Of the process: another value after each start. */
  readonly run: string
  /** Where the other instances reach it. */
  readonly url: string
  readonly version: string
  /** The newest format that this version can read. */
  readonly format: number
  readonly memoryLimitBytes: number
  /** Sequence of the last applied entry at its last beat. */
  readonly applied: number
  /** Time since its beat was seen to move, by this process's clock; null: never seen to move. */
  readonly silentMs: number | null
  readonly isSelf: boolean
  readonly isWriter: boolean
}

/** Thrown by writes of an instance that is not the writer: code NOT_WRITER. */
export interface SharedLog {
  readonly role: Role
  readonly epoch: number
  /** Sequence of the last entry that is applied here: commits, documents and frames of the store. */
  readonly position: number
  /** Of the writer that the log names, if its row says that it lives. */
  readonly writer: InstanceState | null
  readonly self: InstanceState
  readonly instances: readonly InstanceState[]
  /** The store answers at present. */
  readonly isConnected: boolean
  /** Machines that hold an acknowledged write: 1 + synchronous standbys; null: unknown. */
  readonly durableCopies: number | null
  /** Time since the sending of the newest beat whose end of the log is applied here. */
  stalenessMs(): number
  /** Resolves with the position once it is at least `sequence`. @throws DbError BEHIND at the deadline */
  reached(sequence: number, msMax: number): Promise<number>
  /** The end of the log as of now or later, by a beat of its own. @throws DbError BEHIND */
  latest(msMax: number): Promise<number>
  /** Resolves with the writer as soon as one is known. @throws DbError NO_WRITER at the deadline */
  writerKnown(msMax: number): Promise<InstanceState>
  /** Begins to follow behind what has been read; resolves when the end of the log was reached once. */
  follow(follower: LogFollower): Promise<void>
  /** As the writer: ends what is under way, appends a resignation and follows. @throws DbError NOT_WRITER */
  resign(): Promise<void>
  readonly counts: SharedLogCounts
}

export interface SharedLogCounts {
  readonly takeovers: number
  readonly outcomesResolved: number
}

/** `Store.shared` is null for a store of one server. */
export interface SharedStore extends Store {
  readonly shared: SharedLog
}

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
   * The role changed. As the writer: everything in the log is applied, and `append` takes entries from
   * the call on, so that steps of a new writer may write. As a follower: what was appended before is
   * applied or refused when the promise settles; entries of others come then.
   */
  roleChanged(role: Role): Promise<void>
  /** What is in memory is no prefix of the log any more: the process ends with status 75 and starts anew. */
  mustStartAgain(reason: string): void
  /** For the beat: of an entry that others are likely to have a checksum of, too. */
  digest(): StateDigest
  /** What another instance's row says. One that differs from this one's ends the process. */
  compare(digest: StateDigest, name: string): void
}

/** Checksum of catalogue and counts. Two instances that have applied the same commits have the same. */
export interface StateDigest {
  /** Of the last commit that is in it: entries of other kinds do not count. */
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
  /** With its last beat; null: there is none yet. */
  readonly digest: StateDigest | null
  /** Time since its beat was seen to move, by this process's clock; null: never seen to move. */
  readonly silentMs: number | null
  readonly isSelf: boolean
  readonly isWriter: boolean
}

/** Thrown by writes of an instance that is not the writer: code NOT_WRITER. */
export interface SharedLog {
  readonly role: Role
  readonly epoch: number
  /**
   * Sequence up to which everything is applied here: commits, documents and frames of the store. Of
   * the writer: the entry before the first commit that is durable and not yet `applied`.
   */
  readonly position: number
  /**
   * Sequence of the last entry that is known here to be durable: `position` or later. What answers to
   * writes name: their own entries are not behind it.
   */
  readonly end: number
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
  /** The engine has applied a commit, its own or another's; before its answer. */
  applied(sequence: number): void
  /**
   * Begins to follow behind what has been read; resolves when the end of the log was reached once.
   * What is read before may be gone while it is read (another instance folds the log): `readLog` and
   * `readBlob` of a shared store throw BEHIND then, and all is read again.
   */
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
  /** Ends at once, as a process does that is killed. What waits for the store fails, also `close`. */
  abandon(): Promise<void>
}

/** What several stores in memory share: in the place of the tables of PostgreSQL. */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type { FollowedEntry, InstanceState } from '../shared-store.ts'
import type { LogEntry, SegmentManifest } from '../store.ts'
import { createMemoryImage, type MemoryImage } from './memory-store.ts'

/** Who writes from an entry on: an instance by name and run. */
export interface Holder {
  readonly name: string
  readonly run: string
}

export type SharedFrame = FollowedEntry & { readonly sequence: number }

export interface Member extends Holder {
  readonly ordinal: number
  readonly url: string
  readonly memoryLimitBytes: number
  applied: number
  digest: InstanceState['digest']
}

/** One that is told when there is something new. */
export interface Listener extends Holder {
  readonly takesOver: boolean
  imageChanged(): void
}

/** What a frame without a payload takes in the log. */
const SMALL_FRAME_BYTES = 40

export class SharedImage {
  readonly memory: MemoryImage
  /** By sequence, of what `memory.log` holds. */
  readonly #frames = new Map<number, FollowedEntry>()
  readonly members = new Map<string, Member>()
  readonly listeners = new Set<Listener>()
  epoch = 0
  /** Whom the last epoch names; null: nobody yet, or it has resigned. */
  writer: Holder | null = null
  #runs = 0

  /** @param memory what one server has written there are commits */
  constructor(memory: MemoryImage = createMemoryImage()) {
    this.memory = memory
    for (const entry of memory.log) this.#frames.set(entry.sequence, { kind: 'commit', ...entry })
  }

  get end(): number {
    return this.memory.log.at(-1)?.sequence ?? this.memory.droppedThrough
  }

  /** @throws DbError BEHIND when entries behind `sequence` were folded */
  entriesAfter(sequence: number): FollowedEntry[] {
    if (sequence < this.memory.droppedThrough) {
      throw new DbError('BEHIND', `the log begins behind entry ${this.memory.droppedThrough}`)
    }
    return this.memory.log.flatMap((entry) =>
      entry.sequence > sequence ? [this.#frames.get(entry.sequence)!] : [],
    )
  }

  commitsAfter(sequence: number): LogEntry[] {
    return this.entriesAfter(sequence).flatMap((entry) => (entry.kind === 'commit' ? [entry] : []))
  }

  /** @returns the sequence */
  add(entry: SharedEntry): number {
    const sequence = this.end + 1
    const payload = entry.kind === 'commit' ? entry.payload : new Uint8Array(SMALL_FRAME_BYTES)
    this.memory.log.push({ sequence, payload })
    this.#frames.set(sequence, { ...entry, sequence } as FollowedEntry)
    for (const listener of this.listeners) listener.imageChanged()
    return sequence
  }

  /** Makes an instance the writer: nothing of the one before is taken from here on. */
  beginEpoch(holder: Holder): number {
    this.epoch += 1
    this.writer = holder
    return this.add({ kind: 'store' })
  }

  resign(): void {
    this.writer = null
    this.add({ kind: 'store' })
  }

  /** Nobody holds the last epoch, or who holds it is gone. */
  get isVacant(): boolean {
    const { writer } = this
    return writer === null || ![...this.listeners].some((one) => isSame(one, writer))
  }

  join({ name, url, memoryLimitBytes }: Pick<Member, 'name' | 'url' | 'memoryLimitBytes'>): Member {
    const before = this.members.get(name)
    this.#runs += 1
    const member: Member = {
      name,
      run: `run-${this.#runs}`,
      ordinal: before?.ordinal ?? this.members.size + 1,
      url,
      memoryLimitBytes,
      applied: 0,
      digest: null,
    }
    this.members.set(name, member)
    return member
  }

  /** After a checkpoint: entries up to it are gone. */
  folded(manifest: SegmentManifest): void {
    assert(manifest.foldedSequence <= this.end, 'a checkpoint holds durable entries')
    for (const sequence of this.#frames.keys()) {
      if (sequence <= manifest.foldedSequence) this.#frames.delete(sequence)
    }
  }
}

type WithoutSequence<Entry> = Entry extends unknown ? Omit<Entry, 'sequence'> : never
export type SharedEntry = WithoutSequence<FollowedEntry>

export function isSame(a: Holder, b: Holder | null): boolean {
  return b !== null && a.name === b.name && a.run === b.run
}

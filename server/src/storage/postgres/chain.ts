/** What an instance knows of the log: its end, who writes, and what the part behind the fold amounts to. */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { decodeFrame, type LogFrame, type LogPosition } from '../frame/frame.ts'
import type { LogEnd, StoredGroup } from './log-rows.ts'
import { type CheckpointNote, decodeNote, type EpochNote, READABLE_FORMAT } from './store-frames.ts'

/** Groups whose bytes are counted together, up to this size. */
const COUNTED_SIZE_BYTES = 64 * 1024

interface Counted {
  last: number
  sizeBytes: number
  commitCount: number
}

export class Chain {
  #end: LogEnd
  readonly #readableFormat: number
  #writer: EpochNote | null = null
  #epoch = 0
  #folded: number
  #groups: Counted[] = []

  /**
   * @param anchor the group that the first one behind the fold follows
   * @param readableFormat what this instance can read
   */
  constructor(anchor: LogEnd, folded: number, readableFormat = READABLE_FORMAT) {
    this.#readableFormat = readableFormat
    this.#end = anchor
    this.#folded = folded
  }

  get end(): LogEnd {
    return this.#end
  }

  /** Who wrote the last epoch frame; null: nobody yet, or he has resigned. */
  get writer(): EpochNote | null {
    return this.#writer
  }

  /** The last one that was begun. */
  get epoch(): number {
    return this.#epoch
  }

  get folded(): number {
    return this.#folded
  }

  /** Of the log behind the fold. */
  get sizeBytes(): number {
    return this.#groups.reduce((sum, group) => sum + group.sizeBytes, 0)
  }

  get commitCount(): number {
    return this.#groups.reduce((sum, group) => sum + group.commitCount, 0)
  }

  /**
   * The frames of the next group, each checked, and the chain goes on with it.
   * @throws DbError CORRUPT_LOG; UNSUPPORTED_FORMAT when a newer version writes what this one cannot read
   */
  take(group: StoredGroup): readonly LogFrame[] {
    const frames = framesOf(group, this.#end)
    for (const frame of frames) this.#note(frame)
    const commits = frames.filter(
      ({ kind, sequence }) => kind === 'commit' && sequence > this.#folded,
    )
    this.advance(group.end, group.bytes.length, commits.length)
    return frames
  }

  /** A group of this instance's own. */
  advance(end: LogEnd, sizeBytes: number, commitCount: number): void {
    assert(end.first === this.#end.sequence + 1, 'groups follow each other')
    this.#end = end
    if (end.sequence <= this.#folded) return
    const last = this.#groups.at(-1)
    if (last !== undefined && last.sizeBytes + sizeBytes <= COUNTED_SIZE_BYTES) {
      last.last = end.sequence
      last.sizeBytes += sizeBytes
      last.commitCount += commitCount
    } else this.#groups.push({ last: end.sequence, sizeBytes, commitCount })
  }

  begin(writer: EpochNote): void {
    const { format, version, name } = writer
    if (format > this.#readableFormat) {
      const message = `the shared store is written in format ${format} by '${name}', version ${version}; this version reads formats up to ${this.#readableFormat}: start version ${version} or a newer one`
      throw new DbError('UNSUPPORTED_FORMAT', message)
    }
    this.#writer = writer
    this.#epoch = Math.max(this.#epoch, writer.epoch)
  }

  resign(): void {
    this.#writer = null
  }

  fold(sequence: number): void {
    this.#folded = Math.max(this.#folded, sequence)
    this.#groups = this.#groups.filter(({ last }) => last > this.#folded)
  }

  #note(frame: LogFrame): void {
    switch (frame.kind) {
      case 'epoch':
        this.begin(decodeNote<EpochNote>(frame))
        break
      case 'resignation':
        this.resign()
        break
      case 'checkpoint': {
        const { foldedSequence, writer } = decodeNote<CheckpointNote>(frame)
        this.begin(writer)
        this.fold(foldedSequence)
        break
      }
      case 'commit':
      case 'document':
    }
  }
}

/** @throws DbError CORRUPT_LOG */
export function framesOf({ end, bytes }: StoredGroup, before: LogPosition): readonly LogFrame[] {
  const frames: LogFrame[] = []
  let position = before
  for (let offset = 0; offset < bytes.length; ) {
    const frame = decodeFrame(bytes, offset, position)
    offset += frame.sizeBytes
    position = frame
    frames.push(frame)
  }
  if (
    end.first !== before.sequence + 1 ||
    end.sequence !== position.sequence ||
    end.crc !== position.crc
  ) {
    const message = `commit log: the group of frames ${before.sequence + 1} to ${position.sequence} is recorded as frames ${end.first} to ${end.sequence}, or with another checksum`
    throw new DbError('CORRUPT_LOG', message, { details: { sequence: before.sequence + 1 } })
  }
  return frames
}

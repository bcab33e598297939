/**
 * Collects the entries of a payload into frames. An entry's values are written straight behind its
 * keys, on the guess that it has the fields of the entry before; one that has not is moved into a
 * new run. So regular payloads are written once and irregular ones are still right.
 */
import { fieldOp, frameFlag, RUN_HEADER_SIZE_BYTES } from '#graph/mutate/frame-format.ts'
import { type FrameField, FrameWriter } from '#graph/mutate/frame-writer.ts'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { ATTRIBUTES_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { arrangeFrames, type FramePiece } from './frame-pieces.ts'
import type { KeyBuffer } from './key-reader.ts'
import type { AttributePlan, EdgeRoute, VertexPlan } from './payload-plan.ts'

export interface EntryWriterOptions {
  readonly flags: number
  /** A frame is closed once it is this long; 0: one frame, however long (atomic). */
  readonly chunkSizeBytes: number
  readonly initialSizeBytes: number
}

const VARINT_SIZE_BYTES_MAX = 8
/** Header, ids of types and number of fields of a run. */
const RUN_SIZE_BYTES_MAX = RUN_HEADER_SIZE_BYTES + 4 * VARINT_SIZE_BYTES_MAX
/** Id and operation. */
const FIELD_SIZE_BYTES_MAX = VARINT_SIZE_BYTES_MAX + 1

const MUST_EXIST = frameFlag.sourceMustExist | frameFlag.targetMustExist

type Target = VertexPlan | EdgeRoute

export class EntryWriter {
  /** Values of the open entry are appended here. */
  writer: FrameWriter
  readonly #options: EntryWriterOptions
  readonly #frames: Uint8Array[] = []
  readonly #pieces: FramePiece[] = []
  #pieceStart: number
  #isEdges = false

  // The open run.
  #runTarget: Target | null = null
  #runFields: AttributePlan[] = []
  #runOps: number[] = []
  #runKey0 = -1
  #runKey1 = -1

  // The open entry.
  #target: Target | null = null
  #key0: KeyBuffer | null = null
  #key1: KeyBuffer | null = null
  #entryStart = 0
  #valuesStart = 0
  #isLikeRun = false
  #count = 0
  readonly #fields: AttributePlan[] = []
  readonly #ops: number[] = []
  readonly #starts: number[] = []

  constructor(options: EntryWriterOptions) {
    this.#options = options
    this.writer = new FrameWriter(options.flags, options.initialSizeBytes)
    this.#pieceStart = this.writer.used
  }

  /** Vertices are applied before edges, whatever the order of the payload's sections. */
  enterSection(isEdges: boolean): void {
    this.#closePiece()
    this.#isEdges = isEdges
  }

  beginVertex(plan: VertexPlan, key: KeyBuffer): void {
    this.#begin(plan, key, null)
  }

  beginEdge(route: EdgeRoute, source: KeyBuffer, target: KeyBuffer): void {
    if (route.isSwapped) this.#begin(route, target, source)
    else this.#begin(route, source, target)
  }

  /** The attribute that stands next if this entry is like the one before. */
  get expected(): AttributePlan | undefined {
    return this.#isLikeRun ? this.#runFields[this.#count] : undefined
  }

  /** A value of this attribute follows; called again, it replaces what was written since. */
  beginValue(attribute: AttributePlan): void {
    this.#fields[this.#count] = attribute
    this.#starts[this.#count] = this.writer.used
  }

  rewindValue(): void {
    this.writer.used = this.#starts[this.#count]!
  }

  endValue(op: number): void {
    const index = this.#count++
    this.#ops[index] = op
    if (this.#runFields[index] !== this.#fields[index] || this.#runOps[index] !== op) {
      this.#isLikeRun = false
    }
  }

  endEntry(): void {
    const { writer } = this
    if (writer.used - this.#valuesStart > ATTRIBUTES_SIZE_BYTES_MAX) throw tooLarge()
    if (this.#isLikeRun && this.#count === this.#runFields.length) {
      writer.endEntry()
    } else {
      this.#move()
    }
    this.#runKey0 = this.#key0!.serial
    if (this.#key1) this.#runKey1 = this.#key1.serial
    const { chunkSizeBytes } = this.#options
    if (chunkSizeBytes > 0 && writer.used >= chunkSizeBytes) this.#startFrame()
  }

  /** The frames in the order in which they are to be committed; none for an empty payload. */
  finish(): Uint8Array[] {
    this.#closePiece()
    this.#frames.push(this.writer.finish())
    return arrangeFrames(this.#frames, this.#pieces, this.#options)
  }

  #begin(target: Target, key0: KeyBuffer, key1: KeyBuffer | null): void {
    this.#target = target
    this.#key0 = key0
    this.#key1 = key1
    this.#count = 0
    this.#entryStart = this.writer.used
    this.#isLikeRun = target === this.#runTarget
    if (this.#isLikeRun) {
      this.#writeKey(key0, this.#runKey0)
      if (key1) this.#writeKey(key1, this.#runKey1)
    }
    this.#valuesStart = this.writer.used
  }

  #writeKey(key: KeyBuffer, serialBefore: number): void {
    if (key.serial === serialBefore) this.writer.sameKey()
    else this.writer.raw(key.bytes, 0, key.length)
  }

  /** The entry differs from the run: reorders its values, in a new run unless that was all. */
  #move(): void {
    const order = this.#fieldOrder()
    const isRun = this.#target === this.#runTarget && this.#fitsRun(order)
    const isInOrder = order.length === this.#count && order.every((index, at) => index === at)
    if (!isInOrder) this.#reorder(order, isRun)
    else if (!isRun) this.#shift(order)
    this.writer.endEntry()
  }

  #reorder(order: readonly number[], isRun: boolean): void {
    const { writer } = this
    const end = writer.used
    const values = writer.bytes.slice(this.#valuesStart, end)
    const ends = order.map((index) => (index + 1 < this.#count ? this.#starts[index + 1]! : end))
    if (isRun) {
      writer.used = this.#valuesStart
    } else {
      writer.used = this.#entryStart
      this.#beginRun(order)
    }
    order.forEach((index, position) => {
      const start = this.#starts[index]! - this.#valuesStart
      writer.raw(values, start, ends[position]! - this.#valuesStart)
    })
  }

  /** Values in their order go behind the beginning of a new run, without a copy of them elsewhere. */
  #shift(order: readonly number[]): void {
    const { writer } = this
    const sizeBytes = writer.used - this.#valuesStart
    const keys = this.#key0!.length + (this.#key1?.length ?? 0)
    const room = RUN_SIZE_BYTES_MAX + order.length * FIELD_SIZE_BYTES_MAX + keys
    writer.reserve(room)
    const aside = this.#valuesStart + room
    writer.bytes.copyWithin(aside, this.#valuesStart, writer.used)
    writer.used = this.#entryStart
    this.#beginRun(order)
    assert(writer.used <= aside, 'the beginning of a run fits into its room')
    writer.bytes.copyWithin(writer.used, aside, aside + sizeBytes)
    writer.used += sizeBytes
  }

  /** Discriminators first, as declared; of an attribute named twice the last value counts. */
  #fieldOrder(): number[] {
    const target = this.#target!
    const discriminatorCount = 'plan' in target ? target.plan.discriminatorCount : 0
    const positions = new Map<AttributePlan, number>()
    for (let index = 0; index < this.#count; index++) positions.set(this.#fields[index]!, index)
    const order = [...positions.values()].sort((left, right) => {
      const leftSlot = Math.min(this.#fields[left]!.slot, discriminatorCount)
      const rightSlot = Math.min(this.#fields[right]!.slot, discriminatorCount)
      return leftSlot - rightSlot || left - right
    })
    for (let slot = 0; slot < discriminatorCount; slot++) this.#checkDiscriminator(order, slot)
    return order
  }

  #checkDiscriminator(order: readonly number[], slot: number): void {
    const { plan } = this.#target as EdgeRoute
    const index = order[slot]
    const attribute = plan.attributes[slot]!
    if (index === undefined || this.#fields[index] !== attribute) {
      const message = `The discriminator attribute '${attribute.name}' of edge type '${plan.name}' is missing`
      throw new DbError('INVALID_PAYLOAD', message)
    }
    if (this.#ops[index] !== fieldOp.set) {
      const message = `The discriminator attribute '${attribute.name}' of edge type '${plan.name}' takes no op`
      throw new DbError('INVALID_PAYLOAD', message)
    }
  }

  #fitsRun(order: readonly number[]): boolean {
    return (
      order.length === this.#runFields.length &&
      order.every(
        (index, position) =>
          this.#runFields[position] === this.#fields[index] &&
          this.#runOps[position] === this.#ops[index],
      )
    )
  }

  #beginRun(order: readonly number[]): void {
    const target = this.#target!
    this.#runTarget = target
    this.#runFields = order.map((index) => this.#fields[index]!)
    this.#runOps = order.map((index) => this.#ops[index]!)
    const fields: FrameField[] = this.#runFields.map(({ attributeId }, position) => ({
      attributeId,
      op: this.#runOps[position]!,
    }))
    if ('plan' in target) this.writer.beginEdges(target.run, fields, this.#isTurned(target))
    else this.writer.beginVertices(target.typeId, fields)
    this.writer.raw(this.#key0!.bytes, 0, this.#key0!.length)
    if (this.#key1) this.writer.raw(this.#key1.bytes, 0, this.#key1.length)
  }

  /** Said only where a flag asks: all other frames are as they were before there was a way to. */
  #isTurned({ isSwapped }: EdgeRoute): boolean {
    return isSwapped && (this.#options.flags & MUST_EXIST) !== 0
  }

  #closePiece(): void {
    const { writer } = this
    writer.endRun()
    this.#runTarget = null
    if (writer.used > this.#pieceStart) {
      const bytes = writer.bytes.subarray(this.#pieceStart, writer.used)
      this.#pieces.push({ isEdges: this.#isEdges, bytes })
    }
    this.#pieceStart = writer.used
  }

  #startFrame(): void {
    const { flags, initialSizeBytes } = this.#options
    this.#closePiece()
    this.#frames.push(this.writer.finish())
    this.writer = new FrameWriter(flags, initialSizeBytes)
    this.#pieceStart = this.writer.used
  }
}

function tooLarge(): DbError {
  const megabytes = ATTRIBUTES_SIZE_BYTES_MAX / 2 ** 20
  return new DbError('INVALID_PAYLOAD', `The attributes exceed the limit of ${megabytes}MB`)
}

/** Codecs of scalar accumulators inside collections: map values and the columns of a GroupByAccum. */

import { bitsText } from '../output/number-text.ts'
import { Codec, type Memory } from './codec.ts'
import type { Ropes } from './ropes.ts'
import type { Printer, Value } from './value.ts'

export type FoldFunction = (state: Value, value: Value) => Value

/** A value that looks like one of another codec, and begins as `start`. */
export abstract class WrappingCodec extends Codec {
  readonly inner: Codec
  protected readonly start: Value

  constructor(memory: Memory, inner: Codec, start: Value) {
    super(memory)
    this.inner = inner
    this.start = start
  }

  zero(): Value {
    return this.start
  }

  hash(value: Value): number {
    return this.inner.hash(value)
  }

  compare(left: Value, right: Value): number {
    return this.inner.compare(left, right)
  }

  print(value: Value, printer: Printer, inside: boolean): void {
    this.inner.print(value, printer, inside)
  }

  keyText(value: Value, printer: Printer): Uint8Array {
    return this.inner.keyText(value, printer)
  }
}

/** One value and how another is folded into it. */
export class FoldCodec extends WrappingCodec {
  readonly width: number
  private readonly combine: FoldFunction

  constructor(memory: Memory, inner: Codec, start: Value, combine: FoldFunction) {
    super(memory, inner, start)
    this.width = inner.width
    this.combine = combine
  }

  read(at: number): Value {
    return this.inner.read(at)
  }

  write(at: number, value: Value): void {
    this.inner.write(at, value)
  }

  override fold(at: number, value: Value): void {
    this.inner.write(at, this.combine(this.inner.read(at), value))
  }
}

/** Bitwise accumulators print as their bits, the highest first. */
export class BitsCodec extends FoldCodec {
  private readonly lengthBits: number

  constructor(
    memory: Memory,
    parts: { readonly inner: Codec; readonly start: Value; readonly lengthBits: number },
    combine: FoldFunction,
  ) {
    super(memory, parts.inner, parts.start, combine)
    this.lengthBits = parts.lengthBits
  }

  override print(value: Value, printer: Printer): void {
    printer.raw(`"${bitsText(value as number | bigint, this.lengthBits)}"`)
  }
}

/** SumAccum<STRING>: the cell holds a rope. */
export class RopeCodec extends FoldCodec {
  private readonly ropes: Ropes

  constructor(memory: Memory, inner: Codec, ropes: Ropes) {
    super(memory, inner, 0, (state, value) => ropes.append(state as number, value as number))
    this.ropes = ropes
  }

  override read(at: number): Value {
    return this.ropes.flat(super.read(at) as number)
  }

  override fold(at: number, value: Value): void {
    const { cells } = this.memory.arena
    const rope = this.ropes.append(cells[at]!, value as number)
    cells[at] = rope
  }
}

/** Min and Max of tuples, or of values that begin as "nothing yet": a flag, then the value. */
export class ExtremeCodec extends WrappingCodec {
  readonly width: number
  private readonly sign: number
  private readonly isBound: boolean

  /** @param start of the parts: what it reads as at first; `isBound`: only what is better replaces it */
  constructor(
    memory: Memory,
    inner: Codec,
    { min, start, isBound }: { min: boolean; start: Value; isBound: boolean },
  ) {
    super(memory, inner, start)
    this.sign = min ? 1 : -1
    this.isBound = isBound
    this.width = inner.width + 1
  }

  read(at: number): Value {
    return this.memory.arena.cells[at] === 0 ? this.start : this.inner.read(at + 1)
  }

  write(at: number, value: Value): void {
    this.memory.arena.cells[at] = 1
    this.inner.write(at + 1, value)
  }

  override get isPlain(): boolean {
    return this.inner.isPlain
  }

  override init(at: number): void {
    this.memory.arena.cells[at] = 0
    this.inner.init(at + 1)
  }

  override free(at: number): void {
    this.inner.free(at + 1)
  }

  override copy(from: number, to: number): void {
    this.memory.arena.cells[to] = this.memory.arena.cells[from]!
    this.inner.copy(from + 1, to + 1)
  }

  /** What was never written changes nothing. */
  override merge(at: number, from: { readonly codec: Codec; readonly at: number }): void {
    const empty = from.codec instanceof ExtremeCodec && this.memory.arena.cells[from.at] === 0
    if (!empty) super.merge(at, from)
  }

  override fold(at: number, value: Value): void {
    const isCompared = this.isBound || this.memory.arena.cells[at] !== 0
    if (isCompared && this.inner.compare(value, this.read(at)) * this.sign >= 0) return
    this.write(at, value)
  }
}

/** AvgAccum: sum, then count. */
export class AvgCodec extends Codec {
  readonly width = 2
  private readonly inner: Codec

  constructor(memory: Memory, inner: Codec) {
    super(memory)
    this.inner = inner
  }

  read(at: number): Value {
    const { cells } = this.memory.arena
    const count = cells[at + 1]!
    return count === 0 ? 0 : cells[at]! / count
  }

  write(at: number, value: Value): void {
    const { cells } = this.memory.arena
    cells[at] = value as number
    cells[at + 1] = 1
  }

  override init(at: number): void {
    const { cells } = this.memory.arena
    cells[at] = 0
    cells[at + 1] = 0
  }

  override copy(from: number, to: number): void {
    this.memory.arena.cells.copyWithin(to, from, from + 2)
  }

  override fold(at: number, value: Value): void {
    const { cells } = this.memory.arena
    cells[at] = cells[at]! + (value as number)
    cells[at + 1] = cells[at + 1]! + 1
  }

  /** Sums and counts add up: the average of two averages is none. */
  override merge(at: number, from: { readonly codec: Codec; readonly at: number }): void {
    if (!(from.codec instanceof AvgCodec)) {
      super.merge(at, from)
      return
    }
    const { cells } = this.memory.arena
    cells[at] = cells[at]! + cells[from.at]!
    cells[at + 1] = cells[at + 1]! + cells[from.at + 1]!
  }

  zero(): Value {
    return 0
  }

  hash(value: Value): number {
    return this.inner.hash(value)
  }

  compare(left: Value, right: Value): number {
    return this.inner.compare(left, right)
  }

  print(value: Value, printer: Printer, inside: boolean): void {
    this.inner.print(value, printer, inside)
  }

  keyText(value: Value, printer: Printer): Uint8Array {
    return this.inner.keyText(value, printer)
  }
}

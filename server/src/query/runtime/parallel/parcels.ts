/**
 * Collections on their way from one thread to another: numbers one behind the other, and the bytes
 * of texts, each once. A code of a text means nothing to another thread; it gets its own there.
 */
import type { Memory } from '../cells/codec.ts'

export interface Parcel {
  readonly cells: Float64Array
  readonly bytes: Uint8Array
  /** Where each text ends among the bytes, in the order of their numbers. */
  readonly ends: Uint32Array
}

export function bytesOf({ cells, bytes, ends }: Parcel): number {
  return cells.byteLength + bytes.byteLength + ends.byteLength
}

/** Of a text: its entry in the map and its end. */
const TEXT_SIZE_BYTES = 80
const FIRST_CELLS = 64
const FIRST_BYTES = 256

export class ParcelWriter {
  readonly memory: Memory
  private cells = new Float64Array(FIRST_CELLS)
  private cellCount = 0
  private bytes = new Uint8Array(FIRST_BYTES)
  private byteCount = 0
  private readonly ends: number[] = []
  /** Numbers of texts, by their codes. */
  private readonly texts = new Map<number, number>()

  constructor(memory: Memory) {
    this.memory = memory
  }

  number(value: number): void {
    this.makeRoom(1)
    this.cells[this.cellCount++] = value
  }

  /** Cells of the arena, bit by bit: they may hold integers of 64 bits. */
  copy(from: number, count: number): void {
    this.makeRoom(count)
    const { cells } = this.memory.arena
    this.cells.set(cells.subarray(from, from + count), this.cellCount)
    this.cellCount += count
  }

  text(code: number): void {
    const known = this.texts.get(code)
    if (known !== undefined) {
      this.number(known)
      return
    }
    const number = this.ends.length
    this.memory.arena.memory.takeHeap(TEXT_SIZE_BYTES)
    this.texts.set(code, number)
    const view = this.memory.strings.view(code)
    const needed = this.byteCount + view.length
    if (needed > this.bytes.length) this.bytes = grown(this.bytes, new Uint8Array(needed * 2))
    this.bytes.set(view, this.byteCount)
    this.byteCount = needed
    this.ends.push(needed)
    this.number(number)
  }

  finish(): Parcel {
    this.memory.arena.memory.giveHeap(this.ends.length * TEXT_SIZE_BYTES)
    return {
      cells: this.cells.slice(0, this.cellCount),
      bytes: this.bytes.slice(0, this.byteCount),
      ends: Uint32Array.from(this.ends),
    }
  }

  private makeRoom(count: number): void {
    const needed = this.cellCount + count
    if (needed > this.cells.length) this.cells = grown(this.cells, new Float64Array(needed * 2))
  }
}

function grown<T extends Float64Array | Uint8Array>(before: T, after: T): T {
  after.set(before)
  return after
}

export class ParcelReader {
  readonly memory: Memory
  private readonly cells: Float64Array
  private next = 0
  /** Codes here, by the numbers of the texts. */
  private readonly codes: readonly number[]

  constructor(memory: Memory, { cells, bytes, ends }: Parcel) {
    this.memory = memory
    this.cells = cells
    const startOf = (i: number) => (i === 0 ? 0 : ends[i - 1]!)
    this.codes = Array.from(ends, (end, i) => memory.strings.internBytes(bytes, startOf(i), end))
  }

  number(): number {
    return this.cells[this.next++]!
  }

  /** Puts the next cells into the arena. */
  copy(to: number, count: number): void {
    this.memory.arena.cells.set(this.cells.subarray(this.next, this.next + count), to)
    this.next += count
  }

  /** The code of the next text. */
  text(): number {
    return this.codes[this.number()]!
  }
}
